/** Stores enrichments. Acceptance reserves credits and allowance, settlement writes the unlocks and charges them, failure gives everything back. */
import type { EnrichmentAllowance } from '../../core/domain/plans.ts';
import { planNow } from '../../core/identity/accounts.ts';
import type { JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore } from '../../core/jobs/store.ts';
import { type RefusedAcceptance, reserveForContacts, toRefusedAcceptance } from '../../core/ledger/acceptance.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import { causeOfJob, returnReservation } from '../../core/ledger/reservations.ts';
import {
  type ContactFinding,
  type EnrichmentPayload,
  NOTHING_FOUND,
  type StoredEnrichment,
  type WantedProject,
} from '../../core/people/enrichment.ts';
import { isAnySuppressed, type Suppressions } from '../../core/people/suppressions.ts';
import { type NewUnlock, type UnlockStore, writeUnlocks } from '../../core/people/unlocks.ts';
import type { ChargeObserver } from '../../core/store/callWatch.ts';
import { type Queryable, requireTables } from '../../core/store/postgres/pool.ts';
import { recordEvent } from '../webhooks/index.ts';
import { CONTACT_EVENTS } from './events.ts';

interface NewEnrichment {
  payload: EnrichmentPayload;
  skipped: { alreadyEnriched: readonly number[]; notPurchased: readonly number[]; notFound: readonly number[] };
  allowance: EnrichmentAllowance;
  /** to reserve */
  credits: number;
}

type EnrichmentAcceptance = { outcome: 'accepted'; enrichment: StoredEnrichment } | RefusedAcceptance;

const COLUMNS = `e.id, j.status as "jobStatus", e.accepted::float8[], e.already_enriched::float8[] as "alreadyEnriched",
  e.not_purchased::float8[] as "notPurchased", e.not_found::float8[] as "notFound",
  coalesce(e.processed, made.processed) as processed, coalesce(e.found, made.found) as found,
  coalesce(e.not_attempted, '{}')::float8[] as "notAttempted", e.credits_reserved as "creditsReserved", e.credits_charged as "creditsCharged",
  e.credits_refunded as "creditsRefunded", j.created_at as "createdAt", j.started_at as "startedAt", j.settled_at as "settledAt", j.error`;

const FIND = `
  select ${COLUMNS} from enrichment e join job j on j.id = e.id, lateral (
    select count(*)::integer as processed, count(*) filter (where f.finding->>'opens' is not null)::integer as found
    from contact_finding f where f.job_id = e.id and f.finding->'unusable' is null
  ) as made
  where e.id = $1 and e.team_id = $2`;

export class EnrichmentStore {
  readonly #jobs: JobStore;
  readonly #idempotency: IdempotencyStore;
  readonly #unlocks: UnlockStore;
  readonly #suppressions: Suppressions;
  readonly #charged: ChargeObserver | undefined;

  constructor(
    jobs: JobStore,
    services: { idempotency: IdempotencyStore; unlocks: UnlockStore; suppressions: Suppressions; charged?: ChargeObserver | undefined },
  ) {
    this.#jobs = jobs;
    this.#idempotency = services.idempotency;
    this.#unlocks = services.unlocks;
    this.#suppressions = services.suppressions;
    this.#charged = services.charged;
  }

