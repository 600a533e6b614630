/** Feeds of restrictions: a calendar of what ends and an RSS feed, managed with a key, and read without one by the secret in the address. */
import { ApiError } from '../../core/domain/errors.ts';
import { mendStored } from '../../core/filter/stored.ts';
import type { AccountStore } from '../../core/identity/accounts.ts';
import { SecretAddresses } from '../../core/identity/secretAddresses.ts';
import type { TeamSubscriber } from '../../core/identity/teamChanges.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import { file, type Route } from '../../http/declaration.ts';
import { filtersField } from '../../http/filterFields.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { deleteFeedsWithTeam, type Feeds, feedKindOf, type SecretFeedServices, secretFeedRoutes } from '../../http/secretFeeds.ts';
import { writeEndCalendar, writeRestrictionFeed } from './feedFormats.ts';
import { makeFilterTests, type RestrictionServices, readLicensed } from './listRestrictions.ts';
import { readFeedFilters } from './request.ts';

const TABLE = 'restriction_feed';

export const RESTRICTION_TEAM_CHANGES: TeamSubscriber = deleteFeedsWithTeam(TABLE, 'restrictionFeeds');

/** @param pepper KEY_PEPPER */
export const makeRestrictionFeeds = (database: Database, pepper: string): Feeds =>
  new SecretAddresses(
    database,
    pepper,
    feedKindOf(TABLE, { idPrefix: 'rfd', secretPrefix: 'rfs', purpose: 'restriction feed', named: 'feeds of restrictions' }),
  );

export interface RestrictionFeedServices extends RestrictionServices, SecretFeedServices {
  accounts: Pick<AccountStore, 'principalOf'>;
}

const secret = opaqueId('feed', 'The secret of the feed', 'rfs');
const BELOW = { icsUrl: '/feeds/restrictions/ics/', rssUrl: '/feeds/restrictions/rss/' } as const;

export const restrictionFeedRoutes = (services: RestrictionFeedServices): Route[] =>
  secretFeedRoutes(services, {
    path: '/restrictions/feeds',
    ids: ['createRestrictionFeed', 'listRestrictionFeeds', 'getRestrictionFeed', 'deleteRestrictionFeed'],
    idPrefix: 'rfd',
    noun: 'restrictions',
    addresses: BELOW,
    filters: filtersField('Filters', 'Which restrictions count: filters of places and uses, as `GET /restrictions` takes them', 'object'),
    readProblems: (filters, principal) => readFeedFilters(filters, principal, services).problems,
  });

/** @param sent the secret @throws ApiError `resource_not_found`, `subscription_required`; `feed_gone` when its filters are no longer accepted */
async function readFeed(services: RestrictionFeedServices, sent: string, format: keyof typeof BELOW): Promise<string> {
  const { feeds, accounts, places, publicUrl } = services;
  const known = secret.parse(sent);
  const feed = known === undefined ? undefined : await feeds.open(known);
  if (!feed) throw new ApiError('resource_not_found', 'There is no feed at this address, or it was deleted');
  const { status, licence } = await accounts.principalOf(feed.teamId);
  if (status !== 'active') throw new ApiError('subscription_required', 'The team of this feed has no active plan');
  const { filters, problems } = readFeedFilters(mendStored(feed.filters, places), { licence }, services);
  if (problems[0])
    throw new ApiError('feed_gone', `The filters of this feed are no longer accepted (${problems[0].message}); make another feed`);
  const { today } = environmentOf(services);
  const tests = makeFilterTests(filters);
  const shown = (await readLicensed(services, { principal: { licence } })).filter((one) => tests.every((test) => test(one)));
  if (format === 'icsUrl') return writeEndCalendar(shown, today, publicUrl);
  return writeRestrictionFeed(shown, today, publicUrl, `${publicUrl}${BELOW.rssUrl}${sent}`);
}

export const openRestrictionFeedRoutes = (services: RestrictionFeedServices): OpenRoute[] =>
  (
    [
      ['icsUrl', 'readRestrictionCalendar', 'text/calendar', 'The last days of restrictions as iCalendar, all-day events'],
      ['rssUrl', 'readRestrictionRss', 'application/rss+xml', 'Restrictions that were adopted, extended, end soon or ended, as RSS 2.0'],
    ] as const
  ).map(([format, id, type, summary]) => ({
    rate: 'feed',
    paths: [],
    below: BELOW[format],
    type: `${type}; charset=utf-8`,
    // Revalidated each time, so that a deleted feed disappears at once.
    lifetime: { seconds: 0, scope: 'private' },
    handle: (rest) => readFeed(services, rest, format),
    reference: {
      id,
      summary,
      path: `${BELOW[format]}{secret}`,
      params: { secret },
      answers: [file(type)],
      errors: ['resource_not_found', 'feed_gone', 'subscription_required', 'service_unavailable'],
    },
  }));
