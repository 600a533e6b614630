/** Whether decision bodies still report: how often each one meets, and events and feeds for those that fall silent. */
import type { Feature, Platform } from '../feature.ts';
import { FRESHNESS_EVENTS } from './events.ts';
import { coverageFeedRoutes } from './feedRoutes.ts';
import { checkFreshnessJob } from './job.ts';
import { MeetingStore } from './meetingStore.ts';
import { FreshnessStore } from './store.ts';

export { GRACE_DAYS, judgeFreshness, type ReadMeeting } from './rhythm.ts';
export { BODIES_MAX, type BodyFilter, type FreshnessStore } from './store.ts';
export type { KnownBody } from './types.ts';
export { nameBody, type PlaceView, viewPlace } from './view.ts';

export const freshnessStoreOf = ({ database, config }: Platform): FreshnessStore => new FreshnessStore(database, config.indexPrefix);

export const freshness: Feature = {
  openRoutes: ({ once, places, publicUrl }) => coverageFeedRoutes(once(freshnessStoreOf), { places, publicUrl }),
  jobs: ({ once, elastic, names, timeoutMs, places, now }) => [
    checkFreshnessJob.with({ freshness: once(freshnessStoreOf), meetings: new MeetingStore(elastic, names, timeoutMs), places, now }),
  ],
  events: FRESHNESS_EVENTS,
};
