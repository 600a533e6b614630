/** `--bench`: how fast a whole corpus is walked, through the API and past it. */
import { serviceToday } from '../../src/domain/serviceClock.ts';
import { makeElastic } from '../../src/store/elastic.ts';
import { IndexNames } from '../../src/store/indices.ts';
import { loadPlaces } from '../../src/store/placeFiles.ts';
import { sampleLines } from '../sample/generate.ts';
import { Random } from '../sample/random.ts';
import type { ServerUrls } from '../stack/index.ts';
import { Apis, type Environment } from './apis.ts';
import type { Elastic } from './clients.ts';
import { Copy } from './copy.ts';
import { Ground } from './ground.ts';
import { Loaders } from './loaders.ts';
import type { Line } from './world.ts';

const PAGE = 100;
const SLICES = 2;
const PIT_KEPT = '2m';
const ELASTIC_TIMEOUT_MS = 60_000;
const PARTS = { compact: ['compact'], standard: ['compact', 'standard'], full: ['compact', 'standard', 'full'] } as const;
const ALWAYS = ['id', 'lastUpdated', 'contentRevision', 'hearings'];

type Representation = keyof typeof PARTS;

export interface Walk {
  representation: Representation;
  how: 'api' | 'search_after' | 'slices';
  recordsPerSecond: number;
  /** milliseconds of a page among the first tenth and among the last; null where pages run side by side */
  firstMs: number | null;
  lastMs: number | null;
}

export async function measureWalks(records: number, seed: number, servers: ServerUrls, signal: AbortSignal): Promise<Walk[]> {
  const ground = await Ground.make(servers);
  const environment = ground.environment(servers.elasticsearchUrl);
  const client = makeElastic({ url: servers.elasticsearchUrl, timeoutMs: ELASTIC_TIMEOUT_MS, retries: 2 });
  try {
    await loadSample(ground, environment, records, seed, signal);
    const apis = await Apis.start([environment], false, signal);
    try {
      const walks: Walk[] = [];
      for (const representation of Object.keys(PARTS) as Representation[])
        walks.push(
          await throughApi(ground, apis.urls, representation, signal),
          await throughElastic(ground, client, representation),
          await throughSlices(ground, client, representation),
        );
      return walks;
    } finally {
      await apis.stop();
    }
  } finally {
    await client.close();
    await ground.remove(servers.elasticsearchUrl);
  }
}

async function loadSample(ground: Ground, env: Environment, projects: number, seed: number, signal: AbortSignal): Promise<void> {
  const options = { seed, projects, today: serviceToday(new Date()), texts: 'short', places: loadPlaces(), generation: 1 } as const;
  const loaders = new Loaders({ folder: ground.folder, environment: () => env, outages: false, random: new Random(seed), signal });
  await loaders.load(projectLines(options), { kill: false });
}

function* projectLines(options: Parameters<typeof sampleLines>[0]): Generator<Line> {
  for (const line of sampleLines(options)) if (line.kind === 'generation' || line.kind === 'project') yield { ...line };
}

/** Times pages until one says that it is the last. */
async function timed(
  representation: Representation,
  how: Walk['how'],
  page: () => Promise<{ count: number; more: boolean }>,
): Promise<Walk> {
  const times: number[] = [];
  let records = 0;
  for (let more = true; more; ) {
    const began = performance.now();
    const answer = await page();
    times.push(performance.now() - began);
    records += answer.count;
    more = answer.more;
  }
  const tenth = Math.max(1, Math.floor(times.length / 10));
  const mean = (some: number[]) => some.reduce((sum, ms) => sum + ms, 0) / some.length;
  return {
    representation,
    how,
    recordsPerSecond: Math.round((records * 1000) / (mean(times) * times.length)),
    firstMs: mean(times.slice(0, tenth)),
    lastMs: mean(times.slice(-tenth)),
  };
}

async function throughApi(ground: Ground, urls: readonly string[], representation: Representation, signal: AbortSignal): Promise<Walk> {
  const parameters = { dateRange: 'all', includeGovernmentDecisions: 'true', representation };
  const plan = { name: representation, parameters, ...(await ground.account('national')) };
  const copy = new Copy(plan, urls, new Random(1), { limit: PAGE });
  return timed(representation, 'api', async () => {
    const before = copy.counts.records;
    const more = await copy.page(signal);
    return { count: copy.counts.records - before, more };
  });
}

const sourceOf = (representation: Representation) => [...ALWAYS, ...PARTS[representation]];

async function throughElastic(ground: Ground, client: Elastic, representation: Representation): Promise<Walk> {
  let after: (string | number)[] | undefined;
  return timed(representation, 'search_after', async () => {
    const { hits } = await client.search({
      index: new IndexNames(ground.indexPrefix).served('projects'),
      size: PAGE,
      track_total_hits: false,
      sort: [{ lastUpdated: 'asc' }, { id: 'asc' }],
      _source: sourceOf(representation),
      ...(after ? { search_after: after } : {}),
    });
    after = hits.hits.at(-1)?.sort as (string | number)[] | undefined;
    return { count: hits.hits.length, more: hits.hits.length === PAGE };
  });
}

async function throughSlices(ground: Ground, client: Elastic, representation: Representation): Promise<Walk> {
  const index = new IndexNames(ground.indexPrefix).served('projects');
  const { id } = await client.openPointInTime({ index, keep_alive: PIT_KEPT });
  const began = performance.now();
  const counts = await Promise.all(Array.from({ length: SLICES }, (_, slice) => walkSlice(client, id, slice, representation)));
  const seconds = (performance.now() - began) / 1000;
  await client.closePointInTime({ id });
  const records = counts.reduce((sum, count) => sum + count, 0);
  return { representation, how: 'slices', recordsPerSecond: Math.round(records / seconds), firstMs: null, lastMs: null };
}

async function walkSlice(client: Elastic, pit: string, slice: number, representation: Representation): Promise<number> {
  let count = 0;
  let after: (string | number)[] | undefined;
  for (;;) {
    const { hits } = await client.search({
      pit: { id: pit, keep_alive: PIT_KEPT },
      slice: { id: String(slice), max: SLICES },
      size: PAGE,
      track_total_hits: false,
      sort: ['_shard_doc'],
      _source: sourceOf(representation),
      ...(after ? { search_after: after } : {}),
    });
    count += hits.hits.length;
    if (hits.hits.length < PAGE) return count;
    after = hits.hits.at(-1)?.sort as (string | number)[];
  }
}

const HOW = { api: 'API', search_after: 'raw search_after', slices: `raw, ${SLICES} slices of a point in time` };

export function walksText(walks: readonly Walk[]): string {
  const rows = walks.map(({ representation, how, recordsPerSecond, firstMs, lastMs }) => {
    const raw = walks.find((walk) => walk.representation === representation && walk.how === 'search_after');
    const share = raw ? (recordsPerSecond / raw.recordsPerSecond).toFixed(2) : '';
    const ms = (value: number | null) => (value === null ? '' : value.toFixed(1));
    return `| ${representation} | ${HOW[how]} | ${recordsPerSecond} | ${share} | ${ms(firstMs)} | ${ms(lastMs)} |`;
  });
  const head =
    '| representation | walk | records/s | of raw search_after | ms a page, first tenth | last tenth |\n|---|---|---|---|---|---|';
  return [head, ...rows].join('\n');
}
