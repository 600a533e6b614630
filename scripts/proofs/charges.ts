/** What each pool was charged, taken down by a trigger next to the ledger: every change of what a record's deliveries cost. */
import type { Database } from '../../src/core/store/postgres/pool.ts';

const WATCH = [
  `create table proof_charge (team_id integer, project_id bigint, revision text, credits integer)`,
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

/** Call it before the first delivery. */
export async function watchCharges(database: Database): Promise<void> {
  for (const statement of WATCH) await database.query(statement);
}

export interface Charges {
  /** credits that the ledger took for records */
  ledger: number;
  /** credits that deliveries note */
  deliveries: number;
  /** charges for a revision of a record that the pool had been charged for before, and charges of more than a credit */
  duplicated: number;
}

export async function readCharges(database: Database): Promise<Charges> {
  const [row] = await database.query<Charges>(`
    select (select coalesce(-sum(amount), 0)::float8 from ledger_entry where kind in ('charge', 'reservation', 'refund') and subject = 'records') as ledger,
           (select coalesce(sum(credits), 0)::float8 from proof_charge) as deliveries,
           (select coalesce(sum(credits - 1), 0)::float8 from
             (select sum(credits) as credits from proof_charge group by team_id, project_id, revision) as content) as duplicated`);
  if (!row) throw new Error('The charges could not be read');
  return row;
}

/** Credits that one pool was charged. */
export async function chargedTo(database: Database, teamId: number): Promise<number> {
  const [row] = await database.query<{ credits: number }>(
    `select coalesce(-sum(amount), 0)::float8 as credits from ledger_entry where team_id = $1 and kind = 'charge'`,
    [teamId],
  );
  return row?.credits ?? 0;
}
