/** `/account/preferences`: types, geography and website by which a user searches; values as the filters take them. */

import { requireEntitled } from '../domain/entitlement.ts';
import { ApiError, type Problem } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import type { Principal } from '../domain/principal.ts';
import { parseParameters } from '../filter/parse.ts';
import type { PreferenceStore, SavedPreferences } from '../store/preferences.ts';

export interface PreferenceServices {
  preferences: PreferenceStore;
  places: Places;
  now: () => Date;
}

const FILTERS = ['propertyTypes', 'states', 'counties', 'cities'] as const;

const publicPreferences = ({ preferences, updatedAt }: SavedPreferences) => ({
  data: {
    propertyTypes: preferences.propertyTypes ?? null,
    states: preferences.states ?? null,
    counties: preferences.counties ?? null,
    cities: preferences.cities ?? null,
    website: preferences.website ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  },
});

export async function readPreferences({ preferences }: PreferenceServices, { userId }: Principal) {
  return publicPreferences(await preferences.of(userId));
}

function websiteOf(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && value.length <= 500 && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  const problem: Problem = {
    param: 'website',
    code: 'invalid_value',
    message: 'website has to be an http or https address of at most 500 characters',
  };
  throw new ApiError('invalid_request', problem.message, { param: 'website', details: { problems: [problem] } });
}

/** Merges what was sent; null clears a field. @throws ApiError for values that a filter would refuse, and outside the licence */
export async function changePreferences(services: PreferenceServices, principal: Principal, body: Record<string, unknown>) {
  const sent = new Map(FILTERS.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [[name, [body[name]]] as const])));
  const { filters } = parseParameters(sent, [], services.places);
  const { states: stateIds = [], counties: countyIds = [], cities: cityIds = [] } = filters;
  requireEntitled(principal, { stateIds, countyIds, cityIds }, services.places);
  const cleared = Object.fromEntries(FILTERS.filter((name) => body[name] === null).map((name) => [name, null]));
  const website = body.website === undefined ? {} : { website: websiteOf(body.website) };
  return publicPreferences(await services.preferences.merge(principal.userId, { ...filters, ...cleared, ...website }, services.now()));
}
