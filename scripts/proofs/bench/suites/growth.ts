/** Suite `growth`: the same questions over corpora of several sizes, in turn, and what they say of sizes that were not measured. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RENDERED_PATH } from '../../../../src/core/store/elastic/renderedPages.ts';
import { UserError } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/table.ts';
import { ApiClient } from '../../../lib/apiClient.ts';
import { ApiProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, type ReportSection, sum } from '../../../lib/report.ts';
import { type Elastic, removeIndices } from '../../../lib/sandbox.ts';
import { type Backend, nodesOption, openBackend } from '../backend.ts';
import { pathsOf } from '../cells.ts';
import { type Corpus, type Loading, loadWithLoader, makeCorpus, waitForMerges, writeGeneration } from '../corpus.ts';
import { extrapolate, type Growing, growthOf } from '../growth.ts';
import { adoptIndex, CorpusHome, type KeptFiles, keepOption, reuseOption } from '../loaded.ts';
import { type Bench, roundsOption, type Suite, seedOption, sizesOption } from '../suite.ts';

const USUAL_SIZES = [30_000, 100_000, 300_000];
const RECKONED = [10_000_000, 100_000_000];
const WARM_UP_ROUNDS = 5;
/** Rounds of the option, times as many requests of each row and size. */
const REQUESTS_A_ROUND = 10;
/** A shard that is larger takes long to move and to merge. */
const SHARD_MEGABYTES = 40_000;
const MEGABYTE = 1e6;

interface Options extends KeptFiles {
  n?: number[];
  seed: number;
  rounds: number;
  nodes: number;
}

/** The suite's environment with the Elasticsearch that it measures. */
interface Measuring extends Bench {
  backend: Backend;
}

/** What a load took, and what it left on the disk; kept beside a kept corpus. */
interface Loaded {
  seconds: number;
  /** of the search backend, where its process can be seen */
  elasticCpuSeconds: number | null;
  peakMegabytes: number;
  indexMegabytes: number;
  /** of the index without texts of records: what searches read */
  searchedMegabytes: number | null;
  /** what `ingest rebuild` needs */
  stateMegabytes: number;
}

interface Size {
  corpus: Corpus;
  home: CorpusHome;
  loaded: Loaded;
}

const loadFile = (home: CorpusHome) => path.join(home.folder, 'load.json');

/** Loads a corpus, unless it is kept from an earlier run. */
async function loadSize(bench: Measuring, n: number, options: Options): Promise<Size> {
  const corpus = makeCorpus(n, options.seed);
  const home = new CorpusHome({ ...bench, client: bench.backend.client }, corpus, options);
  const today = await home.keptDay();
  if (today && existsSync(loadFile(home))) {
    await adoptIndex(bench.sandbox, home.prefix, bench.signal);
    return { corpus: { ...corpus, today }, home, loaded: JSON.parse(readFileSync(loadFile(home), 'utf8')) };
  }
  const loaded = await measureLoad(bench, corpus, home);
  home.loaded(corpus);
  writeFileSync(loadFile(home), JSON.stringify(loaded));
  return { corpus, home, loaded };
}

async function measureLoad({ backend, sandbox, signal }: Measuring, corpus: Corpus, home: CorpusHome): Promise<Loaded> {
  const { client, url, layout } = backend;
  const file = path.join(home.folder, 'generation.ndjson');
  const index = `${home.prefix}-projects`;
  // What a load that was broken off has left.
  await removeIndices(client, home.prefix);
  rmSync(path.join(home.folder, 'generations'), { recursive: true, force: true });
  try {
    await withProgress(`Made ${whole(corpus.n)} projects`, corpus.n, (done) => writeGeneration(corpus, file, done, signal));
    const before = backend.cpu();
    const env = { ...sandbox.environment(url, home.prefix), ...layout, GENERATIONS_DIR: path.join(home.folder, 'generations') };
    const load: Loading = await withTimedStep('Loaded them', () => loadWithLoader(env, file, signal));
    const after = backend.cpu();
    const elasticCpuSeconds = before === undefined || after === undefined ? null : (after - before) / 1000;
    await withTimedStep('Settled the index', () => waitForMerges(client, index));
    const { indexMegabytes, searchedMegabytes } = await measureDisk(client, index);
    const stateMegabytes = folderBytes(path.join(home.folder, 'generations')) / MEGABYTE;
    return {
      seconds: load.seconds,
      elasticCpuSeconds,
      peakMegabytes: load.peakBytes / MEGABYTE,
      indexMegabytes,
      searchedMegabytes,
      stateMegabytes,
    };
  } finally {
    rmSync(file, { force: true });
  }
}

