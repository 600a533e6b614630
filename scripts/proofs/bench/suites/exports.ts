/** Suite `exports`: the rows of a file a second beside the pages of the same search, and what queueing and working on jobs takes. */
import { Option } from 'commander';
import type { PlanId } from '../../../../src/core/domain/plans.ts';
import { UserError, wholeNumber } from '../../../../src/terminal/program.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { WorkerProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { type FiguresRow, mebibytes, median, p99, tableOfFigures, timeWork } from '../../../lib/report.ts';
import {
  type CorpusOptions,
  type CorpusRun,
  corpusOptions,
  corpusText,
  newClient,
  roundsOption,
  type Suite,
  serveCorpus,
} from '../suite.ts';

const USUAL_SIZE = 20_000;
const PAGE = 100;
const POLL_MS = 10;
const SMALL_ROWS = 10;
const SUBMITTED_AT_ONCE = 8;
const PLANS: readonly PlanId[] = ['national', 'api_only'];
const SET = { dateRange: 'all' };

interface Options extends CorpusOptions {
  rounds: number;
  jobs: number;
}

interface Export {
  id: string;
  status: string;
  rowCount: number;
  sizeBytes: number;
  createdAt: string;
  startedAt: string;
  readyAt: string;
  downloadUrl: string;
}

/** One file and the pages of the same set, one after the other, milliseconds. */
interface Round {
  rows: number;
  bytes: number;
  pages: number;
  /** from the start of the worker to the finished file */
  build: number;
  /** from the request to the last byte of the download, polled */
  whole: number;
}

type Run = CorpusRun<Options>;

const order = (client: ApiClient, body: object) => client.post<Export>('/exports', body);
const untilEnded = (client: ApiClient, { id }: Pick<Export, 'id'>) => client.waitForJob<Export>(`/exports/${id}`, POLL_MS);

/** @returns bytes */
async function download(client: ApiClient, { id }: Pick<Export, 'id'>): Promise<number> {
  const headers = { 'Accept-Encoding': 'identity' };
  return Buffer.byteLength((await client.send({ path: `/exports/${id}/download`, headers })).text);
}

/** @returns records */
async function walk(client: ApiClient, rows: number): Promise<number> {
  let walked = 0;
  while (walked < rows) {
    const records = await client.get<unknown[]>(`/projects/search?dateRange=all&limit=${PAGE}&offset=${walked}`);
    if (!records.length) break;
    walked += records.length;
  }
  return walked;
}

const elapsed = (from: string, to: string) => Date.parse(to) - Date.parse(from);

/** Both sides bill what is new: each has an account of its own, which holds nothing yet. */
async function roundOf(run: Run, plan: PlanId): Promise<Round> {
  run.signal.throwIfAborted();
  const [exporter, walker] = [await newClient(run, plan), await newClient(run, plan)];
  const began = performance.now();
  const made = await untilEnded(exporter, await order(exporter, { filters: SET }));
  const bytes = await download(exporter, made);
  const all = performance.now() - began;
  let walked = 0;
  const pages = await timeWork(async () => {
    walked = await walk(walker, made.rowCount);
  });
  if (walked !== made.rowCount) throw new UserError(`The pages gave ${walked} records, the file ${made.rowCount}.`);
  return { rows: walked, bytes, pages, build: elapsed(made.startedAt, made.readyAt), whole: all };
}

/** Small files of the same records, on accounts that hold them from the first on: what a job takes besides its rows. */
async function smallJobs(run: Run) {
  const client = await newClient(run, 'api_only');
  const records = await client.get<{ id: number }[]>(`/projects/search?dateRange=all&limit=${SMALL_ROWS}`);
  return { client, body: { projectIds: records.map(({ id }) => id) } };
}

async function rounds(run: Run) {
  await using worker = new WorkerProcess(run.env);
  const { client, body } = await smallJobs(run);
  await untilEnded(client, await order(client, body));
  const { residentBytes: idleBytes } = await worker.usage();
  await roundOf(run, 'national'); // both sides compile what they run often
  const measured: Record<string, Round[]> = {};
  await withProgress('Made files and walked pages', PLANS.length * run.options.rounds, async (done) => {
    let count = 0;
    for (const plan of PLANS)
      for (let i = 0; i < run.options.rounds; i++) {
        measured[plan] = [...(measured[plan] ?? []), await roundOf(run, plan)];
        count += 1;
        done(count);
      }
  });
  const { peakBytes } = await worker.usage();
  return { measured, idleBytes, peakBytes };
}

