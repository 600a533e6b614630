/** Does a run that was begun: delivers, charges and records what is new or changed in the transaction that settles its job. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Plan } from '../../core/domain/plans.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import type { JobContext } from '../../core/jobs/defineJob.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import type { Clause } from '../../core/query/clauses.ts';
import { pricedSelection } from '../../core/search/byIds.ts';
import { priceMatches } from '../../core/search/price.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { filtersIds, findCriteriaProblems, readStoredCriteria, selectByCriteria } from './criteria.ts';
import { mailMembers } from './digests.ts';
import { findRecords, type RunPrincipal } from './findRecords.ts';
import { writePausedMail, writeRefusalMail } from './mails.ts';
import type { AlertServices } from './manage.ts';
import { type BegunRun, RunRefused } from './runTypes.ts';
import { pauseAlert } from './store.ts';
import type { StoredDelivery } from './types.ts';

export interface Run extends BegunRun {
  principal: RunPrincipal;
  payer: Payer;
  /** work in the transaction that ends the run, however it ends */
  commitWithEnd(tx: Queryable, delivery: StoredDelivery): Promise<void>;
}

export const makeRunCause = ({ alert, deliveryId }: BegunRun) => ({ alertId: alert.id, deliveryId });

const nameShortfall = (plan: Plan) => ({ rate: plan.recordCredit, truncate: plan.shortfall === 'truncate' });

/** Settles the job of a run in the transaction of `work`. */
export async function settleRun<T>({ settle }: Pick<JobContext, 'settle'>, work: (tx: Queryable) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await settle(async (tx) => {
    result = { value: await work(tx) };
    return { status: 'completed' };
  });
  if (!result) throw new Error('A run was settled without its work');
  return result.value;
}

/**
 * Runs to the end: completed, or refused with a reason. A refused run writes only its own row.
 * @throws ApiError `search_unavailable`, `service_unavailable`; LostLease
 */
export async function runToEnd(
  services: AlertServices,
  run: Run,
  context: Pick<JobContext, 'settle'>,
  signal: AbortSignal,
): Promise<StoredDelivery> {
  const { alert, payer, principal } = run;
  const criteria = readStoredCriteria(alert, services.places);
  const problems = findCriteriaProblems(criteria, principal, services.places);
  const unusable = problems.filter(({ answer }) => answer !== 'geographic_access_denied');
  if (unusable.length) return settleRun(context, (tx) => pause(services, tx, run, unusable));
  if (problems.length) return settleRun(context, (tx) => refuseRun(services, tx, run, 'geographic_access_denied'));
  const refusal = await findRefusalOfIds(services, run, criteria, signal);
  if (refusal) return settleRun(context, (tx) => refuseRun(services, tx, run, refusal));
  const found = await findRecords(services, { alert, criteria, principal }, signal);
  try {
    return await settleRun(context, async (tx) => {
      const delivery = await services.runs.complete(tx, run, { payer, terms: nameShortfall(principal.plan) }, found);
      await run.commitWithEnd(tx, delivery);
      return delivery;
    });
  } catch (error) {
    if (!(error instanceof RunRefused)) throw error;
    return settleRun(context, (tx) => refuseRun(services, tx, run, error.reason));
  }
}

/**
 * Why a run on ids cannot be paid, whatever matches among them: a refusal that depended on the matches would say without charge what
 * records say.
 */
async function findRefusalOfIds(
  services: AlertServices,
  run: Run,
  criteria: ParameterReading,
  signal: AbortSignal,
): Promise<RunRefused['reason'] | undefined> {
  const { alert, principal } = run;
  const selection = selectByCriteria(criteria, principal, environmentOf(services).today);
  if (!filtersIds(alert, selection, principal)) return undefined;
  services.counted?.(principal.teamId, 1);
  return findRefusalOfCost(services, run, pricedSelection(selection, principal.plan).query, signal);
}

/** Why a run that delivers as many of these records as it may cannot be paid; undefined if it can. @throws ApiError */
export async function findRefusalOfCost(
  services: AlertServices,
  { alert, principal }: Pick<Run, 'alert' | 'principal'>,
  query: Clause,
  signal: AbortSignal,
): Promise<RunRefused['reason'] | undefined> {
  const { creditsRequired, creditRate, creditsRemaining } = await priceMatches(services, principal, query, signal);
  const cost = Math.min(creditsRequired, alert.maxRecordsPerRun * creditRate);
  if (cost > (creditsRemaining ?? 0)) return creditsRemaining ? 'insufficient_credits' : 'credits_exhausted';
  return alert.maxCredits !== null && cost > alert.maxCredits ? 'budget_exceeded' : undefined;
}

/** Ends a run that delivers nothing, and mails its members the reason. */
export async function refuseRun(services: AlertServices, tx: Queryable, run: Run, reason: string): Promise<StoredDelivery> {
  const delivery = await services.runs.end(tx, run.deliveryId, 'refused', reason);
  await mailMembers(services, tx, run.alert, (recipient) => writeRefusalMail(recipient, run.alert, delivery, services.publicUrl));
  await run.commitWithEnd(tx, delivery);
  return delivery;
}

/** Pauses an alert whose stored filters are no longer valid, and mails its members the reason. */
async function pause(services: AlertServices, tx: Queryable, run: Run, problems: readonly RequestRefusal[]): Promise<StoredDelivery> {
  const { alert } = run;
  const delivery = await services.runs.end(tx, run.deliveryId, 'failed', 'unusable_filters');
  const shown = problems.map(({ param, code, message }) => ({ param, code, message }));
  await pauseAlert(tx, alert, shown);
  await mailMembers(services, tx, alert, (recipient) => writePausedMail(recipient, alert, shown, services.publicUrl));
  await run.commitWithEnd(tx, delivery);
  return delivery;
}
