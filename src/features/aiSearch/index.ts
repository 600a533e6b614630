/** AI search: questions in plain words, judged by a screener, delivered by a job. */
import type { Config } from '../../config.ts';
import { contactFinder, enrichmentStore, findsContacts } from '../contacts/index.ts';
import type { Feature, Platform } from '../feature.ts';
import { chooseScreener } from './chooseScreener.ts';
import { AI_SEARCH_EVENTS } from './events.ts';
import { FeedbackStore } from './feedbackStore.ts';
import { aiSearchJob } from './job.ts';
import { ModelAnswers } from './modelAnswerStore.ts';
import { RelevanceStore } from './relevanceStore.ts';
import { aiSearchRoutes } from './routes.ts';
import { ScreenerPool } from './screenerPool.ts';
import { ScreeningStore } from './screeningStore.ts';
import { AiSearchStore } from './store.ts';

export { type JudgeServices, judgeRecords } from './judge.ts';
export { candidateFilters, makePlanWithin, type QuestionPlan } from './questionPlan.ts';
export { RelevanceStore } from './relevanceStore.ts';
export { matchEvidence } from './routes.ts';
export { CallsUsedUp, type Screener, ScreenerUnavailable, sayingsOf, scopeScreener } from './screener.ts';
export type { ConfirmedRecord } from './types.ts';
export { type ShownEvidence, toShownEvidence } from './view.ts';

/** What judging may take of the time in which an answer is promised; the rest is for finding and delivering. */
const JUDGING_SHARE = 0.5;
/** Of that time, for one answer of a language model. */
const MODEL_SHARE = 0.5;

/** How long a request may judge records. */
export const requestJudgingMs = ({ searchTimeoutMs }: Config) => searchTimeoutMs * JUDGING_SHARE;
const requestModelMs = (config: Config) => Math.min(config.languageModelTimeoutMs, Math.ceil(requestJudgingMs(config) * MODEL_SHARE));

/** Long texts are judged on a thread of their own. */
function threadScreener(platform: Platform): ScreenerPool {
  const pool = new ScreenerPool();
  platform.onClose(() => pool.close());
  return pool;
}

/** Judges for requests: a language model that is late is not asked again. */
export const requestScreener = (platform: Platform) =>
  chooseScreener({ ...platform, builtin: platform.once(threadScreener) }, { timeoutMs: requestModelMs(platform.config), retries: 0 });

/** Judges for jobs. */
export function jobScreener(platform: Platform) {
  const pool = platform.once(threadScreener);
  return chooseScreener({ ...platform, builtin: pool });
}

const aiSearchStore = ({ jobs, idempotency, once }: Platform) => new AiSearchStore(jobs, idempotency, once(enrichmentStore));

export const aiSearch: Feature = {
  routes: (platform) =>
    aiSearchRoutes({
      ...platform,
      searches: platform.once(aiSearchStore),
      feedback: new FeedbackStore(platform.database),
      findsContacts: findsContacts(platform),
    }),
  jobs: (platform) => {
    const { config, database, elastic, names, timeoutMs, once } = platform;
    return [
      aiSearchJob.with({
        ...platform,
        searches: once(aiSearchStore),
        enrichments: once(enrichmentStore),
        finder: once(contactFinder),
        screening: new ScreeningStore(database),
        feedback: new FeedbackStore(database),
        relevance: new RelevanceStore(elastic, names, timeoutMs),
        screener: once(jobScreener),
        answers: new ModelAnswers(database),
        ceilings: {
          dailyScreened: config.aiDailyScreened,
          jobReviewed: config.aiJobReviewed,
          jobConfirmed: config.aiJobConfirmed,
        },
      }),
    ];
  },
  events: AI_SEARCH_EVENTS,
};
