/** The ledger's part of a page: what it takes to bill and record 100 records. */
import { PLANS, type PlanId } from '../../src/domain/plans.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { FetchedProject } from '../../src/domain/record/represent.ts';
import { revisionHash } from '../../src/domain/record/revision.ts';
import { deliver } from '../../src/search/delivery.ts';
import { AccountStore } from '../../src/store/postgres/accounts.ts';
import { Ledger } from '../../src/store/postgres/ledger.ts';
import type { Database } from '../../src/store/postgres/pool.ts';
import type { LedgerPage, Times } from './ledgerReport.ts';
import { quantile } from './quantile.ts';

/** Records that the pools own, and pages measured a row, unless told otherwise. */
export const LEDGER_DEFAULTS = { owned: [0, 10_000, 500_000], pages: 1000 };

const PAGE = 100;
export const WARM_UP = 50;
export const REVISION = 'r'.repeat(32);
export const BULK = 20_000;

const recordOf = (id: number, revision = REVISION) =>
  ({ id, contentRevision: revision, lastUpdated: '', compact: {} }) as unknown as FetchedProject;

export async function makePrincipal(database: Database, plan: PlanId): Promise<Principal> {
  const accounts = new AccountStore(database);
  const team = await accounts.createTeam({ name: `Bench ${plan}`, plan, monthlyCredits: 1_000_000_000 });
  const user = await accounts.createUser({ teamId: team.id, name: 'Bench' });
  return {
    keyId: '00000000-0000-4000-8000-000000000000',
    teamId: team.id,
    userId: user.id,
    role: 'owner',
    plan: PLANS[plan],
    monthlyCredits: team.monthlyCredits,
    licence: { nationwide: true },
    rotatingUntil: null,
  };
}

/** Gives a pool the records 1 to `count`, as deliveries that cost nothing, so that the books stay right. */
export async function own(database: Database, teamId: number, count: number, signal: AbortSignal): Promise<void> {
  for (let from = 1; from <= count; from += BULK) {
    signal.throwIfAborted();
    const ids = Array.from({ length: Math.min(BULK, count - from + 1) }, (_, i) => from + i);
    await database.query(
      `insert into delivery (team_id, project_id, revision, revision_hash, first_at, last_at, seq)
       select $1, id, $2, hash, now(), now(), nextval('delivery_seq') from unnest($3::bigint[], $4::bigint[]) as owned (id, hash)`,
      [teamId, REVISION, ids, ids.map((id) => revisionHash(id, REVISION))],
    );
  }
  await database.query('analyze delivery');
}

export async function times(count: number, work: (i: number) => Promise<unknown>): Promise<Times> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await work(i);
    if (i >= WARM_UP) taken.push(performance.now() - started);
  }
  taken.sort((a, b) => a - b);
  return { p10: quantile(taken, 0.1), p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) };
}

/** Consecutive ids, as a walk meets them, or ids from all over, as a filter picks them. */
const pageFrom = (first: number, step: number) => Array.from({ length: PAGE }, (_, i) => recordOf(first + i * step));

/** What metering adds to a page, new and read again, to pools that own so many records. */
export async function measureLedgerPages(
  database: Database,
  options: { owned: readonly number[]; pages: number },
  signal: AbortSignal,
): Promise<LedgerPage[]> {
  const ledger = new Ledger(database);
  const rows: LedgerPage[] = [
    { title: 'round trip to Postgres (`select 1`)', ...(await times(options.pages, () => database.query('select 1'))) },
  ];
  for (const plan of ['national', 'api_only'] as const)
    for (const owned of options.owned) {
      const principal = await makePrincipal(database, plan);
      await own(database, principal.teamId, owned, signal);
      const caller = { principal, requestId: 'bench', route: 'GET /projects/search' };
      const quote = () => ({ matchCount: 0, matchCountIsExact: true, countUrl: '' });
      const page = (records: FetchedProject[]) => deliver({ ledger }, caller, records, quote);
      const title = `${plan === 'national' ? 'free plan' : 'metered plan'}, owns ${owned.toLocaleString('en-US')}`;
      const base = 10_000_000;
      const fresh = await times(options.pages, (i) => page(pageFrom(base + i * PAGE, 1)));
      const held = owned || options.pages * PAGE;
      const first = owned ? 1 : base;
      const step = Math.max(1, Math.floor(held / PAGE) - 1);
      const again = await times(options.pages, (i) => page(pageFrom(first + (i % Math.max(1, step)), step)));
      rows.push({ title: `${title}: new`, ...fresh }, { title: `${title}: re-read`, ...again });
    }
  return rows;
}
