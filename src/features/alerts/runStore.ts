/** Runs of alerts: begun once, delivered and charged in one transaction, and due ones laid down once (src/docs/alerts.md). */

import { randomUUID } from 'node:crypto';
import { newId } from '../../core/domain/ids.ts';
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import { SERVICE_ZONE } from '../../core/domain/serviceClock.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import { recordEvent } from '../../core/events/events.ts';
import type { JobKind } from '../../core/jobs/kind.ts';
import type { JobStore } from '../../core/jobs/store.ts';
import type { Ledger, Payer } from '../../core/ledger/ledger.ts';
import type { PageItem, PageOutcome, PageTerms } from '../../core/ledger/pageOutcome.ts';
import { lockInDatabase } from '../../core/store/postgres/locks.ts';
import { type Database, type Queryable, readable } from '../../core/store/postgres/pool.ts';
import { readAlert } from './store.ts';
import {
  type AlertPosition,
  type Finding,
  MANUAL_RUNS_PER_DAY,
  nextRunAfter,
  nextServiceDay,
  type RunTrigger,
  type StoredAlert,
  type StoredDelivery,
} from './types.ts';

export interface DuePayload {
  alertId: string;
  /** ISO 8601 */
  dueAt: string;
}

const MINUTE_MS = 60_000;

export const RUN_ALERT_KIND: JobKind<DuePayload> = {
  name: 'run_alert',
  prefix: 'run',
  maxAttempts: 20,
  deadlineMs: () => 60 * MINUTE_MS,
  keptDays: 7,
  retriable: false,
};

/** Longer than any run takes: the process of one that has not ended by then is dead. */
const RUN_HELD_SECONDS = 60;
const DUE_AT_ONCE = 500;

/** A run that may go on, by whoever holds it. */
export interface BegunRun {
  deliveryId: string;
  holder: string;
}

export interface ManualRuns {
  limit: number;
  used: number;
  /** ISO 8601 */
  resetsAt: string;
}

export type RunBegin =
  | ({ state: 'begun'; alert: StoredAlert } & BegunRun)
  | { state: 'already_running'; deliveryId: string }
  | { state: 'exhausted' }
  | { state: 'ended' };

/** A revision of a record that a run delivers, or refuses. */
export interface RunItem extends PageItem {
  /** ISO 8601 */
  lastUpdated: string;
}

export interface DeliveredItem extends RunItem {
  /** null where the filters alone count */
  finding: Finding | null;
  /** the compact record */
  record: PublicRecord;
}

/** What the digest of a delivery shows of a record; never a contact. */
export interface DigestEntry {
  title: string;
  place: string;
  date: string | null;
  status: string | null;
  url: string;
}

export interface RunResult {
  items: readonly DeliveredItem[];
  /** revisions that do not satisfy the alert's requirement */
  refused: readonly RunItem[];
  /** of a run that was not as it should be, and completed */
  reason: string | null;
  digest: readonly DigestEntry[];
  moreMatched: number;
  /** of the first so many items */
  unconfirmedAmong: (count: number) => Unconfirmed | null;
  /** how far the alert has seen when the run is complete */
  position: AlertPosition;
}

/** What stands in the way of delivering, found inside the transaction: it is rolled back. */
export class RunRefused extends Error {
  readonly reason: 'credits_exhausted' | 'insufficient_credits' | 'budget_exceeded';

  constructor(reason: RunRefused['reason']) {
    super(`The run is refused: ${reason}`);
    this.reason = reason;
  }
}

/** Another process took the run over; this one has written nothing. */
export class RunLost extends Error {}

const DELIVERY = `d.id, d.alert_id as "alertId", d.trigger, d.status, d.new_records as "newRecords", d.changed_records as "changedRecords",
  d.more_matched as "moreMatched", d.credits_charged as "creditsCharged", d.started_at as "startedAt", d.finished_at as "finishedAt", d.reason, d.unconfirmed`;