async function measureDisk(client: Elastic, index: string): Promise<Pick<Loaded, 'indexMegabytes' | 'searchedMegabytes'>> {
  const { _all } = await client.indices.stats({ index, metric: ['store'] });
  const indexMegabytes = (_all.primaries?.store?.size_in_bytes ?? 0) / MEGABYTE;
  const usage = await client.indices.diskUsage({ index, run_expensive_tasks: true });
  const { fields = {} } = Object.values(usage as Record<string, { fields?: Record<string, DiskUse> }>).find((one) => one.fields) ?? {};
  const searched = Object.entries(fields).filter(([name]) => !name.startsWith(RENDERED_PATH));
  const bytes = sum(searched.map(([, use]) => use.total_in_bytes - use.stored_fields_in_bytes));
  return { indexMegabytes, searchedMegabytes: bytes ? bytes / MEGABYTE : null };
}

/** Bytes of one field, as Elasticsearch answers. */
interface DiskUse {
  total_in_bytes: number;
  stored_fields_in_bytes: number;
}

const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((total, file) => total + (file.isFile() ? file.size : 0), 0);

/** One corpus with an API process of its own. */
interface Served extends Size {
  api: ApiProcess;
  clients: Readonly<Record<'free' | 'metered', ApiClient>>;
  /** states with the most records first */
  states: readonly number[];
}

/** A question, asked so often of each size in turn. */
interface Question {
  title: string;
  expected: Growing['expected'];
  /** rounds, of the usual number; an alert may run three times a day */
  runs?: number;
  /** @returns what is timed */
  prepare(served: Served): Promise<(at: number) => Promise<unknown>>;
}

const paths =
  (cell: Parameters<typeof pathsOf>[0], plan: 'free' | 'metered' = 'free'): Question['prepare'] =>
  async ({ corpus, clients }) => {
    const all = pathsOf(cell, corpus);
    return (at) => clients[plan].send({ path: all[at % all.length] as string });
  };

const SYNC = '/projects/sync?dateRange=all&includeGovernmentDecisions=true&representation=compact&limit=100';
const ANALYSIS = { groupBy: ['state', 'status'] };
/** Another edge for each request, so that nothing is answered from a cache. */
const countryView = (at: number) => `/projects/map?dateRange=all&view=${-125 + at / 1000},24.5,-66,49.5`;

const newAlert = async (client: ApiClient, state: number | undefined) =>
  client.post('/alerts', { name: 'Growth', filters: { states: [state], dateRange: 'all' }, maxRecordsPerRun: 1_000 }, randomUUID());

const runAlert = (client: ApiClient, id: string) =>
  client.send({ method: 'POST', path: `/alerts/${id}/run`, idempotencyKey: randomUUID() });

