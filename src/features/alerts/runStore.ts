/** Runs of alerts: begun once, delivered and charged in one transaction (src/docs/alerts.md). */
import { newId } from '../../core/domain/ids.ts';
import { SERVICE_ZONE } from '../../core/domain/serviceClock.ts';
import type { Ledger, Payer } from '../../core/ledger/ledger.ts';
import type { PageOutcome, PageTerms } from '../../core/ledger/pageOutcome.ts';
import { readPage } from '../../core/store/postgres/pages.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import { recordEvent } from '../webhooks/index.ts';
import { findNextServiceDay } from './cadence.ts';
import { compareWithDelivered, writeMatches, writeRefusedRevisions } from './deliveredStore.ts';
import { ALERT_EVENTS } from './events.ts';
import type { NewBecause } from './newlyRead.ts';
import { type BegunRun, type DigestEntry, type ManualRuns, type RunBegin, RunRefused, type RunResult } from './runTypes.ts';
import { readAlert } from './store.ts';
import type { StoredDelivery } from './types.ts';

const MANUAL_RUNS_PER_DAY = 3;

/** SQL: columns of a delivery, of the table `d`. */
export const DELIVERY = `d.id, d.alert_id as "alertId", d.trigger, d.status, d.new_records as "newRecords", d.changed_records as "changedRecords", d.newly_read_records as "newlyReadRecords", d.changed_fields as "changedFields",
  d.more_matched as "moreMatched", d.credits_charged as "creditsCharged", d.started_at as "startedAt", d.finished_at as "finishedAt", d.reason, d.unconfirmed`;

/** Stores runs. They are begun and ended in transactions that hold the lease of their job. */
export class AlertRunStore {
  readonly #database: Database;
  readonly #ledger: Ledger;

  constructor(database: Database, ledger: Ledger) {
    this.#database = database;
    this.#ledger = ledger;
  }

  /**
   * Begins a run, unless one is going on. A due run whose worker was lost is resumed.
   * @param dueAt null for a manual run
   */
  async begin(tx: Queryable, alertId: string, dueAt: Date | null): Promise<RunBegin> {
    const alert = await readAlert(tx, alertId, true);
    if (!alert) return { state: 'ended' };
    const [mine] = await tx.query<{ id: string; status: string }>(
      'select id, status from alert_delivery where alert_id = $1 and due_at = $2',
      [alertId, dueAt],
    );
    if (mine && mine.status !== 'running') return { state: 'ended' };
    const [running] = await tx.query<{ id: string }>(
      `select id from alert_delivery where alert_id = $1 and status = 'running' and id is distinct from $2`,
      [alertId, mine?.id ?? null],
    );
    if (running) return { state: 'already_running', deliveryId: running.id };
    if (!dueAt && (await countUsedToday(tx, alertId)) >= MANUAL_RUNS_PER_DAY) return { state: 'exhausted' };
    const id = mine?.id ?? newId('del');
    await tx.query(
      `insert into alert_delivery (id, alert_id, trigger, due_at, status, started_at) values ($1, $2, $3, $4, 'running', service_now())
       on conflict (id) do nothing`,
      [id, alertId, dueAt ? 'scheduled' : 'manual', dueAt],
    );
    return { state: 'begun', deliveryId: id, alert };
  }

  /** Delivers and charges what a run found, as a whole or not at all. @throws RunRefused */
  async complete(
    on: Queryable,
    { deliveryId, alert }: BegunRun,
    { payer, terms }: { payer: Payer; terms: PageTerms },
    { items, refused, reason, digest, moreMatched, hidesMore, unconfirmedAmong, position }: RunResult,
  ): Promise<StoredDelivery> {
    const paid = items.length ? await this.#ledger.deliverPage(payer, items, terms, on) : null;
    if (paid) refuseUnpaid(paid, alert.maxCredits);
    const delivered = await compareWithDelivered(on, alert.id, items.slice(0, paid?.served ?? 0));
    const countDelivered = (because: NewBecause) => delivered.filter(({ newBecause }) => newBecause === because).length;
    const [changed, newlyRead] = [countDelivered('changed'), countDelivered('newly_read')];
    const entries = delivered.map(({ changedFields, newBecause }, i) => ({
      ...digest[i],
      ...(changedFields ? { changed: changedFields } : {}),
      ...(newBecause === 'newly_read' ? { newlyRead: true } : {}),
    }));
    const left = moreMatched + items.length - delivered.length;
    const unconfirmed = unconfirmedAmong(delivered.length);
    const ended = await endDelivery(on, deliveryId, { status: 'completed', reason }, [
      delivered.length - changed - newlyRead,
      changed,
      hidesMore ? 0 : left,
      paid?.cost ?? 0,
      JSON.stringify(entries),
      unconfirmed && JSON.stringify(unconfirmed),
      [...new Set(delivered.flatMap(({ changedFields }) => changedFields ?? []))].sort(),
      newlyRead,
    ]);
    await writeMatches(on, alert.id, ended, delivered);
    const { id: alertId, teamId } = alert;
    await recordEvent(on, ALERT_EVENTS, { teamId, type: 'alert.delivery.completed', subjectId: ended.id, alertId });
    // What did not fit is left to the next run, which searches from the same position.
    const seen = left === 0 ? position : { ...alert.position, seen: position.seen };
    // If the filters were changed meanwhile, everything is searched once; if the requirement was changed, everything is judged again.
    const [{ same } = { same: false }] = await on.query<{ same: boolean }>(
      `update alert a set last_run_at = $2, position = case when old.same then $3::jsonb else position end
       from (select id, date_trunc('milliseconds', updated_at) = $4 as same from alert where id = $1 for update) old
       where a.id = old.id returning old.same`,
      [alert.id, ended.startedAt, JSON.stringify(seen), alert.updatedAt],
    );
    // Once everything was delivered, no run searches there again.
    if (same && left === 0) await on.query('delete from alert_refused where alert_id = $1', [alertId]);
    else if (same) await writeRefusedRevisions(on, alertId, refused);
    return ended;
  }

