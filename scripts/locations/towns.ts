/** Cities of the catalogue, and the towns and townships that are not among them. Pure. */
import { bareCityName, namesOfCity } from '../../src/core/domain/placeNames.ts';
import type { GeoName, Subdivision } from './sources.ts';

export interface CityInCounty extends GeoName {
  /** FIPS number of its county, five digits */
  fips: string;
}

export interface Town {
  geoid: string;
  name: string;
  /** that of the largest listed place in it; null where none is */
  centre: GeoName | null;
}

/** Two rows of one name in one county that are no further apart are one place. */
const SAME_PLACE_KM = 10;
const KM_PER_DEGREE = 111.32;
/** What GeoNames counts as places, and are none: buildings, and Swains Island, whose district the catalogue lacks. */
const NO_PLACES = new Set([4043547, 5881150]);
/** Counties that GeoNames leaves out or misspells, and the names that it has not renamed. */
const COUNTIES: Readonly<Record<number, string>> = {
  4376482: '29037',
  5128581: '36061',
  5859888: '02063',
  5877389: '02063',
  8555982: '15003',
};
const NAMES: Readonly<Record<number, string>> = { 5880054: 'Utqiaġvik' };
/** Counties of the territories by the first level of GeoNames, where that is no county's code. */
const DISTRICTS: Readonly<Record<string, string>> = {
  'AS 010': '60010',
  'AS 020': '60020',
  'AS 050': '60050',
  'MP 110': '69110',
  'MP 120': '69120',
  'VI 010': '78010',
  'VI 020': '78020',
  'VI 030': '78030',
};
const GUAM = '66010';

/** @param stateFips two digits by USPS abbreviation @param successors of counties that are no more, by their number */
export function placeCities(rows: readonly GeoName[], stateFips: ReadonlyMap<string, string>, successors: ReadonlyMap<string, string>) {
  return rows
    .filter(({ id }) => !NO_PLACES.has(id))
    .map((row): CityInCounty => {
      const own = `${stateFips.get(row.state)}${row.county}`;
      const district = row.state === 'GU' ? GUAM : DISTRICTS[`${row.state} ${row.county}`];
      const fips = COUNTIES[row.id] ?? district ?? successors.get(own) ?? own;
      return { ...row, name: NAMES[row.id] ?? row.name, fips };
    });
}

const kilometresBetween = (a: GeoName, b: GeoName) =>
  KM_PER_DEGREE *
  Math.hypot(
    Number(a.latitude) - Number(b.latitude),
    (Number(a.longitude) - Number(b.longitude)) * Math.cos((Number(a.latitude) * Math.PI) / 180),
  );

/** Rows that list a place a second time, with the one that stays: the larger, then the one with the lower number. */
export function findDoubleRows(cities: readonly CityInCounty[]): { dropped: CityInCounty; kept: CityInCounty }[] {
  const sorted = [...cities].sort((a, b) => b.population - a.population || a.id - b.id);
  const groups = Map.groupBy(sorted, ({ fips, name }) => `${fips} ${namesOfCity(name)[0]}`);
  return [...groups.values()].flatMap(([kept, ...others]) =>
    kept ? others.filter((other) => kilometresBetween(kept, other) <= SAME_PLACE_KM).map((dropped) => ({ dropped, kept })) : [],
  );
}

const TITLE = { 'charter township': 'Charter Township', township: 'Township', plantation: 'Plantation' } as const;
const SUBDIVISION = /^(.*) (charter township|township|plantation|town)$/;
/** A larger place of GeoNames is the town itself, also where it has the code of another one. */
const LARGE = 10_000;

/**
 * The towns that no city of the catalogue is. A city of the same name in the same county is the town, unless it is a village, borough or
 * city with a government of its own, or lies in another town.
 * @param incorporated `36001 colonie`: the county and name of each place with a government of its own
 */
export function findTowns(
  subdivisions: readonly Subdivision[],
  cities: readonly CityInCounty[],
  incorporated: ReadonlySet<string>,
): Town[] {
  const byName = Map.groupBy(cities, ({ fips, name }) => `${fips} ${bareCityName(name)}`);
  const byCode = Map.groupBy(cities, ({ fips, subdivision }) => `${fips}${subdivision}`);
  const known = new Set(subdivisions.map(({ geoid }) => geoid));
  return subdivisions.flatMap(({ geoid, name }): Town[] => {
    const [, own = name, kind = 'town'] = SUBDIVISION.exec(name) ?? [];
    const fips = geoid.slice(0, 5);
    const key = `${fips} ${bareCityName(own)}`;
    const isApart = incorporated.has(key);
    const isTown = (city: CityInCounty) =>
      `${fips}${city.subdivision}` === geoid || !known.has(`${fips}${city.subdivision}`) || city.population >= LARGE;
    if (!isApart && byName.get(key)?.some(isTown)) return [];
    const [centre = null] = [...(byCode.get(geoid) ?? [])].sort((a, b) => b.population - a.population || a.id - b.id);
    const plain = isApart ? `Town of ${own}` : own;
    return [{ geoid, name: kind === 'town' ? plain : `${own} ${TITLE[kind as keyof typeof TITLE]}`, centre }];
  });
}
