/** The catalogue of US states, counties and cities, and how names resolve to them (src/docs/filters.md). Pure. */

import { hash } from 'node:crypto';

export interface State {
  /** FIPS number, e.g. 8 for Colorado */
  id: number;
  name: string;
  /** USPS abbreviation */
  abbreviation: string;
  latitude: number;
  longitude: number;
}

export interface County {
  /** FIPS number, e.g. 8013 for Boulder County, Colorado */
  id: number;
  name: string;
  stateId: number;
  latitude: number;
  longitude: number;
}

export interface City {
  /** GeoNames number */
  id: number;
  name: string;
  stateId: number;
  /** FIPS number of the county of its centre */
  countyId: number;
  /** other counties of the state in which parts of it may lie, ascending */
  furtherCountyIds: readonly number[];
  latitude: number;
  longitude: number;
  population: number;
}

/** Every county in which a city may lie, that of its centre first. */
export const countiesOfCity = ({ countyId, furtherCountyIds }: City): readonly number[] => [countyId, ...furtherCountyIds];

/** Narrows a look-up by name; an empty or absent list does not narrow. */
export interface Within {
  stateIds?: readonly number[];
  countyIds?: readonly number[];
}

const METRES_A_DEGREE = 111_320;

/** Metres between the centres of two cities, on a plane: exact enough for neighbours. */
function measureDistance(a: City, b: City): number {
  const [north, east] = [a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180)];
  return Math.hypot(north, east) * METRES_A_DEGREE;
}

const COUNTY_KIND = / (county|parish|borough|census area|municipality|municipio|city and borough|planning region|city)$/;
const CITY_KIND = / (city|town|township|village|cdp|borough)$/;
const CITY_PREFIX = /^(city|town|township|village|borough) of /;

/** Nearly every name: nothing but its case folds away. */
const PLAIN_NAME = /^(?!.*\b(?:st|ft|mt)\b)[a-z]+(?: [a-z]+)*$/;

/** Case, accents and punctuation fold away; 'St.' and 'Saint' are one word. */
export function foldName(text: string): string {
  const lower = text.toLowerCase();
  return PLAIN_NAME.test(lower) ? lower : foldFully(text);
}

