/** Hearings ahead, as a list, as a calendar, and as feeds of calendars. */
import { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { Feature, Platform } from '../feature.ts';
import { hearingCalendarRoute, hearingFeedRoutes } from './feedRoutes.ts';
import { HEARING_TEAM_CHANGES, makeHearingFeeds } from './feedStore.ts';
import { hearingRoutes } from './routes.ts';

export { type HearingServices, listHearings } from './listHearings.ts';
export { parseHearings } from './request.ts';

export const hearingServices = (platform: Platform) => {
  const { config, database, elastic, names, timeoutMs } = platform;
  return {
    ...platform,
    aggregations: new AggregationStore(elastic, names, timeoutMs),
    feeds: makeHearingFeeds(database, config.keyPepper),
  };
};

export const hearings: Feature = {
  routes: ({ once }) => {
    const services = once(hearingServices);
    return [...hearingRoutes(services), ...hearingFeedRoutes(services)];
  },
  openRoutes: ({ once }) => [hearingCalendarRoute(once(hearingServices))],
  team: HEARING_TEAM_CHANGES,
};