const QUESTIONS: readonly Question[] = [
  { title: 'page of 100, compact', expected: 'not at all', prepare: paths('page') },
  { title: 'page of 100, full', expected: 'not at all', prepare: paths('full') },
  { title: 'page in a box, compact', expected: 'not at all', prepare: paths('bbox') },
  { title: 'page, new records billed', expected: 'not at all', prepare: paths('unheld', 'metered') },
  { title: 'count in a box', expected: 'as the records', prepare: paths('count') },
  { title: 'single record', expected: 'not at all', prepare: paths('record') },
  {
    title: 'sync page, from the start',
    expected: 'not at all',
    prepare: async ({ clients }) => {
      let cursor = '';
      return async () => {
        const { body } = await clients.free.send({ path: `${SYNC}${cursor}` });
        cursor = body.meta.sync.hasMore ? `&cursor=${encodeURIComponent(body.meta.sync.cursor)}` : '';
      };
    },
  },
  {
    title: 'aggregate by state and status',
    expected: 'as the records',
    prepare:
      async ({ clients, states }) =>
      (at) =>
        // One state is left out, another each time.
        clients.free.post('/analytics/aggregate', {
          ...ANALYSIS,
          filters: { dateRange: 'all', states: states.filter((_, i) => i !== at % states.length) },
        }),
  },
  {
    title: 'map of the country',
    expected: 'as the records',
    prepare:
      async ({ clients }) =>
      (at) =>
        clients.free.send({ path: countryView(at) }),
  },
  {
    title: 'alert run, first (1,000 records)',
    expected: 'not at all',
    runs: 3,
    prepare:
      async ({ clients, states }) =>
      async (at) => {
        const { id } = await newAlert(clients.free, states[at]);
        await runAlert(clients.free, id);
      },
  },
  {
    title: 'alert, nothing new',
    expected: 'not at all',
    prepare: async ({ clients, states }) => {
      const { id } = await newAlert(clients.free, states[3]);
      await runAlert(clients.free, id);
      return () => clients.free.send({ path: `/alerts/${id}/preview` });
    },
  },
];

async function serveSize({ sandbox, backend, signal }: Measuring, size: Size): Promise<Served> {
  const api = await ApiProcess.start(sandbox.environment(backend.url, size.home.prefix), signal);
  const client = async (plan: 'national' | 'api_only') => new ApiClient(api.url, (await sandbox.account(plan)).key);
  const clients = { free: await client('national'), metered: await client('api_only') };
  const { groups } = await clients.free.post('/analytics/aggregate', { groupBy: ['state'], filters: { dateRange: 'all' }, limit: 60 });
  const states = (groups as { count: number; keys: { state: number } }[])
    .toSorted((a, b) => b.count - a.count)
    .map(({ keys }) => keys.state);
  return { ...size, api, clients, states };
}

/** Milliseconds of a question at each size, which are asked in turn so that other work hits them alike. */
async function measureQuestion(
  sizes: readonly Served[],
  { prepare, runs }: Question,
  rounds: number,
  signal: AbortSignal,
): Promise<number[]> {
  const asks = [];
  for (const size of sizes) asks.push(await prepare(size));
  const times: number[][] = sizes.map(() => []);
  const warmUps = runs ? 0 : WARM_UP_ROUNDS;
  for (let at = 0; at < warmUps + (runs ?? rounds); at++)
    for (const [of, ask] of asks.entries()) {
      signal.throwIfAborted();
      const began = performance.now();
      await ask(at);
      if (at >= warmUps) times[of]?.push(performance.now() - began);
    }
  return times.map(median);
}

const loadRows = (sizes: readonly Size[]): Growing[] => {
  const row = (title: string, unit: Growing['unit'], expected: Growing['expected'], pick: (loaded: Loaded) => number | null): Growing[] => {
    const values = sizes.map(({ loaded }) => pick(loaded));
    return values.some((value) => value === null) ? [] : [{ title, unit, expected, values: values as number[] }];
  };
  return [
    ...row('load', 's', 'as the records', ({ seconds }) => seconds),
    ...row('load: processor time of Elasticsearch', 's', 'as the records', ({ elasticCpuSeconds }) => elasticCpuSeconds),
    ...row('load: memory of the loader at most', 'MB', 'not at all', ({ peakMegabytes }) => peakMegabytes),
    ...row('disk: index', 'MB', 'as the records', ({ indexMegabytes }) => indexMegabytes),
    ...row('disk: what searches read of it', 'MB', 'as the records', ({ searchedMegabytes }) => searchedMegabytes),
    ...row('disk: files for a rebuild', 'MB', 'as the records', ({ stateMegabytes }) => stateMegabytes),
  ];
};

