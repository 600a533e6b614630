/** Audits the books: balances must follow from entries, and charges from deliveries and open reservations (src/docs/credits.md). */
import type { Database } from '../store/postgres/pool.ts';

/** An inconsistency. */
export interface Difference {
  teamId: number;
  check: 'balance' | 'running balance' | 'deliveries' | 'contacts' | 'attempts' | 'grant ahead';
  /** credits; for a grant ahead of the database's clock, its plan and month */
  expected: number | string;
  found: number | string;
  /** the first entry with a wrong running balance, or the grant that lies ahead */
  entryId: number | null;
}

export interface AuditReport {
  pools: number;
  entries: number;
  deliveries: number;
  differences: Difference[];
}

const BALANCES_SQL = `
  select p.team_id as "teamId", 'balance' as check, coalesce(sum(e.amount), 0)::float8 as expected, p.balance as found, null::float8 as "entryId"
  from credit_pool p left join ledger_entry e on e.team_id = p.team_id
  group by p.team_id having coalesce(sum(e.amount), 0) <> p.balance`;

const RUNNING_BALANCES_SQL = `
  select team_id as "teamId", 'running balance' as check, running::float8 as expected, balance as found, id::float8 as "entryId"
  from (select team_id, id, balance, sum(amount) over (partition by team_id order by id) as running from ledger_entry) as entry
  where running <> balance order by id limit 100`;

const DELIVERIES_SQL = `
  with paid as (
    select team_id, -sum(amount) as credits from ledger_entry
    where kind in ('charge', 'reservation', 'refund') and subject in ('records', 'documents') group by team_id
  ), delivered as (
    select team_id, sum(credits) as credits from
      (select team_id, credits from delivery union all select team_id, credits from document_delivery
       union all select team_id, credits from reservation where subject = 'records') as each group by team_id
  )
  select coalesce(p.team_id, d.team_id) as "teamId", 'deliveries' as check, coalesce(d.credits, 0)::float8 as expected,
         coalesce(p.credits, 0)::float8 as found, null::float8 as "entryId"
  from paid p full join delivered d on d.team_id = p.team_id
  where coalesce(p.credits, 0) <> coalesce(d.credits, 0)`;

const CONTACTS_SQL = `
  with paid as (
    select team_id, -sum(amount) as credits from ledger_entry
    where kind in ('charge', 'reservation', 'refund') and subject = 'contacts' group by team_id
  ), unlocked as (
    select team_id, sum(credits) as credits from
      (select team_id, credits from contact_unlock union all select team_id, credits from reservation where subject = 'contacts') as each
    group by team_id
  )
  select coalesce(p.team_id, u.team_id) as "teamId", 'contacts' as check, coalesce(u.credits, 0)::float8 as expected,
         coalesce(p.credits, 0)::float8 as found, null::float8 as "entryId"
  from paid p full join unlocked u on u.team_id = p.team_id
  where coalesce(p.credits, 0) <> coalesce(u.credits, 0)`;

/** The used part of a team's allowance must be at least what its waiting jobs reserve. */
const ATTEMPTS_SQL = `
  select h.team_id as "teamId", 'attempts' as check, sum(h.attempts)::float8 as expected, coalesce(a.used, 0)::float8 as found,
         null::float8 as "entryId"
  from contact_hold h left join contact_allowance a on a.team_id = h.team_id and a.period = h.period
  group by h.team_id, h.period, a.used having coalesce(a.used, 0) < sum(h.attempts)`;

const GRANTS_AHEAD_SQL = `
  select p.team_id as "teamId", 'grant ahead' as check, granted_now(p.granted_for) as expected, p.granted_for as found,
         (select max(id) from ledger_entry e where e.team_id = p.team_id and e.kind = 'grant')::float8 as "entryId"
  from credit_pool p where p.granted_for > granted_now(p.granted_for) order by 1`;

const TOTALS_SQL = `
  select (select count(*) from credit_pool)::float8 as pools, (select count(*) from ledger_entry)::float8 as entries,
         ((select count(*) from delivery) + (select count(*) from document_delivery))::float8 as deliveries`;

/** Audits in one snapshot, so that it can run while the service does. */
export async function auditLedger(database: Database): Promise<AuditReport> {
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const differences: Difference[] = [];
    for (const check of [BALANCES_SQL, RUNNING_BALANCES_SQL, DELIVERIES_SQL, CONTACTS_SQL, ATTEMPTS_SQL, GRANTS_AHEAD_SQL])
      differences.push(...(await tx.query<Difference>(check)));
    const [totals] = await tx.query<Omit<AuditReport, 'differences'>>(TOTALS_SQL);
    return { pools: 0, entries: 0, deliveries: 0, ...totals, differences };
  });
}

/** Stores the outcome for metrics. @param differences number found */
export async function recordAudit(database: Database, differences: number): Promise<void> {
  await database.query('insert into audit_run (differences) values ($1)', [differences]);
}
