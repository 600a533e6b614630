/** A manual run: a job that its request waits for. */
import { ApiError, refusalOf } from '../../core/domain/errors.ts';
import { DeadlinePassed, LostLease } from '../../core/jobs/kind.ts';
import type { StartedJob } from '../../core/jobs/store.ts';
import { type Actor, claimOf, payerOf } from '../../core/search/actor.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import { readStoredCriteria } from './criteria.ts';
import { mailDigests } from './digests.ts';
import { runAlertNowJob } from './job.ts';
import { type AlertServices, knownAlert, requireUndeleted } from './manage.ts';
import { countProblems } from './preview.ts';
import { makeRunCause, type Run, runToEnd, settleRun } from './run.ts';
import type { BegunRun, ManualRuns, RunBegin } from './runTypes.ts';
import type { StoredAlert, StoredDelivery } from './types.ts';
import { type DeliveryView, viewDelivery } from './view.ts';

/**
 * `POST /alerts/{id}/run`. An Idempotency-Key belongs to the alert.
 * @throws ApiError `manual_runs_exhausted`, `search_unavailable`
 */
export async function runManually(services: AlertServices, actor: Actor, id: string): Promise<OperationAnswer<DeliveryView>> {
  if (actor.cause.kind !== 'request') throw new Error('A manual run is asked for by a request');
  const alert = await knownAlert(services, actor, id);
  const ofAlert = { ...actor, cause: { ...actor.cause, route: `POST /alerts/${id}/run` } };
  const { delivery, charged, manualRuns } = await runOnce(services, ofAlert, id, {
    run: async (claiming) => startRun(services, claiming, requireUndeleted(alert)),
    replay: async ({ kept }) => replayRun(services, id, (kept as { deliveryId: string }).deliveryId),
  });
  return { data: delivery, meta: { creditsUsed: charged, manualRuns, warnings: evidenceWarning(delivery.unconfirmed) } };
}

async function replayRun({ runs, publicUrl }: AlertServices, alertId: string, deliveryId: string): Promise<RunAnswer> {
  const [delivery, manualRuns] = await Promise.all([runs.findDelivery(alertId, deliveryId), runs.countManualRuns(alertId)]);
  if (!delivery) throw new Error(`The delivery ${deliveryId} of a settled key is not there`);
  return { delivery: viewDelivery(delivery, publicUrl), charged: 0, manualRuns };
}

interface RunAnswer {
  delivery: DeliveryView;
  charged: number;
  manualRuns: ManualRuns;
}

async function startRun(services: AlertServices, actor: Actor, alert: StoredAlert): Promise<RunAnswer> {
  const { runs, idempotency, publicUrl } = services;
  const { principal } = actor;
  // A run that is refused with its price does not count against the day's manual runs, and reveals the same as a preview.
  const unpriced =
    actor.maxCredits !== undefined && principal.plan.recordCredit ? countProblems(alert, readStoredCriteria(alert, services.places)) : [];
  if (unpriced.length) throw refusalOf(unpriced);
  const begun = await beginRun(services, alert);
  if (begun.state === 'ended') throw new Error(`The alert ${alert.id} is not there`);
  if (begun.state === 'exhausted') throw runsExhaustedError(await runs.countManualRuns(alert.id));
  if (begun.state === 'already_running') {
    const claim = claimOf(actor);
    if (claim) await idempotency.release(principal.teamId, claim);
    const running = await replayRun(services, alert.id, begun.deliveryId);
    return { ...running, delivery: { ...running.delivery, status: 'already_running' } };
  }
  const delivery = await runJob(services, runOf(services, actor, begun), begun.job, actor.signal);
  const { used } = begun.manualRuns;
  // A run that was refused does not count.
  const manualRuns = { ...begun.manualRuns, used: delivery.status === 'completed' ? used : used - 1 };
  return { delivery: viewDelivery(delivery, publicUrl), charged: delivery.creditsCharged, manualRuns };
}

type ManualBegin = Exclude<RunBegin, { state: 'begun' }> | ({ state: 'begun'; job: StartedJob; manualRuns: ManualRuns } & BegunRun);

/** Begins the run and its job. */
function beginRun(services: AlertServices, { id: alertId, teamId }: StoredAlert): Promise<ManualBegin> {
  const { runs, awaitedJobs } = services;
  return runs.transaction(async (tx) => {
    const begun = await runs.begin(tx, alertId, null);
    if (begun.state !== 'begun') return begun;
    const payload = { alertId, deliveryId: begun.deliveryId };
    // Read now, since nothing may fail once the run has charged.
    const manualRuns = await runs.countManualRuns(alertId, tx);
    return { ...begun, job: await awaitedJobs.begin(tx, runAlertNowJob, { payload, teamId }), manualRuns };
  });
}

function runOf(services: AlertServices, actor: Actor, begun: BegunRun): Run {
  const { principal } = actor;
  const paying = payerOf(actor);
  return {
    ...begun,
    principal,
    payer: { ...paying, claim: undefined, cause: { ...paying.cause, ...makeRunCause(begun) } },
    commitWithEnd: async (tx, delivery) => {
      const cost = delivery.creditsCharged;
      await services.idempotency.keep(tx, principal.teamId, claimOf(actor), { deliveryId: delivery.id }, { cost });
      if (delivery.status === 'completed')
        await mailDigests(services, tx, [
          { alert: begun.alert, delivery, entries: await services.runs.takeDigest(tx, delivery.id), heard: null },
        ]);
    },
  };
}

/** Runs the job to its end; the error of a failed run is the answer to its request. @throws ApiError */
async function runJob(services: AlertServices, run: Run, job: StartedJob, signal?: AbortSignal): Promise<StoredDelivery> {
  let ended: { delivery: StoredDelivery } | { error: unknown } | undefined;
  await services.awaitedJobs.run(runAlertNowJob.with(services), job, async (context) => {
    const stopped = signal ? AbortSignal.any([signal, context.signal]) : context.signal;
    try {
      ended = { delivery: await runToEnd(services, run, context, stopped) };
    } catch (error) {
      ended = { error };
      if (error instanceof LostLease) throw error;
      await settleRun(context, (tx) => services.runs.end(tx, run.deliveryId, 'failed', codeOf(error)));
    }
  });
  if (ended && 'delivery' in ended) return ended.delivery;
  const error = ended?.error;
  if (error === undefined || error instanceof LostLease || error instanceof DeadlinePassed)
    throw new ApiError('service_unavailable', 'The run took too long and was given up; nothing was charged.');
  throw error;
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : 'internal_error');

function runsExhaustedError(runs: ManualRuns): ApiError {
  const seconds = Math.max(1, Math.ceil((Date.parse(runs.resetsAt) - Date.now()) / 1000));
  return new ApiError('manual_runs_exhausted', `The ${runs.limit} manual runs of this alert today are used; scheduled runs go on`, {
    details: { ...runs },
    headers: { 'Retry-After': String(seconds) },
  });
}