const text = (value: number, unit: Growing['unit']) =>
  unit === 'ms' && value >= 10_000 ? `${whole(value / 1000)} s` : `${milliseconds(value)} ${unit}`;

function growthSection(rows: readonly Growing[], sizes: readonly number[]): ReportSection {
  const records = (sizes.at(-1) as number) / (sizes[0] as number);
  return {
    title: 'Growth',
    text: `Medians of one request at a time, each row asked of all sizes in turn. *Times* is the last size's figure by the first's, for ${records.toFixed(1)} times the records; *exponent* is 1 where a figure grows as the records do and 0 where it stays. A row is too fast where its exponent is more than .2 above what is expected.`,
    head: ['', ...sizes.map(whole), 'times', 'exponent', 'expected', ''],
    rows: rows.map((row) => {
      const { times, exponent, tooFast } = growthOf(row, sizes);
      return [
        row.title,
        ...row.values.map((value) => text(value, row.unit)),
        times.toFixed(2),
        exponent.toFixed(2),
        row.expected,
        tooFast ? 'TOO FAST' : '',
      ];
    }),
  };
}

function reckoningSection(rows: readonly Growing[], sizes: readonly number[]): ReportSection {
  const disk = rows.find(({ title }) => title === 'disk: index');
  const shards = (size: number) => (disk ? whole(Math.max(1, Math.ceil(extrapolate(disk, sizes, size) / SHARD_MEGABYTES))) : '');
  return {
    title: 'Reckoned',
    text: `What grows as the records do, on the straight line through the first and the last size; what should stay, by its exponent. *Shards* are as many as keep each below ${SHARD_MEGABYTES / 1000} GB. One node, whose memory no longer holds what searches read, would be slower than this.`,
    head: ['', ...RECKONED.map(whole)],
    rows: [
      ...rows.map((row) => [row.title, ...RECKONED.map((size) => text(extrapolate(row, sizes, size), row.unit))]),
      ['shards', ...RECKONED.map(shards)],
    ],
  };
}

export const growth: Suite<Options> = {
  name: 'growth',
  summary: 'the same questions over corpora of several sizes, and what they say of 10 and 100 million records',
  options: [sizesOption, seedOption, roundsOption, nodesOption, keepOption, reuseOption],
  async run(bench, options) {
    if (options.nodes > 1 && (options.keep || options.reuse))
      throw new UserError('--keep and --reuse need --nodes 1: other nodes end with the command.');
    const backend = await openBackend(bench, options.nodes);
    const measuring: Measuring = { ...bench, backend };
    const sizes: Size[] = [];
    const served: Served[] = [];
    try {
      for (const n of (options.n ?? USUAL_SIZES).toSorted((a, b) => a - b)) sizes.push(await loadSize(measuring, n, options));
      for (const size of sizes) served.push(await serveSize(measuring, size));
      const rows = loadRows(sizes);
      await withProgress('Asked', QUESTIONS.length, async (done) => {
        for (const question of QUESTIONS) {
          const values = await measureQuestion(served, question, options.rounds * REQUESTS_A_ROUND, bench.signal);
          rows.push({ title: question.title, unit: 'ms', expected: question.expected, values });
          done(rows.length);
        }
      });
      const counts = sizes.map(({ corpus }) => corpus.n);
      return {
        title: 'Growth',
        about: `Made-up projects (seed ${options.seed}), ${backend.about}, an API process for each size. Elasticsearch's cache of whole answers is switched off.`,
        sections: [growthSection(rows, counts), reckoningSection(rows, counts)],
        figures: { sizes: counts, rows: rows.map((row) => growthOf(row, counts)) },
      };
    } finally {
      for (const { api } of served) await api.end();
      for (const { home } of sizes) await home.leave();
      await backend.end();
    }
  },
};
