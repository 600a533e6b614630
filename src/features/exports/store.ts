/** The rows of exports: accepted with a reservation, settled with the deliveries, refunded in full when no file was made. */

import { ApiError } from '../../core/domain/errors.ts';
import type { EnrichmentAllowance } from '../../core/domain/plans.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import { planNow } from '../../core/identity/accounts.ts';
import { FinalJobError, type JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore } from '../../core/jobs/store.ts';
import { type RefusedAcceptance, reserveForRecords, toRefusedAcceptance } from '../../core/ledger/acceptance.ts';
import { deliverPart, forgetFileDelivery, undoFileDelivery } from '../../core/ledger/fileDeliveries.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import type { PageItem } from '../../core/ledger/pageOutcome.ts';
import { causeOfJob, payFromReservation, returnReservation } from '../../core/ledger/reservations.ts';
import type { ContactFinding } from '../../core/people/enrichment.ts';
import { isAnySuppressed } from '../../core/people/suppressions.ts';
import type { ChargeObserver } from '../../core/store/callWatch.ts';
import { type Queryable, requireTables } from '../../core/store/postgres/pool.ts';
import type { EnrichmentStore } from '../contacts/index.ts';
import type { Viewer } from '../lists/index.ts';
import { recordEvent } from '../webhooks/index.ts';
import { EXPORT_EVENTS, maySeeExport } from './events.ts';
import { FILE_KEPT_DAYS } from './status.ts';
import type { ExportFile, ExportPayload, ExportSource, StoredExport } from './types.ts';

interface NewExport {
  payload: ExportPayload;
  source: ExportSource;
  matchCount: number;
  unconfirmed: Unconfirmed | null;
  /** credits to reserve */
  credits: number;
  contacts?: { credits: number; allowance: EnrichmentAllowance } | undefined;
  /** largest total size of the team's stored files, in bytes */
  keptBytesMax: number;
}

type Acceptance = { outcome: 'accepted'; export: StoredExport } | RefusedAcceptance;

/** The result of a build, to be settled. */
interface BuiltExport {
  file: ExportFile;
  /** every record in the file */
  items: readonly PageItem[];
  /** matches of the selection, which may exceed the rows of the file */
  matchCount: number;
  /** unconfirmed rows of the file */
  unconfirmed: Unconfirmed | null;
  /** hashes of every person in the file */
  people: ReadonlySet<string>;
  /** findings of the look-ups for this file */
  findings: ReadonlyMap<number, ContactFinding>;
}

const COLUMNS = `x.id, j.status as "jobStatus", x.source, j.created_at as "createdAt", j.started_at as "startedAt", x.ready_at as "readyAt",
  x.expires_at as "expiresAt", coalesce(x.expires_at <= service_now(), false) as expired, x.lost_at as "lostAt", j.progress,
  x.match_count as "matchCount", x.truncated, x.unconfirmed, x.cells_too_long as "longCells", x.row_count as "rowCount", x.size_bytes::float8 as "sizeBytes", x.sha256,
  x.file_name as "fileName", x.credits_reserved as "creditsReserved", x.credits_charged as "creditsCharged",
  x.credits_refunded as "creditsRefunded", x.credits_lost as "creditsLost", x.contact_credits_reserved as "contactCreditsReserved",
  x.contact_credits_charged as "contactCreditsCharged", j.error`;

/** Exports of team $1 that user $2 may see. */
const VISIBLE = `job j join export x on x.id = j.id where j.team_id = $1 and ${maySeeExport('$2')}`;

export class ExportStore {
  readonly #jobs: JobStore;
  readonly #idempotency: IdempotencyStore;
  readonly #contacts: EnrichmentStore;
  readonly #charged: ChargeObserver | undefined;

  constructor(jobs: JobStore, idempotency: IdempotencyStore, contacts: EnrichmentStore, charged?: ChargeObserver) {
    this.#jobs = jobs;
    this.#idempotency = idempotency;
    this.#contacts = contacts;
    this.#charged = charged;
  }

