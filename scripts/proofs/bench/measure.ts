/** One cell at one concurrency: raw Elasticsearch and the API in short alternating slices, so that drift hits both alike. */
import type { ServerName } from '../../../src/core/store/callWatch.ts';
import { UserError } from '../../../src/terminal/program.ts';
import { whole } from '../../../src/terminal/textTable.ts';
import { ApiProcess } from '../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../lib/progress.ts';
import { median, milliseconds, p99, type ReportColumn, type ReportSection, ratio, tableOf } from '../../lib/report.ts';
import { cpuOfServer } from '../../lib/serverCpu.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { generateLoad, type LoadTally, makeTarget, newTally, type Request, sendAndRead, type Target } from './loadGenerator.ts';
import { recordSearches } from './recorder.ts';
import { type Bench, type LoadOptions, nodeOptionsOf } from './suite.ts';

const SLICE_MS = 500;
const WARM_UP_MS = 500;
const FIRST_WARM_UP = { milliseconds: 2_000, concurrency: 16 };
const CHECKED_REQUESTS = 5;

/** The same requests for every side. */
export interface Cell {
  name: string;
  raw: Request[];
  api: Request[];
  /** the requests that the API itself sends to Elasticsearch, if `raw` has others with the same matches */
  same?: Request[];
  /** the same requests by another pool, if each round needs a pool without deliveries */
  requestsOfNewPool?: () => Promise<Request[]>;
}

export interface Sides {
  elasticsearchUrl: string;
  api: ApiProcess;
  /** whose processor time is measured */
  servers: ServerUrls;
}

export interface Side {
  requestsPerSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  bytesPerAnswer: number;
}

export interface Measured {
  cell: string;
  concurrency: number;
  raw: Side;
  /** the API's own requests to Elasticsearch, those of `raw` unless the cell has others */
  same: Side;
  api: Side;
  /** processor time of the API process a request */
  apiCpuMilliseconds: number;
  /** processor time of servers a request; a server that is not on this machine is left out */
  serverCpuMilliseconds: { raw: ServerCpu; api: ServerCpu };
}

const URL_OF = { elasticsearch: 'elasticsearchUrl', postgres: 'databaseUrl', redis: 'redisUrl' } as const satisfies Record<
  ServerName,
  keyof ServerUrls
>;
export type ServerCpu = { [server in ServerName]?: number };

export const twoDecimals = (value: number) => value.toFixed(2);