  /** Ends a run that delivers nothing. */
  async end(on: Queryable, deliveryId: string, status: 'refused' | 'failed', reason: string): Promise<StoredDelivery> {
    const delivery = await endDelivery(on, deliveryId, { status, reason }, [0, 0, 0, 0, null, null, [], 0]);
    await recordUndelivered(on, delivery);
    return delivery;
  }

  /**
   * Ends a run whose job was given up, if it was begun.
   * @param run a due run by its time, a manual run by its delivery
   */
  async giveUp(tx: Queryable, run: { alertId: string } & ({ dueAt: string } | { deliveryId: string }), reason: string): Promise<void> {
    const [column, value] = 'dueAt' in run ? ['due_at', run.dueAt] : ['id', run.deliveryId];
    const failed = await tx.query<StoredDelivery>(
      `update alert_delivery d set status = 'failed', finished_at = service_now(), reason = $3
       where alert_id = $1 and ${column} = $2 and status = 'running' returning ${DELIVERY}`,
      [run.alertId, value, reason],
    );
    for (const delivery of failed) await recordUndelivered(tx, delivery);
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#database.transaction(work);
  }

  /** Undefined when the alert has no such delivery. */
  async findDelivery(alertId: string, id: string): Promise<StoredDelivery | undefined> {
    const sql = `select ${DELIVERY} from alert_delivery d where d.alert_id = $1 and d.id = $2`;
    const [row] = await this.#database.query<StoredDelivery>(sql, [alertId, id]);
    return row;
  }

  /** Newest first. */
  async listDeliveries(alertId: string, limit: number, offset: number): Promise<{ deliveries: StoredDelivery[]; total: number }> {
    const collection = { columns: DELIVERY, from: 'alert_delivery d where d.alert_id = $1', order: 'd.started_at desc, d.id desc' };
    const { rows, total } = await readPage<StoredDelivery>(this.#database, collection, [alertId], { limit, offset });
    return { deliveries: rows, total };
  }

  /** Manual runs of the service's day, without those that were refused or failed. */
  async countManualRuns(alertId: string, tx: Queryable = this.#database): Promise<ManualRuns> {
    const [used, [clock]] = await Promise.all([countUsedToday(tx, alertId), tx.query<{ now: Date }>('select service_now() as now')]);
    if (!clock) throw new Error('Postgres gave no time');
    return { limit: MANUAL_RUNS_PER_DAY, used, resetsAt: findNextServiceDay(clock.now).toISOString() };
  }

  /** Takes the entries of a delivery's digest, which are returned only once. */
  async takeDigest(tx: Queryable, deliveryId: string): Promise<DigestEntry[]> {
    const [row] = await tx.query<{ digest: DigestEntry[] | null }>(
      `with ready as (select id, digest from alert_delivery where id = $1 for update)
       update alert_delivery d set digest = null from ready where d.id = ready.id returning ready.digest`,
      [deliveryId],
    );
    return row?.digest ?? [];
  }
}

async function endDelivery(
  on: Queryable,
  deliveryId: string,
  { status, reason }: { status: string; reason: string | null },
  numbers: readonly unknown[],
): Promise<StoredDelivery> {
  const [row] = await on.query<StoredDelivery>(
    `update alert_delivery d set status = $2, reason = $3, finished_at = service_now(), new_records = $4, changed_records = $5,
       more_matched = $6, credits_charged = $7, digest = $8::jsonb, unconfirmed = $9::jsonb, changed_fields = $10::text[],
       newly_read_records = $11
     where d.id = $1 and d.status = 'running' returning ${DELIVERY}`,
    [deliveryId, status, reason, ...numbers],
  );
  if (!row) throw new Error(`The run ${deliveryId} has ended already`);
  return row;
}

/** Records the event of a run that delivered nothing, in the transaction that ends it. */
async function recordUndelivered(on: Queryable, { id, alertId, status }: StoredDelivery): Promise<void> {
  const [alert] = await on.query<{ teamId: number }>('select team_id as "teamId" from alert where id = $1', [alertId]);
  if (!alert) throw new Error(`The alert ${alertId} is not there`);
  const type = status === 'refused' ? 'alert.delivery.refused' : 'alert.delivery.failed';
  await recordEvent(on, ALERT_EVENTS, { teamId: alert.teamId, type, subjectId: id, alertId });
}

function refuseUnpaid({ outcome, cost }: PageOutcome, maxCredits: number | null): void {
  if (outcome === 'exhausted') throw new RunRefused('credits_exhausted');
  if (outcome === 'insufficient') throw new RunRefused('insufficient_credits');
  if (maxCredits !== null && cost > maxCredits) throw new RunRefused('budget_exceeded');
}

async function countUsedToday(on: Queryable, alertId: string): Promise<number> {
  const [row] = await on.query<{ used: number }>(
    `select count(*)::integer as used from alert_delivery
     where alert_id = $1 and trigger = 'manual' and status in ('running', 'completed')
       and (started_at at time zone $2)::date = (service_now() at time zone $2)::date`,
    [alertId, SERVICE_ZONE],
  );
  return row?.used ?? 0;
}
