/** Requests that are repeated under one key: claimed, replayed, or refused. Only committed outcomes are kept. */

import { type Database, type Queryable, readable } from '../store/postgres/pool.ts';
import type { Claim } from './ledger.ts';

/** SQLSTATE by which a settlement says that another request took the idempotency key over. */
export const CLAIM_LOST = 'LU001';

/** Longer than any request may take; a claim whose process died is free again after it. */
const LEASE_SECONDS = 30;
const LEASE = `${LEASE_SECONDS} seconds`;
const KEPT = '30 days';
/** Outlived keys that each claim takes away: more than it brings, so that they never pile up. */
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
  /** what was delivered */
  ids: number[];
  revisions?: string[];
  /** records of the page; more than were delivered where a trial's credits ended */
  requested?: number;
  cost: number;
  /** ISO 8601 */
  at: string;
  /** what the claim was given to keep */
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
  /** seconds that the lease still runs */
  retryAfter: number;
}

/** A request that has just begun is soon done; one that has run for long has perhaps died, and frees its key with the lease. In seconds. */
const waitFor = (leaseLeft: number) => Math.min(leaseLeft, Math.max(1, 2 * (LEASE_SECONDS - leaseLeft)));

export class IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param requestHash what the key stands for; another request under it is `reuse` */
  async claim(teamId: number, claim: Claim, requestHash: string): Promise<ClaimAnswer> {
    const values = [teamId, claim.route, claim.key, requestHash, claim.owner, LEASE, KEPT];
    const [row] = await readable(this.#database.query<Row>(CLAIM, values, { name: 'claim' }));
    if (!row) throw new Error('claim_idempotency answered without a row');
    if (row.state === 'replay' && row.outcome) return { state: 'replay', outcome: row.outcome };
    if (row.state === 'in_flight') return { state: 'in_flight', retryAfter: waitFor(row.retryAfter) };
    return { state: row.state === 'reuse' ? 'reuse' : 'claimed' };
  }

  /** Commits the outcome of a claimed request with the transaction that did its work. Throws the SQLSTATE `CLAIM_LOST`. */
  async settle(tx: Queryable, teamId: number, claim: Claim, outcome: CommittedOutcome): Promise<void> {
    await tx.query('select settle_idempotency($1, $2::jsonb, $3::jsonb)', [teamId, JSON.stringify(claim), JSON.stringify(outcome)]);
  }

  /** Gives up a claim that was not settled, so that the next try need not wait for the lease. */
  async release(teamId: number, { route, key, owner }: Claim): Promise<void> {
    await this.#database.query(
      'delete from idempotency where team_id = $1 and route = $2 and key = $3 and owner = $4 and outcome is null',
      [teamId, route, key, owner],
    );
  }
}
