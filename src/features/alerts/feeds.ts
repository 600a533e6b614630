/** Feeds of an alert's matches: created, listed and revoked by members, read without a key by the secret in their URLs. Free. */

import { ApiError } from '../../core/domain/errors.ts';
import { findDroppedHearing } from '../../core/domain/process/cancelledHearings.ts';
import type { FetchedProject } from '../../core/domain/record/represent.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import { sortClauses } from '../../core/query/sort.ts';
import type { Actor } from '../../core/search/actor.ts';
import { runFreeOnce } from '../../core/search/idempotentRequests.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { unknownFeedError } from '../../http/secretFeeds.ts';
import { NEWEST_MEETING } from './candidates.ts';
import { describeHeading } from './describeRecord.ts';
import { FEED_FORMATS, type FeedEntry, type FeedFormat, writeFeed } from './feedFormats.ts';
import type { AlertFeeds } from './feedStore.ts';
import { type AlertServices, findUndeletedAlert, knownAlert } from './manage.ts';
import { type Match, readRecords } from './matches.ts';
import { listShownMatches } from './shownMatches.ts';
import type { StoredFeed } from './types.ts';

export interface FeedServices extends AlertServices {
  feeds: AlertFeeds;
}

type Whose = Pick<Actor, 'principal'>;
const FREE = { creditsUsed: 0 };

const feedUrl = (publicUrl: string, format: FeedFormat, secret: string) => `${publicUrl}/feeds/${format}/${secret}`;

/** A new feed. Its addresses are null if the request is repeated, since their secret is not stored. */
interface FeedAddresses {
  id: string;
  rssUrl: string | null;
  jsonUrl: string | null;
  icsUrl: string | null;
}

/**
 * `POST /alerts/{id}/feeds`: only this answer contains the URLs.
 * @throws ApiError `resource_not_found`, `invalid_request`, `forbidden`
 */
export async function createFeed(services: FeedServices, actor: Actor, alertId: string): Promise<OperationAnswer<FeedAddresses>> {
  await findUndeletedAlert(services, actor, alertId);
  return runFreeOnce<OperationAnswer<FeedAddresses>, { feedId: string }>(services, actor, alertId, {
    run: async (keep) => {
      const { row, secret } = await services.feeds.create(actor.principal, { alert_id: alertId }, {}, keep);
      const { id } = row;
      const [rssUrl, jsonUrl, icsUrl] = FEED_FORMATS.map((format) => feedUrl(services.publicUrl, format, secret)) as [
        string,
        string,
        string,
      ];
      return { data: { id, rssUrl, jsonUrl, icsUrl }, meta: { ...FREE, warnings: [] } };
    },
    replay: async ({ feedId: id }) => {
      if (!(await services.feeds.list({ alert_id: alertId })).some((feed) => feed.id === id)) throw feedNotFound(id);
      const message = 'This Idempotency-Key made the feed before; its addresses were in that answer only. If they are lost, delete it.';
      const warnings: Warning[] = [{ code: 'secret_not_repeated', message, params: { feedId: id } }];
      return { data: { id, rssUrl: null, jsonUrl: null, icsUrl: null }, meta: { ...FREE, warnings } };
    },
  });
}

const feedNotFound = (id: string) => new ApiError('resource_not_found', `The alert has no feed '${id}'`, { param: 'feedId' });

const viewFeed = ({ id, createdBy, createdAt }: StoredFeed) => ({ id, createdBy, createdAt: createdAt.toISOString() });

/** `GET /alerts/{id}/feeds`: the feeds of all members, newest first. @throws ApiError `resource_not_found` */
export async function listFeeds(
  services: FeedServices,
  actor: Whose,
  alertId: string,
): Promise<OperationAnswer<ReturnType<typeof viewFeed>[]>> {
  await knownAlert(services, actor, alertId);
  const data = (await services.feeds.list({ alert_id: alertId })).map(viewFeed);
  return { data, meta: { ...FREE, pageCount: data.length } };
}

/** `DELETE /alerts/{id}/feeds/{feedId}`: its URLs are invalid from now on. @throws ApiError `resource_not_found` */
export async function deleteFeed(
  services: FeedServices,
  actor: Whose,
  alertId: string,
  feedId: string,
): Promise<OperationAnswer<{ id: string; deleted: true }>> {
  await knownAlert(services, actor, alertId);
  if (!(await services.feeds.remove({ alert_id: alertId, id: feedId }))) throw feedNotFound(feedId);
  return { data: { id: feedId, deleted: true }, meta: FREE };
}