function foldFully(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[.'‘’ʻ]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/\bst\b/g, 'saint')
    .replace(/\bft\b/g, 'fort')
    .replace(/\bmt\b/g, 'mount');
}

function index<T>(items: readonly T[], keys: (item: T) => readonly (string | number)[]): Map<string | number, T[]> {
  const map = new Map<string | number, T[]>();
  for (const item of items) {
    for (const key of new Set(keys(item))) {
      const found = map.get(key);
      if (found) found.push(item);
      else map.set(key, [item]);
    }
  }
  return map;
}

/** What a city is called: its name as the catalogue has it, and without what kind of place it is. @param folded its name */
const listCityNames = (folded: string) => [folded, folded.replace(CITY_KIND, ''), folded.replace(CITY_PREFIX, '')];

/** Every way in which a county or city is called, folded. */
export function namesOf(kind: 'county' | 'city', name: string): string[] {
  const folded = foldName(name);
  return [...new Set(kind === 'city' ? listCityNames(folded) : [folded, folded.replace(COUNTY_KIND, '')])];
}

const includesOrEmpty = (ids: readonly number[] | undefined, id: number) => !ids?.length || ids.includes(id);

export class Places {
  readonly states: readonly State[];
  readonly counties: readonly County[];
  readonly cities: readonly City[];
  readonly #stateById: Map<number, State>;
  readonly #countyById: Map<number, County>;
  readonly #cityById: Map<number, City>;
  readonly #statesByName: Map<string | number, State[]>;
  readonly #countiesByFullName: Map<string | number, County[]>;
  readonly #countiesByName: Map<string | number, County[]>;
  readonly #countiesByState: Map<string | number, County[]>;
  readonly #citiesByName: Map<string | number, City[]>;
  readonly #citiesByCounty: Map<string | number, City[]>;
  #digest: string | undefined;

  constructor(states: readonly State[], counties: readonly County[], cities: readonly City[]) {
    const compareNames = <T extends { name: string; id: number }>(a: T, b: T) => a.name.localeCompare(b.name, 'en') || a.id - b.id;
    this.states = [...states].sort(compareNames);
    this.counties = [...counties].sort(compareNames);
    this.cities = [...cities].sort(compareNames);
    this.#stateById = new Map(states.map((s) => [s.id, s]));
    this.#countyById = new Map(counties.map((c) => [c.id, c]));
    this.#cityById = new Map(cities.map((c) => [c.id, c]));
    this.#statesByName = index(this.states, (s) => [foldName(s.name), s.abbreviation.toLowerCase()]);
    this.#countiesByFullName = index(this.counties, (c) => [foldName(c.name)]);
    this.#countiesByName = index(this.counties, (c) => [foldName(c.name).replace(COUNTY_KIND, '')]);
    this.#countiesByState = index(this.counties, (c) => [c.stateId]);
    this.#citiesByName = index(this.cities, (c) => listCityNames(foldName(c.name)));
    this.#citiesByCounty = index(this.cities, countiesOfCity);
  }

  /** Identifies the catalogue: in another one, a place may have another id. */
  get digest(): string {
    this.#digest ??= hash('sha1', JSON.stringify([this.states, this.counties, this.cities]));
    return this.#digest;
  }

  state(id: number): State | undefined {
    return this.#stateById.get(id);
  }

  county(id: number): County | undefined {
    return this.#countyById.get(id);
  }

  city(id: number): City | undefined {
    return this.#cityById.get(id);
  }

  /** `Boulder County, CO` */
  labelOf({ name, stateId }: Pick<County, 'name' | 'stateId'>): string {
    return `${name}, ${this.state(stateId)?.abbreviation ?? stateId}`;
  }

  countiesOf(stateId: number): readonly County[] {
    return this.#countiesByState.get(stateId) ?? [];
  }

  /** Cities that lie in the county, or may lie in it in part. */
  citiesOf(countyId: number): readonly City[] {
    return this.#citiesByCounty.get(countyId) ?? [];
  }

  /** A state by FIPS number, USPS abbreviation or name. */
  findState(text: string): State | undefined {
    if (/^\d+$/.test(text.trim())) return this.#stateById.get(Number(text));
    return (this.#statesByName.get(text.trim().toLowerCase()) ?? this.#statesByName.get(foldName(text)))?.[0];
  }

  /**
   * Every county that the text may mean: by FIPS number or by name, the trailing 'County' (Parish, Borough, …) optional.
   * A full name ('Baltimore city') wins over a shortened one, so that only true homonyms remain.
   */
  findCounties(text: string, narrow: Within = {}): readonly County[] {
    if (/^\d+$/.test(text.trim())) return this.#byId(this.#countyById, text, narrow);
    const { place, scope } = this.#splitState(text, narrow);
    const keep = (c: County) => includesOrEmpty(scope.stateIds, c.stateId);
    const full = (this.#countiesByFullName.get(foldName(place)) ?? []).filter(keep);
    if (full.length) return full;
    return (this.#countiesByName.get(foldName(place).replace(/ county$/, '')) ?? []).filter(keep);
  }

  /**
   * Every city that the text may mean: by GeoNames number or by name; 'City of X' is X, and 'X, CO' narrows to the state. Within
   * counties, a city whose centre lies there wins over one that only reaches into them.
   */
  findCities(text: string, narrow: Within = {}): readonly City[] {
    if (/^\d+$/.test(text.trim())) return this.#byId(this.#cityById, text, narrow);
    const { place, scope } = this.#splitState(text, narrow);
    const isInState = (c: City) => includesOrEmpty(scope.stateIds, c.stateId);
    const centred = (c: City) => isInState(c) && includesOrEmpty(scope.countyIds, c.countyId);
    const reaching = (c: City) => isInState(c) && c.furtherCountyIds.some((id) => includesOrEmpty(scope.countyIds, id));
    const full = foldName(place);
    const bare = full.replace(CITY_PREFIX, '');
    const names = [foldName(text), full, bare, bare.replace(CITY_KIND, '')];
    const called = (keep: (c: City) => boolean) =>
      names.map((name) => (this.#citiesByName.get(name) ?? []).filter(keep)).find((some) => some.length);
    const found = called(centred) ?? called(reaching) ?? [];
    const exact = found.filter((c) => names.slice(0, 3).includes(foldName(c.name)));
    return exact.length ? exact : found;
  }

  /** Counties of these cities, and those in which a city no further than some metres from one of them is centred. */
  countiesNear(cities: readonly City[], metres: number): readonly number[] {
    const near = this.cities.filter((other) => cities.some((city) => measureDistance(city, other) <= metres));
    return [...new Set([...cities.flatMap(countiesOfCity), ...near.map(({ countyId }) => countyId)])];
  }

  /** The state that a name brings with it: Illinois in 'Springfield, IL'. */
  findStateBehind(text: string): State | undefined {
    const comma = text.lastIndexOf(',');
    return comma > 0 ? this.findState(text.slice(comma + 1)) : undefined;
  }

  /** 'Springfield, IL' → Springfield within Illinois. A tail that is no state stays part of the name. */
  #splitState(text: string, narrow: Within): { place: string; scope: Within } {
    const state = this.findStateBehind(text);
    if (!state) return { place: text, scope: narrow };
    const stateIds = includesOrEmpty(narrow.stateIds, state.id) ? [state.id] : [-1];
    return { place: text.slice(0, text.lastIndexOf(',')), scope: { ...narrow, stateIds } };
  }

  #byId<T extends { stateId: number; id: number }>(map: Map<number, T>, text: string, narrow: Within): T[] {
    const found = map.get(Number(text));
    return found && includesOrEmpty(narrow.stateIds, found.stateId) ? [found] : [];
  }
}
