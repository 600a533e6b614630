/** Rows of the public tables from which the catalogue of places is made. */
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse/sync';

type Row = Record<string, string>;

const CATALOGUE = new URL('../../src/catalogue/locations/', import.meta.url);

export const catalogueFile = (name: string) => new URL(name, CATALOGUE);

export const readCsv = (file: string | URL | Buffer): Row[] =>
  parse(file instanceof Buffer ? file : readFileSync(file), { columns: true }) as Row[];

/** A populated place of GeoNames in the United States or a territory. */
export interface GeoName {
  id: number;
  name: string;
  /** USPS abbreviation */
  state: string;
  /** code of its county, or of its island or village in a territory */
  county: string;
  /** five digits of its county subdivision; '' where GeoNames has none */
  subdivision: string;
  feature: string;
  latitude: string;
  longitude: string;
  population: number;
}

const TERRITORIES = new Set(['PR', 'VI', 'GU', 'AS', 'MP']);

/** Places of `cities500.txt` of GeoNames, whose columns are described at https://download.geonames.org/export/dump/readme.txt. */
export async function readGeoNames(folder: string): Promise<GeoName[]> {
  const found: GeoName[] = [];
  for await (const line of createInterface({ input: createReadStream(path.join(folder, 'cities500.txt')) })) {
    const cells = line.split('\t');
    const [id, name, , , latitude = '', longitude = '', , feature = '', country = '', , first = '', second = '', subdivision = ''] = cells;
    const isTerritory = TERRITORIES.has(country);
    if (country !== 'US' && !isTerritory) continue;
    found.push({
      id: Number(id),
      name: name ?? '',
      state: isTerritory ? country : first,
      county: isTerritory ? first : second,
      subdivision,
      feature,
      latitude,
      longitude,
      population: Number(cells[14]),
    });
  }
  return found;
}

/** A town, township or plantation: ten digits of its Census subdivision, and its name with its kind. */
export interface Subdivision {
  geoid: string;
  name: string;
}

const TOWN_STATES = /state:(ct|ma|me|nh|ri|vt|nj|pa|ny|oh|mi)\//;

/** County subdivisions of the states whose counties are divided into towns or townships, from `country-us.csv` of the Open Civic Data divisions. */
export function readSubdivisions(folder: string): Subdivision[] {
  return readCsv(path.join(folder, 'country-us.csv')).flatMap(({ id = '', name = '', census_geoid }) => {
    const [, geoid] = /^place-(\d{10})$/.exec(census_geoid ?? '') ?? [];
    return geoid && TOWN_STATES.test(id) ? [{ geoid, name }] : [];
  });
}
