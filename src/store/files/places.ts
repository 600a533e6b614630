import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { Places } from '../../domain/places.ts';

const folder = new URL('../../catalogue/locations/', import.meta.url);

function rows<T>(file: string, toRow: (row: Record<string, string>) => T): T[] {
  const records: Record<string, string>[] = parse(readFileSync(new URL(file, folder)), { columns: true });
  return records.map(toRow);
}

const text = (row: Record<string, string>, column: string): string => {
  const value = row[column];
  if (value === undefined) throw new Error(`The catalogue of places lacks the column ${column}`);
  return value;
};
const number = (row: Record<string, string>, column: string) => Number(text(row, column));

let catalogue: Places | undefined;

/** The catalogue of places that ships with the product: 56 states and territories, 3,231 counties, 21,140 cities. Read once a process. */
export function loadPlaces(): Places {
  catalogue ??= readPlaces();
  return catalogue;
}

function readPlaces(): Places {
  const states = rows('states.csv', (r) => ({
    id: number(r, 'fips'),
    name: text(r, 'name'),
    abbreviation: text(r, 'usps'),
    latitude: number(r, 'lat'),
    longitude: number(r, 'lng'),
  }));
  const stateId = new Map(states.map((s) => [s.abbreviation, s.id]));
  const counties = rows('counties.csv', (r) => ({
    id: number(r, 'fips'),
    name: text(r, 'name'),
    stateId: number(r, 'state_fips'),
    latitude: number(r, 'lat'),
    longitude: number(r, 'lng'),
  }));
  const further = new Map<number, number[]>();
  for (const [id, county] of rows('city_counties.csv', (r) => [number(r, 'geoname_id'), number(r, 'county_fips')] as const))
    further.set(id, [...(further.get(id) ?? []), county]);
  const cities = rows('cities.csv', (r) => ({
    id: number(r, 'geoname_id'),
    name: text(r, 'name'),
    stateId: stateId.get(text(r, 'state')) ?? Number.NaN,
    countyId: number(r, 'county_fips'),
    furtherCountyIds: further.get(number(r, 'geoname_id')) ?? [],
    latitude: number(r, 'lat'),
    longitude: number(r, 'lng'),
    population: number(r, 'population'),
  }));
  return new Places(states, counties, cities);
}
