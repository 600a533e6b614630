/** The rows of AI searches beside their jobs: acceptance with its reservation, cancellation, and giving back what a search reserved. */

import type { JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore } from '../../core/jobs/store.ts';
import { type RefusedAcceptance, type ReservedLookups, reserveForRecords, toRefusedAcceptance } from '../../core/ledger/acceptance.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import { causeOfJob, returnReservation } from '../../core/ledger/reservations.ts';
import { type Queryable, requireTables } from '../../core/store/postgres/pool.ts';
import type { EnrichmentStore } from '../contacts/index.ts';
import { AI_KEPT_DAYS } from './limits.ts';
import type { AiSearchPayload, DeliveredMatch, StoredAiSearch } from './types.ts';

interface NewAiSearch {
  payload: AiSearchPayload;
  /** to reserve */
  credits: number;
  contacts?: ReservedLookups | undefined;
}

type AiAcceptance = { outcome: 'accepted'; search: StoredAiSearch } | RefusedAcceptance;

/** What else is done in the transaction that ends a search, such as its mail. */
type SettlementWork = (tx: Queryable, job: Job) => Promise<void>;

const COLUMNS = `s.id, j.status as "jobStatus", j.payload, s.interpretation, s.candidate_count as candidates, s.screened, s.reviewed,
  (select count(*)::integer from ai_search_match m where m.search_id = s.id) as confirmed, s.partial_reason as "partialReason",
  s.match_count as "matchCount", s.match_count_is_exact as "matchCountIsExact", s.warnings, s.credits_reserved as "creditsReserved",
  s.credits_charged as "creditsCharged", s.credits_refunded as "creditsRefunded", s.contact_credits_reserved as "contactCreditsReserved",
  s.contact_credits_charged as "contactCreditsCharged", j.created_at as "createdAt", j.started_at as "startedAt",
  j.settled_at as "settledAt", j.error`;

const FIND = `
  select ${COLUMNS} from ai_search s join job j on j.id = s.id
  where s.id = $1 and (j.settled_at is null or j.settled_at + make_interval(days => ${AI_KEPT_DAYS}) > service_now())`;

export class AiSearchStore {
  readonly #jobs: JobStore;
  readonly #idempotency: IdempotencyStore;
  readonly #contacts: EnrichmentStore;

  constructor(jobs: JobStore, idempotency: IdempotencyStore, contacts: EnrichmentStore) {
    this.#jobs = jobs;
    this.#idempotency = idempotency;
    this.#contacts = contacts;
  }

  /**
   * Writes the job, its reservation of credits and allowance, and the settled idempotency key, in one transaction.
   * @throws ApiError `service_unavailable`
   */
  async accept(kind: JobKind<AiSearchPayload>, payer: Payer, news: NewAiSearch): Promise<AiAcceptance> {
    const { teamId, claim } = payer;
    try {
      const search = await requireTables(
        this.#jobs.acceptForTeam(teamId, async (tx) => {
          const jobId = await this.#insert(tx, kind, payer, news);
          const kept = { searchId: jobId };
          if (claim) await this.#idempotency.settle(tx, teamId, claim, { ids: [], cost: news.credits, at: new Date().toISOString(), kept });
          // Read before the commit: a worker may start at once, but the answer shows the search as it was accepted.
          return this.readInTransaction(tx, jobId);
        }),
      );
      return { outcome: 'accepted', search };
    } catch (error) {
      return toRefusedAcceptance(error);
    }
  }

  async #insert(tx: Queryable, kind: JobKind<AiSearchPayload>, payer: Payer, { payload, credits, contacts }: NewAiSearch): Promise<string> {
    const { teamId, cause } = payer;
    const { userId, jobId: _, ...ofRequest } = cause;
    const { id: jobId } = await this.#jobs.enqueueForTeam(tx, kind, { payload, teamId, userId, cause: ofRequest });
    await tx.query('insert into ai_search (id, team_id, credits_reserved, contact_credits_reserved) values ($1, $2, $3, $4)', [
      ...[jobId, teamId, credits, contacts?.credits ?? 0],
    ]);
    await reserveForRecords(tx, payer, { jobId, credits, contacts });
    return jobId;
  }

  /** undefined if the team has no such search, or it was settled too long ago @throws ApiError `service_unavailable` */
  async find(teamId: number, id: string): Promise<StoredAiSearch | undefined> {
    const [row] = await requireTables(this.#jobs.database.query<StoredAiSearch>(`${FIND} and s.team_id = $2`, [id, teamId]));
    return row;
  }

  /** The search as a transaction sees it. @throws Error if there is none */
  async readInTransaction(tx: Queryable, id: string): Promise<StoredAiSearch> {
    const [row] = await tx.query<StoredAiSearch>(`select ${COLUMNS} from ai_search s join job j on j.id = s.id where s.id = $1`, [id]);
    if (!row) throw new Error(`The search ${id} is not there`);
    return row;
  }

  /** What a settled search delivered, best first. @throws ApiError `service_unavailable` */
  async delivered(id: string): Promise<DeliveredMatch[]> {
    const sql = 'select finding, delivered from ai_search_match where search_id = $1 and delivered is not null order by place';
    const rows = await requireTables(this.#jobs.database.query<{ finding: DeliveredMatch; delivered: DeliveredMatch }>(sql, [id]));
    return rows.map(({ finding, delivered }) => ({ ...finding, ...delivered }));
  }

  /** Cancels a waiting search and releases what it reserved; a running one ends at its next batch. @throws ApiError `service_unavailable` */
  async cancel(teamId: number, id: string, onSettled: SettlementWork): Promise<void> {
    await requireTables(
      this.#jobs.database.transaction(async (tx) => {
        const [own] = await tx.query('select from ai_search where id = $1 and team_id = $2', [id, teamId]);
        if (!own) return;
        const waiting = await this.#jobs.settleUnstarted(tx, id, { status: 'cancelled' });
        if (waiting) {
          await this.giveBack(tx, waiting);
          await onSettled(tx, waiting);
        } else
          await tx.query(
            `update ai_search set cancelled_at = coalesce(cancelled_at, service_now())
             where id = $1 and exists (select from job where job.id = $1 and settled_at is null)`,
            [id],
          );
      }),
    );
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
