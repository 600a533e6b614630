/** Filters on places. A record is judged by the place that it serves (src/docs/filters.md). */

import { canonicalJson } from '../domain/canonicalJson.ts';
import type { City, County, Places, Within } from '../domain/places.ts';
import { planningRegions } from '../domain/planningRegions.ts';
import type { Warning } from '../domain/warnings.ts';
import { anyOf, boxClause, type Clause, circleClause, polygonClause, terms } from '../query/clauses.ts';
import { filter } from './entry.ts';
import { type Area, areaList, box, circle, polygon, type Ring } from './geometry.ts';
import type { ParameterKind, ParseContext } from './kinds.ts';
import { findPlacesRoute, findSimilarPlaces, findSimilarStates, splitPlaces, splitStates } from './placeList.ts';
import { andThen, invalidValue, LIST_VALUES_MAX, type ParsedValue, parseEach, parseList, type Raw, refuseTooMany } from './raw.ts';

const CANDIDATES_LISTED = 10;
const SHOWN_CHARACTERS = 80;

const idList = (description: string) => ({
  type: 'array',
  items: { type: ['integer', 'string'], description },
  minItems: 1,
  maxItems: LIST_VALUES_MAX,
});

const stateList: ParameterKind<number[]> = {
  schema: idList('FIPS number, USPS abbreviation or name'),
  parse: (raw, { places }) => andThen(parseList(raw, splitStates(places)), (texts) => parseEach(texts, (text) => parseState(text, places))),
  echo: (ids) => ids,
};

function parseState(text: string, places: Places): ParsedValue<number> {
  const state = places.findState(text);
  if (state) return { value: state.id };
  return invalidValue('unknown_place', `'${text.slice(0, 80)}' is no US state`, {
    value: text.slice(0, 80),
    suggest: () => findSimilarStates(text, places),
    reference: '/v1/locations/states',
  });
}

type Found = County | City;

/** What the other filters say about the places that a name may mean. */
interface Narrowing {
  places: Places;
  /** the state of `states`; empty when that names several */
  stateIds: readonly number[];
  /** the counties of `counties`, which tell cities with the same name apart */
  countyIds: readonly number[];
  /** one state was sent but could not be parsed; without it no name can be called ambiguous */
  isStateUnread: boolean;
}

function makeNarrowing({ places, narrowing }: ParseContext): Narrowing {
  const { states, counties } = narrowing as { states?: ParsedValue<number[]>; counties?: ParsedValue<number[]> };
  return {
    places,
    stateIds: states && 'value' in states && states.value.length === 1 ? states.value : [],
    countyIds: counties && 'value' in counties ? counties.value : [],
    isStateUnread: states !== undefined && 'problems' in states && !states.usable && states.problems.length === 1,
  };
}

/** The one place that a text names. None or several candidates are refused; the search is never widened. */
function pickOnePlace(level: 'county' | 'city', text: string, found: readonly Found[], narrowing: Narrowing): ParsedValue<number> {
  const { places, stateIds } = narrowing;
  const shown = text.slice(0, SHOWN_CHARACTERS);
  const [only] = found;
  if (!only)
    return invalidValue('unknown_place', `'${shown}' is no ${level} of the catalogue`, {
      value: shown,
      suggest: () => findSimilarPlaces(level, text, places, stateIds),
      reference: findPlacesRoute(stateIds),
    });
  if (found.length === 1) return { value: only.id, ...warnOfRename(level, text, only, narrowing) };
  if (narrowing.isStateUnread) return { problems: [] };
  const { candidates, listed } = listCandidates(found, places);
  return invalidValue(
    'ambiguous_place',
    `'${shown}' names ${found.length} places: ${listed}. Send an id, or one state or the county with it${withState(candidates)}`,
    { value: shown, candidates, reference: findPlacesRoute(stateIds) },
  );
}

/** Places that one name means, each with its state, and in words. */
export function listCandidates(found: readonly Found[], places: Places) {
  const candidates = found.slice(0, CANDIDATES_LISTED).map((place) => describe(place, places));
  const listed = candidates.map((c) => `${c.name}, ${c.state} (${c.id})`).join('; ');
  return { candidates, listed: `${listed}${found.length > CANDIDATES_LISTED ? '; …' : ''}` };
}

