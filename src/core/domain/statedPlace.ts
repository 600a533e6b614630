/** What the place of a record means: its parts complete each other, and may contradict each other (src/docs/loading-data.md). Pure. */
import { type City, type County, countiesOfCity, type Places, type State } from './places.ts';

/** Counties that a stated name may mean in its state: none if it is not known, several if it does not tell them apart. */
export const findStatedCounties = (places: Places, name: string, state: State): readonly County[] =>
  places.findCounties(name, { stateIds: [state.id] });

/**
 * The city that a stated name means: the only one of that name in the county that is stated. Where none reaches into that, it is the only
 * one of the state that is as close to that county as a neighbour (St. Louis with St. Louis County).
 * @param counties that the stated county may mean
 */
export function findStatedCity(places: Places, name: string, state: State, counties: readonly County[]): City | undefined {
  const stateIds = [state.id];
  const countyIds = counties.map(({ id }) => id);
  const [city, ...others] = places.findCities(name, { stateIds, countyIds });
  if (city || !countyIds.length) return others.length ? undefined : city;
  const [elsewhere, ...more] = places.findCities(name, { stateIds });
  return elsewhere && !more.length && counties.some((county) => isNeighbour(places, elsewhere, county)) ? elsewhere : undefined;
}

/** As far as the centre of a city may be from a place of the county that is stated with it. */
const NEIGHBOUR_METRES = 15_000;

const isNeighbour = (places: Places, city: City, county: County) => places.countiesNear([city], NEIGHBOUR_METRES).includes(county.id);

/** The county of a city that lies in one. @param among the counties that may be meant; empty for any */
export function findCountyOfCity(places: Places, city: City | undefined, among: readonly County[] = []): County | undefined {
  if (!city) return undefined;
  const [only, ...others] = countiesOfCity(city).filter((id) => !among.length || among.some((county) => county.id === id));
  return only === undefined || others.length ? undefined : places.county(only);
}

/** The names that a record states of its place, as they are served. */
export interface StatedPlace {
  stateId?: number | null;
  county?: string | null;
  countyId?: number | null;
  city?: string | null;
  cityId?: number | null;
}

/** A stated city that does not lie in the stated county. */
export interface PlaceContradiction {
  county: County;
  /** the city that is meant, or those of the state with its name */
  cities: readonly City[];
}

/** How the county and city of a record contradict each other; undefined where they do not, or where one of them is not known. */
export function findPlaceContradiction(places: Places, { stateId, countyId, city, cityId }: StatedPlace): PlaceContradiction | undefined {
  const county = countyId ? places.county(countyId) : undefined;
  if (!county || !(cityId || city)) return undefined;
  const own = cityId ? places.city(cityId) : undefined;
  const cities = own ? [own] : places.findCities(city ?? '', { stateIds: [stateId ?? county.stateId] });
  return cities.length && !cities.some((one) => countiesOfCity(one).includes(county.id)) ? { county, cities } : undefined;
}
