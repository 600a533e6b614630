/** One cell at one concurrency: the API and what it is compared with in short alternating slices, so that drift hits all alike. */
import type { ServerName } from '../../../src/core/store/callWatch.ts';
import { UserError } from '../../../src/terminal/program.ts';
import { whole } from '../../../src/terminal/textTable.ts';
import { ApiProcess } from '../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../lib/progress.ts';
import { median, milliseconds, p99, type ReportColumn, type ReportSection, ratio, sum, tableOf } from '../../lib/report.ts';
import { cpuOfServer } from '../../lib/serverCpu.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { generateLoad, type LoadTally, makeTarget, newTally, type Request, sendAndRead, type Target } from './loadGenerator.ts';
import { recordSearches } from './recorder.ts';
import { type Bench, type LoadOptions, nodeOptionsOf } from './suite.ts';
import { generateMeasuredLoad, SLICE_MS } from './wrk.ts';

const WARM_UP_MS = 500;
const FIRST_WARM_UP = { milliseconds: 2_000, concurrency: 16 };
const CHECKED_REQUESTS = 5;

/** Who is asked the same. `plain`: an index of the answer's fields alone; `raw`: the service's own index in the ordinary way; `peer`: another program. */
export type SideName = 'plain' | 'raw' | 'peer' | 'api';

/** The same requests for every side. */
export interface Cell {
  name: string;
  plain?: Request[];
  raw: Request[];
  api: Request[];
  /** the same requests by another pool, if each round needs a pool without deliveries */
  requestsOfNewPool?: () => Promise<Request[]>;
}

export interface Sides {
  elasticsearchUrl: string;
  api: ApiProcess;
  /** whose processor time is measured */
  servers: ServerUrls;
}

/** Milliseconds of processor time by process; one that is not on this machine is left out. */
export type Cpu = { [process in ServerName | 'api' | 'peer' | 'generator']?: number };

/** What an answer of the service costs in all its processes. */
export const serviceMs = ({ elasticsearch, postgres, redis, api }: Cpu): number =>
  sum([elasticsearch, postgres, redis, api].map((ms) => ms ?? 0));

/** Of one answer. */
export interface Side {
  requestsPerSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  bytesPerAnswer: number;
  cpu: Cpu;
}

export interface Measured {
  cell: string;
  concurrency: number;
  /** those that were measured */
  sides: Record<SideName, Side>;
}

export const twoDecimals = (value: number) => value.toFixed(2);

/** The API and what it is compared with in one row of a table. */
export const sidesColumns = (other: SideName): readonly ReportColumn<Measured>[] => [
  [`${other} /s`, ({ sides }) => whole(sides[other].requestsPerSecond)],
  ['API /s', ({ sides }) => whole(sides.api.requestsPerSecond)],
  ['ratio', ({ sides }) => ratio(sides.api.requestsPerSecond, sides[other].requestsPerSecond)],
  [`${other} p50`, ({ sides }) => milliseconds(sides[other].p50Milliseconds)],
  ['API p50', ({ sides }) => milliseconds(sides.api.p50Milliseconds)],
  ['ratio', ({ sides }) => ratio(sides.api.p50Milliseconds, sides[other].p50Milliseconds)],
  [`${other} p99`, ({ sides }) => milliseconds(sides[other].p99Milliseconds)],
  ['API p99', ({ sides }) => milliseconds(sides.api.p99Milliseconds)],
];

/** A table of the cells for each number of requests in flight. */
export const tablesOf = (
  cells: readonly Measured[],
  { concurrency }: LoadOptions,
  columns: readonly ReportColumn<Measured>[],
  prefix = '',
  text?: string,
): ReportSection[] =>
  concurrency.map((wanted) => {
    const measured = cells.filter((cell) => cell.concurrency === wanted);
    return tableOf(`${prefix}${wanted} ${wanted === 1 ? 'request' : 'requests'} in flight`, text, measured, columns);
  });

