/** Routes of feeds of hearings: managed with a key, and read without one by the secret in the address. */
import type { Route } from '../../http/declaration.ts';
import { filtersField } from '../../http/filterFields.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { readFeedRoute, secretFeedRoutes } from '../../http/secretFeeds.ts';
import { type HearingFeedServices, readFeedFilters, readHearingFeed } from './feeds.ts';

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

export const hearingCalendarRoute = (services: HearingFeedServices): OpenRoute =>
  readFeedRoute({
    id: 'readHearingFeed',
    summary: 'Hearings of the next year as iCalendar, all-day events',
    type: 'text/calendar',
    below: BELOW,
    secret,
    errors: ['search_unavailable'],
    ended: 'deleted',
    read: (known) => readHearingFeed(services, known),
  });