/** What is done in the transaction that ends a run, such as writing its mails. */
export type AtEnd = (tx: Queryable, delivery: StoredDelivery) => Promise<void>;

export class AlertRunStore {
  readonly #database: Database;
  readonly #jobs: JobStore;
  readonly #ledger: Ledger;

  constructor(database: Database, jobs: JobStore, ledger: Ledger) {
    this.#database = database;
    this.#jobs = jobs;
    this.#ledger = ledger;
  }

  /**
   * Begins a run unless one is going on. A run whose process died is over; a due one is taken up again where it was left.
   * @param dueAt of a scheduled run
   */
  async begin(alertId: string, trigger: RunTrigger, dueAt: Date | null): Promise<RunBegin> {
    return this.#inTransaction(async (tx) => {
      const alert = await readAlert(tx, alertId, true);
      if (!alert) return { state: 'ended' };
      const dead = await tx.query<StoredDelivery>(
        `update alert_delivery d set status = 'failed', finished_at = service_now(), reason = 'interrupted'
         where alert_id = $1 and status = 'running' and held_since < clock_timestamp() - make_interval(secs => $2)
           and ($3::timestamptz is null or due_at is distinct from $3) returning ${DELIVERY}`,
        [alertId, RUN_HELD_SECONDS, dueAt],
      );
      for (const delivery of dead) await recordUndelivered(tx, delivery);
      const [mine] = dueAt ? await this.#ofDue(tx, alertId, dueAt) : [];
      if (mine && mine.status !== 'running') return { state: 'ended' };
      const [running] = await tx.query<{ id: string }>(
        `select id from alert_delivery where alert_id = $1 and status = 'running' and id is distinct from $2`,
        [alertId, mine?.id ?? null],
      );
      if (running) return { state: 'already_running', deliveryId: running.id };
      if (trigger === 'manual' && (await usedToday(tx, alertId)) >= MANUAL_RUNS_PER_DAY) return { state: 'exhausted' };
      const holder = randomUUID();
      const id = mine?.id ?? newId('del');
      await tx.query(
        `insert into alert_delivery (id, alert_id, trigger, due_at, status, started_at, holder) values ($1, $2, $3, $4, 'running', service_now(), $5)
         on conflict (id) do update set holder = excluded.holder, held_since = now()`,
        [id, alertId, trigger, dueAt, holder],
      );
      return { state: 'begun', deliveryId: id, holder, alert };
    });
  }

  /**
   * Delivers and charges what a run found, whole or not at all.
   * @param on the transaction of whoever runs it, such as a job's attempt
   * @throws RunRefused, RunLost
   */
  async complete(
    on: Queryable,
    { deliveryId, holder }: BegunRun,
    { alert, payer, terms }: { alert: StoredAlert; payer: Payer; terms: PageTerms },
    { items, refused, reason, digest, moreMatched, unconfirmedAmong, position }: RunResult,
  ): Promise<{ delivery: StoredDelivery; served: number; balance: number | null }> {
    const paid = items.length ? await this.#ledger.deliverPage(payer, items, terms, on) : null;
    if (paid) refuseUnpaid(paid, alert.maxCredits);
    const delivered = items.slice(0, paid?.served ?? 0);
    const known = await matchesOf(on, alert.id, delivered);
    const changed = delivered.filter(({ id }) => known.has(id)).length;
    const left = moreMatched + items.length - delivered.length;
    const unconfirmed = unconfirmedAmong(delivered.length);
    const ended = await this.#end(on, { deliveryId, holder }, { status: 'completed', reason }, [
      ...[delivered.length - changed, changed, left, paid?.cost ?? 0],
      ...[JSON.stringify(digest.slice(0, delivered.length)), unconfirmed && JSON.stringify(unconfirmed)],
    ]);
    await writeMatches(on, alert.id, ended, delivered);
    const { id: alertId, teamId } = alert;
    await recordEvent(on, { teamId, type: 'alert.delivery.completed', subjectId: ended.id, alertId });
    // What did not fit comes with the next run, which looks where this one did.
    const seen = left === 0 ? position : { ...alert.position, seen: position.seen };
    // Filters that were changed meanwhile look everywhere once, and another requirement judges everything.
    const [{ same } = { same: false }] = await on.query<{ same: boolean }>(
      `update alert a set last_run_at = $2, position = case when old.same then $3::jsonb else position end
       from (select id, date_trunc('milliseconds', updated_at) = $4 as same from alert where id = $1 for update) old
       where a.id = old.id returning old.same`,
      [alert.id, ended.startedAt, JSON.stringify(seen), alert.updatedAt],
    );
    // Once all was delivered, no run looks there any more.
    if (same && left === 0) await on.query('delete from alert_refused where alert_id = $1', [alertId]);
    else if (same) await writeRefused(on, alertId, refused);
    return { delivery: ended, served: delivered.length, balance: paid?.balance ?? null };
  }

  /** Ends a run that delivers nothing. @throws RunLost */
  async end(on: Queryable, run: BegunRun, status: 'refused' | 'failed', reason: string): Promise<StoredDelivery> {
    const delivery = await this.#end(on, run, { status, reason }, [0, 0, 0, 0, null, null]);
    await recordUndelivered(on, delivery);
    return delivery;
  }

  async #end(
    on: Queryable,
    { deliveryId, holder }: BegunRun,
    { status, reason }: { status: string; reason: string | null },
    numbers: readonly unknown[],
  ): Promise<StoredDelivery> {
    const [row] = await on.query<StoredDelivery>(
      `update alert_delivery d set status = $3, reason = $4, finished_at = service_now(), new_records = $5, changed_records = $6,
         more_matched = $7, credits_charged = $8, digest = $9::jsonb, unconfirmed = $10::jsonb
       where d.id = $1 and d.holder = $2 and d.status = 'running' returning ${DELIVERY}`,
      [deliveryId, holder, status, reason, ...numbers],
    );
    if (!row) throw new RunLost(`The run ${deliveryId} was taken over`);
    return row;
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#inTransaction(work);
  }

  /** undefined where the alert has no such delivery */
  async delivery(alertId: string, id: string): Promise<StoredDelivery | undefined> {
    const sql = `select ${DELIVERY} from alert_delivery d where d.alert_id = $1 and d.id = $2`;
    const [row] = await readable(this.#database.query<StoredDelivery>(sql, [alertId, id]));
    return row;
  }

  /** Newest first. */
  async deliveries(alertId: string, limit: number, offset: number): Promise<{ deliveries: StoredDelivery[]; total: number }> {
    const [deliveries, [counted]] = await readable(
      Promise.all([
        this.#database.query<StoredDelivery>(
          `select ${DELIVERY} from alert_delivery d where d.alert_id = $1 order by d.started_at desc, d.id desc limit $2 offset $3`,
          [alertId, limit, offset],
        ),
        this.#database.query<{ total: number }>('select count(*)::integer as total from alert_delivery where alert_id = $1', [alertId]),
      ]),
    );
    return { deliveries, total: counted?.total ?? 0 };
  }

  /** Manual runs of the service's day: those that were refused or failed are not counted. */
  async manualRuns(alertId: string): Promise<ManualRuns> {
    const [used, [clock]] = await readable(
      Promise.all([usedToday(this.#database, alertId), this.#database.query<{ now: Date }>('select service_now() as now')]),
    );
    if (!clock) throw new Error('Postgres gave no time');
    return { limit: MANUAL_RUNS_PER_DAY, used, resetsAt: nextServiceDay(clock.now).toISOString() };
  }

  /**
   * Lays down the runs that are due, each once, with its job, and moves their alerts to the next time: after an outage one run catches up.
   * @returns how many; more remain where it is as many as are laid down at once
   */
  async layDownDue(): Promise<number> {
    return this.#inTransaction(async (tx) => {
      const due = await tx.query<Pick<StoredAlert, 'id' | 'teamId' | 'cadence'> & { dueAt: Date; now: Date }>(
        `select id, team_id as "teamId", cadence, next_run_at as "dueAt", service_now() as now from alert
         where status = 'active' and next_run_at <= service_now() order by next_run_at limit $1 for update skip locked`,
        [DUE_AT_ONCE],
      );
      for (const { id, teamId, cadence, dueAt, now } of due) {
        await tx.query('update alert set next_run_at = $2 where id = $1', [id, nextRunAfter(cadence, now)]);
        const [row] = await tx.query(
          'insert into alert_due (alert_id, due_at, team_id) values ($1, $2, $3) on conflict do nothing returning alert_id',
          [id, dueAt, teamId],
        );
        if (row) await this.#jobs.enqueue(tx, RUN_ALERT_KIND, { payload: { alertId: id, dueAt: dueAt.toISOString() }, teamId });
      }
      return due.length;
    });
  }

  /**
   * Ends a due run. Of several alerts of a team that were due at one time the last to end finds all of them.
   * @returns the deliveries whose digests are not sent yet, once nothing more is due then; null before
   */
  async endDue(tx: Queryable, { alertId, dueAt }: DuePayload): Promise<(StoredDelivery & { digest: DigestEntry[] })[] | null> {
    const [due] = await tx.query<{ teamId: number }>('select team_id as "teamId" from alert_due where alert_id = $1 and due_at = $2', [
      ...[alertId, dueAt],
    ]);
    if (!due) return null;
    await lockInDatabase(tx, `digest ${due.teamId} ${dueAt}`);
    await tx.query('update alert_due set ended = true where alert_id = $1 and due_at = $2', [alertId, dueAt]);
    const [left] = await tx.query('select from alert_due where team_id = $1 and due_at = $2 and not ended limit 1', [due.teamId, dueAt]);
    if (left) return null;
    return tx.query(
      `with ready as (
         select d.id, d.digest from alert_delivery d join alert_due u on u.alert_id = d.alert_id and u.due_at = d.due_at
         where u.team_id = $1 and u.due_at = $2 and d.digest is not null for update of d
       ), sent as (update alert_delivery d set digest = null from ready where d.id = ready.id returning ${DELIVERY}, ready.digest)
       select * from sent order by "startedAt", id`,
      [due.teamId, dueAt],
    );
  }

  /** Ends the run of a due time that will not be tried again, where one was begun. */
  async failDue(tx: Queryable, { alertId, dueAt }: DuePayload): Promise<void> {
    const failed = await tx.query<StoredDelivery>(
      `update alert_delivery d set status = 'failed', finished_at = service_now(), reason = 'given_up'
       where alert_id = $1 and due_at = $2 and status = 'running' returning ${DELIVERY}`,
      [alertId, dueAt],
    );
    for (const delivery of failed) await recordUndelivered(tx, delivery);
  }

  /** What the digest of one delivery shows, once. */
  async takeDigest(tx: Queryable, deliveryId: string): Promise<DigestEntry[]> {
    const [row] = await tx.query<{ digest: DigestEntry[] | null }>(
      `with ready as (select id, digest from alert_delivery where id = $1 for update)
       update alert_delivery d set digest = null from ready where d.id = ready.id returning ready.digest`,
      [deliveryId],
    );
    return row?.digest ?? [];
  }

  async #ofDue(tx: Queryable, alertId: string, dueAt: Date): Promise<StoredDelivery[]> {
    return tx.query<StoredDelivery>(`select ${DELIVERY} from alert_delivery d where d.alert_id = $1 and d.due_at = $2`, [alertId, dueAt]);
  }

  #inTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return readable(this.#database.transaction(work));
  }
}

