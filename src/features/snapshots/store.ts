/** The rows of snapshots: accepted with a reservation, built file by file, settled with their deliveries, given back when nothing was made. */

import { allowTime, FileJobs } from '../../core/billedJobs/fileJobs.ts';
import { CANCELLED } from '../../core/billedJobs/fileViews.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { supersededHashes } from '../../core/domain/record/servedItem.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore, Lease } from '../../core/jobs/store.ts';
import { reserveForRecords } from '../../core/ledger/acceptance.ts';
import { forgetFileDelivery } from '../../core/ledger/fileDeliveries.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import type { PageItem } from '../../core/ledger/pageOutcome.ts';
import { causeOfJob, returnReservation } from '../../core/ledger/reservations.ts';
import type { ChargeObserver } from '../../core/store/callWatch.ts';
import { lockInSchema } from '../../core/store/postgres/locks.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { RESTRICTIONS_NUMBER } from './files.ts';
import { type BuiltSnapshot, deliverFiles, keepPeople, SETTLE_FILE_MS, throwIfOutdated } from './settlement.ts';
import { SNAPSHOT_KEPT_HOURS, SNAPSHOTS } from './snapshotKind.ts';
import type { SnapshotFile, SnapshotPayload, StoredSnapshot } from './types.ts';

interface NewSnapshot {
  payload: SnapshotPayload;
  /** as answers show them */
  filters: Readonly<Record<string, unknown>>;
  unconfirmed: Unconfirmed | null;
  records: number;
  /** to reserve */
  credits: number;
  /** largest total size of the team's stored snapshots, in bytes */
  keptBytesMax: number;
}

export interface WrittenPage {
  file: number;
  /** number within the file */
  page: number;
  items: readonly PageItem[];
  /** hashes of every person on it */
  people: readonly string[];
}

/** SQL: the snapshot is ready, or may become so. */
const IS_LIVE = `(j.settled_at is null or (j.status = 'ready' and s.lost_at is null and s.expires_at > service_now()))`;

export class SnapshotStore extends FileJobs<StoredSnapshot> {
  constructor(jobs: JobStore, idempotency: IdempotencyStore, charged?: ChargeObserver) {
    super(jobs, idempotency, SNAPSHOTS, charged);
  }

  /**
   * Creates job and reservation, and settles the idempotency key, in one transaction.
   * @throws ApiError `snapshot_in_progress`, `forbidden` when stored files take too much space, `service_unavailable`
   */
  accept(kind: JobKind<SnapshotPayload>, payer: Payer, made: NewSnapshot) {
    const { payload, credits, unconfirmed } = made;
    return this.acceptJob(payer, credits, async (tx, origin) => {
      const { teamId } = origin;
      await throwIfInProgress(tx, kind.name, teamId);
      await this.throwIfAboveBytes(tx, teamId, made.keptBytesMax, () => 'Delete one, or wait until one expires.');
      const { id } = await this.jobs.enqueue(tx, kind, { ...origin, payload, progress: { processed: 0, total: made.records } });
      await tx.query(
        `insert into snapshot (id, team_id, filters, representation, format, compression, match_count, truncated, unconfirmed, credits_reserved)
         values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8, $9::jsonb, $10)`,
        [
          ...[id, teamId, JSON.stringify(made.filters), payload.representation, payload.format, payload.compression],
          ...[payload.matchCount, payload.recordsMax !== null, unconfirmed && JSON.stringify(unconfirmed), credits],
        ],
      );
      await reserveForRecords(tx, payer, { jobId: id, credits });
      return id;
    });
  }

  /** Files of a ready snapshot, in order, that of restrictions first. */
  files(id: string): Promise<SnapshotFile[]> {
    return this.jobs.database.query<SnapshotFile>(
      `select number, stored_as as "storedAs", size_bytes::float8 as "sizeBytes", sha256, record_count as "recordCount"
         from snapshot_file where snapshot_id = $1 and sha256 is not null order by number`,
      [id],
    );
  }

  async earlierFiles(tx: Queryable, { id, attempt }: Lease): Promise<string[]> {
    const files = await tx.query<{ name: string }>('select stored_as as name from snapshot_file where snapshot_id = $1 and attempt < $2', [
      id,
      attempt,
    ]);
    return files.map(({ name }) => name);
  }

  /** Deletes the records of earlier attempts. Called after their files were deleted. */
  async forgetEarlier(tx: Queryable, { id, attempt }: Lease): Promise<void> {
    await tx.query('delete from snapshot_page where snapshot_id = $1', [id]);
    await tx.query('delete from snapshot_file where snapshot_id = $1 and attempt < $2', [id, attempt]);
  }

  /** Records a file before it is written, so that it is deleted even after a crash. */
  async beginFile(tx: Queryable, { id, attempt }: Lease, number: number, storedAs: string): Promise<void> {
    await tx.query('insert into snapshot_file (snapshot_id, attempt, number, stored_as) values ($1, $2, $3, $4)', [
      id,
      attempt,
      number,
      storedAs,
    ]);
  }

  async finishFile(tx: Queryable, { id, attempt }: Lease, { number, sizeBytes, sha256, recordCount }: SnapshotFile): Promise<void> {
    await tx.query(
      'update snapshot_file set size_bytes = $4, sha256 = $5, record_count = $6 where snapshot_id = $1 and attempt = $2 and number = $3',
      [id, attempt, number, sizeBytes, sha256, recordCount],
    );
  }

