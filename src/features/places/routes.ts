import { Type } from 'typebox';
import { isEntitledCounty, isEntitledState } from '../../core/domain/entitlement.ts';
import { ApiError, makeInvalidFilterError } from '../../core/domain/errors.ts';
import type { City, County, PlaceLevel, Places, State } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { flag, nullable, object, place } from '../../core/domain/record/field.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { catalogueName } from '../../http/pathParameters.ts';
import { listMeta, whole } from '../../http/schemas.ts';

const list = <T>(data: T[]) => ({ data, meta: { pageCount: data.length } });

const placeNotFound = (what: string, text: string | undefined) =>
  new ApiError('resource_not_found', `There is no ${what} '${text?.slice(0, 80)}'; use an id or a name of the catalogue`, { param: 'id' });

/** What is known of every place in addition to its name and numbers. */
const describe = (places: Places, level: PlaceLevel, place: State | County | City) => ({
  aliases: [...places.formerNamesOf(level, place.id), ...places.aliasesOf(level, place.id)],
  formerIds: places.formerIdsOf(level, place.id),
  precision: places.precisionOf(level, place),
});

function publicState(places: Places, principal: Principal, state: State) {
  const { id, name, abbreviation, latitude, longitude } = state;
  const entitled = isEntitledState(principal, id, places);
  return { id, name, abbreviation, latitude, longitude, ...describe(places, 'state', state), entitled };
}

function publicCounty(places: Places, principal: Principal, county: County) {
  const { id, name, stateId, latitude, longitude } = county;
  return {
    id,
    name,
    stateId,
    state: places.state(stateId)?.abbreviation ?? null,
    latitude,
    longitude,
    ...describe(places, 'county', county),
    entitled: isEntitledCounty(principal, county),
  };
}

/** `countyId` is the county of the city's centre; `furtherCounties` are others in which parts of it may lie. */
function publicCity(places: Places, city: City) {
  const { id, name, stateId, countyId, population, isCentreUnknown } = city;
  const state = places.state(stateId)?.abbreviation ?? null;
  const furtherCounties = city.furtherCountyIds.flatMap((further) => {
    const county = places.county(further);
    return county ? [{ id: county.id, name: county.name }] : [];
  });
  const county = places.county(countyId)?.name ?? null;
  const centre = isCentreUnknown ? { latitude: null, longitude: null } : { latitude: city.latitude, longitude: city.longitude };
  return { id, name, countyId, county, furtherCounties, stateId, state, ...centre, ...describe(places, 'city', city), population };
}

function requireState(places: Places, text: string | undefined): State {
  const state = places.findState(text ?? '');
  if (!state) throw placeNotFound('state', text);
  return state;
}

/** The only place with a name. Several are an error that lists them. */
function requireOne<T extends County | City>(what: 'county' | 'city', places: Places, text: string | undefined, found: readonly T[]): T {
  const [only] = found;
  if (!only) throw placeNotFound(what, text);
  if (found.length === 1) return only;
  const candidates = found.map((place) => ({ id: place.id, name: place.name, state: places.state(place.stateId)?.abbreviation ?? null }));
  throw makeInvalidFilterError([
    { param: 'id', code: 'ambiguous_place', message: `'${text}' names ${found.length} places; use an id`, value: text, candidates },
  ]);
}

const requireCounty = (places: Places, text: string | undefined, stateId?: number) =>
  requireOne('county', places, text, places.findCounties(text ?? '', stateId === undefined ? {} : { stateIds: [stateId] }));

const degrees = Type.Number();
const named = {
  id: place,
  name: Type.String(),
  latitude: degrees,
  longitude: degrees,
  aliases: Type.Array(Type.String(), { description: 'other and former names, which are found too' }),
  formerIds: Type.Array(object({ id: place, until: nullable(Type.String({ format: 'date' })) }), {
    description: 'numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place',
  }),
  precision: Type.Unsafe<'outline' | 'centre' | null>({
    type: ['string', 'null'],
    enum: ['outline', 'centre', null],
    title: 'PlacePrecision',
    description: 'what is known of where it lies; null: no more than its county, latitude and longitude are null too',
  }),
};
const stateSchema = object({ ...named, abbreviation: Type.String(), entitled: flag });
const countySchema = object({ ...named, stateId: place, state: nullable(Type.String()), entitled: flag });
const citySchema = object({
  ...named,
  latitude: nullable(degrees),
  longitude: nullable(degrees),
  countyId: place,
  county: nullable(Type.String()),
  furtherCounties: Type.Array(object({ id: place, name: Type.String() })),
  stateId: place,
  state: nullable(Type.String()),
  population: whole,
});

const statePath = catalogueName('state', 'FIPS number, USPS abbreviation or name', 'CO');
const countyPath = catalogueName('county', 'FIPS number or name', 'Boulder');
const cityPath = catalogueName('city', 'GeoNames number or name', 'Boulder, CO');

/** Private to the caller, since `entitled` depends on the key. */
const LIFETIME = { seconds: 300, scope: 'private' } as const;
const get = { lifetime: LIFETIME, errors: ['resource_not_found', 'invalid_filter'] } as const;

/** `/locations/*`: a path may contain an id, a name or, for states, a USPS abbreviation. */
export function locationRoutes(places: Places): Route[] {
  return [
    route('Places', 'listStates', 'GET /locations/states', {
      ...get,
      summary: 'All states and territories',
      answers: [json(Type.Array(stateSchema), { meta: listMeta })],
      handle: ({ principal }) => list(places.states.map((state) => publicState(places, principal, state))),
    }),
    route('Places', 'getState', 'GET /locations/states/{id}', {
      ...get,
      summary: 'One state',
      params: { id: statePath },
      answers: [json(stateSchema)],
      handle: ({ principal, params }) => ({ data: publicState(places, principal, requireState(places, params.id)) }),
    }),
    route('Places', 'listCounties', 'GET /locations/states/{id}/counties', {
      ...get,
      summary: 'Counties of a state',
      params: { id: statePath },
      answers: [json(Type.Array(countySchema), { meta: listMeta })],
      handle: ({ principal, params }) =>
        list(places.countiesOf(requireState(places, params.id).id).map((county) => publicCounty(places, principal, county))),
    }),
    route('Places', 'listCities', 'GET /locations/states/{stateId}/counties/{countyId}/cities', {
      ...get,
      summary: 'Cities of a county',
      params: { stateId: statePath, countyId: countyPath },
      answers: [json(Type.Array(citySchema), { meta: listMeta })],
      handle: ({ params }) => {
        const county = requireCounty(places, params.countyId, requireState(places, params.stateId).id);
        return list(places.citiesOf(county.id).map((city) => publicCity(places, city)));
      },
    }),
    route('Places', 'getCounty', 'GET /locations/counties/{id}', {
      ...get,
      summary: 'One county',
      params: { id: countyPath },
      answers: [json(countySchema)],
      handle: ({ principal, params }) => ({ data: publicCounty(places, principal, requireCounty(places, params.id)) }),
    }),
    route('Places', 'getCity', 'GET /locations/cities/{id}', {
      ...get,
      summary: 'One city',
      params: { id: cityPath },
      answers: [json(citySchema)],
      handle: ({ params }) => ({ data: publicCity(places, requireOne('city', places, params.id, places.findCities(params.id))) }),
    }),
  ];
}
