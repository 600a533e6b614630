/** Suite `fairness`: what a quiet team waits for its export, AI search, ping and match of a row, alone and while another team has queued much. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { WorkerProcess } from '../../../lib/programs.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, type ReportColumn, ratio, tableOf, timeCalls, timeWork } from '../../../lib/report.ts';
import { type Receiver, startReceiver } from '../../../lib/webhookReceiver.ts';
import { typeRows } from '../corpus.ts';
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

const USUAL_SIZE = 1_000;
const POLL_MS = 20;
const PATIENCE_MS = 60_000;
const EXPORTS = 20;
const SEARCHES = 30;
const PINGS = 60;
/** The allowance of a minute. */
const MATCHES = 20;
const MATCHED_ROWS = 10;
/** After this time, the requests of the other team are there. */
const BEGUN_MS = 200;
/** Workers look for messages so often: a ping is sent this many times, at other moments of the interval, and its mean wait taken. */
const LOOK_MS = 2_000;
const PHASES = 4;
/** Endpoints that a team may have. */
const ENDPOINTS = 10;
const SEARCH = '/projects/ai-search/jobs';
const SET = { filters: { dateRange: 'all' } };
const QUESTION = { query: 'warehouses with a retention pond', filters: { dateRange: 'all' }, limit: 25, notify: { email: false } };

interface Options extends CorpusOptions {
  rounds: number;
}

const SETTINGS = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_PORTS: 'any',
  AI_DAILY_SCREENED: '1000000000',
  // What is measured are turns: a busy machine ends no request.
  SERVER_PATIENCE: '10',
};

/** Milliseconds from acceptance. */
interface Waited {
  start: number;
  end: number;
}

interface Job {
  id: string;
  createdAt: string;
  startedAt: string | null;
  readyAt?: string | null;
  settledAt?: string | null;
}

async function timeJob(client: ApiClient, where: string, body: object): Promise<Waited> {
  const { id } = await client.post<Job>(where, body);
  const job = await client.waitForJob<Job>(`${where}/${id}`, POLL_MS);
  const elapsed = (at: string | null | undefined) => Date.parse(at ?? '') - Date.parse(job.createdAt);
  return { start: elapsed(job.startedAt), end: elapsed(job.readyAt ?? job.settledAt) };
}

/** @returns what sends a ping to it */
async function addEndpoint(client: ApiClient, to: Receiver): Promise<() => Promise<unknown>> {
  const { id } = await client.post('/webhooks', { url: to.url, types: ['export.ready'] });
  return () => client.post(`/webhooks/${id}/test`);
}

async function waitUntil(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isSo(); await sleep(POLL_MS))
    if (Date.now() > end) throw new UserError(`${what} was waited for in vain.`);
}

interface GreedyLoad {
  name: string;
  /** what the greedy team does */
  load: string;
  measure(quiet: ApiClient): Promise<Waited>;
  /** @returns what ends it */
  burden(greedy: ApiClient): Promise<() => Promise<void>>;
}

const jobLoad = (name: string, count: number, where: string, body: object): GreedyLoad => ({
  name,
  load: `${count} at once`,
  measure: (quiet) => timeJob(quiet, where, body),
  burden: async (greedy) => {
    const jobs = await Promise.all(Array.from({ length: count }, () => greedy.post<Job>(where, body)));
    return async () => {
      for (const { id } of jobs) await greedy.waitForJob(`${where}/${id}`, POLL_MS);
    };
  },
});

function pingLoad(receivers: { hanging: Receiver; good: Receiver }): GreedyLoad {
  return {
    name: 'ping',
    load: `${PINGS} to ${ENDPOINTS} receivers that hang`,
    measure: async (quiet) => {
      const ping = await addEndpoint(quiet, receivers.good);
      let waited = 0;
      for (let i = 0; i < PHASES; i++) {
        await sleep((i * LOOK_MS) / PHASES);
        const before = receivers.good.got.length;
        const arrive = () => ping().then(() => waitUntil('a ping', () => receivers.good.got.length > before));
        waited += (await timeWork(arrive)) / PHASES;
      }
      return { start: waited, end: waited };
    },
    burden: async (greedy) => {
      const held: (() => void)[] = [];
      receivers.hanging.answer = (_, response) => held.push(() => response.writeHead(204).end());
      const endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, () => addEndpoint(greedy, receivers.hanging)));
      await Promise.all(Array.from({ length: PINGS }, (_, i) => endpoints[i % ENDPOINTS]?.()));
      await waitUntil('a ping that hangs', () => held.length > 0);
      return async () => {
        receivers.hanging.answer = (_, response) => response.writeHead(204).end();
        for (const answer of held) answer();
        await sleep(1_000);
      };
    },
  };
}

