/** Hearings ahead, as a list and as a calendar. */
import { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { Feature } from '../feature.ts';
import { hearingRoutes } from './routes.ts';

export const hearings: Feature = {
  routes: (platform) => {
    const { elastic, names, timeoutMs } = platform;
    return hearingRoutes({ ...platform, aggregations: new AggregationStore(elastic, names, timeoutMs) });
  },
};
