/** Records what each pool was charged: a trigger notes every change of `delivery.credits`, independently of the ledger. */
import type { Database } from '../../src/core/store/postgres/pool.ts';

const WATCH = [
  `create table proof_charge (team_id integer, project_id bigint, revision text, credits integer, n serial)`,
  `create function proof_note() returns trigger language plpgsql as $$
  declare
    before integer := 0;
  begin
    if tg_op = 'UPDATE' then
      before := old.credits;
    end if;
    if new.credits <> before then
      insert into proof_charge values (new.team_id, new.project_id, new.revision, new.credits - before);
    end if;
    return null;
  end $$`,
  `create trigger proof_note after insert or update on delivery for each row execute function proof_note()`,
];

/** Installs the trigger; called before the first delivery. */
export async function watchCharges(database: Database): Promise<void> {
  for (const statement of WATCH) await database.query(statement);
}

export interface Charges {
  /** credits that the ledger took for records */
  ledger: number;
  /** credits in the rows of deliveries */
  deliveries: number;
  /** credits charged again for a revision that the pool had been charged for before, and credits above one for a revision */
  duplicated: number;
}

async function readRow<Row extends object>(database: Database, statement: string, values: unknown[] = []): Promise<Row> {
  const [row] = await database.query<Row>(statement, values);
  if (!row) throw new Error(`No row for: ${statement}`);
  return row;
}

export function readCharges(database: Database): Promise<Charges> {
  return readRow<Charges>(
    database,
    `select (select coalesce(-sum(amount), 0)::float8 from ledger_entry where kind in ('charge', 'reservation', 'refund') and subject = 'records') as ledger,
           (select coalesce(sum(credits), 0)::float8 from proof_charge) as deliveries,
           (select coalesce(sum(credits - 1), 0)::float8 from
             (select sum(credits) as credits from proof_charge group by team_id, project_id, revision) as content) as duplicated`,
  );
}

/** Credits that one pool was charged, according to the ledger. */
export async function readChargedCredits(database: Database, teamId: number): Promise<number> {
  const statement = `select coalesce(-sum(amount), 0)::float8 as credits from ledger_entry where team_id = $1 and kind = 'charge'`;
  return (await readRow<{ credits: number }>(database, statement, [teamId])).credits;
}

/** Deadlocks that Postgres has ended in this database since it was made; it counts one within a second. */
export async function countDeadlocks(database: Database): Promise<number> {
  const statement = 'select deadlocks::int as n from pg_stat_database where datname = current_database()';
  return (await readRow<{ n: number }>(database, statement)).n;
}
