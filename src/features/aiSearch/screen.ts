/**
 * Screens records for an AI search: reads its question, finds candidates, and judges them batch by batch until the window is full. Each step is
 * stored, so that the next attempt continues where one died.
 */

import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { SORTS } from '../../core/filter/controls.ts';
import type { StartedJob } from '../../core/jobs/store.ts';
import type { Clause } from '../../core/query/clauses.ts';
import { type SortChoice, sortClauses } from '../../core/query/sort.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { asksOfIds } from './asksOfIds.ts';
import type { FeedbackStore } from './feedbackStore.ts';
import { joinRankings, rankLikeConfirmed, withoutDismissed } from './followFeedback.ts';
import { type JudgeServices, judgeRecords } from './judge.ts';
import type { Understanding } from './question/index.ts';
import { candidateFilters, makePlan, type QuestionPlan } from './questionPlan.ts';
import type { Ranking } from './relevanceStore.ts';
import { CallsUsedUp, sayingsOf, topicsOf } from './screener.ts';
import type { ScreeningState, ScreeningStore } from './screeningStore.ts';
import type { PartialReason } from './statuses.ts';
import type { AiCeilings, AiSearchPayload } from './types.ts';

export interface ScreeningServices extends JudgeServices {
  screening: ScreeningStore;
  feedback: FeedbackStore;
  places: Places;
  ceilings: AiCeilings;
  now: () => Date;
}

