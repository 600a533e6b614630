/** Feeds of hearings: calendars of a selection, subscribed to by an address that needs no key. Free. */
import { ApiError, type RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { daysAfter } from '../../core/domain/process/hearings.ts';
import { findMissingCompanions, type ParameterReading, parseFilterObject } from '../../core/filter/parse.ts';
import { mendStored } from '../../core/filter/stored.ts';
import type { AccountStore } from '../../core/identity/accounts.ts';
import { denialProblems } from '../../core/search/select.ts';
import { type Environment, environmentOf } from '../../core/search/services.ts';
import type { SecretFeedServices } from '../../http/secretFeeds.ts';
import { writeCalendar } from './calendar.ts';
import { type HearingServices, listCalendarHearings } from './listHearings.ts';
import { SPAN_DAYS_MAX, selectHearings } from './request.ts';

export interface HearingFeedServices extends HearingServices, SecretFeedServices {
  accounts: Pick<AccountStore, 'principalOf'>;
}

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
  const { feeds, accounts, places, publicUrl } = services;
  const feed = await feeds.open(secret);
  if (!feed) throw unknownHearingFeedError();
  const { teamId } = feed;
  const { status, plan, licence } = await accounts.principalOf(teamId);
  if (status !== 'active') throw new ApiError('subscription_required', 'The team of this feed has no active plan');
  const { today } = environmentOf(services);
  const { reading, problems } = readFeedFilters(mendStored(feed.filters, places), { licence }, services);
  if (problems[0])
    throw new ApiError('feed_gone', `The filters of this feed are no longer accepted (${problems[0].message}); make another feed`);
  const principal = { teamId, plan, licence };
  const request = { ...selectHearings(reading, principal, today), from: today, to: daysAfter(today, SPAN_DAYS_MAX) };
  return writeCalendar(await listCalendarHearings(services, { principal }, request), today, publicUrl);
}

export const unknownHearingFeedError = () => new ApiError('resource_not_found', 'There is no feed at this address, or it was deleted');
