/** Billed jobs that deliver records as files: paid when the files are ready, kept for some time, refunded if a file is lost. */
import { ApiError } from '../domain/errors.ts';
import type { Licence } from '../domain/principal.ts';
import type { Unconfirmed } from '../domain/warnings.ts';
import { planNow } from '../identity/accounts.ts';
import type { TeamSubscriber } from '../identity/teamChanges.ts';
import type { Job, JobStore } from '../jobs/store.ts';
import { undoFileDelivery } from '../ledger/fileDeliveries.ts';
import type { IdempotencyStore } from '../ledger/idempotencyStore.ts';
import type { Payer } from '../ledger/ledger.ts';
import { causeOfJob, payFromReservation } from '../ledger/reservations.ts';
import type { SuppressionHooks } from '../people/suppressions.ts';
import type { ChargeObserver } from '../store/callWatch.ts';
import type { FileStore } from '../store/files/fileStore.ts';
import { readPage } from '../store/postgres/pages.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import { BilledJobs, type BilledKind, type BilledRow, type JobReader } from './billedJobs.ts';

export interface FileKind extends BilledKind {
  /** SQL: whether the files of row `x` have not expired; lost ones may count */
  isKept: string;
  /** SQL: whether people with one of the hashes $1 are, or may be, in the files of row `x` */
  hasPeople: string;
  /** time to undo the deliveries of the largest files; that of a statement unless given */
  undoMs?: number;
  /** in messages, such as 'export files' */
  files: string;
  /** clause that says that a file is lost */
  isMissing: string;
  /** why there are no files any more */
  gone: string;
}

/** What a worker needs to select the accepted records, even if the account has changed since. */
export interface FilePayload {
  /** valid parameters, by name, with all values of each */
  parameters: [string, unknown[]][];
  /** the service day at acceptance, `YYYY-MM-DD` */
  today: string;
  licence: Licence;
  /** whether the plan is paid */
  companyDetails: boolean;
  /** credits for a new or changed record, at the time of acceptance */
  rate: number;
  maxCredits: number | null;
}

export interface FileRow extends BilledRow {
  readyAt: Date | null;
  expiresAt: Date | null;
  /** whether `expiresAt` has passed */
  expired: boolean;
  lostAt: Date | null;
  progress: { processed?: number; total?: number };
  matchCount: number;
  truncated: boolean;
  /** unconfirmed matches at acceptance; of an export that is ready, those in its file */
  unconfirmed: Unconfirmed | null;
  sizeBytes: number | null;
  /** the part of the refunded credits that was refunded because a file was lost */
  creditsLost: number | null;
}

const FILE_COLUMNS = `x.ready_at as "readyAt", x.expires_at as "expiresAt", coalesce(x.expires_at <= service_now(), false) as expired,
  x.lost_at as "lostAt", j.progress, x.match_count as "matchCount", x.truncated, x.unconfirmed, x.size_bytes::float8 as "sizeBytes",
  x.credits_lost as "creditsLost"`;

export abstract class FileJobs<Row extends FileRow> extends BilledJobs<Row> {
  readonly kind: FileKind;
  readonly #charged: ChargeObserver | undefined;

  constructor(jobs: JobStore, idempotency: IdempotencyStore, kind: FileKind, charged: ChargeObserver | undefined) {
    super(jobs, idempotency, { ...kind, columns: `${FILE_COLUMNS}, ${kind.columns}` });
    this.kind = kind;
    this.#charged = charged;
  }

  /** Files that are no longer needed. */
  abstract outlivedFiles(limit: number): Promise<{ id: string; storedAs: string }[]>;
  /** Called after the file was deleted. */
  abstract forgetFile(id: string, storedAs: string): Promise<void>;

  /** Commits under the idempotency key that nothing was queued because nothing matched. */
  acceptNothing(payer: Payer): Promise<void> {
    return this.settleKey(this.jobs.database, payer, null, 0);
  }

  /**
   * What a request with the same Idempotency-Key queued; undefined if nothing matched.
   * @throws ApiError `resource_not_found` once it was deleted
   */
  async findKept(reader: JobReader, kept: unknown): Promise<Row | undefined> {
    const id = this.keptId(kept) ?? null;
    const found = id === null ? undefined : await this.find(reader, id);
    if (id === null || found) return found;
    const message = `The ${this.kind.noun} of this Idempotency-Key is not kept any more`;
    throw new ApiError('resource_not_found', message, { param: 'Idempotency-Key' });
  }

  /** Newest first. */
  async list(reader: JobReader, limit: number, offset: number): Promise<{ rows: Row[]; total: number }> {
    const { isVisible, readerValues } = this.kind;
    const collection = { columns: this.columns, from: `${this.from} where ${isVisible}`, order: 'j.created_at desc, x.id desc' };
    return readPage<Row>(this.jobs.database, collection, readerValues(reader), { limit, offset });
  }

