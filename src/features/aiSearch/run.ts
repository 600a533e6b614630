/** One attempt at an AI search: continues where the attempt before it stopped, and settles the search. */

import { lazily } from '../../core/domain/lazily.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { DeadlinePassed, FinalJobError, LostLease, WorkerStopping } from '../../core/jobs/kind.ts';
import { isLastAttempt, type StartedJob } from '../../core/jobs/store.ts';
import { lookUpStanding } from '../../core/people/enrichment.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { FinderUnavailable, lookUps } from '../contacts/index.ts';
import { makePlan, type QuestionPlan } from './questionPlan.ts';
import { findRelated } from './related.ts';
import { type AiJob, type ScreeningAttempt, screenRecords } from './screen.ts';
import { scopeScreener } from './screener.ts';
import { readWindow, type SettlingServices, settleSearch, type WindowEntry } from './settle.ts';
import type { PartialReason } from './statuses.ts';
import type { AiSearchPayload, AssessedRecord } from './types.ts';

interface AiAttempt extends ScreeningAttempt {
  settle(work: (tx: Queryable) => Promise<{ status: string }>): Promise<void>;
}

const EVERYTHING = { offset: 0, limit: 1_000_000 };
const NO_KEY = '00000000-0000-4000-8000-000000000000';
/** Time for the last reads after the deadline; shorter than what is left of the lease. */
const LAST_READS_MS = 5_000;
/** Calls of a language model for one search: twice as many as the first candidates take. Answers are kept, so that the next search continues. */
const MODEL_CALLS_MAX = 30;

/** @throws FinalJobError; any other error is tried again */
export async function runAiSearch(given: SettlingServices, started: StartedJob<AiSearchPayload>, attempt: AiAttempt): Promise<void> {
  const { teamId } = started;
  const services = scopeScreener(given, { subject: started.id, teamId, callsMax: MODEL_CALLS_MAX });
  if (teamId === null) throw new Error(`The search ${started.id} has no team`);
  const job: AiJob = { ...started, teamId };
  const principal = await principalOf(services, job);
  const partialReason = await screenUntilDone(services, job, attempt, principal);
  // At the deadline whatever is confirmed is delivered; the reads that this needs get a little more time, all of them together.
  const lastSignal = lazily(() => AbortSignal.timeout(LAST_READS_MS));
  const nextReads = () => ({ ...attempt, signal: isOver(attempt) ? lastSignal() : attempt.signal });
  const { interpretation } = await services.screening.state(job.id);
  const plan = interpretation && makePlan(job.payload, interpretation, principal, services.places);
  const window = plan ? await readWindowOrRepeat(services, job, nextReads, plan) : [];
  const related = plan && !isOver(attempt) ? await relatedOf(services, job, nextReads(), { plan, partialReason }) : null;
  const findings = await lookUpContacts(services, job, attempt, { window, signal: nextReads().signal });
  await attempt.settle((tx) => settleSearch(services, tx, job, { principal, plan, window, related, partialReason, findings }));
}

/** Searches that ended before they were through look for nothing else. */
const LOOKED_THROUGH: ReadonlySet<PartialReason | null> = new Set<PartialReason | null>([null, 'review_ceiling_reached']);

async function relatedOf(
  services: SettlingServices,
  job: AiJob,
  attempt: AiAttempt,
  { plan, partialReason }: { plan: QuestionPlan; partialReason: PartialReason | null },
): Promise<AssessedRecord[] | null> {
  if (!LOOKED_THROUGH.has(partialReason)) return null;
  const answers = await services.screening.confirmed(job.id, EVERYTHING);
  try {
    return await findRelated(services, job, { plan, answers: answers.map(({ projectId }) => projectId) }, attempt.signal);
  } catch (error) {
    // The answers are delivered all the same.
    if (!isOver(attempt)) throw error;
    return null;
  }
}

async function screenUntilDone(
  services: SettlingServices,
  job: AiJob,
  attempt: AiAttempt,
  principal: Principal,
): Promise<PartialReason | null> {
  try {
    return await screenRecords(services, job, attempt, principal);
  } catch (error) {
    const { reason } = attempt.signal;
    if (isOver(attempt)) return 'deadline_reached';
    if (error instanceof LostLease || error instanceof FinalJobError || reason instanceof WorkerStopping || !isLastAttempt(job))
      throw error;
    const message = 'What AI search rests on did not answer, again and again; its credits were given back. Ask again later.';
    throw new FinalJobError('service_unavailable', message, { cause: error });
  }
}

/** Whether the deadline has passed: no other attempt follows. */
const isOver = ({ signal }: ScreeningAttempt) => signal.reason instanceof DeadlinePassed;

/** The plan and licence that the team has now, at the lower of the two prices: that of acceptance and that of today. */
async function principalOf({ accounts }: SettlingServices, { payload, teamId, userId, cause }: AiJob): Promise<Principal> {
  const { plan, monthlyCredits, licence, status } = await accounts.principalOf(teamId);
  if (status !== 'active')
    throw new FinalJobError('subscription_required', 'The team has no active plan any more; the credits of the search were given back.');
  const recordCredit = Math.min(payload.rate, plan.recordCredit) as 0 | 1;
  return {
    keyId: cause.keyId ?? NO_KEY,
    teamId,
    userId: userId ?? 0,
    role: 'member',
    monthlyCredits,
    licence,
    rotatingUntil: null,
    plan: { ...plan, recordCredit },
  };
}

/** Reads the window, and once more if the deadline ended the first reading. */
async function readWindowOrRepeat(services: SettlingServices, job: AiJob, nextReads: () => ScreeningAttempt, plan: QuestionPlan) {
  const reads = nextReads();
  try {
    return await readWindow(services, job, reads, plan);
  } catch (error) {
    if (!isOver(reads)) throw error;
    return readWindow(services, job, nextReads(), plan);
  }
}

/** Looks up the contacts of the window that were asked for and have no recent look-up. @returns what was found, by record; kept for the settlement */
async function lookUpContacts(
  services: SettlingServices,
  job: AiJob,
  attempt: ScreeningAttempt,
  { window, signal }: { window: readonly WindowEntry[]; signal: AbortSignal },
) {
  const { enrichments, finder, unlocks } = services;
  const known = await enrichments.findings(job.id);
  if (!job.payload.contacts || !finder || !window.length) return known;
  const records = window.map(({ hit }) => hit.project).map(({ id, compact }) => ({ id, memberIds: compact.mergedFrom ?? [id] }));
  const members = records.flatMap(({ memberIds }) => memberIds);
  const states = await unlocks.states(job.teamId, members);
  const wanted = records.filter(({ id, memberIds }) => !known.has(id) && !lookUpStanding(states, memberIds).isEnriched).map(({ id }) => id);
  try {
    for await (const found of lookUps({ ...services, finder }, wanted, {}, signal))
      await attempt.write((tx) => enrichments.keep(tx, job.id, found));
  } catch (error) {
    // The records are delivered without contacts, and the credits of look-ups that were not made are given back.
    if (!isOver(attempt) && !(error instanceof FinderUnavailable && isLastAttempt(job))) throw error;
  }
  return enrichments.findings(job.id);
}
