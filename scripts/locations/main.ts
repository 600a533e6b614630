/**
 * Writes `src/catalogue/locations/city_counties.csv`, once for a version of the catalogue:
 * `node scripts/locations/main.ts COUNTIES_TOPOLOGY PLACES_CENSUS`, with `counties-10m.json` of the npm package us-atlas 3.0.1 and a
 * gzipped CSV of the Census Bureau's places (place_geoid, name, state, county_fips, county_name, lat, lng, population, land_sqmi).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type City, foldName } from '../../src/core/domain/places.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { type CountyOutline, furtherCounties, type PlacedCity, type Point } from './furtherCounties.ts';

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
function readCensus(file: string): Map<string, CensusPlace[]> {
  const rows: Record<string, string>[] = parse(gunzipSync(readFileSync(file)), { columns: true });
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

const [topology, places] = process.argv.slice(2);
if (!topology || !places) throw new Error('Name two files: counties-10m.json of us-atlas, and the gzipped CSV of Census places');
const outlines = readOutlines(topology);
const census = readCensus(places);
const catalogue = loadPlaces();
const rows = [...catalogue.cities]
  .sort((a, b) => a.id - b.id)
  .flatMap((city) => {
    const state = catalogue.state(city.stateId)?.abbreviation ?? '';
    return furtherCounties(placed(city, state, census), outlines).map((county) => `${city.id},${String(county).padStart(5, '0')}`);
  });
const file = new URL('../../src/catalogue/locations/city_counties.csv', import.meta.url);
writeFileSync(file, `geoname_id,county_fips\n${rows.join('\n')}\n`);
console.log(`${rows.length} further counties of ${new Set(rows.map((row) => row.split(',')[0])).size} cities`);
