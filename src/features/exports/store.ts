/** The rows of exports: accepted with a reservation, settled with the deliveries, refunded in full when no file was made. */

import { FileJobs } from '../../core/billedJobs/fileJobs.ts';
import type { EnrichmentAllowance } from '../../core/domain/plans.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import { FinalJobError, type JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore } from '../../core/jobs/store.ts';
import { reserveForRecords } from '../../core/ledger/acceptance.ts';
import { deliverPart, forgetFileDelivery } from '../../core/ledger/fileDeliveries.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import type { PageItem } from '../../core/ledger/pageOutcome.ts';
import { causeOfJob, returnReservation } from '../../core/ledger/reservations.ts';
import type { ContactFinding } from '../../core/people/enrichment.ts';
import { isAnySuppressed } from '../../core/people/suppressions.ts';
import type { ChargeObserver } from '../../core/store/callWatch.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { EnrichmentStore } from '../contacts/index.ts';
import { recordEvent } from '../webhooks/index.ts';
import { EXPORT_EVENTS } from './events.ts';
import { EXPORTS, FILE_KEPT_DAYS } from './exportKind.ts';
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

export class ExportStore extends FileJobs<StoredExport> {
  readonly #contacts: EnrichmentStore;

  constructor(jobs: JobStore, idempotency: IdempotencyStore, contacts: EnrichmentStore, charged?: ChargeObserver) {
    super(jobs, idempotency, EXPORTS, charged);
    this.#contacts = contacts;
  }

  /**
   * Creates job and reservation, and settles the idempotency key, in one transaction.
   * @throws ApiError `rate_limit_exceeded` when too many exports wait, `forbidden` when stored files take too much space,
   * `service_unavailable`
   */
  accept(
    kind: JobKind<ExportPayload>,
    payer: Payer,
    { payload, source, matchCount, unconfirmed, credits, contacts, keptBytesMax }: NewExport,
  ) {
    return this.acceptJob(payer, credits, async (tx, origin) => {
      const progress = { processed: 0, total: Math.min(matchCount, payload.rowsMax) };
      const { id } = await this.jobs.enqueueForTeam(tx, kind, { ...origin, payload, progress });
      const { teamId } = payer;
      await this.throwIfAboveBytes(tx, teamId, keptBytesMax, (freedAt) => `The first of them expires at ${freedAt.toISOString()}.`);
      await tx.query(
        `insert into export (id, team_id, source, match_count, truncated, credits_reserved, contact_credits_reserved, unconfirmed)
         values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8::jsonb)`,
        [
          ...[id, teamId, JSON.stringify(source), matchCount, matchCount > payload.rowsMax, credits, contacts?.credits ?? 0],
          unconfirmed && JSON.stringify(unconfirmed),
        ],
      );
      const held = contacts && { ...contacts, attempts: payload.contacts?.projectIds.length ?? 0 };
      await reserveForRecords(tx, payer, { jobId: id, credits, contacts: held });
      return id;
    });
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
    const { charged, refunded } = await this.pay(tx, job, async (payer, rate) => {
      const { outcome, cost } = await deliverPart(tx, { ...payer, jobId: job.id, part: 0, rate }, items);
      if (outcome === 'delivered' && cost <= (job.payload.maxCredits ?? cost)) return cost;
      throw new FinalJobError(
        'insufficient_credits',
        `By the time the file was built its new and changed records cost ${cost} credits, more than could be paid; nothing was charged. Queue the export again.`,
      );
    });
    await this.#settleContacts(tx, job, items, findings);
    await keepPeople(tx, job.id, [...people]);
    await tx.query(
      `update export set match_count = $2, truncated = $3, credits_charged = $4, credits_refunded = $5, row_count = $6, size_bytes = $7,
         contact_credits_charged = coalesce(contact_credits_charged, 0), sha256 = $8, file_name = $9, ready_at = service_now(), expires_at = service_now() + make_interval(days => $10),
         unconfirmed = $11::jsonb, cells_too_long = $12::jsonb
       where id = $1`,
      [
        ...[job.id, matchCount, matchCount > file.rowCount, charged, refunded],
        ...[file.rowCount, file.sizeBytes, file.sha256, file.name, FILE_KEPT_DAYS],
        unconfirmed && JSON.stringify(unconfirmed),
        file.longCells && JSON.stringify(file.longCells),
      ],
    );
    await recordSettled(tx, job, 'export.ready');
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
    await recordSettled(tx, job, 'export.failed');
  }

  /** Files of exports that expired or were lost. */
  outlivedFiles(limit: number): Promise<{ id: string; storedAs: string }[]> {
    return this.jobs.database.query(
      `select id, file_name as "storedAs" from export where file_name is not null and (expires_at <= service_now() or lost_at is not null)
       order by expires_at limit $1`,
      [limit],
    );
  }

  async forgetFile(id: string): Promise<void> {
    await this.jobs.database.transaction(async (tx) => {
      await tx.query('update export set file_name = null where id = $1', [id]);
      await forgetFileDelivery(tx, id);
      await tx.query('delete from export_person where export_id = $1', [id]);
    });
  }
}

async function recordSettled(tx: Queryable, { id, teamId }: Job, type: 'export.ready' | 'export.failed'): Promise<void> {
  if (teamId !== null) await recordEvent(tx, EXPORT_EVENTS, { teamId, type, subjectId: id });
}

/**
 * Stores the people of the file.
 * @throws Error when one of them was suppressed during the build, which is then repeated
 */
async function keepPeople(tx: Queryable, exportId: string, hashes: readonly string[]): Promise<void> {
  if (await isAnySuppressed(tx, hashes)) throw new Error('Somebody was suppressed while the file was built');
  await tx.query('insert into export_person (export_id, hashes) values ($1, $2::bigint[])', [exportId, hashes]);
}
