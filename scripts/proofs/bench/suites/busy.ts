/** Suite `busy`: every kind of read, and a start, while endless loops keep all cores of the machine busy: late answers, and no outage. */
import { spawn } from 'node:child_process';
import { Option } from 'commander';
import { UserError, wholeNumber } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { type ReceivedAnswer, sendRequest } from '../../../lib/apiClient.ts';
import { ApiProcess, WorkerProcess } from '../../../lib/programs.ts';
import { type OnProgress, withProgress, withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, p99, quantile, tableOf } from '../../../lib/report.ts';
import { root } from '../../../lib/sandbox.ts';
import { writeSample } from '../../../sample/generate.ts';
import { startStack } from '../../../stack/index.ts';
import { loadWithLoader } from '../corpus.ts';
import { type Bench, type Suite, seedOption, sizesOption } from '../suite.ts';

const USUAL_SIZE = 3_000;
const CLIENTS = 4;
/** As many as keep below the allowance of the route with the least. */
const TEAMS = 8;
const OUTAGE = 500;
const SHOWN_CHARACTERS = 200;
/** The loops end by themselves, whatever becomes of this process. */
const LOOP_MAX_MS = 900_000;
const STATES = ['CO', 'TX', 'FL'];

interface Options {
  n?: number[];
  seed: number;
  reads: number;
  loops: number;
}

interface Known {
  /** of records */
  ids: number[];
  documents: number[];
}

/** The path of the n-th read of a kind below `/v1`, and its body where it has one. */
type Read = (n: number, known: Known) => readonly [string, object?];

const pick = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

const KINDS: Record<string, Read> = {
  search: (n) => [`/projects/search?dateRange=all&limit=25&acreageMin=${n % 7}`],
  'search, new': (n) => [`/projects/search?dateRange=all&limit=5&deliveryMode=new&states=${pick(STATES, n)}`],
  count: (n) => [`/projects/count?dateRange=all&acreageMin=${n % 30}`],
  single: (n, { ids }) => [`/projects/${pick(ids, n)}`],
  sync: (n) => [`/projects/sync?dateRange=all&limit=100&representation=compact&states=${pick(STATES, n)}`],
  analytics: (n) => ['/analytics/aggregate', { filters: { dateRange: 'all', acreageMin: n % 9 }, groupBy: ['state', 'status'] }],
  odds: (n) => ['/analytics/odds', { filters: { states: [pick(STATES, n)], dateRange: 'all' }, by: ['decisionBody', 'propertyType'] }],
  hearings: (n) => [`/hearings?states=${pick(STATES, n)}`],
  map: (n) => [`/projects/map?dateRange=all&view=-${109 - (n % 5)},36.9,-102,41.1`],
  evidence: (n, { ids }) => [`/projects/${pick(ids, n)}/evidence`],
  documents: (n, { documents }) => [`/documents/${pick(documents, n)}`],
  match: (n) => ['/projects/match', { rows: [{ address: `${n} Main Street`, state: pick(STATES, n) }] }],
  coverage: (n) => [`/coverage?states=${pick(STATES, n)}&groupBy=county`],
  interpret: (n) => [`/interpret?q=denied+hotels,+offices+and+gas+stations+over+${n % 40}+acres+in+${pick(STATES, n)}+because+of+traffic`],
  reference: (n) => [pick(['/locations/states', '/releases?limit=2', '/start', '/account/credits'], n)],
};
const NAMES = Object.keys(KINDS);

function startLoops(count: number): DisposableStack {
  const loop = `for (const end = Date.now() + ${LOOP_MAX_MS}; Date.now() < end; );`;
  const loops = new DisposableStack();
  // Each in a session of its own, since Linux may share cores among sessions first: one of this process would slow the API alone.
  for (let i = 0; i < count; i++) loops.use(spawn(process.execPath, ['-e', loop], { stdio: 'ignore', detached: true }));
  return loops;
}

function read(url: string, key: string, [path, body]: readonly [string, object?]): Promise<ReceivedAnswer> {
  return sendRequest(url, key, { path: `/v1${path}`, ...(body ? { method: 'POST', body } : {}) });
}

async function findKnown(url: string, key: string): Promise<Known> {
  const { body, text } = await read(url, key, ['/projects/search?dateRange=all&limit=50']);
  if (!body.data?.length) throw new UserError(`The sample cannot be read: ${text.slice(0, SHOWN_CHARACTERS)}`);
  const records: { id: number; meetingDocumentId: number | null }[] = body.data;
  return { ids: records.map(({ id }) => id), documents: records.flatMap(({ meetingDocumentId }) => meetingDocumentId ?? []) };
}

