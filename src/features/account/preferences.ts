/** `/account/preferences`: a user's preferred types, places and website. Values are those of the filters. */

import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { type ParameterReading, readParameters } from '../../core/filter/parse.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import { denialProblems } from '../../core/search/select.ts';
import type { ProjectServices } from '../../core/search/services.ts';
import type { BodyReading } from '../../http/declaration.ts';
import type { PreferenceStore, SavedPreferences } from './store.ts';

export interface PreferenceServices extends Pick<ProjectServices, 'places' | 'now'> {
  preferences: PreferenceStore;
}

const FILTERS = ['propertyTypes', 'states', 'counties', 'cities'] as const;

/** Numbers that were stored, of places as they are today. */
const readIds = (places: Places, level: 'county' | 'city', stored: unknown) =>
  Array.isArray(stored) ? places.toTodaysIds(level, stored) : null;

const publicPreferences = ({ preferences, updatedAt }: SavedPreferences, places: Places) => ({
  data: {
    propertyTypes: preferences.propertyTypes ?? null,
    states: preferences.states ?? null,
    counties: readIds(places, 'county', preferences.counties),
    cities: readIds(places, 'city', preferences.cities),
    website: preferences.website ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  },
});

export async function readPreferences({ preferences, places }: PreferenceServices, { userId }: Principal) {
  return publicPreferences(await preferences.read(userId), places);
}

const isWebsite = (value: unknown) =>
  value === null || (typeof value === 'string' && value.length <= 500 && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol));

function findWebsiteProblems(value: unknown): RequestRefusal[] {
  if (value === undefined || isWebsite(value)) return [];
  const message = 'website has to be an http or https address of at most 500 characters';
  return [{ param: 'website', code: 'invalid_value', message, answer: 'invalid_request' }];
}

/** Parses the fields that are filters; null clears a field and is skipped. */
function parseFilterFields(body: Body, places: Places): ParameterReading {
  const sent = new Map(FILTERS.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [[name, [body[name]]] as const])));
  return readParameters(sent, {}, places);
}

type Body = Readonly<Record<string, unknown>>;

/** Parses a body; problems include places outside the licence. */
export function readPreferenceBody({ places }: PreferenceServices, principal: Principal, body: Body): BodyReading<FilterValues> {
  const reading = parseFilterFields(body, places);
  const problems = [...reading.problems, ...findWebsiteProblems(body.website), ...denialProblems(reading, principal, places)];
  return { problems, value: reading.filters };
}

/** Changes the sent fields; null clears one. @param filters of the body */
export async function changePreferences(services: PreferenceServices, { userId }: Principal, body: Body, filters: FilterValues) {
  const cleared = Object.fromEntries(FILTERS.filter((name) => body[name] === null).map((name) => [name, null]));
  const website = body.website === undefined ? {} : { website: body.website as string | null };
  const saved = await services.preferences.merge(userId, { ...filters, ...cleared, ...website }, services.now());
  return publicPreferences(saved, services.places);
}
