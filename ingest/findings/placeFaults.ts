/** Contradictions between the parts of a record's place: state, county, city, ZIP code, point, and their ids. Pure, but for the outlines. */
import { type City, type County, countiesOfCity, type Places } from '../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { isOnLand, measureOutside } from '../../src/core/store/files/outlines.ts';
import type { ReportFault } from './faults.ts';
import type { FindingContext, LoadedProject } from './finding.ts';
import { findStatesOfZip } from './zipStates.ts';

/** Points nearer than this may be within: outlines are coarse. */
const OUTSIDE_METRES = 2000;
/** The same of points on no land, which may be on an island or a pier that the outlines lack. */
const OFFSHORE_METRES = 10_000;

/** Letters go to post towns in a neighbouring county: only a city whose centre is further away contradicts a county. */
const CITY_METRES = 10_000;

/** Inhabitants from which on a city's name, unknown in the stated state, is that city and no hamlet of the same name. */
const LARGE_CITY = 100_000;

export function reportPlaceFaults(
  project: ProjectStatement,
  { line }: Pick<LoadedProject, 'line'>,
  { places }: FindingContext,
  report: ReportFault,
): void {
  const exchanged = (field: string, words: () => string) => report('places_exchanged', field, words);
  reportIds(line, places, report);
  const state = places.state(project.stateId ?? 0);
  if (!state) return;
  const zips = findStatesOfZip(project.zipCode);
  if (zips && !zips.includes(state.abbreviation)) exchanged('zipCode', () => `ZIP code ${project.zipCode} is not in ${state.abbreviation}`);
  const county = places.county(project.countyId ?? 0);
  const outside = isOutside(project);
  if (outside) {
    const words = () => `${project.latitude}, ${project.longitude} is not in ${county ? places.labelOf(county) : state.name}`;
    report('point_outside', 'latitude', words);
    exchanged('latitude', words);
  }
  if (county && project.city && isCityElsewhere(project, county, places))
    exchanged('city', () => `the city ${project.city} is not in ${places.labelOf(county)}`);
  const city = places.city(project.cityId ?? 0);
  if (county && city && isNamesake(county, city, places))
    report('ids_contradict', 'city', () => `${city.name} is no part of ${places.labelOf(county)}, which has its name`);
  reportUnresolved(project, places, report);
}

/** Whether a county has the name of a city that is none of its own, as St. Louis County has. */
const isNamesake = (county: County, city: City, places: Places) =>
  !countiesOfCity(city).includes(county.id) &&
  places.findCounties(city.name, { stateIds: [county.stateId] }).some(({ id }) => id === county.id);

/** Whether a record's point lies outside the county or state that it states. */
export function isOutside({ latitude, longitude, stateId, countyId }: Partial<ProjectStatement>): boolean {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return false;
  const place = { stateId: stateId ?? null, countyId: countyId ?? null };
  const point = { latitude, longitude };
  const metres = measureOutside(point, place, OFFSHORE_METRES) ?? 0;
  return metres > OFFSHORE_METRES || (metres > OUTSIDE_METRES && isOnLand(point));
}

/** Whether every city of the name in the state lies far from the county. A name that the catalogue lacks may be anywhere. */
function isCityElsewhere({ city, cityId, stateId }: ProjectStatement, county: County, places: Places): boolean {
  const known = cityId ? places.city(cityId) : undefined;
  if (known && countiesOfCity(known).includes(county.id)) return false;
  const named = known ? [known] : places.findCities(city ?? '', { stateIds: stateId ? [stateId] : [] });
  return named.length > 0 && named.every((one) => isFar(one, county));
}

const isFar = (city: City, county: County) =>
  !countiesOfCity(city).includes(county.id) && measureOutside(city, { countyId: county.id }, CITY_METRES) === Number.POSITIVE_INFINITY;

/** Ids that are other places than the names beside them. */
function reportIds({ state, county, city, stateId, countyId, cityId }: ProjectStatement, places: Places, report: ReportFault): void {
  const stated = state ? places.findState(state) : undefined;
  if (stateId && stated && stated.id !== stateId) report('ids_contradict', 'stateId', () => `stateId ${stateId} is not ${state}`);
  const within = stated ? { stateIds: [stated.id] } : {};
  const contradicts = (id: number, named: readonly { id: number }[]) => named.length > 0 && named.every((one) => one.id !== id);
  if (countyId && county && county !== places.county(countyId)?.name && contradicts(countyId, places.findCounties(county, within)))
    report('ids_contradict', 'countyId', () => `countyId ${countyId} is not ${county}`);
  if (cityId && city && city !== places.city(cityId)?.name && contradicts(cityId, places.findCities(city, within)))
    report('ids_contradict', 'cityId', () => `cityId ${cityId} is not ${city}`);
}

/** Names without an id: of another state's county and city together, or of no place at all. */
function reportUnresolved({ county, countyId, city, cityId, state, stateId }: ProjectStatement, places: Places, report: ReportFault): void {
  if (county && !countyId) {
    if (isInOtherState(places, county, city)) {
      report('places_exchanged', 'state', () => `${city}, ${county} is not in ${state}`);
      return;
    }
    report('unresolved_place', 'county', () => `the county ${county} in ${state}`);
  }
  if (city && !cityId && places.findCities(city, { stateIds: stateId ? [stateId] : [] }).length === 0) {
    const isOfOtherState = places.findCities(city).some(({ population }) => population >= LARGE_CITY);
    report(isOfOtherState ? 'places_exchanged' : 'unresolved_place', 'city', () => `the city ${city} in ${state}`);
  }
}

/** Whether a county and a city lie together in some state. */
const isInOtherState = (places: Places, county: string, city: string | null | undefined) =>
  city !== null &&
  city !== undefined &&
  places.findCounties(county).some(({ id }) => places.findCities(city, { countyIds: [id] }).length > 0);