  /**
   * Creates job and reservation, and settles the idempotency key, in one transaction.
   * @throws ApiError `service_unavailable`
   */
  async accept(kind: JobKind<EnrichmentPayload>, payer: Payer, news: NewEnrichment): Promise<EnrichmentAcceptance> {
    const { teamId, cause, claim } = payer;
    try {
      const enrichment = await requireTables(
        this.#jobs.acceptForTeam(teamId, async (tx) => {
          const job = await this.#queue(tx, kind, payer, news.payload);
          const { allowance, credits } = news;
          await reserveForContacts(tx, payer, { jobId: job.id, allowance, credits, attempts: news.payload.projects.length });
          await insertEnrichment(tx, teamId, job.id, news);
          if (claim) {
            const kept = { enrichmentId: job.id };
            await this.#idempotency.settle(tx, teamId, claim, { ids: [], cost: credits, at: new Date().toISOString(), kept });
          }
          // Read before the commit: a worker may start at once, but the answer shows the enrichment as it was accepted.
          const accepted = await this.#find(tx, teamId, job.id);
          if (!accepted) throw new Error(`The accepted enrichment ${job.id} of ${cause.route} is not there`);
          return accepted;
        }),
      );
      return { outcome: 'accepted', enrichment };
    } catch (error) {
      return toRefusedAcceptance(error);
    }
  }

  /** A job with nothing to look up is recorded as completed. */
  async #queue(tx: Queryable, kind: JobKind<EnrichmentPayload>, { teamId, cause }: Payer, payload: EnrichmentPayload): Promise<Job> {
    const { userId, jobId: _, ...ofRequest } = cause;
    const job = { payload, teamId, userId, cause: ofRequest };
    if (payload.projects.length) return this.#jobs.enqueueForTeam(tx, kind, job);
    const done = await this.#jobs.record(tx, kind, job, { status: 'completed' });
    await recordSettled(tx, done);
    return done;
  }

  /** Undefined when the team has no such enrichment. @throws ApiError `service_unavailable` */
  find(teamId: number, id: string): Promise<StoredEnrichment | undefined> {
    return requireTables(this.#find(this.#jobs.database, teamId, id));
  }

  async #find(tx: Queryable, teamId: number, id: string): Promise<StoredEnrichment | undefined> {
    const [row] = await tx.query<StoredEnrichment>(FIND, [id, teamId]);
    return row;
  }

  /** The stored findings of all attempts, by project. One that contains a person who was suppressed since counts as empty. */
  async findings(jobId: string, tx: Queryable = this.#jobs.database): Promise<Map<number, ContactFinding>> {
    const suppressed = await this.#suppressions.fresh();
    const rows = await tx.query<{ projectId: number; finding: ContactFinding }>(
      'select project_id::float8 as "projectId", finding from contact_finding where job_id = $1',
      [jobId],
    );
    return new Map(
      rows.map(({ projectId, finding }) => [projectId, suppressed.covers({ hashes: finding.hashes }) ? NOTHING_FOUND : finding]),
    );
  }

  /** Stores findings, so that they are not looked up again after a crash. */
  async keep(tx: Queryable, jobId: string, findings: ReadonlyMap<number, ContactFinding>): Promise<void> {
    await tx.query(
      `insert into contact_finding (job_id, project_id, finding)
       select $1, * from unnest($2::bigint[], $3::jsonb[]) on conflict do nothing`,
      [jobId, [...findings.keys()], [...findings.values()].map((finding) => JSON.stringify(finding))],
    );
  }

  /** Unlocks and charges what was found, and gives back the rest of the reservation, in the transaction that settles the job. */
  async settle(tx: Queryable, job: Job<EnrichmentPayload>): Promise<void> {
    const { projects, rate } = job.payload;
    const findings = await this.findings(job.id, tx);
    const settled = await this.deliver(tx, job, findings, rate);
    const attempted = (one: WantedProject) => findings.has(one.projectId) && !findings.get(one.projectId)?.unusable;
    const made = projects.filter(attempted);
    await tx.query('select settle_attempts($1, $2)', [job.id, made.length]);
    await tx.query(
      `update enrichment set processed = $2, found = $3, not_attempted = $4::bigint[], credits_charged = $5, credits_refunded = $6 where id = $1`,
      [
        ...[job.id, made.length, made.filter(({ projectId }) => findings.get(projectId)?.opens).length],
        ...[projects.filter((one) => !attempted(one)).map(({ askedId }) => askedId), settled.charged, settled.reserved - settled.charged],
      ],
    );
    await recordSettled(tx, job);
  }

  /**
   * Writes unlocks, pays for them with the job's reservation, and deletes the job's stored findings.
   * @param rate credits for the first email or phone of a project when the job was accepted; a cheaper plan since then lowers it
   * @throws Error when one of the people was suppressed since; the next attempt leaves them out
   */
  async deliver(
    tx: Queryable,
    job: Job,
    findings: ReadonlyMap<number, ContactFinding>,
    rate: number,
  ): Promise<{ charged: number; reserved: number }> {
    const { teamId } = job;
    if (teamId === null) throw new Error(`The job ${job.id} has no team`);
    const { grant, plan } = await planNow(tx, teamId);
    // Locks the pool first, as every settlement does, so that two settlements of a team do not charge a project twice.
    await tx.query('select open_pool($1, $2, $3)', [teamId, grant.grantedFor, grant.credits]);
    const news = [...findings].flatMap(([projectId, finding]) => (opensSomething(finding) ? [{ projectId, finding }] : []));
    const hashes = news.flatMap(({ finding }) => finding.hashes);
    if (await isAnySuppressed(tx, hashes)) throw new Error('Somebody was suppressed since the look-up');
    const charged = await writeUnlocks(tx, this.#unlocks, { teamId, rate: Math.min(rate, plan.contactCredit) }, news);
    const [row] = await tx.query<{ reserved: number }>('select settle_contacts($1, $2, $3, $4, $5, $6::jsonb) as reserved', [
      ...[job.id, teamId, grant.grantedFor, grant.credits, charged, JSON.stringify(causeOfJob(job))],
    ]);
    await tx.query('delete from contact_finding where job_id = $1', [job.id]);
    this.#charged?.('contacts', charged);
    return { charged, reserved: row?.reserved ?? 0 };
  }

  /** The same for a job of another kind; look-ups that were not made return to the allowance. @returns credits */
  async deliverLookedUp(tx: Queryable, job: Job, findings: ReadonlyMap<number, ContactFinding>, rate: number): Promise<number> {
    const { charged } = await this.deliver(tx, job, findings, rate);
    const made = [...findings.values()].filter(({ unusable }) => !unusable).length;
    await tx.query('select settle_attempts($1, $2)', [job.id, made]);
    return charged;
  }

  /** Gives back the whole reservation of a job, in the transaction that fails it. */
  async giveBack(tx: Queryable, job: Job): Promise<void> {
    await this.giveBackContacts(tx, job);
    await tx.query(
      `update enrichment set processed = 0, found = 0, not_attempted = accepted, credits_charged = 0, credits_refunded = credits_reserved
       where id = $1`,
      [job.id],
    );
    await recordSettled(tx, job);
  }

  /** Gives back the credits and attempts that a job reserved for look-ups. @returns the credits */
  async giveBackContacts(tx: Queryable, job: Job): Promise<number> {
    const credits = await returnReservation(tx, job.id, 'contacts', causeOfJob(job));
    await tx.query('select settle_attempts($1, 0)', [job.id]);
    await tx.query('delete from contact_finding where job_id = $1', [job.id]);
    return credits;
  }
}

async function recordSettled(tx: Queryable, { id: subjectId, teamId }: Job): Promise<void> {
  if (teamId !== null) await recordEvent(tx, CONTACT_EVENTS, { teamId, type: 'enrichment.settled', subjectId });
}

export const opensSomething = (finding: ContactFinding): finding is NewUnlock['finding'] => finding.opens !== null;

async function insertEnrichment(tx: Queryable, teamId: number, id: string, { payload, skipped, credits }: NewEnrichment): Promise<void> {
  const { alreadyEnriched, notPurchased, notFound } = skipped;
  const accepted = payload.projects.map(({ askedId }) => askedId);
  await tx.query(
    `insert into enrichment (id, team_id, accepted, already_enriched, not_purchased, not_found, credits_reserved)
     values ($1, $2, $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7)`,
    [id, teamId, accepted, alreadyEnriched, notPurchased, notFound, credits],
  );
}
