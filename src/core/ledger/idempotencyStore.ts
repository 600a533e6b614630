/** Requests that are repeated under one key: claimed, replayed, or refused. Only committed outcomes are stored. */

import type { Database, Queryable } from '../store/postgres/pool.ts';
import type { Claim } from './ledger.ts';

/** SQLSTATE of a settlement whose idempotency key was taken over by another request. */
export const CLAIM_LOST = 'LU001';

/** Longer than any request may take; after it, the claim of a crashed process is free again. */
const LEASE_SECONDS = 30;
const LEASE = `${LEASE_SECONDS} seconds`;
const KEPT = '30 days';
/** Expired keys deleted by each claim: more than it adds, so that they never accumulate. */
const PURGED_AT_ONCE = 20;

const CLAIM = `
  with outlived as (
    delete from idempotency where ctid in (
      select ctid from idempotency
      where created_at <= (select service_now()) - $7::interval and (team_id, route, key) is distinct from ($1::integer, $2::text, $3::text)
      order by created_at limit ${PURGED_AT_ONCE} for update skip locked
    )
  )
  select state, outcome, retry_after as "retryAfter" from claim_idempotency($1, $2, $3, $4, $5, service_now(), $6::interval, $7::interval)`;

/** What was committed under a key. */
export interface CommittedOutcome {
  /** ids of the delivered records */
  ids: number[];
  revisions?: string[];
  /** records of the page; more than were delivered when a trial's credits ran out */
  requested?: number;
  cost: number;
  /** time of the commit, ISO 8601 */
  at: string;
  /** `keep` of the claim */
  kept?: unknown;
}

type ClaimAnswer =
  | { state: 'claimed' }
  | { state: 'replay'; outcome: CommittedOutcome }
  | { state: 'in_flight'; retryAfter: number }
  | { state: 'reuse' };

interface Row {
  state: ClaimAnswer['state'];
  outcome: CommittedOutcome | null;
  /** remaining seconds of the lease */
  retryAfter: number;
}

/**
 * Seconds to wait before a retry. A request that has just begun is soon done; one that has run for long may have crashed, and frees its key
 * when the lease ends.
 */
const waitFor = (leaseLeft: number) => Math.min(leaseLeft, Math.max(1, 2 * (LEASE_SECONDS - leaseLeft)));

export class IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Claims a key. @param requestHash of the request; the same key with another hash is `reuse` */
  async claim(teamId: number, claim: Claim, requestHash: string): Promise<ClaimAnswer> {
    const values = [teamId, claim.route, claim.key, requestHash, claim.owner, LEASE, KEPT];
    const [row] = await this.#database.query<Row>(CLAIM, values, { name: 'claim' });
    if (!row) throw new Error('claim_idempotency answered without a row');
    if (row.state === 'replay' && row.outcome) return { state: 'replay', outcome: row.outcome };
    if (row.state === 'in_flight') return { state: 'in_flight', retryAfter: waitFor(row.retryAfter) };
    return { state: row.state === 'reuse' ? 'reuse' : 'claimed' };
  }

  /**
   * Commits the outcome of a claimed request in the transaction that did its work.
   * @throws DatabaseError with SQLSTATE `CLAIM_LOST`
   */
  async settle(tx: Queryable, teamId: number, claim: Claim, outcome: CommittedOutcome): Promise<void> {
    await tx.query('select settle_idempotency($1, $2::jsonb, $3::jsonb)', [teamId, JSON.stringify(claim), JSON.stringify(outcome)]);
  }

  /** The same for a request that delivers nothing; one without a claim keeps nothing. @param kept what a repetition is answered from */
  async keep(tx: Queryable, teamId: number, claim: Claim | undefined, kept: unknown, { cost = 0, at = new Date() } = {}): Promise<void> {
    if (claim) await this.settle(tx, teamId, claim, { ids: [], cost, at: at.toISOString(), kept });
  }

  /** Releases a claim that was not settled, so that a retry need not wait for the lease. */
  async release(teamId: number, { route, key, owner }: Claim): Promise<void> {
    await this.#database.query(
      'delete from idempotency where team_id = $1 and route = $2 and key = $3 and owner = $4 and outcome is null',
      [teamId, route, key, owner],
    );
  }
}
