/** Suite `growth`: the same questions over corpora of several sizes, in turn, and what they say of sizes that were not measured. */
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { RENDERED_PATH } from '../../../../src/core/store/elastic/renderedPages.ts';
import { UserError } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { ApiProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, type ReportSection, sum, timeWork } from '../../../lib/report.ts';
import type { Elastic } from '../../../lib/sandbox.ts';
import { type Backend, nodesOption, openBackend } from '../backend.ts';
import { pathsOf } from '../cells.ts';
import { loadWithLoader, settleIndex, typeRows, writeGeneration } from '../corpus.ts';
import { extrapolate, type Growing, growthOf } from '../growth.ts';
import { type CorpusPlace, type LoadedCorpus, openCorpus } from '../loaded.ts';
import { type Bench, type CorpusOptions, corpusOptions, newClient, roundsOption, type Suite } from '../suite.ts';

const USUAL_SIZES = [30_000, 100_000, 300_000];
const RECKONED = [10_000_000, 100_000_000];
const WARM_UP_ROUNDS = 5;
/** Rounds of the option, times as many requests of each row and size. */
const REQUESTS_A_ROUND = 10;
/** A shard that is larger takes long to move and to merge. */
const SHARD_MEGABYTES = 40_000;
const MEGABYTE = 1e6;

interface Options extends CorpusOptions {
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

type Size = LoadedCorpus<Loaded>;

/** Loads a corpus, unless it is kept from an earlier run. */
const loadSize = (bench: Measuring, n: number, options: Options): Promise<Size> =>
  openCorpus(
    { ...bench, client: bench.backend.client },
    { ...options, n },
    (place) => measureLoad(bench, place),
    (figures) => typeof figures === 'object',
  );

async function measureLoad({ backend, sandbox, signal }: Measuring, { corpus, prefix, folder }: CorpusPlace): Promise<Loaded> {
  const { client, url, layout } = backend;
  const generations = path.join(folder, 'generations');
  using written = await writeGeneration(corpus, folder, signal);
  const before = backend.cpu();
  const env = { ...sandbox.environment(url, prefix), ...layout, GENERATIONS_DIR: generations };
  const { seconds, peakBytes } = await withTimedStep('Loaded them', () => loadWithLoader(env, written.file, signal));
  const after = backend.cpu();
  await settleIndex(client, prefix);
  return {
    seconds,
    elasticCpuSeconds: before === undefined || after === undefined ? null : (after - before) / 1000,
    peakMegabytes: peakBytes / MEGABYTE,
    stateMegabytes: folderBytes(generations) / MEGABYTE,
    ...(await measureDisk(client, `${prefix}-projects`)),
  };
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
  prepare(served: Served): ((at: number) => Promise<unknown>) | Promise<(at: number) => Promise<unknown>>;
}

const paths =
  (cell: Parameters<typeof pathsOf>[0], plan: 'free' | 'metered' = 'free'): Question['prepare'] =>
  ({ corpus, clients }) => {
    const all = pathsOf(cell, corpus);
    return (at) => clients[plan].send({ path: all[at % all.length] as string });
  };

const SYNC = '/projects/sync?dateRange=all&includeGovernmentDecisions=true&representation=compact&limit=100';
/** A view of the map with another edge for each request, so that nothing is answered from a cache. @param spread degrees over which it wanders */
const mapView =
  ([west, south]: readonly [number, number], [width, height]: readonly [number, number], spread = 0): Question['prepare'] =>
  ({ clients }) =>
  (at) => {
    const from = west + ((at % 20) / 20) * spread + at / 1000;
    return clients.free.send({ path: `/projects/map?dateRange=all&view=${from},${south},${from + width},${south + height}` });
  };

const MIDDLE = [-100, 30] as const;

/** Makes an alert and runs it once. @returns its path */
async function runNewAlert({ clients: { free }, states }: Served, at: number): Promise<string> {
  const filters = { states: [states[at]], dateRange: 'all' };
  const { id } = await free.post('/alerts', { name: 'Growth', filters, maxRecordsPerRun: 1_000 }, randomUUID());
  await free.post(`/alerts/${id}/run`, {}, randomUUID());
  return `/alerts/${id}`;
}

const STAYS = 'not at all';
const GROWS = 'as the records';
const QUESTIONS: readonly Question[] = [
  { title: 'page of 100, compact', expected: STAYS, prepare: paths('page') },
  { title: 'page of 100, full', expected: STAYS, prepare: paths('full') },
  { title: 'page in a box, compact', expected: STAYS, prepare: paths('bbox') },
  { title: 'page, new records billed', expected: STAYS, prepare: paths('unheld', 'metered') },
  { title: 'count in a box', expected: GROWS, prepare: paths('count') },
  { title: 'single record', expected: STAYS, prepare: paths('record') },
  {
    title: 'sync page, from the start',
    expected: STAYS,
    prepare: ({ clients }) => {
      let cursor = '';
      return async () => {
        const { body } = await clients.free.send({ path: `${SYNC}${cursor}` });
        cursor = body.meta.sync.hasMore ? `&cursor=${encodeURIComponent(body.meta.sync.cursor)}` : '';
      };
    },
  },
  {
    title: 'aggregate by state and status',
    expected: GROWS,
    prepare: ({ clients, states }) => {
      // One state is left out, another each time.
      const filters = (at: number) => ({ dateRange: 'all', states: states.filter((_, i) => i !== at % states.length) });
      return (at) => clients.free.post('/analytics/aggregate', { groupBy: ['state', 'status'], filters: filters(at) });
    },
  },
  { title: 'map of the country', expected: GROWS, prepare: mapView([-125, 24.5], [59, 25]) },
  { title: 'map of a state', expected: GROWS, prepare: mapView(MIDDLE, [8, 5], 20) },
  { title: 'map of a city', expected: GROWS, prepare: mapView(MIDDLE, [0.4, 0.25], 20) },
  {
    title: 'odds by body and use',
    expected: GROWS,
    prepare:
      ({ clients }) =>
      (at) =>
        clients.free.post('/analytics/odds', { filters: { dateRange: 'all', acreageMin: at / 1e6 }, by: ['decisionBody', 'propertyType'] }),
  },
  {
    title: 'match of 1,000 rows',
    expected: STAYS,
    runs: 3,
    prepare: ({ clients, corpus }) => {
      const rows = typeRows(corpus);
      return () => clients.free.post('/projects/match', { rows });
    },
  },
  { title: 'alert run, first (1,000 records)', expected: STAYS, runs: 3, prepare: (served) => (at) => runNewAlert(served, at) },
  {
    title: 'alert, nothing new',
    expected: STAYS,
    prepare: async (served) => {
      const alert = await runNewAlert(served, 3);
      return () => served.clients.free.send({ path: `${alert}/preview` });
    },
  },
];

async function serveSize({ sandbox, backend, signal }: Measuring, size: Size, closing: AsyncDisposableStack): Promise<Served> {
  const api = closing.use(await ApiProcess.start(sandbox.environment(backend.url, size.prefix), signal));
  const clients = { free: await newClient({ sandbox, api }), metered: await newClient({ sandbox, api }, 'api_only') };
  const { groups } = await clients.free.post('/analytics/aggregate', { groupBy: ['state'], filters: { dateRange: 'all' }, limit: 60 });
  const states = (groups as { count: number; keys: { state: number } }[])
    .toSorted((a, b) => b.count - a.count)
    .map(({ keys }) => keys.state);
  return { ...size, clients, states };
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
      const ms = await timeWork(() => ask(at));
      if (at >= warmUps) times[of]?.push(ms);
    }
  return times.map(median);
}

