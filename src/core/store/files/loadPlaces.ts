import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { type Alias, type City, type County, type FormerPlace, Places } from '../../domain/places.ts';

const folder = new URL('../../../catalogue/locations/', import.meta.url);

/** Returns the text of a row's cell by the name of its column. */
type Row = (column: string) => string;

/**
 * Splits a line into cells. Every process reads 36,000 lines at its start; splitting those without quotes, nearly all, takes a tenth of the
 * time of a CSV parser.
 */
const splitCells = (line: string): readonly string[] => (line.includes('"') ? (parse(line)[0] as string[]) : line.split(','));

function readRows<T>(file: string, toRow: (row: Row) => T): T[] {
  const [header = '', ...lines] = readFileSync(new URL(file, folder), 'utf8').trimEnd().split(/\r?\n/);
  const columns = new Map(header.split(',').map((name, place) => [name, place]));
  return lines.map((line) => {
    const cells = splitCells(line);
    if (cells.length !== columns.size) throw new Error(`A line of ${file} has ${cells.length} cells in place of ${columns.size}: ${line}`);
    return toRow((column) => {
      const cell = cells[columns.get(column) ?? -1];
      if (cell === undefined) throw new Error(`The catalogue of places lacks the column ${column}`);
      return cell;
    });
  });
}

const number = (row: Row, column: string) => Number(row(column));

let catalogue: Places | undefined;

/** The catalogue of places of the product: 56 states and territories, 3,232 counties, 27,500 cities and towns. Read once a process. */
export function loadPlaces(): Places {
  catalogue ??= readPlaces();
  return catalogue;
}

function readPlaces(): Places {
  const states = readRows('states.csv', (r) => ({
    id: number(r, 'fips'),
    name: r('name'),
    abbreviation: r('usps'),
    latitude: number(r, 'lat'),
    longitude: number(r, 'lng'),
  }));
  const stateId = new Map(states.map((s) => [s.abbreviation, s.id]));
  const counties = readRows('counties.csv', (r) => ({
    id: number(r, 'fips'),
    name: r('name'),
    stateId: number(r, 'state_fips'),
    latitude: number(r, 'lat'),
    longitude: number(r, 'lng'),
  }));
  const further = new Map<number, number[]>();
  for (const [id, county] of readRows('city_counties.csv', (r) => [number(r, 'geoname_id'), number(r, 'county_fips')] as const))
    further.set(id, [...(further.get(id) ?? []), county]);
  const cities = readRows('cities.csv', (r) => ({
    id: number(r, 'geoname_id'),
    name: r('name'),
    stateId: stateId.get(r('state')) ?? Number.NaN,
    countyId: number(r, 'county_fips'),
    furtherCountyIds: further.get(number(r, 'geoname_id')) ?? [],
    latitude: number(r, 'lat'),
    longitude: number(r, 'lng'),
    population: number(r, 'population'),
  }));
  return new Places(states, counties, [...cities, ...readTowns(counties)], readOtherNames(stateId));
}

const COUNTY_DIGITS = 5;

/** The first five digits of a town's number are those of its county. */
function readTowns(counties: readonly County[]): City[] {
  const byId = new Map(counties.map((county) => [county.id, county]));
  return readRows('towns.csv', (r) => {
    const geoid = r('geoid');
    const county = byId.get(Number(geoid.slice(0, COUNTY_DIGITS)));
    if (!county) throw new Error(`The catalogue of places lacks the county of the town ${geoid}`);
    const town = { id: Number(geoid), name: r('name'), stateId: county.stateId, countyId: county.id, furtherCountyIds: [], population: 0 };
    return r('lat')
      ? { ...town, latitude: number(r, 'lat'), longitude: number(r, 'lng') }
      : { ...town, latitude: county.latitude, longitude: county.longitude, isCentreUnknown: true };
  });
}

const readOtherNames = (stateId: ReadonlyMap<string, number>) => ({
  aliases: readRows('aliases.csv', (r) => ({ level: r('level') as Alias['level'], id: number(r, 'id'), alias: r('alias') })),
  former: readRows('former.csv', (r) => ({
    level: r('level') as FormerPlace['level'],
    id: r('id') ? number(r, 'id') : null,
    name: r('name'),
    stateId: stateId.get(r('state')) ?? Number.NaN,
    until: r('until') || null,
    successorIds: r('successors').split(' ').map(Number),
  })),
});
