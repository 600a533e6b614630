/** Invariants that do not hold, and those of the books, which hold after every run of any proof. */
import { audit } from '../../../src/core/ledger/audit.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';

export class Breach extends Error {
  readonly invariant: string;
  constructor(invariant: string, found: unknown) {
    super(`${invariant}: ${JSON.stringify(found)}`);
    this.invariant = invariant;
  }
}

/** Each finds rows that should not be there, of team $1. */
export type Invariants = Readonly<Record<string, string>>;

/** @throws Breach */
export async function checkInvariants(database: Database, invariants: Invariants, teamId: number): Promise<void> {
  for (const [invariant, sql] of Object.entries(invariants)) {
    const rows = await database.query<Record<string, unknown>>(sql, sql.includes('$1') ? [teamId] : []);
    if (rows.length) throw new Breach(invariant, rows);
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

/** @throws Breach */
export async function checkCharges(database: Database, teamId: number): Promise<void> {
  const { differences } = await audit(database);
  if (differences.length) throw new Breach('balance = grants - charges + refunds', differences);
  await checkInvariants(database, BOOKS, teamId);
}
