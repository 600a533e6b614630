/** Releases: the changes that each new state of the data brought, as a list, an event and feeds. */

import { ReleaseStore } from '../../core/store/postgres/releases.ts';
import { ValueReviewStore } from '../../core/store/postgres/valueReviews.ts';
import type { Feature, Platform } from '../feature.ts';
import { RELEASE_EVENTS } from './events.ts';
import { releaseFeedRoutes } from './feedRoutes.ts';
import { announceReleaseJob } from './job.ts';
import { releaseRoutes } from './routes.ts';

const storeOf = ({ database, config }: Platform) => new ReleaseStore(database, config.indexPrefix);

const reviewStoreOf = ({ database, config }: Platform) => new ValueReviewStore(database, config.indexPrefix);

export const releases: Feature = {
  routes: ({ once }) => releaseRoutes(once(storeOf), once(reviewStoreOf)),
  openRoutes: ({ once, publicUrl, config }) => releaseFeedRoutes(once(storeOf), publicUrl, config.mailFrom),
  jobs: ({ once }) => [announceReleaseJob.with(once(storeOf))],
  events: RELEASE_EVENTS,
};