/** The figures of a load, and whether they should grow. */
const LOADED: readonly (Omit<Growing, 'values'> & { of: keyof Loaded })[] = [
  { title: 'load', unit: 's', expected: GROWS, of: 'seconds' },
  { title: 'load: processor time of Elasticsearch', unit: 's', expected: GROWS, of: 'elasticCpuSeconds' },
  { title: 'load: memory of the loader at most', unit: 'MB', expected: STAYS, of: 'peakMegabytes' },
  { title: 'disk: index', unit: 'MB', expected: GROWS, of: 'indexMegabytes' },
  { title: 'disk: what searches read of it', unit: 'MB', expected: GROWS, of: 'searchedMegabytes' },
  { title: 'disk: files for a rebuild', unit: 'MB', expected: GROWS, of: 'stateMegabytes' },
];

const loadRows = (sizes: readonly Size[]): Growing[] =>
  LOADED.flatMap(({ of, ...row }) => {
    const values = sizes.map(({ figures }) => figures[of]).filter((value) => value !== null);
    return values.length < sizes.length ? [] : [{ ...row, values }];
  });

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
  options: [...corpusOptions, roundsOption, nodesOption],
  async run(bench, options) {
    if (options.nodes > 1 && (options.keep || options.reuse))
      throw new UserError('--keep and --reuse need --nodes 1: other nodes end with the command.');
    await using closing = new AsyncDisposableStack();
    const backend = closing.use(await openBackend(bench, options.nodes));
    const measuring: Measuring = { ...bench, backend };
    const sizes: Size[] = [];
    for (const n of (options.n ?? USUAL_SIZES).toSorted((a, b) => a - b)) sizes.push(closing.use(await loadSize(measuring, n, options)));
    const served: Served[] = [];
    for (const size of sizes) served.push(await serveSize(measuring, size, closing));
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
  },
};
