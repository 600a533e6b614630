/** The catalogue of US states, counties and cities, and how names resolve to them (src/docs/filters.md). Pure. */

import { hash } from 'node:crypto';
import { lazily } from './lazily.ts';
import { foldName, namesOfCity, namesOfCounty, readCityNames, readCountyName } from './placeNames.ts';
import { planningRegions } from './planningRegions.ts';

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
  /** GeoNames number; ten digits of the Census subdivision for a town that GeoNames does not list */
  id: number;
  name: string;
  stateId: number;
  /** FIPS number of the county of its centre */
  countyId: number;
  /** other counties of the state in which parts of it may lie, ascending */
  furtherCountyIds: readonly number[];
  latitude: number;
  longitude: number;
  /** that latitude and longitude are those of its county, since no place in the town is listed */
  isCentreUnknown?: boolean;
  /** 0 where it is not known */
  population: number;
}

export const PLACE_LEVELS = ['state', 'county', 'city'] as const;
export type PlaceLevel = (typeof PLACE_LEVELS)[number];

/** Another name of a place. */
export interface Alias {
  level: PlaceLevel;
  id: number;
  alias: string;
}

/** A county or city that is no more, or a row that listed a city a second time. */
export interface FormerPlace {
  level: 'county' | 'city';
  /** null where only its name changed */
  id: number | null;
  name: string;
  stateId: number;
  /** day from which it was no more, `YYYY-MM-DD`; null for a second row */
  until: string | null;
  /** what has become of it; several for one that was divided */
  successorIds: readonly number[];
}