  /**
   * Refuses a job when finished files take too much space. Files of waiting jobs are not counted, so that they may exceed the limit.
   * @param remedy from when the first of them expires
   * @throws ApiError `forbidden`
   */
  protected async throwIfAboveBytes(tx: Queryable, teamId: number, limitBytes: number, remedy: (freedAt: Date) => string): Promise<void> {
    const { table, isKept, files } = this.kind;
    const [kept] = await tx.query<{ usedBytes: number; freedAt: Date | null }>(
      `select coalesce(sum(x.size_bytes), 0)::float8 as "usedBytes", min(x.expires_at) as "freedAt" from ${table} x
       where x.team_id = $1 and ${isKept} and x.lost_at is null`,
      [teamId],
    );
    if (!kept?.freedAt || kept.usedBytes < limitBytes) return;
    const { usedBytes, freedAt } = kept;
    const message = `The team's kept ${files} take ${usedBytes} bytes, and ${limitBytes} is the most; nothing was queued or reserved. ${remedy(freedAt)}`;
    throw new ApiError('forbidden', message, { details: { usedBytes, limitBytes } });
  }

  /**
   * Delivers the records of the files to the team's pool and pays with the reservation, in the transaction that settles the job.
   * @param deliver charges the payer at a rate, and returns the credits charged
   */
  protected async pay(
    tx: Queryable,
    job: Job<Pick<FilePayload, 'rate'>>,
    deliver: (payer: Omit<Payer, 'claim'>, rate: number) => Promise<number>,
  ): Promise<{ charged: number; refunded: number }> {
    const { id, teamId, payload } = job;
    if (teamId === null) throw new Error(`The ${this.kind.noun} ${id} has no team`);
    const { plan, grant } = await planNow(tx, teamId);
    // A cheaper plan since the acceptance lowers the rate; a more expensive one does not raise it.
    const rate = Math.min(payload.rate, plan.recordCredit);
    const payer = { teamId, grant, cause: causeOfJob(job) };
    const { reserved, charged } = await payFromReservation(tx, id, payer, () => deliver(payer, rate));
    this.#charged?.('records', charged);
    return { charged, refunded: Math.max(reserved - charged, 0) };
  }

  /** Undoes and refunds the delivery of a ready job of which a file is lost. Does nothing when it is no longer ready. */
  async markLost(teamId: number, id: string): Promise<void> {
    const { table, undoMs } = this.kind;
    await this.jobs.database.transaction(async (tx) => {
      if (undoMs !== undefined) await allowTime(tx, undoMs);
      // Locks the pool before the row, in the same order as every settlement.
      await tx.query('select from credit_pool where team_id = $1 for update', [teamId]);
      const [row] = await tx.query(
        `select from ${table}
         where id = $1 and team_id = $2 and ready_at is not null and lost_at is null and expires_at > service_now() for update`,
        [id, teamId],
      );
      if (!row) return;
      const job = await this.jobs.find(id, tx);
      const lost = { jobId: id, teamId, cause: job ? causeOfJob(job) : { jobId: id } };
      const refund = await undoFileDelivery(tx, lost, undoMs === undefined ? undefined : { timeoutMs: undoMs });
      await tx.query(
        `update ${table} set lost_at = service_now(), credits_lost = $2, credits_charged = greatest(credits_charged - $2, 0),
           credits_refunded = credits_refunded + $2 where id = $1`,
        [id, refund],
      );
    });
  }
}

/** Raises the statement timeout of a transaction. */
export async function allowTime(tx: Queryable, ms: number): Promise<void> {
  await tx.query(`select set_config('statement_timeout', $1, true)`, [String(ms)]);
}

/**
 * Makes files expire when their team is closed (src/docs/operate.md), and when somebody in them is suppressed.
 * @param counts names of the numbers of jobs whose files expired by each
 */
export function withdrawFiles(
  { table, isKept, hasPeople }: FileKind,
  counts: { closed: string; hidden: string },
): { team: TeamSubscriber; people: SuppressionHooks } {
  const expire = async (tx: Queryable, where: string, value: unknown) =>
    (await tx.query(`update ${table} x set expires_at = service_now() where ${isKept} and ${where} returning 1`, [value])).length;
  return {
    team: { closeTeam: async (tx, teamId) => ({ [counts.closed]: await expire(tx, 'x.team_id = $1', teamId) }) },
    people: { hidePeople: async (tx, hashes) => ({ [counts.hidden]: await expire(tx, hasPeople, hashes) }) },
  };
}

const OUTLIVED_AT_ONCE = 1_000;

/**
 * Deletes files of jobs that have expired or failed or whose files are lost, and files that no row names.
 * @param isOurs whether a name is that of a file of this kind
 * @param nameless files before it that are still there are named by no row
 */
export async function removeOutlivedFiles(
  files: FileStore,
  jobs: Pick<FileJobs<FileRow>, 'outlivedFiles' | 'forgetFile'>,
  isOurs: (name: string) => boolean,
  nameless: Date,
): Promise<void> {
  for (const { id, storedAs } of await jobs.outlivedFiles(OUTLIVED_AT_ONCE)) {
    await files.delete(storedAs);
    await jobs.forgetFile(id, storedAs);
  }
  for await (const { name } of files.listOlder(nameless)) if (isOurs(name)) await files.delete(name);
}
