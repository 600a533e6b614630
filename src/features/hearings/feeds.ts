/** Feeds of hearings: calendars of a selection, subscribed to by an address that needs no key. Free. */
import { ApiError, type RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { daysAfter } from '../../core/domain/process/hearings.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { findMissingCompanions, type ParameterReading, parseFilterObject } from '../../core/filter/parse.ts';
import { mendStored } from '../../core/filter/stored.ts';
import type { AccountStore } from '../../core/identity/accounts.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Actor } from '../../core/search/actor.ts';
import { runFreeOnce } from '../../core/search/idempotentRequests.ts';
import { denialProblems } from '../../core/search/select.ts';
import { type Environment, environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { writeCalendar } from './calendar.ts';
import type { HearingFeeds, StoredHearingFeed } from './feedStore.ts';
import { type HearingServices, listCalendarHearings } from './listHearings.ts';
import { SPAN_DAYS_MAX, selectHearings } from './request.ts';

export interface HearingFeedServices extends HearingServices {
  feeds: HearingFeeds;
  accounts: Pick<AccountStore, 'principalOf'>;
  idempotency: IdempotencyStore;
  now: () => Date;
  publicUrl: string;
}

type Whose = Pick<Actor, 'principal'>;
const FREE = { creditsUsed: 0 };
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

interface HearingFeed {
  id: string;
  /** null but in the answer that made the feed: its secret is not stored */
  icsUrl: string | null;
  filters: Readonly<Record<string, unknown>>;
  createdAt: string;
}

const viewFeed = ({ id, filters, createdAt }: StoredHearingFeed, icsUrl: string | null): HearingFeed => ({
  id,
  icsUrl,
  filters,
  createdAt: createdAt.toISOString(),
});

const feedNotFound = (id: string) => new ApiError('resource_not_found', `You have no feed of hearings '${id}'`, { param: 'id' });

/** `POST /hearings/feeds`: only this answer contains the address. @throws ApiError `forbidden` */
export async function createHearingFeed(
  services: HearingFeedServices,
  actor: Actor,
  filters: Readonly<Record<string, unknown>>,
): Promise<OperationAnswer<HearingFeed>> {
  const { feeds, publicUrl } = services;
  const { teamId, userId } = actor.principal;
  return runFreeOnce<OperationAnswer<HearingFeed>, { feedId: string }>(services, actor, filters, {
    run: async (keep) => {
      const { row: feed, secret } = await feeds.create(actor.principal, {}, { team_id: teamId, filters: JSON.stringify(filters) }, keep);
      return { data: viewFeed(feed, `${publicUrl}/feeds/hearings/${secret}`), meta: { ...FREE, warnings: [] } };
    },
    replay: async ({ feedId }) => {
      const [feed] = await feeds.list({ created_by: userId, id: feedId });
      if (!feed) throw feedNotFound(feedId);
      const message = 'This Idempotency-Key made the feed before; its address was in that answer only. If it is lost, delete the feed.';
      const warnings: Warning[] = [{ code: 'secret_not_repeated', message, params: { feedId } }];
      return { data: viewFeed(feed, null), meta: { ...FREE, warnings } };
    },
  });
}

/** `GET /hearings/feeds`: those of the key's user, newest first. */
export async function listHearingFeeds(
  { feeds }: Pick<HearingFeedServices, 'feeds'>,
  { principal }: Whose,
): Promise<OperationAnswer<HearingFeed[]>> {
  const data = (await feeds.list({ created_by: principal.userId })).map((feed) => viewFeed(feed, null));
  return { data, meta: { ...FREE, pageCount: data.length } };
}

/** `GET /hearings/feeds/{id}`. @throws ApiError `resource_not_found` */
export async function getHearingFeed(
  { feeds }: Pick<HearingFeedServices, 'feeds'>,
  { principal }: Whose,
  id: string,
): Promise<OperationAnswer<HearingFeed>> {
  const [feed] = await feeds.list({ created_by: principal.userId, id });
  if (!feed) throw feedNotFound(id);
  return { data: viewFeed(feed, null), meta: FREE };
}

/** `DELETE /hearings/feeds/{id}`: its address is unknown from now on. @throws ApiError `resource_not_found` */
export async function deleteHearingFeed(
  { feeds }: Pick<HearingFeedServices, 'feeds'>,
  { principal }: Whose,
  id: string,
): Promise<OperationAnswer<{ id: string; deleted: true }>> {
  if (!(await feeds.remove({ created_by: principal.userId, id }))) throw feedNotFound(id);
  return { data: { id, deleted: true }, meta: FREE };
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
