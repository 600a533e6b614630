/** Feeds of restrictions: a calendar of what ends and an RSS feed, managed with a key, and read without one by the secret in the address. */
import { mendStored } from '../../core/filter/stored.ts';
import { SecretAddresses } from '../../core/identity/secretAddresses.ts';
import type { TeamSubscriber } from '../../core/identity/teamChanges.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import type { Route } from '../../http/declaration.ts';
import { filtersField } from '../../http/filterFields.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import {
  assertAccepted,
  deleteFeedsWithTeam,
  type Feeds,
  feedKindOf,
  openFeed,
  readFeedRoute,
  type SecretFeedServices,
  secretFeedRoutes,
} from '../../http/secretFeeds.ts';
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

export type RestrictionFeedServices = RestrictionServices & SecretFeedServices;

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

/** @throws ApiError `resource_not_found`, `subscription_required`; `feed_gone` when its filters are no longer accepted */
async function readFeed(services: RestrictionFeedServices, known: string, format: keyof typeof BELOW): Promise<string> {
  const { places, publicUrl } = services;
  const feed = await openFeed(services, known);
  const { principal } = feed;
  const { filters, problems } = readFeedFilters(mendStored(feed.filters, places), principal, services);
  assertAccepted(problems);
  const { today } = environmentOf(services);
  const tests = makeFilterTests(filters);
  const shown = (await readLicensed(services, { principal })).filter((one) => tests.every((test) => test(one)));
  if (format === 'icsUrl') return writeEndCalendar(shown, today, publicUrl);
  return writeRestrictionFeed(shown, today, publicUrl, `${publicUrl}${BELOW.rssUrl}${known}`);
}

const READ = [
  ['icsUrl', 'readRestrictionCalendar', 'text/calendar', 'The last days of restrictions as iCalendar, all-day events'],
  ['rssUrl', 'readRestrictionRss', 'application/rss+xml', 'Restrictions that were adopted, extended, end soon or ended, as RSS 2.0'],
] as const;

export const openRestrictionFeedRoutes = (services: RestrictionFeedServices): OpenRoute[] =>
  READ.map(([format, id, type, summary]) =>
    readFeedRoute({
      id,
      summary,
      type,
      below: BELOW[format],
      secret,
      ended: 'deleted',
      read: (known) => readFeed(services, known, format),
    }),
  );
