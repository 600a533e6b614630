/** Candidates of an alert with a specificRequirement: judged in their order until a run is full, each confirmed with quotes or refused. */

import type { FetchedProject } from '../../core/domain/record/represent.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { FeedPage } from '../../core/store/elastic/changeFeed.ts';
import { type JudgeServices, judge, type QuestionPlan, ScreenerUnavailable, ShareSpent, sayingsOf } from '../aiSearch/index.ts';
import { type CandidateServices, type Candidates, firstCandidates } from './candidates.ts';
import type { Finding } from './types.ts';

export interface RequirementServices extends CandidateServices, JudgeServices {
  /** how long a run judges; what it did not come to waits for the next one */
  judgingMs: number;
}

/** Records that one run judges at most. */
export const JUDGED_MAX = 1_000;
/** Records judged between two looks at the clock: few, since the texts of one may be long. */
const BATCH_RECORDS = 10;

export const REQUIREMENT_UNREAD = 'alert_nl_enrichment_failed';
export const UNREAD: Warning = {
  code: REQUIREMENT_UNREAD,
  message: 'specificRequirement could not be read just now: until it can be, runs go by the filters alone',
  params: {},
};

/** Empty where the requirement can be read, or there is none. */
export async function requirementWarnings(
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

/** Reads a requirement, or falls back to the filters alone where it cannot be read. @throws what `work` throws, except ScreenerUnavailable */
export async function readOrElse<T>(work: () => Promise<T>, fallBack: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScreenerUnavailable)) throw error;
    return fallBack();
  }
}

/**
 * The first candidates: of all of them, or where those are more than a run can judge, of those whose text mentions what is asked.
 * @param size read at most
 * @throws ApiError `search_unavailable`
 */
export async function worthJudging(
  services: RequirementServices,
  candidates: Candidates,
  plan: QuestionPlan,
  size: number,
  signal: AbortSignal,
): Promise<FeedPage> {
  const all = await firstCandidates(services, candidates, size, signal);
  if (all.total <= JUDGED_MAX) return all;
  const query = await services.relevance.saying([candidates.query], sayingsOf(services.screener, plan), signal);
  const saying = await firstCandidates(services, { ...candidates, query }, size, signal);
  // What was loaded since the first look is left to the next run.
  return { ...saying, load: all.load, highWater: all.highWater, seen: all.seen };
}

export interface Confirmed {
  project: FetchedProject;
  finding: Finding;
}

interface Judged {
  /** in the order of the candidates; may be more than were wanted, by the rest of the last batch */
  confirmed: Confirmed[];
  refused: FetchedProject[];
  /** how many of the candidates */
  judged: number;
}

/** Judges until as many are confirmed as are wanted, or the time is up. @throws ApiError `search_unavailable`, ScreenerUnavailable */
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
    const found = await findingsOf(services, plan, batch, { signal, until });
    if (!found) break;
    for (const project of batch) {
      const one = found.get(project.id);
      if (!one) result.refused.push(project);
      // One that changed meanwhile is a candidate of the next run.
      else if (one.revision === project.contentRevision) result.confirmed.push({ project, finding: one.finding });
    }
    result.judged += batch.length;
  }
  return result;
}

/** null where the time was up, or what the team may ask in a day was asked */
async function findingsOf(
  services: RequirementServices,
  plan: QuestionPlan,
  batch: readonly FetchedProject[],
  { signal, until }: { signal: AbortSignal; until: AbortSignal },
): Promise<Map<number, { revision: string; finding: Finding }> | null> {
  try {
    const ids = batch.map(({ id }) => id);
    const found = await judge(services, plan, ids, AbortSignal.any([signal, until]));
    return new Map(
      found.map(({ projectId, revision, whyThisMatched, evidence }) => [projectId, { revision, finding: { whyThisMatched, evidence } }]),
    );
  } catch (error) {
    if (error instanceof ShareSpent || (until.aborted && !signal.aborted)) return null;
    throw error;
  }
}
