/** Analytics: counts and statistics by up to two dimensions, with small groups hidden, and coverage. */
import { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import { ValueReviewStore } from '../../core/store/postgres/valueReviews.ts';
import type { Feature, Platform } from '../feature.ts';
import { freshnessStoreOf } from '../freshness/index.ts';
import { coverageRoutes } from './coverageRoutes.ts';
import { analyticsRoutes } from './routes.ts';
import { VisibilityPool } from './visibilityPool.ts';

export { aggregate } from './aggregate.ts';
export { type Answerable, type AnswerableServices, findAnswerable } from './answerable.ts';
export { findOdds } from './odds.ts';

const analyticsServices = (platform: Platform) => {
  const { elastic, names, timeoutMs, onClose } = platform;
  const visibilities = new VisibilityPool();
  onClose(() => visibilities.close());
  return { ...platform, visibilities, aggregations: new AggregationStore(elastic, names, timeoutMs) };
};

/** Analytics with what knows how fresh bodies are. */
export const answerableServices = ({ once }: Platform) => ({ ...once(analyticsServices), freshness: once(freshnessStoreOf) });

const reviewStoreOf = ({ database, config }: Platform) => new ValueReviewStore(database, config.indexPrefix);

export const analytics: Feature = {
  routes: ({ once }) => [
    ...analyticsRoutes(once(analyticsServices)),
    ...coverageRoutes({ ...once(answerableServices), reviews: once(reviewStoreOf) }),
  ],
};