/** What the loop needs of the job's attempt. */
export interface ScreeningAttempt {
  signal: AbortSignal;
  write<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export type AiJob = StartedJob<AiSearchPayload> & { teamId: number };

/** Records judged between two checks for cancellation. Batches have fixed borders, since results are ordered by batch, then by score. */
const BATCH_RECORDS = 50;
/** Records that a language model judges for one question, or more for a larger window: five in six of the right ones are among them. */
const TOPIC_CANDIDATES = 100;
/** Score of a satisfied reading, compared with the score of words: about two rare words. */
const READING_BOOST = 8;
/** The most that Elasticsearch ranks in one answer (`index.max_result_window`). */
const CANDIDATES_MAX = 10_000;

/** The part of the confirmed records that the search delivers. */
export const windowOf = (
  { limit, offset }: Pick<AiSearchPayload, 'limit' | 'offset'>,
  { jobConfirmed }: Pick<AiCeilings, 'jobConfirmed'>,
) => ({
  offset,
  limit: Math.min(limit, jobConfirmed),
});

/** @returns why it ended before its window was full or every candidate was judged; null otherwise @throws ApiError `search_unavailable` */
export async function screenRecords(
  services: ScreeningServices,
  job: AiJob,
  attempt: ScreeningAttempt,
  principal: Pick<Principal, 'licence'>,
): Promise<PartialReason | null> {
  const { screening, ceilings, places } = services;
  const state = await screening.state(job.id);
  if (state.cancelled) return 'cancelled_by_user';
  const understanding = state.interpretation ?? (await readQuestion(services, job, attempt));
  const plan = makePlan(job.payload, understanding, principal, places);
  const idsCount = asksOfIds(job.payload) ? (plan.selection.filters.projectIds?.length ?? 0) : 0;
  if (!(await screenIds(services, job, attempt, idsCount - state.screened))) return 'daily_ai_budget_exhausted';
  const found = state.candidates
    ? { ids: state.candidates, total: state.candidateCount, byFeedback: state.byFeedback }
    : await findCandidates(services, job, attempt, plan);
  const progress = { screened: Math.max(state.screened, idsCount), reviewed: state.reviewed, confirmed: state.confirmed };
  const { offset, limit } = windowOf(job.payload, ceilings);
  while (progress.confirmed < offset + limit && progress.reviewed < found.ids.length) {
    attempt.signal.throwIfAborted();
    const ended = await judgeNextBatch(services, job, attempt, { plan, ...found, progress });
    if (ended) return ended;
  }
  const isCut = found.total > found.ids.length && found.ids.length >= Math.min(ceilings.jobReviewed, CANDIDATES_MAX);
  return progress.confirmed < offset + limit && isCut ? 'review_ceiling_reached' : null;
}

/** Counts all of some ids against the team's daily allowance, since what is left of it would say how many of them are candidates. */
async function screenIds(
  { screening, ceilings }: ScreeningServices,
  job: AiJob,
  { write }: ScreeningAttempt,
  wanted: number,
): Promise<boolean> {
  return wanted <= 0 || (await write((tx) => screening.screen(tx, job, wanted, ceilings.dailyScreened))) === wanted;
}

async function readQuestion(
  { screening, screener, places }: ScreeningServices,
  job: AiJob,
  attempt: ScreeningAttempt,
): Promise<Understanding> {
  const understanding = await screener.understand(job.payload.query, { today: job.payload.today, places }, attempt.signal);
  await attempt.write((tx) => screening.keepInterpretation(tx, job.id, understanding));
  return understanding;
}

/** The records that a search looks at. */
interface Candidates extends Ranking {
  /** whether the question or feedback of the team orders them; the confirmed ones then keep this order */
  byFeedback: boolean;
}

/** Records that say all that is asked; if the team has judged answers to the question, by what it said. */
async function findCandidates(
  services: ScreeningServices,
  job: AiJob,
  { signal, write }: ScreeningAttempt,
  plan: QuestionPlan,
): Promise<Candidates> {
  const { screener, relevance, screening, ceilings } = services;
  const { order } = plan;
  const sort = { direction: 'desc', ...SORTS[order?.sort ?? 'meeting_date_newest'] } as SortChoice;
  const feedback = await services.feedback.read(job.teamId, job.payload.query);
  const request = {
    filters: [...candidateFilters(plan), ...withoutDismissed(feedback), ...(order ? plan.readings.map(({ clause }) => clause) : [])],
    sayings: order ? [] : sayingsOf(screener, plan),
    tieBreak: sortClauses(sort, await readOrderCap(services, { selection: plan.selection, sort }, signal)),
  };
  const most = Math.min(ceilings.jobReviewed, CANDIDATES_MAX);
  const saying =
    plan.asked && plan.criteria.length
      ? await findByTopics(services, job, signal, plan, request.filters)
      : await relevance.ranked(request, most, signal);
  const like = order ? [] : await rankLikeConfirmed(services, { plan, request }, feedback, signal);
  const joined = { ...joinRankings(like, saying, most), byFeedback: order !== undefined || feedback.confirmed.length > 0 };
  const found = { ...joined, ids: joined.ids.slice(0, order?.count || undefined) };
  await write((tx) => screening.keepCandidates(tx, job.id, found));
  return found;
}

/** For a language model: the records that rank best by any part of the question, even in other words. */
function findByTopics(
  { screener, relevance, ceilings }: ScreeningServices,
  { payload }: AiJob,
  signal: AbortSignal,
  plan: QuestionPlan,
  filters: readonly Clause[],
): Promise<Ranking> {
  const { offset, limit } = windowOf(payload, ceilings);
  return relevance.united(
    {
      filters,
      topics: topicsOf(screener, plan),
      also: plan.readings.map(({ clause }) => ({ constant_score: { filter: clause, boost: READING_BOOST } })),
    },
    Math.min(ceilings.jobReviewed, Math.max(TOPIC_CANDIDATES, offset + limit)),
    signal,
  );
}

interface Screening extends Candidates {
  plan: QuestionPlan;
  progress: Pick<ScreeningState, 'screened' | 'reviewed' | 'confirmed'>;
}

/** @throws any error other than CallsUsedUp */
function reasonOfSpent(error: unknown): PartialReason {
  if (!(error instanceof CallsUsedUp)) throw error;
  return error.of === 'team' ? 'daily_ai_budget_exhausted' : 'review_ceiling_reached';
}

/** Judges up to the next border of a batch. @returns why the search ends early, or null */
async function judgeNextBatch(
  services: ScreeningServices,
  job: AiJob,
  { signal, write }: ScreeningAttempt,
  { plan, ids, byFeedback, progress }: Screening,
): Promise<PartialReason | null> {
  const { screening, ceilings } = services;
  if (await screening.isCancelled(job.id)) return 'cancelled_by_user';
  const border = Math.min((Math.floor(progress.reviewed / BATCH_RECORDS) + 1) * BATCH_RECORDS, ids.length);
  const wanted = border - progress.screened;
  if (wanted > 0) progress.screened += await write((tx) => screening.screen(tx, job, wanted, ceilings.dailyScreened));
  const batch = ids.slice(progress.reviewed, Math.min(border, progress.screened));
  if (!batch.length) return 'daily_ai_budget_exhausted';
  const confirmed = await judgeRecords(services, plan, batch, signal).catch(reasonOfSpent);
  if (typeof confirmed === 'string') return confirmed;
  const ordered = byFeedback ? confirmed.sort((a, b) => batch.indexOf(a.projectId) - batch.indexOf(b.projectId)) : confirmed;
  await write((tx) => screening.keepReviewed(tx, job.id, progress.reviewed + batch.length, ordered));
  progress.reviewed += batch.length;
  progress.confirmed += confirmed.length;
  return null;
}
