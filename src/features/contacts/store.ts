/** Stores enrichments. Acceptance reserves credits and allowance, settlement writes the unlocks and charges them, failure gives everything back. */
import { BilledJobs, type BilledKind, type BilledRow, type JobOrigin } from '../../core/billedJobs/billedJobs.ts';
import type { EnrichmentAllowance } from '../../core/domain/plans.ts';
import { planNow } from '../../core/identity/accounts.ts';
import type { JobKind } from '../../core/jobs/kind.ts';
import type { Job, JobStore } from '../../core/jobs/store.ts';
import { reserveForContacts } from '../../core/ledger/acceptance.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import { causeOfJob, returnReservation } from '../../core/ledger/reservations.ts';
import { type ContactFinding, type EnrichmentPayload, NOTHING_FOUND, type WantedProject } from '../../core/people/enrichment.ts';
import { isAnySuppressed, type Suppressions } from '../../core/people/suppressions.ts';
import { type NewUnlock, type UnlockStore, writeUnlocks } from '../../core/people/unlocks.ts';
import type { ChargeObserver } from '../../core/store/callWatch.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { recordEvent } from '../webhooks/index.ts';
import { CONTACT_EVENTS } from './events.ts';

interface NewEnrichment {
  payload: EnrichmentPayload;
  skipped: { alreadyEnriched: readonly number[]; notPurchased: readonly number[]; notFound: readonly number[] };
  allowance: EnrichmentAllowance;
  /** to reserve */
  credits: number;
}

export interface StoredEnrichment extends BilledRow {
  accepted: number[];
  alreadyEnriched: number[];
  notPurchased: number[];
  notFound: number[];
  processed: number;
  found: number;
  notAttempted: number[];
}

const IS_USABLE = `f.job_id = x.id and f.finding->'unusable' is null`;

const ENRICHMENTS: BilledKind = {
  noun: 'enrichment',
  table: 'enrichment',
  keptAs: 'enrichmentId',
  columns: `x.accepted::float8[], x.already_enriched::float8[] as "alreadyEnriched", x.not_purchased::float8[] as "notPurchased",
    x.not_found::float8[] as "notFound", coalesce(x.not_attempted, '{}')::float8[] as "notAttempted",
    coalesce(x.processed, (select count(*)::integer from contact_finding f where ${IS_USABLE})) as processed,
    coalesce(x.found, (select count(*)::integer from contact_finding f where ${IS_USABLE} and f.finding->>'opens' is not null)) as found`,
  isVisible: 'x.team_id = $1',
  readerValues: ({ teamId }) => [teamId],
};

export class EnrichmentStore extends BilledJobs<StoredEnrichment> {
  readonly #unlocks: UnlockStore;
  readonly #suppressions: Suppressions;
  readonly #charged: ChargeObserver | undefined;

  constructor(
    jobs: JobStore,
    services: { idempotency: IdempotencyStore; unlocks: UnlockStore; suppressions: Suppressions; charged?: ChargeObserver | undefined },
  ) {
    super(jobs, services.idempotency, ENRICHMENTS);
    this.#unlocks = services.unlocks;
    this.#suppressions = services.suppressions;
    this.#charged = services.charged;
  }

  /**
   * Creates job and reservation, and settles the idempotency key, in one transaction.
   * @throws ApiError `service_unavailable`
   */
  accept(kind: JobKind<EnrichmentPayload>, payer: Payer, news: NewEnrichment) {
    const { payload, allowance, credits } = news;
    return this.acceptJob(payer, credits, async (tx, origin) => {
      const { id } = await this.#queue(tx, kind, { ...origin, payload });
      await reserveForContacts(tx, payer, { jobId: id, allowance, credits, attempts: payload.projects.length });
      await insertEnrichment(tx, origin.teamId, id, news);
      return id;
    });
  }

  /** A job with nothing to look up is recorded as completed. */
  async #queue(tx: Queryable, kind: JobKind<EnrichmentPayload>, job: JobOrigin & { payload: EnrichmentPayload }): Promise<Job> {
    if (job.payload.projects.length) return this.jobs.enqueueForTeam(tx, kind, job);
    const done = await this.jobs.record(tx, kind, job, { status: 'completed' });
    await recordSettled(tx, done);
    return done;
  }

  /** The stored findings of all attempts, by project. One that contains a person who was suppressed since counts as empty. */
  async findings(jobId: string, tx: Queryable = this.jobs.database): Promise<Map<number, ContactFinding>> {
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