/** One row of a list, while the other team's requests are in work and waiting, or refused. */
function matchLoad(rows: readonly object[]): GreedyLoad {
  const match = (client: ApiClient, some: readonly object[]) => client.post('/projects/match', { rows: some });
  return {
    name: 'match of a row',
    load: `${MATCHES} of ${whole(rows.length)} rows`,
    measure: async (quiet) => {
      const waited = median(await timeCalls(MATCHED_ROWS, (at) => match(quiet, rows.slice(at, at + 1))));
      return { start: waited, end: waited };
    },
    burden: async (greedy) => {
      const sent = Array.from({ length: MATCHES }, () => match(greedy, rows).catch(() => undefined));
      await sleep(BEGUN_MS);
      return async () => void (await Promise.all(sent));
    },
  };
}

interface Measured {
  alone: Waited[];
  beside: Waited[];
}

/** Each round has teams of its own: what is new to a team is delivered alike. */
async function measureLoad(run: CorpusRun<Options>, load: GreedyLoad): Promise<Measured> {
  const found: Measured = { alone: [], beside: [] };
  await load.measure(await newClient(run)); // compiles what runs often
  for (let i = 0; i < run.options.rounds; i++) {
    run.signal.throwIfAborted();
    found.alone.push(await load.measure(await newClient(run)));
    const [greedy, quiet] = [await newClient(run), await newClient(run)];
    const end = await load.burden(greedy);
    found.beside.push(await load.measure(quiet));
    await end();
  }
  return found;
}

interface MeasuredLoad extends GreedyLoad, Measured {}

const medianOf = (each: readonly Waited[], of: keyof Waited) => median(each.map((one) => one[of]));

const COLUMNS: readonly ReportColumn<MeasuredLoad>[] = [
  ['job', ({ name }) => name],
  ['greedy team', ({ load }) => load],
  ['alone: start ms', ({ alone }) => milliseconds(medianOf(alone, 'start'))],
  ['end ms', ({ alone }) => milliseconds(medianOf(alone, 'end'))],
  ['beside: start ms', ({ beside }) => milliseconds(medianOf(beside, 'start'))],
  ['end ms', ({ beside }) => milliseconds(medianOf(beside, 'end'))],
  ['start ÷ end alone', ({ alone, beside }) => ratio(medianOf(beside, 'start'), medianOf(alone, 'end'))],
  ['end ÷ end alone', ({ alone, beside }) => ratio(medianOf(beside, 'end'), medianOf(alone, 'end'))],
];

async function measureLoads(run: CorpusRun<Options>): Promise<MeasuredLoad[]> {
  await using hanging = await startReceiver();
  await using good = await startReceiver();
  const loads = [
    jobLoad('export', EXPORTS, '/exports', SET),
    jobLoad('AI search', SEARCHES, SEARCH, QUESTION),
    pingLoad({ hanging, good }),
    matchLoad(typeRows(run.corpus)),
  ];
  const measured: MeasuredLoad[] = [];
  for (const load of loads) measured.push({ ...load, ...(await withTimedStep(`Measured ${load.name}`, () => measureLoad(run, load))) });
  return measured;
}

export const fairness: Suite<Options> = {
  name: 'fairness',
  summary: 'what a quiet team waits for while another team has queued much',
  options: [...corpusOptions, roundsOption],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE, SETTINGS);
    await using _worker = new WorkerProcess(run.env);
    const loads = await measureLoads(run);
    return {
      title: 'Fairness',
      about: `${corpusText(run.corpus)}; both teams ask for the same. One API and one worker, medians of ${options.rounds} rounds; a team may have any number waiting here, 10 by default.`,
      sections: [
        tableOf(
          'A quiet team, alone and beside a greedy one',
          'From acceptance to the start and to the end of the job; of a ping to its arrival, at four moments of the two seconds between two looks of a worker; of a match to its answer. *Start* beside a greedy team is at most 2 times the whole time alone: that is the aim. The *end* also shows how much of the machine the other has.',
          loads,
          COLUMNS,
        ),
      ],
      figures: Object.fromEntries(loads.map(({ name, alone, beside }) => [name, { alone, beside }])),
    };
  },
};
