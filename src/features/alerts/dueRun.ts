/** A due run, done by a job once, whatever the number of workers. */
import { grantOf } from '../../core/domain/credits.ts';
import type { JobContext } from '../../core/jobs/defineJob.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { HearingDays } from './cadence.ts';
import { mailDigests } from './digests.ts';
import { endDueRun, storeHeardCount } from './dueRunStore.ts';
import { countHeardRecords } from './hearingsAhead.ts';
import type { Digestible } from './mails.ts';
import type { AlertServices } from './manage.ts';
import { makeRunCause, type Run, refuseRun, runToEnd, settleRun } from './run.ts';
import type { BegunRun, DuePayload } from './runTypes.ts';
import type { StoredAlert } from './types.ts';

/** The alert is being run by hand; the due run is retried later. */
class AlertBusy extends Error {}

type DueContext = Pick<JobContext, 'settle' | 'write' | 'signal'>;

/** Does a due run; may be called again after a crash. @throws AlertBusy */
export async function runDue(services: AlertServices, due: DuePayload, context: DueContext): Promise<void> {
  const { hearings } = due;
  if (hearings?.required && !(await announceHearings(services, due, hearings, context)))
    return settleRun(context, (tx) => endDue(services, tx, due));
  const begun = await context.write((tx) => services.runs.begin(tx, due.alertId, new Date(due.dueAt)));
  if (begun.state === 'already_running') throw new AlertBusy(`The alert ${due.alertId} is running`);
  if (begun.state !== 'begun') return settleRun(context, (tx) => endDue(services, tx, due));
  const { alert } = begun;
  const { status, ...account } = await services.accounts.principalOf(alert.teamId);
  const run = runOf(services, begun, due, account);
  // The alert was stopped since the run fell due.
  if (alert.status !== 'active') return settleRun(context, (tx) => skip(services, tx, run, 'not_active'));
  if (status !== 'active') {
    await settleRun(context, (tx) => refuseRun(services, tx, run, 'subscription_required'));
    return;
  }
  // A run that is due by its frequency was begun before anything was counted, so that it fails as others do where nothing can be.
  if (hearings && !hearings.required) await announceHearings(services, due, hearings, context);
  await runToEnd(services, run, context, context.signal);
}

/** Counts the matching records that are heard on the days of a due run, and stores the number. @throws ApiError `search_unavailable` */
async function announceHearings(services: AlertServices, due: DuePayload, days: HearingDays, context: DueContext): Promise<number> {
  const { from, to } = days;
  const alert = await context.write((tx) => services.alerts.findById(tx, due.alertId));
  const count = alert ? await countHeardRecords(services, alert, days, context.signal) : 0;
  return (await context.write((tx) => storeHeardCount(tx, due, { from, to, count }))).count;
}

function runOf(
  services: AlertServices,
  begun: BegunRun,
  due: DuePayload,
  { plan, monthlyCredits, licence }: Omit<Run['principal'], 'teamId'>,
): Run {
  const { teamId, createdBy } = begun.alert;
  const principal = { teamId, plan, monthlyCredits, licence };
  return {
    ...begun,
    principal,
    payer: { teamId, grant: grantOf(principal), cause: { userId: createdBy, ...makeRunCause(begun) } },
    commitWithEnd: (tx) => endDue(services, tx, due),
  };
}

async function skip(services: AlertServices, tx: Queryable, run: Run, reason: string): Promise<void> {
  await run.commitWithEnd(tx, await services.runs.end(tx, run.deliveryId, 'failed', reason));
}

/** Ends a due run. The last of a team's alerts that were due at the same time also writes all their digests. */
async function endDue(services: AlertServices, tx: Queryable, due: DuePayload): Promise<void> {
  const ended = await endDueRun(tx, due);
  if (!ended?.length) return;
  const digests: Digestible[] = [];
  // Sequentially, since a transaction has only one connection.
  for (const { digest: entries, heard, ...delivery } of ended)
    digests.push({ alert: await readAlert(services, tx, delivery.alertId), delivery, entries, heard });
  await mailDigests(services, tx, digests);
}

async function readAlert({ alerts }: AlertServices, tx: Queryable, id: string): Promise<StoredAlert> {
  const alert = await alerts.findById(tx, id);
  if (!alert) throw new Error(`The alert ${id} is not there`);
  return alert;
}

/** Ends a due run whose job failed for good, in the transaction that fails it. */
export async function giveUpDue(services: AlertServices, tx: Queryable, due: DuePayload): Promise<void> {
  await services.runs.giveUp(tx, due, 'given_up');
  await endDue(services, tx, due);
}
