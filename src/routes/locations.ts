import { isEntitledCounty, isEntitledState } from '../domain/entitlement.ts';
import { ApiError, invalidFilter } from '../domain/errors.ts';
import type { City, County, Places, State } from '../domain/places.ts';
import type { Principal } from '../domain/principal.ts';
import type { Route, RouteAnswer } from '../http/route.ts';

const list = (data: readonly unknown[]): RouteAnswer => ({ data, meta: { pageCount: data.length } });

const notFound = (what: string, text: string | undefined) =>
  new ApiError('resource_not_found', `There is no ${what} '${text?.slice(0, 80)}'; use an id or a name of the catalogue`, { param: 'id' });

function publicState(places: Places, principal: Principal, { id, name, abbreviation, latitude, longitude }: State) {
  return { id, name, abbreviation, latitude, longitude, entitled: isEntitledState(principal, id, places) };
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
    entitled: isEntitledCounty(principal, county),
  };
}

/** `countyId` is the county of the city's centre; `furtherCounties` are others in which parts of it may lie. */
function publicCity(places: Places, city: City) {
  const { id, name, stateId, countyId, latitude, longitude, population } = city;
  const state = places.state(stateId)?.abbreviation ?? null;
  const furtherCounties = city.furtherCountyIds.flatMap((further) => {
    const county = places.county(further);
    return county ? [{ id: county.id, name: county.name }] : [];
  });
  const county = places.county(countyId)?.name ?? null;
  return { id, name, countyId, county, furtherCounties, stateId, state, latitude, longitude, population };
}

function stateFrom(places: Places, text: string | undefined): State {
  const state = places.findState(text ?? '');
  if (!state) throw notFound('state', text);
  return state;
}

/** The only place of that name; several are an error that lists them, none is not found. */
function onlyOne<T extends County | City>(what: 'county' | 'city', places: Places, text: string | undefined, found: readonly T[]): T {
  const [only] = found;
  if (!only) throw notFound(what, text);
  if (found.length === 1) return only;
  const candidates = found.map((place) => ({ id: place.id, name: place.name, state: places.state(place.stateId)?.abbreviation ?? null }));
  throw invalidFilter([
    { param: 'id', code: 'ambiguous_place', message: `'${text}' names ${found.length} places; use an id`, value: text, candidates },
  ]);
}

const countyFrom = (places: Places, text: string | undefined, stateId?: number) =>
  onlyOne('county', places, text, places.findCounties(text ?? '', stateId === undefined ? {} : { stateIds: [stateId] }));

/** Short, since `entitled` follows the licence. */
const LIFETIME = { seconds: 300, scope: 'private' } as const;

/** `/locations/*`: an id in a path may be a number, a name or, for states, a USPS abbreviation. */
export function locationRoutes(places: Places): Route[] {
  const get = (path: string, summary: string, handle: Route['handle']): Route => ({
    method: 'get',
    path,
    summary,
    query: [],
    lifetime: LIFETIME,
    handle,
  });
  return [
    get('/locations/states', 'All states and territories', ({ principal }) =>
      list(places.states.map((s) => publicState(places, principal, s))),
    ),
    get('/locations/states/:id', 'One state', ({ principal, path }) => ({
      data: publicState(places, principal, stateFrom(places, path.id)),
    })),
    get('/locations/states/:id/counties', 'Counties of a state', ({ principal, path }) =>
      list(places.countiesOf(stateFrom(places, path.id).id).map((county) => publicCounty(places, principal, county))),
    ),
    get(
      '/locations/states/:stateId/counties/:countyId/cities',
      'Cities that lie in a county, also those that only reach into it',
      ({ path }) => {
        const county = countyFrom(places, path.countyId, stateFrom(places, path.stateId).id);
        return list(places.citiesOf(county.id).map((city) => publicCity(places, city)));
      },
    ),
    get('/locations/counties/:id', 'One county', ({ principal, path }) => ({
      data: publicCounty(places, principal, countyFrom(places, path.id)),
    })),
    get('/locations/cities/:id', 'One city', ({ path }) => ({
      data: publicCity(places, onlyOne('city', places, path.id, places.findCities(path.id ?? ''))),
    })),
  ];
}
