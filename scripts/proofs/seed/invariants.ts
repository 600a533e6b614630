/** Checks invariants; those of the books have to hold after every run of any proof. */
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';

export class InvariantViolation extends Error {
  readonly invariant: string;
  constructor(invariant: string, found: unknown) {
    super(`${invariant}: ${JSON.stringify(found)}`);
    this.invariant = invariant;
  }
}

/** Queries by their invariant; each finds rows of team $1 that violate it. */
export type Invariants = Readonly<Record<string, string>>;

/** @throws InvariantViolation */
export async function checkInvariants(database: Database, invariants: Invariants, teamId: number): Promise<void> {
  for (const [invariant, sql] of Object.entries(invariants)) {
    const rows = await database.query<Record<string, unknown>>(sql, sql.includes('$1') ? [teamId] : []);
    if (rows.length) throw new InvariantViolation(invariant, rows);
  }
}

const BOOKS: Invariants = {
  'a content is charged once in a pool': `
    select project_id, revision, sum(credits) as credits from proof_charge
    where team_id = $1 and not exists (select from export where team_id = $1 and lost_at is not null)
    group by 1, 2 having sum(credits) > 1`,
  'a record costs what its contents cost': `
    select project_id, credits, cardinality(earlier_hashes) + 1 as contents from delivery
    where team_id = $1 and credits > cardinality(earlier_hashes) + 1`,
  'a balance is never below zero': `select balance from ledger_entry where team_id = $1 and balance < 0`,
  'a key is charged once': `
    select route, idempotency_key, count(*) from ledger_entry
    where team_id = $1 and kind = 'charge' and job_id is null and idempotency_key is not null group by 1, 2 having count(*) > 1`,
};

/** @throws InvariantViolation */
export async function checkCharges(database: Database, teamId: number): Promise<void> {
  const { differences } = await auditLedger(database);
  if (differences.length) throw new InvariantViolation('balance = grants - charges + refunds', differences);
  await checkInvariants(database, BOOKS, teamId);
}