/** Writes the event of a run that delivered nothing, in the transaction that ends it. */
async function recordUndelivered(on: Queryable, { id, alertId, status }: StoredDelivery): Promise<void> {
  const [alert] = await on.query<{ teamId: number }>('select team_id as "teamId" from alert where id = $1', [alertId]);
  if (!alert) throw new Error(`The alert ${alertId} is not there`);
  const type = status === 'refused' ? 'alert.delivery.refused' : 'alert.delivery.failed';
  await recordEvent(on, { teamId: alert.teamId, type, subjectId: id, alertId });
}

function refuseUnpaid({ outcome, cost }: PageOutcome, maxCredits: number | null): void {
  if (outcome === 'exhausted') throw new RunRefused('credits_exhausted');
  if (outcome === 'insufficient') throw new RunRefused('insufficient_credits');
  if (maxCredits !== null && cost > maxCredits) throw new RunRefused('budget_exceeded');
}

async function usedToday(on: Queryable, alertId: string): Promise<number> {
  const [row] = await on.query<{ used: number }>(
    `select count(*)::integer as used from alert_delivery
     where alert_id = $1 and trigger = 'manual' and status in ('running', 'completed')
       and (started_at at time zone $2)::date = (service_now() at time zone $2)::date`,
    [alertId, SERVICE_ZONE],
  );
  return row?.used ?? 0;
}