function sideOf({ milliseconds, seconds, bytes, cpuMilliseconds }: LoadTally, sums: Cpu): Side {
  const spent = Object.entries({ ...sums, generator: cpuMilliseconds });
  return {
    requestsPerSecond: milliseconds.length / seconds,
    p50Milliseconds: median(milliseconds),
    p99Milliseconds: p99(milliseconds),
    bytesPerAnswer: bytes / milliseconds.length,
    cpu: Object.fromEntries(spent.map(([process, sum]) => [process, sum / milliseconds.length])),
  };
}

/** What Elasticsearch answers to a search, a count or a request for one document. */
interface Found {
  hits?: { hits: { _source?: { id: number } }[]; total?: { value: number } };
  count?: number;
  _source?: { id: number };
}

/** Ids of a page, or the number of matches of a count or an aggregation, as Elasticsearch answers. */
function readFound({ hits, count, _source }: Found, { body }: Request): unknown {
  if (!hits) return _source ? [_source.id] : count;
  return body.includes('"size":0') ? hits.total?.value : hits.hits.map((hit) => hit._source?.id);
}

/** The same of an answer of the API. */
function readServed(body: unknown): unknown {
  const { data } = body as { data: { id: number }[] | { id?: number; matchCount?: number; totals?: { count: number } } };
  return Array.isArray(data) ? data.map(({ id }) => id) : (data.matchCount ?? data.totals?.count ?? [data.id]);
}

/** Compares a few answers of all sides, since a fast wrong answer is no result: ids in their order, unless the API leaves out what it delivered. */
async function check(cell: Cell, targets: Targets): Promise<void> {
  const comparable = (found: unknown) => JSON.stringify(cell.requestsOfNewPool && Array.isArray(found) ? found.length : found);
  for (let i = 0; i < CHECKED_REQUESTS; i++) {
    const answers: string[] = [];
    for (const [name, target] of Object.entries(targets)) {
      const request = target.requests[i] as Request;
      const { status, body } = await sendAndRead({ ...target, parse: true }, request);
      if (status !== 200) throw new UserError(`${cell.api[i]?.path}: ${name} answers with status ${status}.`);
      answers.push(comparable(name === 'api' ? readServed(body) : readFound(body as Found, request)));
    }
    if (new Set(answers).size > 1) throw new UserError(`${cell.api[i]?.path}: the sides answer differently: ${answers.join(' ')}`);
  }
}

/** Warms up all sides, so that their code is compiled as in a service that has run for a while, and the API has delivered what it charges for. */
async function warmUp(cells: readonly Cell[], sides: Sides, signal: AbortSignal): Promise<void> {
  const { milliseconds, concurrency } = FIRST_WARM_UP;
  for (const cell of cells)
    for (const target of Object.values(targetsOf({ ...cell, api: await requestsOf(cell) }, sides, concurrency))) {
      const last = target.cursor + target.requests.length;
      do {
        signal.throwIfAborted();
        await generateLoad(target, concurrency, milliseconds, newTally());
      } while (target.cursor < last);
      target.agent.destroy();
    }
}

export type Meters = [process: keyof Cpu, milliseconds: () => number][];

