/** Which places a licence covers, and the refusal of the others (src/docs/licences.md). Pure. */
import { ApiError } from './errors.ts';
import { type City, type County, countiesOfCity, type Places, type State } from './places.ts';
import { planningRegions } from './planningRegions.ts';
import type { Licence, Principal } from './principal.ts';

/** Places that a request names, as resolved ids. Ids that the catalogue does not know are not judged here. */
export interface RequestedPlaces {
  stateIds?: readonly number[];
  countyIds?: readonly number[];
  cityIds?: readonly number[];
}

type Licensed = Pick<Principal, 'licence'>;
type Limited = Extract<Licence, { nationwide: false }>;

/** States in which at least something is licensed: whole ones, and those of licensed counties. */
function allowedStateIds(licence: Limited, places: Places): number[] {
  const ofCounties = licence.countyIds.flatMap((id) => places.county(id)?.stateId ?? []);
  return [...new Set([...licence.stateIds, ...ofCounties])].sort((a, b) => a - b);
}

/** The `entitled` flag of a state: true if the licence covers it or a county of it. */
export function isEntitledState({ licence }: Licensed, stateId: number, places: Places): boolean {
  return licence.nationwide || allowedStateIds(licence, places).includes(stateId);
}

export function isEntitledCounty({ licence }: Licensed, county: Pick<County, 'id' | 'stateId'>): boolean {
  return licence.nationwide || licence.stateIds.includes(county.stateId) || licence.countyIds.includes(county.id);
}

/**
 * The refusal `geographic_access_denied` of a request that names a place outside the licence; undefined if it names none.
 *
 * A County plan may name the state of its county: what it gets is narrowed to the county, as a request without geography is. Refusing
 * it would contradict `details.allowedStates`, which names that state, and the `entitled` flag. Another county of the same state is
 * refused; `deniedCounties` then names it, and `deniedStates` lists only states of which nothing is licensed. A city may be named if
 * any county that it may lie in is licensed: what it gets is narrowed to that county, too.
 */
export function denyPlaces(principal: Licensed, requested: RequestedPlaces, places: Places): ApiError | undefined {
  const { licence } = principal;
  if (licence.nationwide) return undefined;
  const allowed = allowedStateIds(licence, places);
  const cities = (requested.cityIds ?? []).flatMap((id) => places.city(id) ?? []);
  const outside = cities.filter((city) => !isEntitledCity(principal, city)).map((city) => city.countyId);
  const regions = planningRegions.filter(({ id }) => requested.countyIds?.includes(id));
  const counties = [...(requested.countyIds ?? []), ...outside].flatMap((id) => places.county(id) ?? []).concat(regions);
  const deniedCounties = counties.filter((county) => !isEntitledCounty(principal, county));
  const named = [...(requested.stateIds ?? []).filter((id) => places.state(id)), ...deniedCounties.map((c) => c.stateId)];
  const deniedStates = [...new Set(named)].filter((id) => !allowed.includes(id));
  if (!deniedStates.length && !deniedCounties.length) return undefined;
  const names = (ids: readonly number[] | undefined, refused: readonly number[]) => ids?.some((id) => refused.includes(id));
  const refusedCounties = deniedCounties.map(({ id }) => id);
  const param = names(requested.stateIds, deniedStates) ? 'states' : names(requested.countyIds, refusedCounties) ? 'counties' : 'cities';
  return makeDenial({ licence, places, param, allowed, deniedStates, deniedCounties });
}

const isEntitledCity = (principal: Licensed, city: City) =>
  countiesOfCity(city).some((id) => isEntitledCounty(principal, { id, stateId: city.stateId }));

interface Denial {
  licence: Limited;
  places: Places;
  /** the first parameter that names a refused place */
  param: string;
  allowed: readonly number[];
  deniedStates: readonly number[];
  deniedCounties: readonly County[];
}

function makeDenial({ licence, places, param, allowed, deniedStates, deniedCounties }: Denial): ApiError {
  const states = (ids: readonly number[]) => ids.flatMap((id) => stateOf(places.state(id)));
  const countyNames = [...new Map(deniedCounties.map((c) => [c.id, countyOf(c, places)])).values()];
  const outside = [...states(deniedStates).map((s) => s.name), ...countyNames.map((c) => c.label)];
  const covered = [
    ...states(licence.stateIds).map((s) => s.name),
    ...licence.countyIds.flatMap((id) => places.county(id) ?? []).map((c) => countyOf(c, places).label),
  ];
  return new ApiError(
    'geographic_access_denied',
    `Outside the licence: ${outside.join('; ')}. The licence covers: ${covered.join('; ')}.`,
    {
      param,
      details: {
        deniedStates: states(deniedStates),
        deniedStateIds: [...deniedStates],
        allowedStates: states(allowed),
        allowedStateIds: [...allowed],
        ...(countyNames.length ? { deniedCounties: countyNames.map(({ id, name, stateId }) => ({ id, name, stateId })) } : {}),
        ...(licence.countyIds.length ? { allowedCountyIds: [...licence.countyIds] } : {}),
      },
    },
  );
}

function stateOf(state: State | undefined): Pick<State, 'id' | 'name' | 'abbreviation'>[] {
  return state ? [{ id: state.id, name: state.name, abbreviation: state.abbreviation }] : [];
}

function countyOf({ id, name, stateId }: County, places: Places) {
  return { id, name, stateId, label: places.labelOf({ name, stateId }) };
}