async function matchesOf(on: Queryable, alertId: string, items: readonly RunItem[]): Promise<Set<number>> {
  const sql = 'select project_id::float8 as id from alert_match where alert_id = $1 and project_id = any ($2::bigint[])';
  return new Set((await on.query<{ id: number }>(sql, [alertId, items.map(({ id }) => id)])).map(({ id }) => id));
}

async function writeRefused(on: Queryable, alertId: string, refused: readonly RunItem[]): Promise<void> {
  if (!refused.length) return;
  await on.query(
    `insert into alert_refused (alert_id, project_id, revision_hash, last_updated)
     select $1, id, hash, updated from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as item (id, hash, updated)
     on conflict (alert_id, project_id) do update set revision_hash = excluded.revision_hash, last_updated = excluded.last_updated`,
    [
      ...[alertId, refused.map(({ id }) => id), refused.map(({ revisionHash }) => revisionHash)],
      refused.map(({ lastUpdated }) => lastUpdated),
    ],
  );
}

async function writeMatches(
  on: Queryable,
  alertId: string,
  { id: deliveryId, startedAt }: StoredDelivery,
  items: readonly DeliveredItem[],
): Promise<void> {
  if (!items.length) return;
  const ids = items.map(({ id }) => id);
  await on.query(
    'insert into alert_delivered (delivery_id, place, project_id) select $1, n, id from unnest($2::bigint[]) with ordinality as item (id, n)',
    [deliveryId, ids],
  );
  await on.query(
    `insert into alert_match (alert_id, project_id, delivery_id, revision, revision_hash, last_updated, delivered_at, why, evidence, place,
       shown, shown_revision)
     select $1, id, $2, revision, hash, updated, $3, why, evidence, place, shown, revision
     from unnest($4::bigint[], $5::text[], $6::bigint[], $7::timestamptz[], $8::text[], $9::jsonb[], $10::jsonb[]) with ordinality
       as item (id, revision, hash, updated, why, evidence, shown, place)
     on conflict (alert_id, project_id) do update set delivery_id = excluded.delivery_id, revision = excluded.revision,
       revision_hash = excluded.revision_hash, last_updated = excluded.last_updated, delivered_at = excluded.delivered_at,
       why = excluded.why, evidence = excluded.evidence, place = excluded.place,
       shown = excluded.shown, shown_revision = excluded.shown_revision`,
    [
      ...[alertId, deliveryId, startedAt, ids, items.map(({ revision }) => revision)],
      ...[items.map(({ revisionHash }) => revisionHash), items.map(({ lastUpdated }) => lastUpdated)],
      items.map(({ finding }) => finding?.whyThisMatched ?? null),
      items.map(({ finding }) => (finding ? JSON.stringify(finding.evidence) : null)),
      items.map(({ record }) => JSON.stringify(record)),
    ],
  );
}