/** @param others further processes by their address */
export function metersOf(
  { elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls,
  others: { [process in keyof Cpu]?: string } = {},
): Meters {
  const urls = { elasticsearch: elasticsearchUrl, postgres: databaseUrl, redis: redisUrl, ...others };
  return (Object.entries(urls) as [keyof Cpu, string][]).flatMap(([process, url]): Meters => {
    const meter = cpuOfServer(url);
    return meter ? [[process, meter]] : [];
  });
}

export const readMeters = (meters: Meters): number[] => meters.map(([, read]) => read());

/** Starts to meter processes. @returns what ends that, and adds the processor time to the sums */
function metered(meters: Meters, sums: Cpu): () => void {
  const before = readMeters(meters);
  return () => {
    for (const [i, [process, read]] of meters.entries()) sums[process] = (sums[process] ?? 0) + read() - (before[i] as number);
  };
}

/** What the API is asked in the next round. */
const requestsOf = async ({ api, requestsOfNewPool }: Cell) => (await requestsOfNewPool?.()) ?? api;

export type Targets = { [side in SideName]?: Target };

/** Every side begins at another request, so that none profits from what another has just read. */
function targetsOf({ plain, raw, api }: Cell, { elasticsearchUrl, api: { url } }: Sides, concurrency: number): Targets {
  const start = (share: number) => Math.floor(raw.length * share);
  return {
    ...(plain ? { plain: makeTarget(elasticsearchUrl, plain, concurrency, false, start(1 / 3)) } : {}),
    raw: makeTarget(elasticsearchUrl, raw, concurrency),
    api: makeTarget(url, api, concurrency, false, start(1 / 2)),
  };
}

interface Round {
  meters: Meters;
  concurrency: number;
  seconds: number;
  signal: AbortSignal;
  /** what the API is asked in each slice, if not always the same */
  nextRequests?: (() => Promise<Request[]>) | undefined;
}

export async function measureSides(
  targets: Targets,
  { meters, concurrency, seconds, signal, nextRequests }: Round,
): Promise<Measured['sides']> {
  const sides = Object.entries(targets).map(([name, target]) => ({ name, target, tally: newTally(), sums: {} as Cpu }));
  for (const { target } of sides) await generateLoad(target, concurrency, WARM_UP_MS, newTally());
  for (let slice = 0; slice < Math.ceil((seconds * 1000) / SLICE_MS); slice++)
    for (const { name, target, tally, sums } of sides) {
      signal.throwIfAborted();
      if (name === 'api' && nextRequests) target.requests = await nextRequests();
      const end = metered(meters, sums);
      await generateMeasuredLoad(target, concurrency, SLICE_MS, tally);
      end();
    }
  for (const { name, target, tally } of sides) {
    target.agent.destroy();
    if (tally.failures)
      throw new UserError(`${tally.failures} requests of ${name} were not answered with 200, such as ${target.requests[0]?.path}.`);
  }
  return Object.fromEntries(sides.map(({ name, tally, sums }) => [name, sideOf(tally, sums)])) as Measured['sides'];
}

async function measure(cell: Cell, sides: Sides, concurrency: number, seconds: number, signal: AbortSignal): Promise<Measured> {
  const targets = targetsOf({ ...cell, api: await requestsOf(cell) }, sides, concurrency);
  await check(cell, targets);
  const meters = metersOf(sides.servers, { api: sides.api.url });
  const round = { meters, concurrency, seconds, signal, nextRequests: cell.requestsOfNewPool };
  return { cell: cell.name, concurrency, sides: await measureSides(targets, round) };
}

interface CellsPlan<Further> {
  /** of the indices of the corpus */
  prefix: string;
  options: LoadOptions;
  cells: readonly Omit<Cell, 'raw'>[];
  /** what is measured of a cell whose searches were recorded */
  adapt: (cell: Cell, sides: Sides) => Cell | Promise<Cell>;
  /** what else is measured of the same API process */
  further: (cells: readonly Cell[], sides: Sides) => Promise<Further>;
}

/** Records the searches of cells, and measures both sides at each concurrency. */
export async function measureCells<Further>(
  { sandbox, servers, signal }: Bench,
  { prefix, options, cells, adapt, further }: CellsPlan<Further>,
): Promise<{ cells: Measured[] } & Further> {
  const { elasticsearchUrl } = servers;
  const env = (url: string) => sandbox.environment(url, prefix);
  const requests = cells.map(({ api }) => api);
  const recorded = await withTimedStep('Recorded the requests', () => recordSearches(requests, { elasticsearchUrl, env, signal }));
  await using api = await ApiProcess.start(env(elasticsearchUrl), signal, { nodeOptions: nodeOptionsOf(options) });
  const sides = { elasticsearchUrl, api, servers };
  const adapted: Cell[] = [];
  for (const [i, cell] of cells.entries()) adapted.push(await adapt({ ...cell, raw: recorded[i] as Request[] }, sides));
  await withTimedStep('Warmed both up', () => warmUp(adapted, sides, signal));
  const measured: Measured[] = [];
  await withProgress('Measured', adapted.length * options.concurrency.length, async (done) => {
    for (const concurrency of options.concurrency)
      for (const cell of adapted) {
        measured.push(await measure(cell, sides, concurrency, options.seconds, signal));
        done(measured.length);
      }
  });
  return { cells: measured, ...(await further(adapted, sides)) };
}
