/** Notes which rare states runs of the money proof reach. */
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import type { SimulatedClient } from './connections.ts';
import type { Mark, Marks } from './marks.ts';
import type { MoneyWorld } from './money.ts';
import type { Simulation } from './simulation.ts';

const isPage = ({ text }: { text: string }) => text.includes('deliver_page');
const idsOf = ({ values }: { values: readonly unknown[] }): string[] => String(values[5] ?? '').match(/\d+/g) ?? [];
const hasDone = (client: SimulatedClient, pattern: RegExp) => client.inTransaction && client.done.some((text) => pattern.test(text));

/** Registers observers of the simulation that note reached states. */
export function watchMoney(simulation: Simulation, marks: Marks): void {
  simulation.onWait = (waiting, holders) => {
    if (!isPage(waiting)) return;
    if (holders.some(({ process }) => process.startsWith('worker'))) marks.reach('a page waits for the settlement of a job');
    if (holders.some((holder) => isPage(holder) && idsOf(holder).some((id) => idsOf(waiting).includes(id))))
      marks.reach('two pages of one record wait for each other');
  };
  simulation.onInterruption = ({ what }, { clients }) => {
    if (what !== 'kill') return;
    if ([...clients].some((one) => hasDone(one, /reserve_credits/)))
      marks.reach('a process dies between the reservation and the commit of an acceptance');
    if ([...clients].some((one) => hasDone(one, /release_reservation|settle_contacts/)))
      marks.reach('a process dies in the transaction that settles a job');
  };
  simulation.onFailure = (_text, { code }) => {
    if (code === 'LU001') marks.reach('a claim is settled after it was taken over');
    if (code === 'LU002') marks.reach('a lease is lost while its attempt works');
  };
  simulation.onTerminated = () => marks.reach('a transaction that stood still is ended by Postgres');
}

/** Queries that return a row if a finished run reached a rare state. */
const REACHED: Partial<Record<Mark, string>> = {
  'a claim of an idempotency key is taken over after its lease': `select from proof_takeover`,
  'a job is begun again after its worker died': `select from job where team_id = $1 and last_failure like 'The worker % was lost'`,
  'a job settles in the month after its reservation': `
    select from ledger_entry a join ledger_entry b using (team_id, job_id) where a.team_id = $1 and a.kind = 'reservation' and b.kind = 'refund'
      and date_trunc('month', a.at) < date_trunc('month', b.at)`,
  'a grant is due while several requests run': `
    select from ledger_entry where team_id = $1 and kind = 'grant' and note like 'api_only %' having count(*) > 1`,
  'a lost file is given back': `select from export where team_id = $1 and credits_lost > 0`,
  'a record of a lost file is held by another file': `
    select from export gone join export kept on kept.team_id = gone.team_id and kept.lost_at is null and kept.ready_at < gone.lost_at
      join export_delivery d on d.export_id = kept.id, jsonb_array_elements_text(gone.source->'projectIds') as asked (project)
    where gone.team_id = $1 and gone.lost_at is not null and asked.project::bigint = any (d.project_ids || d.held_ids)`,
};

/** Notes the states that a finished run reached. */
export async function noteReached(database: Database, world: MoneyWorld, marks: Marks): Promise<void> {
  const named = Object.entries(REACHED) as [Mark, string][];
  const columns = named.map(([, sql], i) => `exists (${sql}) as "${i}"`);
  const [row] = await database.query<Record<string, boolean>>(`select ${columns.join(', ')}, $1::integer as team`, [world.teamId]);
  for (const [i, [mark]] of named.entries()) if (row?.[i]) marks.reach(mark);
  const pages = world.answers.flatMap(({ action, ...answer }) => (action.what === 'page' ? [{ ...answer, ids: action.ids }] : []));
  if (world.answers.some(({ action, outcome }) => action.what === 'export' && ['insufficient', 'exhausted'].includes(outcome)))
    marks.reach('an acceptance is refused for want of credits');
  if (pages.some(({ outcome, items, ids }) => outcome === 'delivered' && items.length < ids.length))
    marks.reach('a page is cut to what the balance pays for');
  if (isBack(pages.flatMap(({ items }) => items))) marks.reach('a revision comes back after a newer one');
}

/** Whether a record was delivered again in an earlier revision. */
function isBack(items: readonly { id: number; revision: string }[]): boolean {
  const seen = new Map<number, string[]>();
  for (const { id, revision } of items) {
    const before = seen.get(id) ?? [];
    if (before.includes(revision) && before.at(-1) !== revision) return true;
    seen.set(id, [...before, revision]);
  }
  return false;
}