  /**
   * Creates job and reservation, and settles the idempotency key, in one transaction.
   * @throws ApiError `rate_limit_exceeded` when too many exports wait, `forbidden` when stored files take too much space,
   * `service_unavailable`
   */
  async accept(
    kind: JobKind<ExportPayload>,
    payer: Payer,
    { payload, source, matchCount, unconfirmed, credits, contacts, keptBytesMax }: NewExport,
  ): Promise<Acceptance> {
    const { teamId, cause, claim } = payer;
    const { userId, jobId: _, ...ofRequest } = cause;
    try {
      const made = await requireTables(
        this.#jobs.acceptForTeam(teamId, async (tx) => {
          const progress = { processed: 0, total: Math.min(matchCount, payload.rowsMax) };
          const job = await this.#jobs.enqueueForTeam(tx, kind, { payload, teamId, userId, cause: ofRequest, progress });
          await throwIfAboveBytes(tx, teamId, keptBytesMax);
          await tx.query(
            `insert into export (id, team_id, source, match_count, truncated, credits_reserved, contact_credits_reserved, unconfirmed)
             values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8::jsonb)`,
            [
              ...[job.id, teamId, JSON.stringify(source), matchCount, matchCount > payload.rowsMax, credits, contacts?.credits ?? 0],
              unconfirmed && JSON.stringify(unconfirmed),
            ],
          );
          const held = contacts && { ...contacts, attempts: payload.contacts?.projectIds.length ?? 0 };
          await reserveForRecords(tx, payer, { jobId: job.id, credits, contacts: held });
          if (claim) await this.#settleKey(tx, teamId, claim, job.id, credits);
          // Read before the commit: a worker may start at once, but the answer shows the export as it was accepted.
          const [accepted] = await tx.query<StoredExport>(`select ${COLUMNS} from export x join job j on j.id = x.id where x.id = $1`, [
            job.id,
          ]);
          if (!accepted) throw new Error(`The accepted export ${job.id} is not there`);
          return accepted;
        }),
      );
      return { outcome: 'accepted', export: made };
    } catch (error) {
      return toRefusedAcceptance(error);
    }
  }

  /** Commits under the idempotency key that nothing was queued because nothing matched. */
  async acceptNothing({ teamId, claim }: Payer): Promise<void> {
    if (claim) await this.#settleKey(this.#jobs.database, teamId, claim, null, 0);
  }

  #settleKey(tx: Queryable, teamId: number, claim: NonNullable<Payer['claim']>, exportId: string | null, cost: number): Promise<void> {
    return this.#idempotency.settle(tx, teamId, claim, { ids: [], cost, at: new Date().toISOString(), kept: { exportId } });
  }

  /**
   * Undefined when there is no such export that the user may see.
   * @throws ApiError `service_unavailable`
   */
  async find({ teamId, userId }: Viewer, id: string): Promise<StoredExport | undefined> {
    const [row] = await requireTables(
      this.#jobs.database.query<StoredExport>(`select ${COLUMNS} from ${VISIBLE} and x.id = $3`, [teamId, userId, id]),
    );
    return row;
  }

  /** Newest first. */
  async list({ teamId, userId }: Viewer, limit: number, offset: number): Promise<{ exports: StoredExport[]; total: number }> {
    const { database } = this.#jobs;
    const [exports, [counted]] = await requireTables(
      Promise.all([
        database.query<StoredExport>(`select ${COLUMNS} from ${VISIBLE} order by j.created_at desc, j.id desc limit $3 offset $4`, [
          ...[teamId, userId],
          ...[limit, offset],
        ]),
        database.query<{ total: number }>(`select count(*)::integer as total from ${VISIBLE}`, [teamId, userId]),
      ]),
    );
    return { exports, total: counted?.total ?? 0 };
  }

  /**
   * Delivers the records of a file to the team's pool and pays with the reservation, in the transaction that settles the job.
   * @throws FinalJobError `insufficient_credits` when more records are new by now than the balance, or `maxCredits`, pays for
   */
  async settle(
    tx: Queryable,
    job: Job<ExportPayload>,
    { file, items, matchCount, unconfirmed, people, findings }: BuiltExport,
  ): Promise<void> {
    const { teamId, payload } = job;
    if (teamId === null) throw new Error(`The export ${job.id} has no team`);
    const { plan, grant } = await planNow(tx, teamId);
    // A cheaper plan since the acceptance lowers the rate; a more expensive one does not raise it.
    const rate = Math.min(payload.rate, plan.recordCredit);
    const payer = { teamId, grant, cause: causeOfJob(job) };
    const { reserved, charged: cost } = await payFromReservation(tx, job.id, payer, async () => {
      const { outcome, cost } = await deliverPart(tx, { ...payer, jobId: job.id, part: 0, rate }, items);
      if (outcome === 'delivered' && cost <= (payload.maxCredits ?? cost)) return cost;
      throw new FinalJobError(
        'insufficient_credits',
        `By the time the file was built its new and changed records cost ${cost} credits, more than could be paid; nothing was charged. Queue the export again.`,
      );
    });
    this.#charged?.('records', cost);
    await this.#settleContacts(tx, job, items, findings);
    await keepPeople(tx, job.id, [...people]);
    await tx.query(
      `update export set match_count = $2, truncated = $3, credits_charged = $4, credits_refunded = $5, row_count = $6, size_bytes = $7,
         contact_credits_charged = coalesce(contact_credits_charged, 0), sha256 = $8, file_name = $9, ready_at = service_now(), expires_at = service_now() + make_interval(days => $10),
         unconfirmed = $11::jsonb, cells_too_long = $12::jsonb
       where id = $1`,
      [
        ...[job.id, matchCount, matchCount > file.rowCount, cost, Math.max(reserved - cost, 0)],
        ...[file.rowCount, file.sizeBytes, file.sha256, file.name, FILE_KEPT_DAYS],
        unconfirmed && JSON.stringify(unconfirmed),
        file.longCells && JSON.stringify(file.longCells),
      ],
    );
    await recordEvent(tx, EXPORT_EVENTS, { teamId, type: 'export.ready', subjectId: job.id });
  }

  /** Unlocks and charges the contacts found for the file; reserved look-ups that were not made are given back. */
  async #settleContacts(
    tx: Queryable,
    job: Job<ExportPayload>,
    items: readonly PageItem[],
    findings: ReadonlyMap<number, ContactFinding>,
  ): Promise<void> {
    const { contacts } = job.payload;
    if (!contacts) return;
    const rows = new Set(items.map(({ id }) => id));
    const inFile = new Map([...findings].filter(([id]) => rows.has(id)));
    const charged = await this.#contacts.deliverLookedUp(tx, job, inFile, contacts.rate);
    await tx.query('update export set contact_credits_charged = $2 where id = $1', [job.id, charged]);
  }

  /** Gives back the reservation of a failed export, in the transaction that fails it. */
  async giveBack(tx: Queryable, job: Job): Promise<void> {
    const refunded = await returnReservation(tx, job.id, 'records', causeOfJob(job));
    await this.#contacts.giveBackContacts(tx, job);
    await tx.query('update export set credits_charged = 0, credits_refunded = $2, contact_credits_charged = 0 where id = $1', [
      job.id,
      refunded,
    ]);
    if (job.teamId !== null) await recordEvent(tx, EXPORT_EVENTS, { teamId: job.teamId, type: 'export.failed', subjectId: job.id });
  }

  /** Undoes and refunds the delivery of a ready export whose file is lost. Does nothing when the export is no longer ready. */
  async markLost(teamId: number, id: string): Promise<void> {
    await this.#jobs.database.transaction(async (tx) => {
      // Locks the pool before the export, in the same order as every settlement.
      await tx.query('select from credit_pool where team_id = $1 for update', [teamId]);
      const [row] = await tx.query(
        `select from export
         where id = $1 and team_id = $2 and ready_at is not null and lost_at is null and expires_at > service_now() for update`,
        [id, teamId],
      );
      if (!row) return;
      const job = await this.#jobs.find(id, tx);
      const refund = await undoFileDelivery(tx, { jobId: id, teamId, cause: job ? causeOfJob(job) : { jobId: id } });
      await tx.query(
        `update export set lost_at = service_now(), credits_lost = $2, credits_charged = greatest(credits_charged - $2, 0),
           credits_refunded = credits_refunded + $2 where id = $1`,
        [id, refund],
      );
    });
  }

  /** Files of exports that expired or were lost. */
  expiredFiles(limit: number): Promise<{ id: string; fileName: string }[]> {
    return this.#jobs.database.query(
      `select id, file_name as "fileName" from export where file_name is not null and (expires_at <= service_now() or lost_at is not null)
       order by expires_at limit $1`,
      [limit],
    );
  }

  /** Called after the file was deleted. */
  async forgetFile(id: string): Promise<void> {
    await this.#jobs.database.transaction(async (tx) => {
      await tx.query('update export set file_name = null where id = $1', [id]);
      await forgetFileDelivery(tx, id);
      await tx.query('delete from export_person where export_id = $1', [id]);
    });
  }
}

