/** `npm run bench:sync`: loading, walking and switching a corpus of any size, beside raw Elasticsearch. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@elastic/elasticsearch';
import { Command, InvalidArgumentError } from 'commander';
import { REPRESENTATIONS, type Representation } from '../../src/domain/record/statement.ts';
import { makeElastic } from '../../src/store/elastic/client.ts';
import { loadPlaces } from '../../src/store/files/places.ts';
import { runScript, type ServerUrls, withServers } from '../stack/index.ts';
import type { Corpus } from './cells.ts';
import { outputOf, startChild } from './children.ts';
import { writeDocuments, writeGeneration } from './generationFile.ts';
import { ingestEnvironment, loadWithLoader, removeIndices } from './loading.ts';
import { describeMachine } from './machine.ts';
import { measureOrder, ORDERS, type Order } from './orders.ts';
import { withProgress } from './progress.ts';
import { type Account, makeAccount, startApi } from './service.ts';
import { settle } from './settle.ts';
import { measureSwitch } from './switching.ts';
import { markdown, type Sized, type SyncResults } from './syncReport.ts';
import { throughApi, throughElastic, throughSlices, type Walk, warmUp, warmUpApi } from './walks.ts';

const root = path.resolve(import.meta.dirname, '../..');
const REQUEST_TIMEOUT_MS = 120_000;
const WARM_UP_PAGES = 300;

interface Options {
  n: number[];
  seed: number;
  orders: Order[];
  representations: Representation[];
  switch: boolean;
  json: boolean;
  write: boolean;
}

interface Run {
  options: Options;
  servers: ServerUrls;
  client: Client;
  account: Account;
  folder: string;
  prefix: string;
  signal: AbortSignal;
}

const whole = (text: string): number => {
  if (/^\d{4,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1000 to 9999999.');
};

function someOf<T extends string>(all: readonly T[]) {
  return (text: string): T[] =>
    text.split(',').flatMap((name) => {
      if (name === '') return [];
      const known = all.find((one) => one === name);
      if (!known) throw new InvalidArgumentError(`'${name}' is none of ${all.join(', ')}.`);
      return [known];
    });
}

const ORDER_NAMES = Object.keys(ORDERS) as Order[];

const readOptions = () =>
  new Command('npm run bench:sync --')
    .description('Measures loading, walking and switching; writes scripts/bench/sync-results.md.')
    .option('--n <projects>', 'sizes of the corpus, comma-separated', (text) => text.split(',').map(whole), [200_000, 1_000_000])
    .option('--seed <number>', 'the same seed gives the same projects', Number, 1)
    .option(
      '--orders <names>',
      `orders of documents on disk to compare, at the first size: ${ORDER_NAMES}`,
      someOf(ORDER_NAMES),
      ORDER_NAMES,
    )
    .option('--representations <names>', `walked: some of ${REPRESENTATIONS}; at further sizes the first alone`, someOf(REPRESENTATIONS), [
      ...REPRESENTATIONS,
    ])
    .option('--no-switch', 'leave out the switch of generations, at the last size')
    .option('--json', 'print the results as JSON', false)
    .option('--no-write', 'leave scripts/bench/sync-results.md as it is')
    .addHelpText(
      'after',
      `
Examples:
  npm run bench:sync                                              everything, for more than an hour
  npm run bench:sync -- --n 20000 --no-write                      a quick look
  npm run bench:sync -- --n 200000 --orders '' --no-switch        walks alone`,
    )
    .parse(process.argv)
    .opts<Options>();

const corpusOf = ({ seed }: Options, n: number): Corpus => ({
  n,
  seed,
  today: new Date().toISOString().slice(0, 10),
  places: loadPlaces(),
});

async function orders(run: Run): Promise<SyncResults['orders']> {
  const { options, client, folder, prefix, signal } = run;
  if (!options.orders.length) return [];
  const corpus = corpusOf(options, options.n[0] as number);
  const file = path.join(folder, 'documents.ndjson');
  await withProgress('Made final documents', corpus.n, (told) => writeDocuments(corpus, file, told, signal));
  const measured: SyncResults['orders'] = [];
  for (const order of options.orders) {
    const plan = { order, index: `${prefix}-${order}`, file, today: corpus.today };
    measured.push(await withProgress(`Order '${order}'`, 1, () => measureOrder(client, plan, signal)));
  }
  rmSync(file);
  return measured;
}

async function walks(run: Run, url: string, representations: readonly Representation[]): Promise<Walk[]> {
  const { client, account, prefix, signal } = run;
  const index = `${prefix}-projects`;
  await warmUp(client, index, WARM_UP_PAGES, signal);
  await warmUpApi(url, account.key, WARM_UP_PAGES, signal);
  const walked: Walk[] = [];
  for (const representation of representations) {
    walked.push(await withProgress(`Walked ${representation}, raw`, 1, () => throughElastic(client, index, representation, signal)));
    walked.push(await withProgress(`Walked ${representation}, API`, 1, () => throughApi(url, account.key, representation, signal)));
    walked.push(await withProgress(`Walked ${representation}, slices`, 1, () => throughSlices(client, index, representation, signal)));
  }
  return walked;
}

/** A further full generation, served and taken back while clients ask. */
async function switching(run: Run, url: string, corpus: Corpus): Promise<NonNullable<Sized['switching']>> {
  const { servers, prefix, folder, account, signal } = run;
  const file = path.join(folder, 'generation-2.ndjson');
  await withProgress('Made generation 2', corpus.n, (told) => writeGeneration(corpus, file, told, signal, 2));
  const load = await withProgress('Loaded it', 1, () => loadWithLoader(servers, prefix, file, signal, false));
  rmSync(file);
  const ingest = (...args: string[]) => outputOf(startChild('ingest/main.ts', args, ingestEnvironment(servers, prefix)), signal);
  const activated = await measureSwitch(url, account.key, ['activate', () => ingest('activate', '2', '--accept-loss')]);
  const rolledBack = await measureSwitch(url, account.key, ['rollback', () => ingest('rollback')]);
  return { load, switches: [activated, rolledBack] };
}