/** A number that a place had before, or that a part of it had. */
export interface FormerId {
  id: number;
  until: string | null;
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

const regionsByName = lazily(() => index(planningRegions, ({ id, name }) => [id, ...namesOfCounty(name)]));

const isNumber = (text: string) => /^\d+$/.test(text.trim());

/** `Athens-Clarke County` is also `Athens-Clarke`. */
const withoutCounty = (alias: string) => [alias, alias.replace(/ (?:County|Parish)$/, '')];

const includesOrEmpty = (ids: readonly number[] | undefined, id: number) => !ids?.length || ids.includes(id);

/** Counties of which the outlines of the map are older than they are. */
const WITHOUT_OUTLINE: ReadonlySet<number> = new Set([2063, 2066]);

const INDEPENDENT_CITY = / city$/i;

const compareTexts = new Intl.Collator('en').compare;

const keyOf = (level: PlaceLevel, id: number) => `${level} ${id}`;

export class Places {
  readonly states: readonly State[];
  readonly counties: readonly County[];
  readonly cities: readonly City[];
  readonly #aliases: ReadonlyMap<string | number, readonly Alias[]>;
  readonly #formerOf: ReadonlyMap<string | number, readonly FormerPlace[]>;
  readonly #stateById: Map<number, State>;
  readonly #countyById: Map<number, County>;
  readonly #cityById: Map<number, City>;
  readonly #statesByName: Map<string | number, State[]>;
  readonly #former: readonly FormerPlace[];
  // Made at the first look-up by a name: they take half of the time in which the catalogue is read, and every process reads it.
  readonly #formerByName = lazily(() =>
    index(this.#former, ({ level, name, id }) => [
      ...(level === 'county' ? namesOfCounty(name) : namesOfCity(name)).map((folded) => `${level} ${folded}`),
      ...(id === null ? [] : [keyOf(level, id)]),
    ]),
  );
  readonly #namesOfCounty = ({ id, name }: County) => [name, ...this.aliasesOf('county', id)];
  readonly #countiesByFullName = lazily(() => index(this.counties, (c) => this.#namesOfCounty(c).map(readCountyName)));
  readonly #countiesByName = lazily(() => index(this.counties, (c) => this.#namesOfCounty(c).flatMap(namesOfCounty)));
  readonly #countiesByState = lazily(() => index(this.counties, (c) => [c.stateId]));
  readonly #citiesByName = lazily(() =>
    index(this.cities, (c) => [c.name, ...this.aliasesOf('city', c.id).flatMap(withoutCounty)].flatMap(namesOfCity)),
  );
  readonly #citiesByCounty = lazily(() => index(this.cities, countiesOfCity));
  #digest: string | undefined;
  /** state and name of cities of which the state has several */
  readonly #namesakes = lazily(() => {
    const seen = new Set<string>();
    return new Set(
      this.cities.flatMap(({ stateId, name }) => {
        const key = `${stateId} ${name}`;
        const isSecond = seen.has(key);
        seen.add(key);
        return isSecond ? [key] : [];
      }),
    );
  });

  constructor(
    states: readonly State[],
    counties: readonly County[],
    cities: readonly City[],
    { aliases, former }: { aliases: readonly Alias[]; former: readonly FormerPlace[] } = { aliases: [], former: [] },
  ) {
    const compareNames = <T extends { name: string; id: number }>(a: T, b: T) => compareTexts(a.name, b.name) || a.id - b.id;
    this.states = [...states].sort(compareNames);
    this.counties = [...counties].sort(compareNames);
    this.cities = [...cities].sort(compareNames);
    this.#former = former;
    this.#aliases = index(aliases, ({ level, id }) => [keyOf(level, id)]);
    this.#formerOf = index(former, ({ level, successorIds }) => successorIds.map((id) => keyOf(level, id)));
    this.#stateById = new Map(states.map((s) => [s.id, s]));
    this.#countyById = new Map(counties.map((c) => [c.id, c]));
    this.#cityById = new Map(cities.map((c) => [c.id, c]));
    this.#statesByName = index(this.states, (s) => [
      ...[s.name, ...this.aliasesOf('state', s.id)].map(foldName),
      s.abbreviation.toLowerCase(),
    ]);
  }

  /** Identifies the catalogue: in another one, a place may have another id. */
  get digest(): string {
    this.#digest ??= hash('sha1', JSON.stringify([this.states, this.counties, this.cities, [...this.#aliases], this.#former]));
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

  /** Other names of a place. */
  aliasesOf(level: PlaceLevel, id: number): string[] {
    return (this.#aliases.get(keyOf(level, id)) ?? []).map(({ alias }) => alias);
  }

  /** Numbers that the place had before, or that it was a part of. */
  formerIdsOf(level: PlaceLevel, id: number): FormerId[] {
    return (this.#formerOf.get(keyOf(level, id)) ?? []).flatMap((one) => (one.id === null ? [] : [{ id: one.id, until: one.until }]));
  }

  /** Names that the place had before: those of which it is the only successor. */
  formerNamesOf(level: PlaceLevel, id: number): string[] {
    return (this.#formerOf.get(keyOf(level, id)) ?? []).flatMap(({ name, successorIds }) => (successorIds.length === 1 ? [name] : []));
  }

  /** What is known of where a place lies: its outline, its centre, or (null) its county alone. */
  precisionOf(level: PlaceLevel, place: State | County | City): 'outline' | 'centre' | null {
    if (level !== 'city' && !WITHOUT_OUTLINE.has(place.id)) return 'outline';
    return 'isCentreUnknown' in place && place.isCentreUnknown ? null : 'centre';
  }

  /** `Boulder County, CO`; of a city with namesakes in its state `Washington Township, Franklin County, OH` */
  labelOf(place: Pick<County, 'name' | 'stateId'> & Partial<Pick<City, 'countyId'>>): string {
    const { name, stateId, countyId } = place;
    const county = countyId !== undefined && this.#namesakes().has(`${stateId} ${name}`) ? this.county(countyId)?.name : undefined;
    return [name, ...(county ? [county] : []), this.state(stateId)?.abbreviation ?? stateId].join(', ');
  }

  countiesOf(stateId: number): readonly County[] {
    return this.#countiesByState().get(stateId) ?? [];
  }

  /** Cities that lie in the county, or may lie in it in part. */
  citiesOf(countyId: number): readonly City[] {
    return this.#citiesByCounty().get(countyId) ?? [];
  }

  /** A state by FIPS number, USPS abbreviation or name. */
  findState(text: string): State | undefined {
    if (isNumber(text)) return this.#stateById.get(Number(text));
    const folded = foldName(text);
    return (this.#statesByName.get(text.trim().toLowerCase()) ??
      this.#statesByName.get(folded) ??
      this.#statesByName.get(folded.replaceAll(' ', '')))?.[0];
  }

  /**
   * Every county that the text may mean: by FIPS number or by name, the trailing 'County' (Parish, Borough, …) optional.
   * A full name ('Baltimore city') wins over a shortened one, so that only true homonyms remain. A county that is no more means its successors.
   */
  findCounties(text: string, narrow: Within = {}): readonly County[] {
    const found = isNumber(text) ? this.#byId(this.#countyById, text, narrow) : this.#findCountiesByName(text, narrow);
    return found.length ? found : this.#successorsOf(this.#findFormer('county', text, narrow), this.#countyById);
  }

  #findCountiesByName(text: string, narrow: Within): readonly County[] {
    const { place, scope } = this.#splitState(text, narrow);
    const keep = (c: County) => includesOrEmpty(scope.stateIds, c.stateId);
    const name = readCountyName(place);
    const full = (this.#countiesByFullName().get(name) ?? []).filter(keep);
    if (full.length) return full;
    const bare = name.replace(/ county$/, '');
    // A city that is no part of a county has its name, but is none: Norfolk County is not the city of Norfolk.
    const isMeant = (c: County) => bare === name || !INDEPENDENT_CITY.test(c.name) || readCountyName(c.name) === bare;
    return (this.#countiesByName().get(bare) ?? []).filter((c) => keep(c) && isMeant(c));
  }

  /**
   * Every city that the text may mean: by GeoNames number or by name; 'City of X' is X, and 'X, CO' narrows to the state. Within
   * counties, a city whose centre lies there wins over one that only reaches into them. A former name means what the city is now.
   */
  findCities(text: string, narrow: Within = {}): readonly City[] {
    const found = isNumber(text) ? this.#byId(this.#cityById, text, narrow) : this.#findCitiesByName(text, narrow);
    return found.length ? found : this.#successorsOf(this.#findFormer('city', text, narrow), this.#cityById);
  }

  #findCitiesByName(text: string, narrow: Within): readonly City[] {
    const { place, scope } = this.#splitState(text, narrow);
    const isInState = (c: City) => includesOrEmpty(scope.stateIds, c.stateId);
    const centred = (c: City) => isInState(c) && includesOrEmpty(scope.countyIds, c.countyId);
    const reaching = (c: City) => isInState(c) && c.furtherCountyIds.some((id) => includesOrEmpty(scope.countyIds, id));
    const names = place === text ? readCityNames(text) : [foldName(text), ...readCityNames(place)];
    const called = (keep: (c: City) => boolean) =>
      names.map((name) => (this.#citiesByName().get(name) ?? []).filter(keep)).find((some) => some.length);
    const found = called(centred) ?? called(reaching) ?? [];
    const exact = found.length > 1 ? found.filter((c) => names.includes(namesOfCity(c.name)[0] ?? '')) : [];
    return exact.length ? exact : found;
  }

  /** What a text meant that no place is called now. */
  formerCalled(level: 'county' | 'city', text: string, narrow: Within = {}): FormerPlace | undefined {
    const former = this.#findFormer(level, text, narrow);
    return former && !(level === 'county' ? this.#findCountiesByName(text, narrow) : this.#findCitiesByName(text, narrow)).length
      ? former
      : undefined;
  }

  /** Ids of counties or cities as they are today: one that is no more is what has become of it. */
  toTodaysIds(level: 'county' | 'city', ids: readonly number[]): number[] {
    return [...new Set(ids.flatMap((id) => this.formerCalled(level, String(id))?.successorIds ?? [id]))];
  }

  /** How many counties there are if all parts of one that was divided count as one. */
  countUndivided(countyIds: readonly number[]): number {
    const counted = new Set(countyIds);
    for (const { level, successorIds } of this.#former)
      if (level === 'county' && successorIds.every((id) => counted.has(id))) for (const id of successorIds.slice(1)) counted.delete(id);
    return counted.size;
  }

  #findFormer(level: 'county' | 'city', text: string, narrow: Within = {}): FormerPlace | undefined {
    const { place, scope } = this.#splitState(text, narrow);
    const names = isNumber(text) ? [String(Number(text))] : level === 'county' ? [readCountyName(place)] : readCityNames(place);
    return names
      .flatMap((name) => this.#formerByName().get(`${level} ${name}`) ?? [])
      .find(({ stateId }) => includesOrEmpty(scope.stateIds, stateId));
  }

  #successorsOf<T>(former: FormerPlace | undefined, byId: ReadonlyMap<number, T>): T[] {
    return (former?.successorIds ?? []).flatMap((id) => byId.get(id) ?? []);
  }

  /** A planning region of Connecticut, which is no county, by its number or name. */
  findPlanningRegion(text: string, narrow: Within = {}): County | undefined {
    const { place, scope } = this.#splitState(text, narrow);
    const name = readCountyName(place);
    const called = regionsByName().get(isNumber(text) ? Number(text) : name) ?? [];
    return called.find((region) => includesOrEmpty(scope.stateIds, region.stateId));
  }

  /** Counties of these cities, and those in which a city no further than some metres from one of them is centred. The centre of a town's county is not its own. */
  countiesNear(cities: readonly City[], metres: number): readonly number[] {
    const known = (all: readonly City[]) => all.filter(({ isCentreUnknown }) => !isCentreUnknown);
    const near = known(this.cities).filter((other) => known(cities).some((city) => measureDistance(city, other) <= metres));
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
