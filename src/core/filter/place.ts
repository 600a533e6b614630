/** Where: geography is judged on the delivered record (src/docs/filters.md). */

import type { City, County, Places } from '../domain/places.ts';
import { inBox, inCircle, inPolygon, terms } from '../query/clauses.ts';
import { filter } from './entry.ts';
import { box, circle, polygon } from './geometry.ts';
import { each, type Kind, LIST_VALUES_MAX, listOf, type ParseContext, suggestionAmong, Unusable } from './kinds.ts';
import { placesLike, routeOfPlaces, splitPlaces } from './placeList.ts';

const CANDIDATES_LISTED = 10;

const idList = (description: string) => ({
  type: 'array',
  items: { type: ['integer', 'string'], description },
  minItems: 1,
  maxItems: LIST_VALUES_MAX,
});

const stateList: Kind<number[]> = {
  schema: idList('FIPS number, USPS abbreviation or name'),
  parse: (raw, { places }) =>
    each(listOf(raw), (text) => {
      const state = places.findState(text);
      if (state) return state.id;
      const names = places.states.map(({ name, abbreviation }) => ({ value: name, names: [name, abbreviation] }));
      throw new Unusable('unknown_place', `'${text.slice(0, 80)}' is no US state`, {
        value: text.slice(0, 80),
        suggest: () => suggestionAmong(text, names),
        reference: '/v1/locations/states',
      });
    }),
  echo: (ids) => ids,
};

type Found = County | City;

/** One place for a text; several candidates or none are refused, never a wider search. */
function onePlace(level: 'county' | 'city', text: string, found: readonly Found[], { places, stateIds }: ParseContext): number {
  const shown = text.slice(0, 80);
  const [only] = found;
  if (!only)
    throw new Unusable('unknown_place', `'${shown}' is no ${level} of the catalogue`, {
      value: shown,
      suggest: () => placesLike(level, text, places, stateIds),
      reference: routeOfPlaces(stateIds),
    });
  if (found.length === 1) return only.id;
  const candidates = found.slice(0, CANDIDATES_LISTED).map((place) => describe(place, places));
  const listed = candidates.map((c) => `${c.name}, ${c.state} (${c.id})`).join('; ');
  throw new Unusable(
    'ambiguous_place',
    `'${shown}' names ${found.length} places: ${listed}${found.length > CANDIDATES_LISTED ? '; …' : ''}. Send an id, or one state or the county with it${withState(candidates)}`,
    {
      value: shown,
      candidates,
      reference: routeOfPlaces(stateIds),
    },
  );
}

/** How a candidate is named so that it is the only one, where its state tells it from the others. */
function withState(candidates: readonly { name: string; state: string | null }[]): string {
  const alone = candidates.find(({ state }) => state && candidates.filter((other) => other.state === state).length === 1);
  return alone ? `, or the name with its state, such as '${alone.name}, ${alone.state}'` : '';
}

function describe(place: Found, places: Places) {
  const county = 'countyId' in place ? places.county(place.countyId)?.name : undefined;
  return { id: place.id, name: place.name, ...(county ? { county } : {}), state: places.state(place.stateId)?.abbreviation ?? null };
}

const countyList: Kind<number[]> = {
  schema: idList("FIPS number or name, the trailing 'County' optional"),
  parse: (raw, context: ParseContext) => {
    const { places, stateIds } = context;
    return each(
      listOf(
        raw,
        splitPlaces(places, (text) => places.findCounties(text)),
      ),
      (text) => {
        const narrow = /^\d+$/.test(text) ? {} : { stateIds };
        return onePlace('county', text, places.findCounties(text, narrow), context);
      },
    );
  },
  echo: (ids) => ids,
};

const cityList: Kind<number[]> = {
  schema: idList('GeoNames number or name'),
  parse: (raw, context: ParseContext) => {
    const { places, stateIds, countyIds } = context;
    const found = (text: string) => {
      if (/^\d+$/.test(text)) return places.findCities(text);
      const named = places.findCities(text, { stateIds });
      const nearer = named.length > 1 && countyIds.length ? places.findCities(text, { stateIds, countyIds }) : [];
      return nearer.length ? nearer : named;
    };
    return each(
      listOf(
        raw,
        splitPlaces(places, (text) => places.findCities(text)),
      ),
      (text) => onePlace('city', text, found(text), context),
    );
  },
  echo: (ids) => ids,
};

const idTexts = (ids: readonly number[]) => ids.map(String);

export const placeFilters = {
  states: filter({
    aliases: ['state', 'stateId', 'stateIds'],
    summary: 'States: FIPS numbers, USPS abbreviations or names, any of them',
    example: 'CO,Texas,6',
    kind: stateList,
    fields: ['derived.stateId'],
    must: (ids) => [terms('derived.stateId', idTexts(ids))],
  }),
  counties: filter({
    aliases: ['county', 'countyId', 'countyIds'],
    summary:
      "Counties: FIPS numbers or names, the trailing 'County' optional; resolved within `states` when that names one state; 'Orange, CA' is one place",
    example: 'Boulder County',
    kind: countyList,
    fields: ['derived.countyId'],
    must: (ids) => [terms('derived.countyId', idTexts(ids))],
  }),
  cities: filter({
    aliases: ['city', 'cityId', 'cityIds'],
    summary:
      "Cities: GeoNames numbers or names, in whichever county; 'Boulder, CO' is one place; a name that is ambiguous, also with `states` and `counties`, is refused with its candidates",
    example: '5574991',
    kind: cityList,
    fields: ['derived.cityId'],
    must: (ids) => [terms('derived.cityId', idTexts(ids))],
  }),
  bbox: filter({
    aliases: ['bounds'],
    summary: 'Inside this rectangle, edges included; west greater than east crosses the antimeridian',
    example: '{"north":40.1,"south":39.9,"east":-105.1,"west":-105.4}',
    kind: box,
    fields: ['derived.location'],
    must: (value) => [inBox('derived.location', value)],
  }),
  circle: filter({
    summary: 'Within a radius of 100 to 500000 metres',
    example: '{"lat":40.015,"lng":-105.27,"radiusMeters":5000}',
    kind: circle,
    fields: ['derived.location'],
    must: (value) => [inCircle('derived.location', value)],
  }),
  polygon: filter({
    summary: 'Inside a GeoJSON linear ring [[lng,lat],…] of 4 to 1000 vertices',
    example: '[[-105.4,39.9],[-105.1,39.9],[-105.1,40.1],[-105.4,40.1],[-105.4,39.9]]',
    kind: polygon,
    fields: ['derived.location'],
    must: (ring) => [inPolygon('derived.location', ring)],
  }),
};