/**
 * The current content of a feed: matches with the newest meetings that nobody dismissed, as links.
 * @param secret a well-formed secret
 * @throws ApiError `resource_not_found`, also when its creator is no longer a member of the alert; `feed_gone`, `subscription_required`
 */
export async function readFeed(services: FeedServices, secret: string, format: FeedFormat): Promise<string> {
  const { feeds, accounts, publicUrl } = services;
  const feed = await feeds.open(secret);
  if (!feed) throw unknownFeedError('revoked');
  if (feed.archived) throw new ApiError('feed_gone', 'The alert of this feed was deleted; remove the feed from your reader');
  const { teamId, alertId, name } = feed;
  const { status, plan, licence } = await accounts.principalOf(teamId);
  if (status !== 'active') throw new ApiError('subscription_required', 'The team of this feed has no active plan');
  const reader = { principal: { teamId, plan, licence } };
  const { ids, recordsOf: recordsOfMatches } = await listShownMatches(services, reader, alertId, undefined);
  const selection = recordsOfMatches(ids);
  const cap = await readOrderCap(services, { selection, sort: NEWEST_MEETING }, undefined);
  // Only full records have the next hearing.
  const representation = format === 'ics' ? 'full' : 'compact';
  const alsoFetch = format === 'ics' ? DROPPED_HEARING : [];
  const page = { sort: sortClauses(NEWEST_MEETING, cap), size: COLLECTION_LIMIT_MAX, representation, alsoFetch, count: false } as const;
  const { hits } = ids.length ? await services.store.page({ query: selection.query, ...page }) : { hits: [] };
  const projects = hits.map(({ project }) => project);
  const records = await readRecords(services, reader, alertId, { projects, ids, representation });
  const { today } = environmentOf(services);
  const entries = records.map(({ record }, i) => toFeedEntry(record, format === 'ics' ? projects[i] : undefined, today));
  return writeFeed({ name, publicUrl, selfUrl: feedUrl(publicUrl, format, secret), entries }, format);
}

/** What tells of a dropped hearing. */
const DROPPED_HEARING = ['uncovered', ...['changed', 'stated.nextMeetingDate'].map((name) => `earlierRevisions.${name}`)];

/** Days from today on are free for records that the pool holds, as in `GET /hearings`; past ones are those of the shown version. */
interface HearingShown {
  date: string | null;
  isCancelled: boolean;
  updated: Date;
}

const DAY_MS = 86_400_000;

function findShownHearing(record: Match, project: FetchedProject | undefined, today: string): HearingShown {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null);
  const updated = new Date(project?.lastUpdated ?? text('lastUpdated') ?? 0);
  const statement = { ...project?.compact, ...project?.standard, ...project?.full };
  const ahead = statement.nextMeetingDate ?? null;
  if (ahead !== null && ahead >= today) return { date: ahead, isCancelled: false, updated };
  const dropped = project && !project.uncovered ? findDroppedHearing(statement, project.earlierRevisions ?? []) : null;
  if (dropped !== null && dropped >= today) return { date: dropped, isCancelled: true, updated };
  const [next, last] = [text('nextMeetingDate'), text('meetingDate')];
  // A stated next hearing that has passed is the last one, unless a later one is known.
  const isLatest = next !== null && next < today && (last === null || next > last);
  const passed = dropped === null ? 0 : Date.parse(dropped) + DAY_MS;
  return { date: isLatest ? next : last, isCancelled: false, updated: new Date(Math.max(updated.getTime(), passed)) };
}

/** @param project the record as it is now, for a calendar */
function toFeedEntry(record: Match, project: FetchedProject | undefined, today: string): FeedEntry {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null);
  const id = Number(record.id);
  return {
    projectId: id,
    ...describeHeading(id, { projectName: text('projectName'), city: text('city'), county: text('county'), state: text('state') }),
    ...findShownHearing(record, project, today),
    status: text('statusLabel'),
    changed: record.changedFields ?? [],
    isNewlyRead: record.newBecause === 'newly_read',
    url: text('serviceLink') ?? '',
  };
}
