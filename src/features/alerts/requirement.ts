/** Judges the candidates of an alert with a specificRequirement in order, until a run is full; each is confirmed with quotes or refused. */

import type { FetchedProject } from '../../core/domain/record/represent.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { FeedPage } from '../../core/store/elastic/changeFeed.ts';
import { CallsUsedUp, type JudgeServices, judgeRecords, type QuestionPlan, ScreenerUnavailable, sayingsOf } from '../aiSearch/index.ts';
import { type CandidateServices, type Candidates, readFirstCandidates } from './candidates.ts';
import type { Finding } from './types.ts';

export interface RequirementServices extends CandidateServices, JudgeServices {
  /** how long a run may judge, in milliseconds; the rest waits for the next run */
  judgingMs: number;
}

/** Most records that one run judges. */
export const JUDGED_MAX = 1_000;
/** Records judged between checks of the time: few, since their texts may be long. */
const BATCH_RECORDS = 10;

export const REQUIREMENT_UNREAD = 'alert_nl_enrichment_failed';
export const UNREAD: Warning = {
  code: REQUIREMENT_UNREAD,
  message: 'specificRequirement could not be read just now: until it can be, runs go by the filters alone',
  params: {},
};

/** Warnings when the requirement cannot be understood; empty without a requirement. */
export async function readRequirementWarnings(
  services: RequirementServices,
  requirement: string | null,
  signal?: AbortSignal,
): Promise<Warning[]> {
  const read = async () => {
    if (requirement !== null) await services.screener.understand(requirement, environmentOf(services), signal);
    return [];
  };
  return readOrElse<Warning[]>(read, async () => [UNREAD]);
}

/**
 * Runs work that needs the screener, or the fallback when the screener is unavailable.
 * @throws errors of `work` except ScreenerUnavailable
 */
export async function readOrElse<T>(work: () => Promise<T>, fallBack: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScreenerUnavailable)) throw error;
    return fallBack();
  }
}

/**
 * The first candidates that are worth judging: all, or if these are more than a run can judge, those whose text mentions the requirement.
 * @param size most candidates to read
 * @throws ApiError `search_unavailable`
 */
export async function selectToJudge(
  services: RequirementServices,
  candidates: Candidates,
  plan: QuestionPlan,
  size: number,
  signal: AbortSignal,
): Promise<FeedPage> {
  const all = await readFirstCandidates(services, candidates, size, signal);
  if (all.total <= JUDGED_MAX) return all;
  const query = await services.relevance.saying([candidates.query], sayingsOf(services.screener, plan), signal);
  const saying = await readFirstCandidates(services, { ...candidates, query }, size, signal);
  // Records loaded since the first search are left to the next run.
  return { ...saying, load: all.load, highWater: all.highWater, seen: all.seen };
}

export interface Confirmed {
  project: FetchedProject;
  finding: Finding;
}

interface Judged {
  /** in the order of the candidates; may exceed the wanted number by the rest of the last batch */
  confirmed: Confirmed[];
  refused: FetchedProject[];
  /** number of candidates judged */
  judged: number;
}

/**
 * Judges candidates until enough are confirmed or the time is over.
 * @throws ApiError `search_unavailable`, ScreenerUnavailable
 */
export async function judgeCandidates(
  services: RequirementServices,
  plan: QuestionPlan,
  projects: readonly FetchedProject[],
  wanted: number,
  signal: AbortSignal,
): Promise<Judged> {
  const until = AbortSignal.timeout(services.judgingMs);
  const result: Judged = { confirmed: [], refused: [], judged: 0 };
  while (result.confirmed.length < wanted && result.judged < projects.length) {
    const batch = projects.slice(result.judged, result.judged + BATCH_RECORDS);
    const found = await findFindings(services, plan, batch, { signal, until });
    if (!found) break;
    for (const project of batch) {
      const one = found.get(project.id);
      if (!one) result.refused.push(project);
      // A record that changed meanwhile is a candidate of the next run.
      else if (one.revision === project.contentRevision) result.confirmed.push({ project, finding: one.finding });
    }
    result.judged += batch.length;
  }
  return result;
}

/** The findings of a batch; null when the time is over, or the team's daily limit is reached. */
async function findFindings(
  services: RequirementServices,
  plan: QuestionPlan,
  batch: readonly FetchedProject[],
  { signal, until }: { signal: AbortSignal; until: AbortSignal },
): Promise<Map<number, { revision: string; finding: Finding }> | null> {
  try {
    const ids = batch.map(({ id }) => id);
    const found = await judgeRecords(services, plan, ids, AbortSignal.any([signal, until]));
    return new Map(
      found.map(({ projectId, revision, whyThisMatched, evidence }) => [projectId, { revision, finding: { whyThisMatched, evidence } }]),
    );
  } catch (error) {
    if (error instanceof CallsUsedUp || (until.aborted && !signal.aborted)) return null;
    throw error;
  }
}
