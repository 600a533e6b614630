/** Suite `ledger`: what the ledger adds to a page of 100, and what pricing a large match set costs a pool that owns much. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Option } from 'commander';
import { PLANS, type PlanId } from '../../../../src/core/domain/plans.ts';
import type { Principal } from '../../../../src/core/domain/principal.ts';
import type { FetchedProject } from '../../../../src/core/domain/record/represent.ts';
import { revisionHash } from '../../../../src/core/domain/record/revisionHash.ts';
import { HoldingStore } from '../../../../src/core/ledger/holdings.ts';
import { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { OwnedPages } from '../../../../src/core/ledger/ownedPages.ts';
import { deliverPage } from '../../../../src/core/search/charge.ts';
import { paidClause } from '../../../../src/core/search/held.ts';
import { priceMatches } from '../../../../src/core/search/price.ts';
import { withholdDelivered } from '../../../../src/core/search/withhold.ts';
import { IndexNames } from '../../../../src/core/store/elastic/indices.ts';
import { ProjectStore } from '../../../../src/core/store/elastic/projects.ts';
import type { Database } from '../../../../src/core/store/postgres/pool.ts';
import { listOf, wholeNumber } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { type FiguresRow, quantile, tableOfFigures, timeCalls, timeWork } from '../../../lib/report.ts';
import type { Sandbox } from '../../../lib/sandbox.ts';
import type { Bench, Suite } from '../suite.ts';

const SEARCH_TIMEOUT_MS = 60_000;
const PAGE = 100;
const WARM_UP = 50;
const REVISION = 'r'.repeat(32);
const BULK = 20_000;
const PRICES = 30;
/** matches of a usual filter */
const FEW = 5_000;
/** ids of records that no pool owns yet begin here */
const NEW_FROM = 10_000_000;

interface Options {
  owned: number[];
  pages: number;
  matches: number;
}

/** milliseconds */
interface Times {
  p10: number;
  p50: number;
  p99: number;
}

async function makePrincipal(sandbox: Sandbox, plan: PlanId): Promise<Principal> {
  const { teamId, userId } = await sandbox.account(plan);
  return {
    keyId: '00000000-0000-4000-8000-000000000000',
    teamId,
    userId,
    role: 'owner',
    plan: PLANS[plan],
    monthlyCredits: 1_000_000_000,
    licence: { nationwide: true },
    rotatingUntil: null,
  };
}

/** Gives a pool records as deliveries that cost nothing, so that the books stay right. */
const give = (database: Database, teamId: number, ids: readonly number[]) =>
  database.query(
    `insert into delivery (team_id, project_id, revision, revision_hash, first_at, last_at, seq)
     select $1, id, $2, hash, now(), now(), nextval('delivery_seq') from unnest($3::bigint[], $4::bigint[]) as owned (id, hash)`,
    [teamId, REVISION, ids, ids.map((id) => revisionHash(id, REVISION))],
  );

/** Gives a pool the records 1 to `count`. */
async function giveRecords({ sandbox: { database }, signal }: Bench, teamId: number, count: number): Promise<void> {
  for (let from = 1; from <= count; from += BULK) {
    signal.throwIfAborted();
    const ids = Array.from({ length: Math.min(BULK, count - from + 1) }, (_, i) => from + i);
    await give(database, teamId, ids);
  }
  await database.query('analyze delivery');
}

async function times(count: number, work: (i: number) => Promise<unknown>): Promise<Times> {
  const taken = await timeCalls(count, work, WARM_UP);
  return { p10: quantile(taken, 0.1), p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) };
}

const recordOf = (id: number) => ({ id, contentRevision: REVISION, lastUpdated: '', compact: {} }) as unknown as FetchedProject;

/** Consecutive ids, as a walk meets them, or ids from all over, as a filter picks them. */
const pageFrom = (first: number, step: number) => Array.from({ length: PAGE }, (_, i) => recordOf(first + i * step));

