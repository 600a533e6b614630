/** The rows of AI searches beside their jobs: acceptance with its reservation, cancellation, and giving back what a search reserved. */

import { BilledJobs, type BilledKind } from '../../core/billedJobs/billedJobs.ts';
import type { JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore } from '../../core/jobs/store.ts';
import { type ReservedLookups, reserveForRecords } from '../../core/ledger/acceptance.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import { causeOfJob, returnReservation } from '../../core/ledger/reservations.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { EnrichmentStore } from '../contacts/index.ts';
import { AI_KEPT_DAYS } from './limits.ts';
import type { AiSearchPayload, DeliveredMatch, StoredAiSearch } from './types.ts';

interface NewAiSearch {
  payload: AiSearchPayload;
  /** to reserve */
  credits: number;
  contacts?: ReservedLookups | undefined;
}

/** What else is done in the transaction that ends a search, such as its mail. */
type SettlementWork = (tx: Queryable, job: Job) => Promise<void>;

const AI_SEARCHES: BilledKind = {
  noun: 'AI search',
  table: 'ai_search',
  keptAs: 'searchId',
  columns: `j.payload, x.interpretation, x.candidate_count as candidates, x.screened, x.reviewed,
    (select count(*)::integer from ai_search_match m where m.search_id = x.id) as confirmed, x.partial_reason as "partialReason",
    x.match_count as "matchCount", x.match_count_is_exact as "matchCountIsExact", x.warnings, x.related,
    x.contact_credits_reserved as "contactCreditsReserved", x.contact_credits_charged as "contactCreditsCharged"`,
  isVisible: `x.team_id = $1 and (j.settled_at is null or j.settled_at + make_interval(days => ${AI_KEPT_DAYS}) > service_now())`,
  readerValues: ({ teamId }) => [teamId],
};

export class AiSearchStore extends BilledJobs<StoredAiSearch> {
  readonly #contacts: EnrichmentStore;

  constructor(jobs: JobStore, idempotency: IdempotencyStore, contacts: EnrichmentStore) {
    super(jobs, idempotency, AI_SEARCHES);
    this.#contacts = contacts;
  }

  /**
   * Writes the job, its reservation of credits and allowance, and the settled idempotency key, in one transaction.
   * @throws ApiError `service_unavailable`
   */
  accept(kind: JobKind<AiSearchPayload>, payer: Payer, { payload, credits, contacts }: NewAiSearch) {
    return this.acceptJob(payer, credits, async (tx, origin) => {
      const { id } = await this.jobs.enqueueForTeam(tx, kind, { ...origin, payload });
      await tx.query('insert into ai_search (id, team_id, credits_reserved, contact_credits_reserved) values ($1, $2, $3, $4)', [
        ...[id, origin.teamId, credits, contacts?.credits ?? 0],
      ]);
      await reserveForRecords(tx, payer, { jobId: id, credits, contacts });
      return id;
    });
  }

  /** What a settled search delivered, best first. @throws ApiError `service_unavailable` */
  async delivered(id: string): Promise<DeliveredMatch[]> {
    const sql = 'select finding, delivered from ai_search_match where search_id = $1 and delivered is not null order by place';
    const rows = await this.jobs.database.query<{ finding: DeliveredMatch; delivered: DeliveredMatch }>(sql, [id]);
    return rows.map(({ finding, delivered }) => ({ ...finding, ...delivered }));
  }

  /** Cancels a waiting search and releases what it reserved; a running one ends at its next batch. @throws ApiError `service_unavailable` */
  async cancel(teamId: number, id: string, onSettled: SettlementWork): Promise<void> {
    await this.jobs.database.transaction(async (tx) => {
      const [own] = await tx.query('select from ai_search where id = $1 and team_id = $2', [id, teamId]);
      if (!own) return;
      const waiting = await this.jobs.settleUnstarted(tx, id, { status: 'cancelled' });
      if (waiting) {
        await this.giveBack(tx, waiting);
        await onSettled(tx, waiting);
      } else
        await tx.query(
          `update ai_search set cancelled_at = coalesce(cancelled_at, service_now())
             where id = $1 and exists (select from job where job.id = $1 and settled_at is null)`,
          [id],
        );
    });
  }

  /** Gives back everything that a search reserved, in the transaction that ends it without a delivery. */
  async giveBack(tx: Queryable, job: Job): Promise<void> {
    const credits = await returnReservation(tx, job.id, 'records', causeOfJob(job));
    await this.#contacts.giveBackContacts(tx, job);
    await tx.query('delete from ai_search_match where search_id = $1', [job.id]);
    await tx.query(
      `update ai_search set credits_charged = 0, credits_refunded = $2, contact_credits_charged = 0, match_count = null,
         match_count_is_exact = false where id = $1`,
      [job.id, credits],
    );
  }
}