/**
 * Refuses when finished files take too much space. Files of waiting exports are not counted, so that they may exceed the limit.
 * @throws ApiError `forbidden`
 */
async function throwIfAboveBytes(tx: Queryable, teamId: number, limitBytes: number): Promise<void> {
  const [kept] = await tx.query<{ usedBytes: number; freedAt: Date | null }>(
    `select coalesce(sum(size_bytes), 0)::float8 as "usedBytes", min(expires_at) as "freedAt" from export
     where team_id = $1 and file_name is not null and lost_at is null and expires_at > service_now()`,
    [teamId],
  );
  if (!kept?.freedAt || kept.usedBytes < limitBytes) return;
  const { usedBytes, freedAt } = kept;
  const message = `The team's kept export files take ${usedBytes} bytes, and ${limitBytes} is the most; nothing was queued or reserved. The first of them expires at ${freedAt.toISOString()}.`;
  throw new ApiError('forbidden', message, { details: { usedBytes, limitBytes } });
}

/**
 * Stores the people of the file.
 * @throws Error when one of them was suppressed during the build, which is then repeated
 */
async function keepPeople(tx: Queryable, exportId: string, hashes: readonly string[]): Promise<void> {
  if (await isAnySuppressed(tx, hashes)) throw new Error('Somebody was suppressed while the file was built');
  await tx.query('insert into export_person (export_id, hashes) values ($1, $2::bigint[])', [exportId, hashes]);
}