/** Raw Elasticsearch and the API in one row of a table. */
export const SIDES_COLUMNS: readonly ReportColumn<Measured>[] = [
  ['raw /s', ({ raw }) => whole(raw.requestsPerSecond)],
  ['API /s', ({ api }) => whole(api.requestsPerSecond)],
  ['ratio', ({ raw, api }) => ratio(api.requestsPerSecond, raw.requestsPerSecond)],
  ['raw p50', ({ raw }) => milliseconds(raw.p50Milliseconds)],
  ['API p50', ({ api }) => milliseconds(api.p50Milliseconds)],
  ['ratio', ({ raw, api }) => ratio(api.p50Milliseconds, raw.p50Milliseconds)],
  ['raw p99', ({ raw }) => milliseconds(raw.p99Milliseconds)],
  ['API p99', ({ api }) => milliseconds(api.p99Milliseconds)],
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

function sideOf({ milliseconds, seconds, bytes }: LoadTally): Side {
  return {
    requestsPerSecond: milliseconds.length / seconds,
    p50Milliseconds: median(milliseconds),
    p99Milliseconds: p99(milliseconds),
    bytesPerAnswer: bytes / milliseconds.length,
  };
}

interface Found {
  aggregations?: object;
  hits: { hits: unknown[]; total?: { value: number } };
}

/** Records of a page, or matches of a count or an aggregation, as Elasticsearch answers. */
function countFound(body: unknown): number | undefined {
  const { responses: [only] = [] } = body as { responses?: Found[] };
  const { hits } = only ?? (body as Found);
  const isCounted = only !== undefined || (body as Found).aggregations !== undefined || !hits.hits.length;
  return isCounted ? hits.total?.value : hits.hits.length;
}

/** The same number in an answer of the API. */
function countServed(body: unknown): number | undefined {
  const { data } = body as { data: unknown[] | { matchCount?: number; totals?: { count: number } } };
  return Array.isArray(data) ? data.length : (data.matchCount ?? data.totals?.count ?? 1);
}

/** Compares a few answers of both sides, since a fast wrong answer is no result. */
async function check(cell: Cell, sides: Sides): Promise<void> {
  const raw = makeTarget(sides.elasticsearchUrl, cell.raw, 1, true);
  const api = makeTarget(sides.api.url, cell.api, 1, true);
  for (let i = 0; i < CHECKED_REQUESTS; i++) {
    const [theirs, ours] = [await sendAndRead(raw, cell.raw[i] as Request), await sendAndRead(api, cell.api[i] as Request)];
    const same = countFound(theirs.body) === countServed(ours.body);
    if (ours.status !== 200 || theirs.status !== 200 || !same)
      throw new UserError(
        `${cell.api[i]?.path}: the API (status ${ours.status}) and Elasticsearch (status ${theirs.status}) answer differently.`,
      );
  }
  for (const { agent } of [raw, api]) agent.destroy();
}

/** Warms up both sides before measurements, so that their code is compiled as in a service that has run for a while. */
async function warmUp(cells: readonly Cell[], sides: Sides, signal: AbortSignal): Promise<void> {
  const { milliseconds, concurrency } = FIRST_WARM_UP;
  for (const cell of cells)
    for (const target of [
      ...[cell.raw, ...(cell.same ? [cell.same] : [])].map((requests) => makeTarget(sides.elasticsearchUrl, requests, concurrency)),
      makeTarget(sides.api.url, await requestsOf(cell), concurrency),
    ]) {
      signal.throwIfAborted();
      await generateLoad(target, concurrency, milliseconds, newTally());
      target.agent.destroy();
    }
}

export type Meters = [server: ServerName, milliseconds: () => number][];

export const metersOf = (servers: ServerUrls): Meters =>
  (Object.keys(URL_OF) as ServerName[]).flatMap((server): Meters => {
    const meter = cpuOfServer(servers[URL_OF[server]]);
    return meter ? [[server, meter]] : [];
  });

export const readMeters = (meters: Meters): number[] => meters.map(([, read]) => read());

/** Starts to meter the servers. @returns what ends that, and adds the processor time to the sums */
function metered(meters: Meters, sums: ServerCpu): () => void {
  const before = readMeters(meters);
  return () => {
    for (const [i, [server, read]] of meters.entries()) sums[server] = (sums[server] ?? 0) + read() - (before[i] as number);
  };
}

/** What the API is asked in the next round. */
const requestsOf = async ({ api, requestsOfNewPool }: Cell) => (await requestsOfNewPool?.()) ?? api;

const perRequest = (sums: ServerCpu, { milliseconds }: LoadTally): ServerCpu =>
  Object.fromEntries(Object.entries(sums).map(([server, sum]) => [server, sum / milliseconds.length]));

async function measure(cell: Cell, sides: Sides, concurrency: number, seconds: number, signal: AbortSignal): Promise<Measured> {
  await check(cell, sides);
  const half = Math.floor(cell.raw.length / 2);
  const third = Math.floor(cell.raw.length / 3);
  const raw = makeTarget(sides.elasticsearchUrl, cell.raw, concurrency);
  const same = makeTarget(sides.elasticsearchUrl, cell.same ?? cell.raw, concurrency, false, third);
  const api = makeTarget(sides.api.url, cell.api, concurrency, false, half);
  const tallies = new Map<Target, LoadTally>([raw, same, api].map((target) => [target, newTally()]));
  api.requests = await requestsOf(cell);
  for (const target of tallies.keys()) await generateLoad(target, concurrency, WARM_UP_MS, newTally());
  const meters = metersOf(sides.servers);
  const [rawCpu, apiCpu]: [ServerCpu, ServerCpu] = [{}, {}];
  let cpuMicroseconds = 0;
  for (let slice = 0; slice < Math.ceil((seconds * 1000) / SLICE_MS); slice++) {
    for (const [target, tally] of tallies) {
      signal.throwIfAborted();
      if (target === api) api.requests = await requestsOf(cell);
      const before = target === api ? (await sides.api.usage()).cpuMicroseconds : 0;
      const end = target === same ? undefined : metered(meters, target === api ? apiCpu : rawCpu);
      await generateLoad(target, concurrency, SLICE_MS, tally);
      end?.();
      if (target === api) cpuMicroseconds += (await sides.api.usage()).cpuMicroseconds - before;
    }
  }
  for (const [target, { failures }] of tallies) {
    target.agent.destroy();
    if (failures) throw new UserError(`${failures} requests of ${cell.name} at ${target.origin} were not answered with 200.`);
  }
  const [rawTally, sameTally, apiTally] = [...tallies.values()] as [LoadTally, LoadTally, LoadTally];
  return {
    cell: cell.name,
    concurrency,
    raw: sideOf(rawTally),
    same: sideOf(sameTally),
    api: sideOf(apiTally),
    apiCpuMilliseconds: cpuMicroseconds / 1000 / apiTally.milliseconds.length,
    serverCpuMilliseconds: { raw: perRequest(rawCpu, rawTally), api: perRequest(apiCpu, apiTally) },
  };
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