/** The warning that a place was sent by a name or number of the past. */
function warnOfRename(
  level: 'county' | 'city',
  text: string,
  { id, name }: Found,
  { places, stateIds }: Narrowing,
): { warnings?: Warning[] } {
  const former = places.formerCalled(level, text, { stateIds });
  if (!former) return {};
  const sent = text.slice(0, SHOWN_CHARACTERS);
  const message = `'${sent}' is ${name} (${id})${former.until === null ? '' : ` since ${former.until}`}`;
  return { warnings: [{ code: 'place_renamed', message, params: { sent, id, name, since: former.until } }] };
}

/** An example name that is unique among the candidates, with its state. */
function withState(candidates: readonly { name: string; state: string | null }[]): string {
  const alone = candidates.find(({ state }) => state && candidates.filter((other) => other.state === state).length === 1);
  return alone ? `, or the name with its state, such as '${alone.name}, ${alone.state}'` : '';
}

function describe(place: Found, places: Places) {
  const county = 'countyId' in place ? places.county(place.countyId)?.name : undefined;
  return { id: place.id, name: place.name, ...(county ? { county } : {}), state: places.state(place.stateId)?.abbreviation ?? null };
}

/** A stored list may have the most values allowed, and name a county that was divided since. */
const PLACES_READ = LIST_VALUES_MAX + 10;

type FindPlaces = (text: string) => readonly Found[];

const isId = (text: string) => /^\d+$/.test(text);

/**
 * The kind of a list of counties or cities.
 * @param anywhere finds places by name
 * @param narrowed finds them within what the other filters say, which a name that brings its own state does not need
 */
function placeList(
  level: 'county' | 'city',
  raw: Raw,
  narrowing: Narrowing,
  anywhere: FindPlaces,
  narrowed: FindPlaces,
): ParsedValue<number[]> {
  const { places } = narrowing;
  const parsed = andThen(parseList(raw, splitPlaces(places, anywhere), PLACES_READ), (texts) =>
    parseEach(texts, (text) =>
      pickOnePlace(level, text, isId(text) || places.findStateBehind(text) ? anywhere(text) : narrowed(text), narrowing),
    ),
  );
  const count = 'value' in parsed ? places.countUndivided(parsed.value) : 0;
  return count > LIST_VALUES_MAX ? refuseTooMany(count) : parsed;
}

const countyList: ParameterKind<number[]> = {
  schema: idList("FIPS number or name, the trailing 'County' optional"),
  parse: (raw, context) => {
    const narrowing = makeNarrowing(context);
    const { places, stateIds } = narrowing;
    const find = (text: string, within: Within) => {
      const counties = places.findCounties(text, within);
      const region = counties.length ? undefined : places.findPlanningRegion(text, within);
      return region ? [region] : counties;
    };
    const anywhere = (text: string) => find(text, {});
    const narrowed = (text: string) => find(text, { stateIds });
    return placeList('county', raw, narrowing, anywhere, narrowed);
  },
  echo: (ids) => ids,
};

const cityList: ParameterKind<number[]> = {
  schema: idList('GeoNames number or name'),
  parse: (raw, context) => {
    const narrowing = makeNarrowing(context);
    const { places, stateIds, countyIds } = narrowing;
    const anywhere = (text: string) => places.findCities(text);
    const narrowed = (text: string) => {
      const named = places.findCities(text, { stateIds });
      const nearer = named.length > 1 && countyIds.length ? places.findCities(text, { stateIds, countyIds }) : [];
      return nearer.length ? nearer : named;
    };
    return placeList('city', raw, narrowing, anywhere, narrowed);
  },
  echo: (ids) => ids,
};

const idTexts = (ids: readonly number[]) => ids.map(String);

