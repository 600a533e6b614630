/** Routes of feeds of hearings: managed with a key, and read without one by the secret in the address. */
import { file, type Route } from '../../http/declaration.ts';
import { filtersField } from '../../http/filterFields.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { secretFeedRoutes } from '../../http/secretFeeds.ts';
import { type HearingFeedServices, readFeedFilters, readHearingFeed, unknownHearingFeedError } from './feeds.ts';

const secret = opaqueId('feed', 'The secret of the feed', 'hfs');
const BELOW = '/feeds/hearings/';

export const hearingFeedRoutes = (services: HearingFeedServices): Route[] =>
  secretFeedRoutes(services, {
    path: '/hearings/feeds',
    ids: ['createHearingFeed', 'listHearingFeeds', 'getHearingFeed', 'deleteHearingFeed'],
    idPrefix: 'hfd',
    noun: 'hearings',
    addresses: { icsUrl: BELOW },
    filters: filtersField('Filters', 'Which projects count; all of your licence where it is empty', 'object'),
    readProblems: (filters, principal) => readFeedFilters(filters, principal, services).problems,
  });

export const hearingCalendarRoute = (services: HearingFeedServices): OpenRoute => ({
  rate: 'feed',
  paths: [],
  below: BELOW,
  type: 'text/calendar; charset=utf-8',
  // Revalidated each time, so that a deleted feed disappears at once.
  lifetime: { seconds: 0, scope: 'private' },
  handle: (rest) => {
    const known = secret.parse(rest);
    if (known === undefined) throw unknownHearingFeedError();
    return readHearingFeed(services, known);
  },
  reference: {
    id: 'readHearingFeed',
    summary: 'Hearings of the next year as iCalendar, all-day events',
    path: `${BELOW}{secret}`,
    params: { secret },
    answers: [file('text/calendar')],
    errors: ['resource_not_found', 'feed_gone', 'subscription_required', 'search_unavailable', 'service_unavailable'],
  },
});