async function measureSize(run: Run, n: number): Promise<Sized> {
  const { options, servers, client, account, folder, prefix, signal } = run;
  const corpus = corpusOf(options, n);
  const file = path.join(folder, 'generation.ndjson');
  await withProgress(`Made ${n} projects`, n, (told) => writeGeneration(corpus, file, told, signal));
  const load = await withProgress('Loaded them', 1, () => loadWithLoader(servers, prefix, file, signal));
  rmSync(file);
  await withProgress('Settled the index', 1, () => settle(client, `${prefix}-projects`));
  const api = await startApi(account, servers.elasticsearchUrl, prefix);
  try {
    const walked = await walks(run, api.url, n === options.n[0] ? options.representations : options.representations.slice(0, 1));
    return {
      n,
      load,
      walks: walked,
      switching: n === options.n.at(-1) && options.switch ? await switching(run, api.url, corpus) : undefined,
    };
  } finally {
    await api.stop();
    await removeIndices(client, prefix);
  }
}

async function measureAll(options: Options, servers: ServerUrls, signal: AbortSignal): Promise<SyncResults> {
  const client = makeElastic({ url: servers.elasticsearchUrl, timeoutMs: REQUEST_TIMEOUT_MS, retries: 2 });
  const name = `sync_${process.pid}`;
  const folder = path.join(root, '.stack', 'bench', name);
  mkdirSync(folder, { recursive: true });
  const account = await makeAccount(servers, name);
  const run: Run = { options, servers, client, account, folder, prefix: `bench-${name}`, signal };
  try {
    const machine = await describeMachine(client);
    const ordered = await orders(run);
    const sizes: Sized[] = [];
    for (const n of options.n) sizes.push(await measureSize(run, n));
    return { machine, orders: ordered, sizes };
  } finally {
    await removeIndices(client, run.prefix);
    rmSync(folder, { recursive: true, force: true });
    await account.drop();
    await client.close();
  }
}

await runScript(async (signal) => {
  const options = readOptions();
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.error, signal });
  try {
    const results = await measureAll(options, servers, signal);
    const page = markdown(results);
    if (options.write) writeFileSync(path.join(import.meta.dirname, 'sync-results.md'), page);
    console.log(options.json ? JSON.stringify(results, undefined, 2) : page);
    return 0;
  } finally {
    await servers.stop();
  }
});