/** A planning region means its towns. */
function countyClauses(ids: readonly number[]): Clause[] {
  const regions = planningRegions.filter(({ id }) => ids.includes(id));
  const counties = ids.filter((id) => !regions.some((region) => region.id === id));
  return [
    ...(counties.length ? [terms('derived.countyId', idTexts(counties))] : []),
    ...(regions.length ? [terms('derived.cityId', idTexts(regions.flatMap(({ cityIds }) => cityIds)))] : []),
  ];
}

/** Matches records in one of several areas. */
export function areaClause({ bbox, circle: round, polygon: ring }: Area): Clause {
  if (bbox) return boxClause('derived.location', bbox);
  return round ? circleClause('derived.location', round) : polygonClause('derived.location', ring as Ring);
}

export const placeFilters = {
  states: filter({
    aliases: ['state', 'stateId', 'stateIds'],
    label: 'State',
    summary: 'States: FIPS numbers, USPS abbreviations or names, any of them',
    example: 'CO,Texas,6',
    kind: stateList,
    queryable: { names: ['state', 'stateId'], by: 'value' },
    ofPlaces: true,
    textFallback: 'never',
    fields: ['derived.stateId'],
    must: (ids) => [terms('derived.stateId', idTexts(ids))],
  }),
  counties: filter({
    aliases: ['county', 'countyId', 'countyIds'],
    label: 'County',
    summary:
      "Counties: FIPS numbers or names, the trailing 'County' optional; resolved within `states` when that names one state; 'Orange, CA' is one place, whatever `states` says",
    example: 'Boulder County',
    kind: countyList,
    queryable: { names: ['county', 'countyId'], by: 'value' },
    ofPlaces: true,
    textFallback: 'never',
    narrowedBy: ['states'],
    fields: ['derived.countyId', 'derived.cityId'],
    must: (ids) => [anyOf(countyClauses(ids))],
  }),
  cities: filter({
    aliases: ['city', 'cityId', 'cityIds'],
    label: 'City',
    summary:
      "Cities: GeoNames numbers or names, in whichever county; 'Boulder, CO' is one place, whatever `states` says; a name that is ambiguous, also with `states` and `counties`, is refused with its candidates",
    example: '5574991',
    kind: cityList,
    queryable: { names: ['city', 'cityId'], by: 'value' },
    ofPlaces: true,
    textFallback: 'never',
    narrowedBy: ['states', 'counties'],
    fields: ['derived.cityId'],
    must: (ids) => [terms('derived.cityId', idTexts(ids))],
  }),
  bbox: filter({
    aliases: ['bounds'],
    label: 'Rectangle',
    summary: 'Inside this rectangle, edges included; west greater than east crosses the antimeridian',
    example: '{"north":40.1,"south":39.9,"east":-105.1,"west":-105.4}',
    kind: box,
    fields: ['derived.location'],
    must: (value) => [boxClause('derived.location', value)],
  }),
  circle: filter({
    summary: 'Within a radius of 100 to 500000 metres',
    example: '{"lat":40.015,"lng":-105.27,"radiusMeters":5000}',
    kind: circle,
    fields: ['derived.location'],
    must: (value) => [circleClause('derived.location', value)],
  }),
  polygon: filter({
    summary: 'Inside a GeoJSON linear ring [[lng,lat],…] of 4 to 1000 vertices, each edge the short way around the Earth',
    example: '[[-105.4,39.9],[-105.1,39.9],[-105.1,40.1],[-105.4,40.1],[-105.4,39.9]]',
    kind: polygon,
    fields: ['derived.location'],
    must: (ring) => [polygonClause('derived.location', ring)],
  }),
  areas: filter({
    label: 'Areas',
    summary: 'Inside any of 1 to 10 areas {name?, bbox | circle | polygon}, each as the filter of that name takes it',
    example: '[{"name":"Downtown","circle":{"lat":40.015,"lng":-105.27,"radiusMeters":5000}}]',
    kind: areaList,
    fields: ['derived.location'],
    must: (areas) => [anyOf(areas.map(areaClause))],
    // Neither names nor order change what is selected.
    meaning: (areas) => [...new Set(areas.map(({ name: _, ...shape }) => canonicalJson(shape)))],
  }),
};