  /** Stores the ids of a page's records, which the settlement delivers. */
  async notePage(tx: Queryable, { id, attempt }: Lease, { file, page, items, people }: WrittenPage): Promise<void> {
    await tx.query(
      `insert into snapshot_page (snapshot_id, attempt, file, page, project_ids, revisions, hashes, people, superseded)
       values ($1, $2, $3, $4, $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::text[])`,
      [
        ...[id, attempt, file, page, `{${items.map((item) => item.id).join()}}`, items.map((item) => item.revision)],
        ...[`{${items.map((item) => item.revisionHash).join()}}`, `{${people.join()}}`, items.map(supersededHashes)],
      ],
    );
  }

  /** Deletes what was stored about a file that is rewritten. */
  async forgetPages(tx: Queryable, { id, attempt }: Lease, file: number): Promise<void> {
    await tx.query('delete from snapshot_page where snapshot_id = $1 and attempt = $2 and file = $3', [id, attempt, file]);
  }

  /**
   * Delivers the records of all files to the team's pool and pays with the reservation, in the transaction that settles the job.
   * @throws OutdatedFiles; FinalJobError `insufficient_credits` when more records are new by now than the balance, or `maxCredits`, pays for
   */
  async settle(tx: Queryable, job: Job<SnapshotPayload>, { moment, matchCount, written }: BuiltSnapshot): Promise<void> {
    const { id, attempt } = job;
    await allowTime(tx, SETTLE_FILE_MS);
    const { charged, refunded } = await this.pay(tx, job, async (payer, rate) => {
      if (written) await throwIfOutdated(tx, job, written, rate);
      return deliverFiles(tx, job, payer, rate);
    });
    await keepPeople(tx, job);
    await tx.query('delete from snapshot_page where snapshot_id = $1', [id]);
    await tx.query(
      `update snapshot set match_count = $2, truncated = f.records < $2, credits_charged = $3, credits_refunded = $4, record_count = f.records,
         file_count = f.files, size_bytes = f.bytes, moment = $5::jsonb, ready_at = service_now(),
         expires_at = service_now() + make_interval(hours => $6)
       from (
         select coalesce(sum(record_count) filter (where number <> ${RESTRICTIONS_NUMBER}), 0)::integer as records,
           (count(*) filter (where number <> ${RESTRICTIONS_NUMBER}))::integer as files, coalesce(sum(size_bytes), 0) as bytes
         from snapshot_file where snapshot_id = $1 and attempt = $7
       ) as f
       where id = $1`,
      [id, matchCount, charged, refunded, JSON.stringify(moment), SNAPSHOT_KEPT_HOURS, attempt],
    );
  }

  /** Gives back the reservation of a snapshot that ends without files, in the transaction of its end. */
  async giveBack(tx: Queryable, job: Job): Promise<void> {
    const refunded = await returnReservation(tx, job.id, 'records', causeOfJob(job));
    await tx.query('update snapshot set credits_charged = 0, credits_refunded = $2 where id = $1', [job.id, refunded]);
    await tx.query('delete from snapshot_page where snapshot_id = $1', [job.id]);
  }

  /** Cancels an unfinished snapshot and gives back its reservation; of a ready one the files are deleted. */
  async end(teamId: number, id: string): Promise<void> {
    await this.jobs.database.transaction(async (tx) => {
      const [own] = await tx.query('select from snapshot where id = $1 and team_id = $2', [id, teamId]);
      if (!own) return;
      const cancelled = await this.jobs.settleUnsettled(tx, id, { status: CANCELLED });
      if (cancelled) await this.giveBack(tx, cancelled);
      else
        await tx.query('update snapshot set expires_at = service_now() where id = $1 and lost_at is null and expires_at > service_now()', [
          id,
        ]);
    });
  }

  outlivedFiles(limit: number): Promise<{ id: string; storedAs: string }[]> {
    return this.jobs.database.query(
      `select s.id, f.stored_as as "storedAs" from snapshot_file f join snapshot s on s.id = f.snapshot_id join job j on j.id = s.id
       where not ${IS_LIVE} limit $1`,
      [limit],
    );
  }

  async forgetFile(id: string, storedAs: string): Promise<void> {
    await this.jobs.database.transaction(async (tx) => {
      await tx.query('delete from snapshot_file where snapshot_id = $1 and stored_as = $2', [id, storedAs]);
      await tx.query('delete from snapshot_person where snapshot_id = $1', [id]);
      await forgetFileDelivery(tx, id);
    });
  }
}

/** Refuses a second unfinished snapshot of a team; serialises the requests of a team. @throws ApiError `snapshot_in_progress` */
async function throwIfInProgress(tx: Queryable, kind: string, teamId: number): Promise<void> {
  await lockInSchema(tx, `waiting ${kind} of ${teamId} in `);
  const [other] = await tx.query<{ id: string }>(
    'select s.id from snapshot s join job j using (id) where s.team_id = $1 and j.settled_at is null limit 1',
    [teamId],
  );
  if (!other) return;
  const message = `The snapshot ${other.id} is queued or being built, and a team has one at a time; nothing was queued or reserved. Wait for it, or cancel it.`;
  throw new ApiError('snapshot_in_progress', message, { details: { snapshotId: other.id } });
}