/** What metering adds to a page, new and read again, to pools that own so many records. */
async function pageRows(bench: Bench, { owned: sizes, pages }: Options): Promise<FiguresRow[]> {
  const { database } = bench.sandbox;
  const ledger = new Ledger(database, { owned: new OwnedPages(database) });
  const row = (title: string, { p10, p50, p99 }: Times) => ({ 'page of 100': title, 'p10 ms': p10, 'p50 ms': p50, 'p99 ms': p99 });
  const rows = [row('round trip to Postgres (`select 1`)', await times(pages, () => database.query('select 1')))];
  for (const plan of ['national', 'api_only'] as const)
    for (const owned of sizes) {
      const principal = await makePrincipal(bench.sandbox, plan);
      await giveRecords(bench, principal.teamId, owned);
      const actor = { principal, cause: { kind: 'request', requestId: 'bench', route: 'GET /projects/search' } } as const;
      const quote = () => ({ matchCount: 0, matchCountIsExact: true, countUrl: '' });
      const page = (records: FetchedProject[]) => deliverPage({ ledger }, actor, records, quote);
      const title = `${plan === 'national' ? 'free plan' : 'metered plan'}, owns ${whole(owned)}`;
      const fresh = await times(pages, (i) => page(pageFrom(NEW_FROM + i * PAGE, 1)));
      const step = Math.max(1, Math.floor((owned || pages * PAGE) / PAGE) - 1);
      const again = await times(pages, (i) => page(pageFrom((owned ? 1 : NEW_FROM) + (i % step), step)));
      rows.push(row(`${title}: new`, fresh), row(`${title}: read again`, again));
    }
  return rows;
}

/** Many small documents with what pricing asks for, every second one in the match set. */
async function makeIndex({ client, signal }: Bench, alias: string, matches: number): Promise<void> {
  const index = `${alias}-g1-l1`;
  await client.indices.create({
    index,
    aliases: { [alias]: {} },
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', max_terms_count: 1_000_000 } as object,
    mappings: {
      properties: { id: { type: 'long' }, derived: { properties: { revisionHash: { type: 'long' }, stateId: { type: 'keyword' } } } },
    },
  });
  for (let from = 1; from <= matches; from += BULK) {
    signal.throwIfAborted();
    const operations = Array.from({ length: Math.min(BULK, matches - from + 1) }, (_, i) => from + i).flatMap((id) => [
      { index: {} },
      { id, derived: { revisionHash: revisionHash(id, REVISION), stateId: id % 2 ? '8' : '48' } },
    ]);
    const { errors } = await client.bulk({ index, operations });
    if (errors) throw new Error('The index refused documents');
  }
  await client.indices.refresh({ index });
  await client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: '10m' });
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Buffers are given back some time after they were found to be garbage. */
const GIVEN_BACK_MS = 300;