interface Latencies {
  /** milliseconds of `POST /exports` */
  submit: number[];
  /** milliseconds from acceptance to the start of the job, on a worker that has nothing else to do */
  start: number[];
}

async function latencies(run: Run): Promise<Latencies> {
  await using _worker = new WorkerProcess(run.env);
  const { client, body } = await smallJobs(run);
  await untilEnded(client, await order(client, body));
  const [submit, start]: [number[], number[]] = [[], []];
  for (let i = 0; i < run.options.jobs; i++) {
    run.signal.throwIfAborted();
    const began = performance.now();
    const made = await order(client, body);
    submit.push(performance.now() - began);
    const { createdAt, startedAt } = await untilEnded(client, made);
    start.push(elapsed(createdAt, startedAt));
  }
  return { submit, start };
}

async function throughput(run: Run, count: number): Promise<FiguresRow> {
  await using workers = new AsyncDisposableStack();
  for (let i = 0; i < count; i++) workers.use(new WorkerProcess(run.env));
  const { client, body } = await smallJobs(run);
  const several = async (jobs: number) => {
    const made: Export[] = [];
    while (made.length < jobs) made.push(...(await Promise.all(Array.from({ length: SUBMITTED_AT_ONCE }, () => order(client, body)))));
    const ended: Export[] = [];
    for (const one of made) ended.push(await untilEnded(client, one));
    return ended;
  };
  await several(2 * SUBMITTED_AT_ONCE);
  run.signal.throwIfAborted();
  const ended = await several(run.options.jobs);
  const from = Math.min(...ended.map(({ startedAt }) => Date.parse(startedAt)));
  const to = Math.max(...ended.map(({ readyAt }) => Date.parse(readyAt)));
  return { workers: count, 'jobs/s': (1000 * ended.length) / (to - from) };
}

function planRow([plan, each]: [string, Round[]]): FiguresRow {
  const [rows, bytes, pages, build, whole] = (['rows', 'bytes', 'pages', 'build', 'whole'] as const).map((name) =>
    median(each.map((round) => round[name])),
  ) as [number, number, number, number, number];
  return {
    plan,
    rows,
    MiB: mebibytes(bytes),
    'pages ms': pages,
    'build ms': build,
    'whole ms': whole,
    'page rows/s': (1000 * rows) / pages,
    'file rows/s': (1000 * rows) / build,
    'build ÷ pages': build / pages,
    'whole ÷ pages': whole / pages,
  };
}

const timesRow = (title: string, taken: readonly number[]): FiguresRow => ({ '': title, 'p50 ms': median(taken), 'p99 ms': p99(taken) });

export const exports: Suite<Options> = {
  name: 'exports',
  summary: 'rows of a CSV export beside the pages of the same search; submitting, starting and working on jobs',
  options: [
    ...corpusOptions,
    roundsOption,
    new Option('--jobs <jobs>', `files of ${SMALL_ROWS} rows a measurement`).argParser(wholeNumber(1, 10_000)).default(100),
  ],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const files = await rounds(run);
    const times = await withTimedStep('Submitted, one after the other', () => latencies(run));
    const throughputs = [];
    for (const count of [1, 2]) throughputs.push(await withTimedStep(`Worked with ${count}`, () => throughput(run, count)));
    return {
      title: 'Exports',
      about: `${corpusText(run.corpus)}. One API process, one client; workers are processes of their own, and share the machine with the servers.`,
      sections: [
        tableOfFigures(
          'A file and the pages of the same set',
          `*Build* is from the start of the job to the finished file, *whole* from the request to the last byte of the download. The aim is at most 3 times the pages.`,
          Object.entries(files.measured).map(planRow),
        ),
        tableOfFigures(
          'Jobs',
          `Files of ${SMALL_ROWS} rows. *Start* is from acceptance to the start of the job, on a worker that has nothing else to do.`,
          [timesRow('POST /exports', times.submit), timesRow('start', times.start)],
        ),
        tableOfFigures('Throughput', undefined, throughputs),
        tableOfFigures('Memory of a worker', 'Idle is after one small job; at most 200 MiB above it is the aim.', [
          {
            'idle MiB': mebibytes(files.idleBytes),
            'at most MiB': mebibytes(files.peakBytes),
            'above idle MiB': mebibytes(files.peakBytes - files.idleBytes),
          },
        ]),
      ],
      figures: { files, times, throughputs },
    };
  },
};