interface Found {
  /** milliseconds of the reads by kind */
  times: Record<string, number[]>;
  /** answers of 500 or above */
  outages: number;
}

/** Reads in turn, each round of all kinds with the next key. */
async function readAll(url: string, keys: readonly string[], reads: number, onProgress: OnProgress, signal: AbortSignal): Promise<Found> {
  const known = await findKnown(url, keys[0] as string);
  const found: Found = { times: Object.fromEntries(NAMES.map((name) => [name, []])), outages: 0 };
  let next = 0;
  const client = async () => {
    for (let n = next++; n < reads; n = next++) {
      signal.throwIfAborted();
      const name = pick(NAMES, n);
      const round = Math.floor(n / NAMES.length);
      const { status, text, milliseconds: ms } = await read(url, pick(keys, round), (KINDS[name] as Read)(round, known));
      found.times[name]?.push(ms);
      onProgress(n);
      if (status < 300) continue;
      const refusal = `${name} answered ${status}: ${text.slice(0, SHOWN_CHARACTERS)}`;
      if (status < OUTAGE) throw new UserError(refusal);
      console.error(refusal);
      found.outages += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return found;
}

/** Starts servers as the demo and the tests do, and stops them. @returns the seconds until all were ready */
async function startServers(signal: AbortSignal): Promise<number> {
  const began = performance.now();
  const stack = await startStack({ root, ephemeral: true, log: console.error, signal });
  const seconds = (performance.now() - began) / 1000;
  await stack.stop();
  return seconds;
}

async function loadSample({ sandbox, signal }: Bench, { n, seed }: Options): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const [file] = await writeSample({ folder: sandbox.folder, projects: n?.[0] ?? USUAL_SIZE, seed, today });
  await loadWithLoader(sandbox.environment(), file, signal);
}

/** @throws UserError when a read met an outage */
async function measureBusy(bench: Bench, options: Options) {
  const { sandbox, signal } = bench;
  await withTimedStep('Loaded the sample', () => loadSample(bench, options));
  const teams = await Promise.all(Array.from({ length: TEAMS }, (_, team) => sandbox.account(team % 2 ? 'api_only' : 'national')));
  const keys = teams.map(({ key }) => key);
  using _loops = startLoops(options.loops);
  const began = performance.now();
  await using api = await ApiProcess.start(sandbox.environment(), signal);
  const apiSeconds = (performance.now() - began) / 1000;
  await using _worker = new WorkerProcess(sandbox.environment());
  const found = await withProgress('Read', options.reads, (onProgress) => readAll(api.url, keys, options.reads, onProgress, signal));
  if (found.outages) throw new UserError(`${found.outages} of ${options.reads} reads met an outage.`);
  return { times: found.times, apiSeconds, stackSeconds: await startServers(signal) };
}

export const busy: Suite<Options> = {
  name: 'busy',
  summary: 'every kind of read, and a start, on a machine that has other work',
  options: [
    sizesOption,
    seedOption,
    new Option('--reads <reads>', 'reads of all kinds together').argParser(wholeNumber(1, 1_000_000)).default(2_000),
    new Option('--loops <loops>', 'endless loops beside them').argParser(wholeNumber(0, 64)).default(8),
  ],
  async run(bench, options) {
    const figures = await measureBusy(bench, options);
    const { times, apiSeconds, stackSeconds } = figures;
    return {
      title: 'A busy machine',
      about: `A made-up sample (seed ${options.seed}), one API and one worker, ${CLIENTS} clients at once, and ${options.loops} endless loops that take what they get of all cores. The command fails at an answer of 500 or above.`,
      sections: [
        tableOf('Reads', 'No answer was 500 or above. Free and metered teams read in turn.', Object.entries(times), [
          ['kind', ([kind]) => kind],
          ['reads', ([, ms]) => whole(ms.length)],
          ['p50 ms', ([, ms]) => milliseconds(median(ms))],
          ['p99 ms', ([, ms]) => milliseconds(p99(ms))],
          ['longest ms', ([, ms]) => milliseconds(quantile(ms, 1))],
        ]),
        {
          title: 'Starts',
          head: ['start', 'seconds'],
          rows: [
            ['API', apiSeconds.toFixed(1)],
            ['Elasticsearch, Postgres and Redis', stackSeconds.toFixed(1)],
          ],
        },
      ],
      figures,
    };
  },
};