/** What this process keeps, without what is garbage already. */
const megabytes = async () => {
  collectGarbage();
  await sleep(GIVEN_BACK_MS);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

async function priceOf(bench: Bench, names: IndexNames, owned: number): Promise<FiguresRow> {
  const { sandbox, client, signal } = bench;
  const principal = await makePrincipal(sandbox, 'api_only');
  await giveRecords(bench, principal.teamId, owned);
  const holdings = new HoldingStore(sandbox.database);
  const before = await megabytes();
  const firstReadMs = await timeWork(() => holdings.revisions(principal.teamId));
  const kept = Math.max(0, (await megabytes()) - before);
  const later = await times(50, () => holdings.revisions(principal.teamId));
  const pricing = { store: new ProjectStore(client, names, SEARCH_TIMEOUT_MS), ledger: new Ledger(sandbox.database), holdings };
  const half = { term: { 'derived.stateId': '8' } };
  const fewOf = (i: number) => ({ bool: { filter: [half, { range: { id: { gt: i * FEW, lte: (i + 2) * FEW } } }] } });
  // Of records that the index lacks.
  const deliver = (id: number) => give(sandbox.database, principal.teamId, [NEW_FROM + id]);
  const ask = () => priceMatches(pricing, principal, half, signal);
  let asked = { matchCount: 0, billableRecordCount: 0 };
  // Of a filter that was not priced before since the last load; then of one that was, by a pool that has been delivered something since.
  const firstPriceMs = await timeWork(async () => {
    asked = await ask();
  });
  const price = await times(PRICES, (i) => deliver(i).then(ask));
  const few = await times(PRICES, (i) => priceMatches(pricing, principal, fewOf(i), signal));
  // What a page under `deliveryMode=new` brings, where all that is held comes first: the first time, and after a delivery.
  const wanted = { query: half, order: async () => [{ id: 'asc' }], max: PAGE };
  const findNew = () => withholdDelivered(pricing, { principal, signal }, wanted);
  const firstNewMs = await timeWork(findNew);
  const newPages = await times(PRICES, (i) => deliver(WARM_UP + PRICES + i).then(findNew));
  // The paid ones among few matches, as a map counts them of what it shows.
  const view = await times(PRICES, async (i) => {
    const shown = fewOf(i);
    const paid = await paidClause(pricing, principal, shown, signal);
    return pricing.store.counts([{ bool: { filter: [shown, paid] } }, { bool: { filter: [shown], must_not: [paid] } }], signal);
  });
  return {
    owned,
    matches: asked.matchCount,
    billable: asked.billableRecordCount,
    'first read ms': firstReadMs,
    'later read ms': later.p50,
    'kept MB': kept,
    'first price ms': firstPriceMs,
    'later p50 ms': price.p50,
    'later p99 ms': price.p99,
    'few p50 ms': few.p50,
    'few p99 ms': few.p99,
    'first new ms': firstNewMs,
    'new p50 ms': newPages.p50,
    'view p50 ms': view.p50,
    'process peak MB': process.resourceUsage().maxRSS / 1e3,
  };
}

async function priceRows(bench: Bench, { owned, matches }: Options): Promise<FiguresRow[]> {
  const names = new IndexNames(bench.sandbox.indexPrefix);
  await withTimedStep('Made the index', () => makeIndex(bench, names.readAlias('projects'), matches));
  const rows: FiguresRow[] = [];
  for (const count of owned) rows.push(await withTimedStep(`Priced for an owner of ${whole(count)}`, () => priceOf(bench, names, count)));
  return rows;
}

const priceText = (
  indexed: number,
) => `An index of ${whole(indexed)} records of which half match. *First read* loads what the pool owns into a process that has not seen it; *later read*
asks for what changed since. *Price* is everything behind \`GET /projects/count\` but parsing: the *first* one of a filter since the last load,
*later* ones, before each of which the pool is delivered a record, and first ones of filters with ${whole(FEW)} matches each (*few*). *New* is the
search for what a page under \`deliveryMode=new\` brings, where all that the pool owns comes first; *view* counts the paid ones among ${whole(FEW)} matches, as a map does.`;

export const ledger: Suite<Options> = {
  name: 'ledger',
  summary: "a page's billing and the price of a million matches, for pools that own much",
  options: [
    new Option('--owned <numbers>', 'records that the pools own, comma-separated')
      .argParser(listOf(wholeNumber(0, 99_999_999)))
      .default([0, 10_000, 500_000]),
    new Option('--pages <pages>', 'measured pages a row; 0 leaves pages out').argParser(wholeNumber(0, 1_000_000)).default(1000),
    new Option('--matches <records>', 'records of the index that is priced, half of which match; 0 leaves pricing out')
      .argParser(wholeNumber(0, 99_999_999))
      .default(1_000_000),
  ],
  async run(bench, options) {
    const [postgres] = await bench.sandbox.database.query<{ settings: string }>(
      `select format('Postgres %s (fsync %s, synchronous_commit %s)', split_part(current_setting('server_version'), ' ', 1),
                     current_setting('fsync'), current_setting('synchronous_commit')) as settings`,
    );
    const pages = options.pages ? await withTimedStep('Measured pages', () => pageRows(bench, options)) : [];
    const prices = options.matches ? await priceRows(bench, options) : [];
    const pageSection = tableOfFigures('A page of 100 records', undefined, pages);
    const priceSection = tableOfFigures('Pricing', priceText(options.matches), prices);
    return {
      title: "The ledger's cost",
      about: `${postgres?.settings}. All that metering adds to a page: hashing, one statement to Postgres, reading its answer. Without a ledger a page
has none of it. On a busy machine p10 is nearer to what the work itself takes.`,
      sections: [...(pages.length ? [pageSection] : []), ...(prices.length ? [priceSection] : [])],
      figures: { pages, prices },
    };
  },
};
