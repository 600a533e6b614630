/** Suite `exports`: the rows of a file a second beside the pages of the same search, and what queueing and working on jobs takes. */
import { Option } from 'commander';
import type { PlanId } from '../../../../src/core/domain/plans.ts';
import { UserError, wholeNumber } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/table.ts';
import { ApiClient } from '../../../lib/apiClient.ts';
import { ApiProcess, WorkerProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { mebibytes, median, milliseconds, quantile, type ReportSection, ratio } from '../../../lib/report.ts';
import { loadCorpus, makeCorpus } from '../corpus.ts';
import { type Bench, roundsOption, type Suite, seedOption, sizesOption } from '../suite.ts';

const USUAL_SIZE = 20_000;
const PAGE = 100;
const POLL_MS = 10;
const SMALL_ROWS = 10;
const SUBMITTED_AT_ONCE = 8;
const PLANS: readonly PlanId[] = ['national', 'api_only'];
const SET = { dateRange: 'all' };

interface Options {
  n?: number[];
  seed: number;
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

interface Throughput {
  workers: number;
  jobsPerSecond: number;
}

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

interface Run extends Bench {
  options: Options;
  api: ApiProcess;
}

const newClient = async ({ sandbox, api }: Run, plan: PlanId) => new ApiClient(api.url, (await sandbox.account(plan)).key);

/** Both sides bill what is new: each has an account of its own, which holds nothing yet. */
async function roundOf(run: Run, plan: PlanId): Promise<Round> {
  run.signal.throwIfAborted();
  const [exporter, walker] = [await newClient(run, plan), await newClient(run, plan)];
  const began = performance.now();
  const made = await untilEnded(exporter, await order(exporter, { filters: SET }));
  const bytes = await download(exporter, made);
  const all = performance.now() - began;
  const from = performance.now();
  const walked = await walk(walker, made.rowCount);
  const pages = performance.now() - from;
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
  const worker = new WorkerProcess(run.sandbox.environment());
  try {
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
  } finally {
    await worker.end();
  }
}

interface Latencies {
  /** milliseconds of `POST /exports` */
  submit: number[];
  /** milliseconds from acceptance to the start of the job, on a worker that has nothing else to do */
  start: number[];
}

async function latencies(run: Run): Promise<Latencies> {
  const worker = new WorkerProcess(run.sandbox.environment());
  const submit: number[] = [];
  const start: number[] = [];
  try {
    const { client, body } = await smallJobs(run);
    await untilEnded(client, await order(client, body));
    for (let i = 0; i < run.options.jobs; i++) {
      run.signal.throwIfAborted();
      const began = performance.now();
      const made = await order(client, body);
      submit.push(performance.now() - began);
      const { createdAt, startedAt } = await untilEnded(client, made);
      start.push(elapsed(createdAt, startedAt));
    }
    return { submit, start };
  } finally {
    await worker.end();
  }
}

async function throughput(run: Run, count: number): Promise<Throughput> {
  const workers = Array.from({ length: count }, () => new WorkerProcess(run.sandbox.environment()));
  try {
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
    return { workers: count, jobsPerSecond: (1000 * ended.length) / (to - from) };
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

function rowsSection(measured: Record<string, Round[]>): ReportSection {
  const rows = Object.entries(measured).map(([plan, each]) => {
    const [rowCount, bytes, pages, build, all] = (['rows', 'bytes', 'pages', 'build', 'whole'] as const).map((name) =>
      median(each.map((round) => round[name])),
    ) as [number, number, number, number, number];
    const perSecond = (took: number) => whole((1000 * rowCount) / took);
    return [
      plan,
      whole(rowCount),
      mebibytes(bytes),
      milliseconds(pages),
      milliseconds(build),
      milliseconds(all),
      perSecond(pages),
      perSecond(build),
      ratio(build, pages),
      ratio(all, pages),
    ];
  });
  return {
    title: 'A file and the pages of the same set',
    text: `*Build* is from the start of the job to the finished file, *whole* from the request to the last byte of the download. The aim is at most 3 times the pages.`,
    head: ['plan', 'rows', 'MiB', 'pages ms', 'build ms', 'whole ms', 'page rows/s', 'file rows/s', 'build ÷ pages', 'whole ÷ pages'],
    rows,
  };
}

async function measureAll(run: Run) {
  const files = await rounds(run);
  const times = await withTimedStep('Submitted, one after the other', () => latencies(run));
  const throughputs = [];
  for (const count of [1, 2]) throughputs.push(await withTimedStep(`Worked with ${count}`, () => throughput(run, count)));
  return { files, times, throughputs };
}

export const exports: Suite<Options> = {
  name: 'exports',
  summary: 'rows of a CSV export beside the pages of the same search; submitting, starting and working on jobs',
  options: [
    sizesOption,
    seedOption,
    roundsOption,
    new Option('--jobs <jobs>', `files of ${SMALL_ROWS} rows a measurement`).argParser(wholeNumber(1, 10_000)).default(100),
  ],
  async run(bench, options) {
    const corpus = makeCorpus(options.n?.[0] ?? USUAL_SIZE, options.seed);
    await loadCorpus(bench, corpus);
    const api = await ApiProcess.start(bench.sandbox.environment(), bench.signal);
    try {
      const figures = await measureAll({ ...bench, options, api });
      const { files, times, throughputs } = figures;
      const quantiles = (name: string, values: readonly number[]) => [name, ...[0.5, 0.99].map((q) => milliseconds(quantile(values, q)))];
      return {
        title: 'Exports',
        about: `${whole(corpus.n)} made-up projects (seed ${corpus.seed}). One API process, one client; workers are processes of their own, and share the machine with the servers.`,
        sections: [
          rowsSection(files.measured),
          {
            title: 'Jobs',
            text: `Files of ${SMALL_ROWS} rows. *Start* is from acceptance to the start of the job, on a worker that has nothing else to do.`,
            head: ['', 'p50 ms', 'p99 ms'],
            rows: [quantiles('POST /exports', times.submit), quantiles('start', times.start)],
          },
          {
            title: 'Throughput',
            head: ['workers', 'jobs/s'],
            rows: throughputs.map(({ workers, jobsPerSecond }) => [whole(workers), jobsPerSecond.toFixed(1)]),
          },
          {
            title: 'Memory of a worker',
            text: 'Idle is after one small job; at most 200 MiB above it is the aim.',
            head: ['idle MiB', 'at most MiB', 'above idle MiB'],
            rows: [[mebibytes(files.idleBytes), mebibytes(files.peakBytes), mebibytes(files.peakBytes - files.idleBytes)]],
          },
        ],
        figures,
      };
    } finally {
      await api.end();
    }
  },
};
