/** `npm run bench:ledger`: what the ledger adds to a page of 100, and what pricing a large match set costs a pool that owns much. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@elastic/elasticsearch';
import { Command, InvalidArgumentError } from 'commander';
import { revisionHash } from '../../src/domain/record/revision.ts';
import { price } from '../../src/search/price.ts';
import { makeElastic } from '../../src/store/elastic/client.ts';
import { IndexNames } from '../../src/store/elastic/indices.ts';
import { ProjectStore } from '../../src/store/elastic/projects.ts';
import { HoldingStore } from '../../src/store/postgres/holdings.ts';
import { Ledger } from '../../src/store/postgres/ledger.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { Database } from '../../src/store/postgres/pool.ts';
import { runScript, withServers } from '../stack/index.ts';
import { BULK, LEDGER_DEFAULTS, makePrincipal, measureLedgerPages, own, REVISION, times, WARM_UP } from './ledgerPages.ts';
import { type LedgerResults, markdown } from './ledgerReport.ts';
import { describeMachine } from './machine.ts';
import { withProgress } from './progress.ts';

const root = path.resolve(import.meta.dirname, '../..');
const SEARCH_TIMEOUT_MS = 60_000;

interface Options {
  owned: number[];
  pages: number;
  matches: number;
  write: boolean;
}

interface Bench {
  options: Options;
  database: Database;
  client: Client;
  names: IndexNames;
  signal: AbortSignal;
}

function whole(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

const readOptions = () =>
  new Command('npm run bench:ledger --')
    .description('Measures the ledger on a page of 100 records, and pricing; writes scripts/bench/ledger-results.md.')
    .option('--owned <numbers>', 'records that the pools own, comma-separated', (text) => text.split(',').map(whole), LEDGER_DEFAULTS.owned)
    .option('--pages <pages>', 'measured pages a row', whole, LEDGER_DEFAULTS.pages)
    .option('--matches <records>', 'records of the index that is priced; half of them match; 0 leaves pricing out', whole, 1_000_000)
    .option('--no-write', 'leave scripts/bench/ledger-results.md as it is')
    .parse(process.argv)
    .opts<Options>();

/** A million small documents with what pricing asks for, every second one in the match set. */
async function makeIndex({ client, names, options, signal }: Bench): Promise<void> {
  const index = names.served('projects');
  await client.indices.create({
    index,
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', max_terms_count: 1_000_000 } as object,
    mappings: {
      properties: { id: { type: 'long' }, derived: { properties: { revisionHash: { type: 'long' }, stateId: { type: 'keyword' } } } },
    },
  });
  for (let from = 1; from <= options.matches; from += BULK) {
    signal.throwIfAborted();
    const operations = Array.from({ length: Math.min(BULK, options.matches - from + 1) }, (_, i) => from + i).flatMap((id) => [
      { index: {} },
      { id, derived: { revisionHash: revisionHash(id, REVISION), stateId: id % 2 ? '8' : '48' } },
    ]);
    const { errors } = await client.bulk({ index, operations });
    if (errors) throw new Error('The index refused documents');
  }
  await client.indices.refresh({ index });
  await client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: '10m' });
}

const megabytes = () => {
  global.gc?.();
  return process.memoryUsage().rss / 1e6;
};

async function priceRows(bench: Bench): Promise<LedgerResults['prices']> {
  const { database, client, names, options, signal } = bench;
  const store = new ProjectStore(client, names, SEARCH_TIMEOUT_MS);
  const ledger = new Ledger(database);
  const rows: LedgerResults['prices'] = [];
  for (const owned of options.owned) {
    const principal = await makePrincipal(database, 'api_only');
    await own(database, principal.teamId, owned, signal);
    const holdings = new HoldingStore(database);
    const before = megabytes();
    const read = await times(WARM_UP + 1, async (i) => (i === WARM_UP ? holdings.of(principal.teamId) : undefined));
    const held = megabytes() - before;
    const again = await times(WARM_UP + 50, () => holdings.of(principal.teamId));
    const query = { term: { 'derived.stateId': '8' } };
    const pricing = { store, ledger, holdings };
    const counts = await times(WARM_UP + 30, () => price(pricing, principal, query, signal));
    const { matchCount, billableRecordCount } = await price(pricing, principal, query);
    rows.push({
      owned,
      firstReadMs: read.p50,
      laterReadMs: again.p50,
      holdingsMegabytes: Math.max(0, held),
      priceP50Ms: counts.p50,
      priceP99Ms: counts.p99,
      peakMegabytes: process.resourceUsage().maxRSS / 1e3,
      matchCount,
      billableRecordCount,
    });
  }
  return rows;
}

async function measure(bench: Bench): Promise<LedgerResults> {
  const { database, client, options, signal } = bench;
  const [server] = await database.query<LedgerResults['postgres']>(
    `select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as "synchronousCommit"`,
  );
  const pages = await withProgress('Measured pages', 1, () => measureLedgerPages(bench.database, options, signal));
  if (options.matches) await withProgress('Made the index', 1, () => makeIndex(bench));
  const prices = options.matches ? await withProgress('Measured prices', 1, () => priceRows(bench)) : [];
  return { machine: await describeMachine(client), postgres: server as LedgerResults['postgres'], indexed: options.matches, pages, prices };
}

await runScript(async (signal) => {
  const options = readOptions();
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.error, signal });
  const schema = `bench_${randomBytes(6).toString('hex')}`;
  const names = new IndexNames(schema.replace('_', '-'));
  await migrate(servers.databaseUrl, schema);
  const database = new Database({ url: servers.databaseUrl, schema });
  const client = makeElastic({ url: servers.elasticsearchUrl, timeoutMs: SEARCH_TIMEOUT_MS, retries: 0 });
  try {
    const page = markdown(await measure({ options, database, client, names, signal }));
    if (options.write) writeFileSync(path.join(import.meta.dirname, 'ledger-results.md'), page);
    console.log(page);
    return 0;
  } finally {
    await client.indices.delete({ index: names.served('projects'), ignore_unavailable: true });
    await database.query(`drop schema "${schema}" cascade`);
    await Promise.all([client.close(), database.close()]);
    await servers.stop();
  }
});
