/** Feeds of an alert's matches: made, listed and revoked by members, and read without a key by the secret in their addresses. Free. */
import { headingOf, type StoredFeed } from '../../domain/alerts.ts';
import { ApiError } from '../../domain/errors.ts';
import type { PublicRecord } from '../../domain/record/represent.ts';
import { COLLECTION_LIMIT_MAX } from '../../filter/controls.ts';
import type { Actor } from '../../search/actor.ts';
import type { Answer } from '../../search/services.ts';
import type { AlertFeedStore } from '../../store/postgres/alertFeeds.ts';
import { type AlertServices, knownAlert, livingAlert } from './alerts.ts';
import { FEED_FORMATS, type FeedEntry, type FeedFormat, feedText } from './feedFormats.ts';
import { recordsOf } from './matches.ts';

export interface FeedServices extends AlertServices {
  feeds: AlertFeedStore;
}

type Whose = Pick<Actor, 'principal'>;
const FREE = { creditsUsed: 0 };

/** Where a feed is read. */
export const feedUrl = (publicUrl: string, format: FeedFormat, secret: string) => `${publicUrl}/feeds/${format}/${secret}`;

export interface FeedAddresses {
  id: string;
  rssUrl: string;
  jsonUrl: string;
  icsUrl: string;
}

/** `POST /alerts/{id}/feeds`: the addresses are in this answer only. @throws ApiError `resource_not_found`, `invalid_request`, `forbidden` */
export async function createFeed(services: FeedServices, actor: Whose, alertId: string): Promise<Answer<FeedAddresses>> {
  await livingAlert(services, actor, alertId);
  const { id, secret } = await services.feeds.create(alertId, actor.principal);
  const [rssUrl, jsonUrl, icsUrl] = FEED_FORMATS.map((format) => feedUrl(services.publicUrl, format, secret)) as [string, string, string];
  return { data: { id, rssUrl, jsonUrl, icsUrl }, meta: FREE };
}

const feedView = ({ id, createdBy, createdAt }: StoredFeed) => ({ id, createdBy, createdAt: createdAt.toISOString() });

/** `GET /alerts/{id}/feeds`, of all members, newest first. @throws ApiError `resource_not_found` */
export async function listFeeds(services: FeedServices, actor: Whose, alertId: string): Promise<Answer<ReturnType<typeof feedView>[]>> {
  await knownAlert(services, actor, alertId);
  const data = (await services.feeds.list(alertId)).map(feedView);
  return { data, meta: { ...FREE, pageCount: data.length } };
}

/** `DELETE /alerts/{id}/feeds/{feedId}`: its addresses lead nowhere from now on. @throws ApiError `resource_not_found` */
export async function deleteFeed(
  services: FeedServices,
  actor: Whose,
  alertId: string,
  feedId: string,
): Promise<Answer<{ id: string; deleted: true }>> {
  await knownAlert(services, actor, alertId);
  if (!(await services.feeds.remove(alertId, feedId)))
    throw new ApiError('resource_not_found', `The alert has no feed '${feedId}'`, { param: 'feedId' });
  return { data: { id: feedId, deleted: true }, meta: FREE };
}

/**
 * What a feed shows now: the newest matches that nobody dismissed, as pointers.
 * @param secret of the form of secrets
 * @throws ApiError `resource_not_found`, also where its creator is no member of the alert any more; `feed_gone`, `subscription_required`
 */
export async function readFeed(services: FeedServices, secret: string, format: FeedFormat): Promise<string> {
  const { feeds, accounts, matches, publicUrl } = services;
  const feed = await feeds.open(secret);
  if (!feed) throw unknownFeed();
  if (feed.archived) throw new ApiError('feed_gone', 'The alert of this feed was deleted; remove the feed from your reader');
  const { teamId, alertId, name } = feed;
  const { status, plan, licence } = await accounts.principalOf(teamId);
  if (status !== 'active') throw new ApiError('subscription_required', 'The team of this feed has no active plan');
  const page = await matches.undismissed(alertId, COLLECTION_LIMIT_MAX, 0);
  // The next hearing is in full records alone.
  const records = await recordsOf(services, { principal: { teamId, plan, licence } }, page.matches, format === 'ics' ? 'full' : 'compact');
  return feedText({ name, publicUrl, selfUrl: feedUrl(publicUrl, format, secret), entries: records.map(entryOf) }, format);
}

export const unknownFeed = () => new ApiError('resource_not_found', 'There is no feed at this address, or it was revoked');

function entryOf(record: PublicRecord): FeedEntry {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null);
  const id = Number(record.id);
  return {
    projectId: id,
    ...headingOf(id, { projectName: text('projectName'), city: text('city'), county: text('county'), state: text('state') }),
    date: text('nextMeetingDate') ?? text('meetingDate'),
    status: text('statusLabel'),
    url: text('serviceLink') ?? '',
    updated: new Date(text('lastUpdated') ?? 0),
  };
}
