/** Feeds of hearings: calendars of a selection, subscribed to by an address that needs no key. Free. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { daysAfter } from '../../core/domain/process/hearings.ts';
import { findMissingCompanions, type ParameterReading, parseFilterObject } from '../../core/filter/parse.ts';
import { mendStored } from '../../core/filter/stored.ts';
import { denialProblems } from '../../core/search/select.ts';
import { type Environment, environmentOf } from '../../core/search/services.ts';
import { assertAccepted, openFeed, type SecretFeedServices } from '../../http/secretFeeds.ts';
import { writeHearingCalendar } from './calendar.ts';
import { type HearingServices, listCalendarHearings } from './listHearings.ts';
import { SPAN_DAYS_MAX, selectHearings } from './request.ts';

export type HearingFeedServices = HearingServices & SecretFeedServices;

const PREFIX = 'filters.';

/** Parses the filters of a feed; problems name their place in the body. */
export function readFeedFilters(
  filters: unknown,
  principal: Pick<Principal, 'licence'>,
  { places }: Pick<Environment, 'places'>,
): { reading: ParameterReading; problems: RequestRefusal[] } {
  const reading = parseFilterObject(filters, PREFIX, places);
  const denied = denialProblems(reading, principal, places);
  return { reading, problems: [...reading.problems, ...findMissingCompanions(reading, PREFIX), ...denied] };
}

/**
 * The calendar of a feed: hearings of the next year, read as the team may read them now.
 * @param secret a well-formed secret
 * @throws ApiError `resource_not_found`, `subscription_required`; `feed_gone` when its filters are no longer accepted
 */
export async function readHearingFeed(services: HearingFeedServices, secret: string): Promise<string> {
  const { places, publicUrl } = services;
  const { filters, principal } = await openFeed(services, secret);
  const { today } = environmentOf(services);
  const { reading, problems } = readFeedFilters(mendStored(filters, places), principal, services);
  assertAccepted(problems);
  const request = { ...selectHearings(reading, principal, today), from: today, to: daysAfter(today, SPAN_DAYS_MAX) };
  return writeHearingCalendar(await listCalendarHearings(services, { principal }, request), today, publicUrl);
}
