/** Injects one fault after the other, in an order that follows from the seed, and measures how soon the service recovers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest } from '../../lib/apiClient.ts';
import type { ApiProcess, WorkerProcess } from '../../lib/programs.ts';
import { type Sandbox, withElastic } from '../../lib/sandbox.ts';
import type { Random } from '../../sample/random.ts';
import type { Cluster } from './cluster.ts';
import type { Proxies, ThreadedProxy } from './proxies.ts';

const POLL_MS = 50;
const PROBE_MS = 5_000;
/** Time after which a fault counts as not healed. */
const GIVE_UP_MS = 90_000;
const CUT_EVERY_MS = 250;
const SLOW_MS = 400;
const CLOCK_MS = 3_600_000;

type ProxiedServer = 'elasticsearch' | 'postgres' | 'redis';

export interface FaultNote {
  name: string;
  at: number;
  /** its duration */
  seconds: number;
  /** time from its end until every process serves again; undefined if that did not happen */
  healMs: number | undefined;
  /** what was not healthy until then, and for how many milliseconds; the longest first */
  waits: { what: string; ms: number }[];
  /** when all was well again */
  until: number;
}

/** The servers and processes that faults affect. */
export interface FaultStage {
  sandbox: Sandbox;
  /** address of Elasticsearch without the proxy */
  elasticUrl: () => string;
  /** in front of each server; undefined if servers do not fail */
  proxies: Proxies | undefined;
  /** Elasticsearch nodes of the proof's own */
  cluster: Cluster | undefined;
  apis: readonly ApiProcess[];
  workers: readonly WorkerProcess[];
  /** how many processes of each kind, the first ones, are never killed, since their memory is watched */
  spared: number;
  /** orders a job and returns whether it succeeds; undefined without workers */
  runJob: (() => Promise<boolean>) | undefined;
  /** a key for requests that nobody checks */
  key: string;
  signal: AbortSignal;
}

/** Starts a fault, and returns what ends it. */
type Fault = (stage: FaultStage, random: Random) => Promise<() => Promise<void> | void>;

type ProxyAction = (proxy: ThreadedProxy) => Promise<void>;

/** Faults of the proxy in front of a server: how each begins, and how it ends. */
const OF_PROXIES: Readonly<Record<'gone' | 'frozen' | 'slow' | 'cut', readonly [begin: ProxyAction, end: ProxyAction]>> = {
  gone: [(proxy) => proxy.stop(), (proxy) => proxy.start()],
  frozen: [(proxy) => proxy.freeze(), (proxy) => proxy.thaw()],
  slow: [(proxy) => proxy.delay(SLOW_MS), (proxy) => proxy.delay(0)],
  /** breaks all connections repeatedly, at any byte of an answer */
  cut: [(proxy) => proxy.cutEvery(CUT_EVERY_MS), (proxy) => proxy.cutEvery(0)],
};

const disturb =
  (server: ProxiedServer, how: keyof typeof OF_PROXIES): Fault =>
  async ({ proxies }) => {
    if (!proxies) throw new Error(`There is no proxy before ${server}`);
    const [begin, end] = OF_PROXIES[how];
    await begin(proxies[server]);
    return () => end(proxies[server]);
  };

/** Makes indices read-only, as Elasticsearch does when its disk reaches the flood stage. */
const fillElasticsearch: Fault = async ({ sandbox, elasticUrl }) => {
  const block = (value: true | null) =>
    withElastic(elasticUrl(), async (client) => {
      const settings = { 'index.blocks.read_only_allow_delete': value };
      await client.indices.putSettings({ index: `${sandbox.indexPrefix}-*`, settings });
    });
  await block(true);
  return () => block(null);
};

/** Every charge, job and message writes to one of these. */
const WRITTEN = ['ledger_entry', 'delivery', 'job', 'idempotency', 'webhook_message'];

/** Makes writes fail as with a full disk of Postgres; reads still work. */
const fillPostgres: Fault = async ({ sandbox: { database } }) => {
  await database.query(`create or replace function soak_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  const tables = await database.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any ($1)",
    [WRITTEN],
  );
  for (const { name } of tables)
    await database.query(`create trigger soak_full before insert or update on ${name} for each statement execute function soak_full()`);
  return async () => {
    for (const { name } of tables) await database.query(`drop trigger soak_full on ${name}`);
  };
};

const endApi =
  (how: NodeJS.Signals): Fault =>
  async ({ apis, spared, signal }, random) => {
    const api = random.pick(apis.slice(spared));
    await api.end(how);
    return () => api.start(signal);
  };

const killWorker: Fault = async ({ workers, spared }, random) => {
  const worker = random.pick(workers.slice(spared));
  await worker.end('SIGKILL');
  return () => worker.start();
};

const killNode: Fault = async ({ cluster, signal }, random) => {
  if (!cluster) throw new Error('There is no cluster whose nodes may be killed');
  return cluster.killNode(random, signal);
};

const freezeProcess =
  (kind: 'apis' | 'workers'): Fault =>
  async (stage, random) => {
    const chosen = random.pick<ApiProcess | WorkerProcess>(stage[kind]);
    chosen.signal('SIGSTOP');
    return () => chosen.signal('SIGCONT');
  };

/** Sets the clock of an API process wrong by an hour; it must then not count as ready. */
const setClockWrong: Fault = async ({ apis, key, signal }, random) => {
  const api = random.pick(apis);
  api.disturb({ clockMs: random.pick([CLOCK_MS, -CLOCK_MS]) });
  for (const until = Date.now() + GIVE_UP_MS; (await statusOf(api.url, '/ready', key, signal)) === 200; await sleep(POLL_MS))
    if (Date.now() > until) throw new Error('An API whose clock is an hour wrong says that it is ready');
  return () => api.disturb({ clockMs: 0 });
};

/** The faults by name; the first seven contain each kind of fault. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'API killed': endApi('SIGKILL'),
  'Postgres frozen': disturb('postgres', 'frozen'),
  'Elasticsearch cut': disturb('elasticsearch', 'cut'),
  'worker killed': killWorker,
  'clock of an API wrong': setClockWrong,
  'Postgres full': fillPostgres,
  'Redis slow': disturb('redis', 'slow'),
  'API frozen': freezeProcess('apis'),
  'Elasticsearch full': fillElasticsearch,
  'Elasticsearch gone': disturb('elasticsearch', 'gone'),
  'Elasticsearch frozen': disturb('elasticsearch', 'frozen'),
  'Elasticsearch slow': disturb('elasticsearch', 'slow'),
  'Postgres gone': disturb('postgres', 'gone'),
  'Postgres slow': disturb('postgres', 'slow'),
  'Postgres cut': disturb('postgres', 'cut'),
  'Redis gone': disturb('redis', 'gone'),
  'Redis frozen': disturb('redis', 'frozen'),
  'Redis cut': disturb('redis', 'cut'),
  'worker frozen': freezeProcess('workers'),
  'API restarted': endApi('SIGTERM'),
  'Elasticsearch node killed': killNode,
};
/** Faults that only occur if a plan names them. */
const BY_NAME_ALONE = ['API restarted', 'Elasticsearch node killed'];

/** @returns 0 where nothing answers */
const statusOf = (url: string, path: string, key: string, signal: AbortSignal): Promise<number> =>
  sendRequest(url, key, { path, signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]) }).then(
    ({ status }) => status,
    () => 0,
  );

/** Checks that each API is ready, searches and charges. @returns the first thing that fails */
async function findUnwell({ apis, key, signal }: FaultStage): Promise<string | undefined> {
  const asked = apis.flatMap(({ url }, at) =>
    ['/ready', '/v1/projects/search?dateRange=all&limit=5', '/v1/account/credits'].map(async (path) => {
      const status = await statusOf(url, path, key, signal);
      return status === 200 ? undefined : `${path.split('?')[0]} of API ${at + 1} (${status || 'no answer'})`;
    }),
  );
  return (await Promise.all(asked)).find(Boolean);
}

/** Waits until all processes are healthy and a job succeeds, and notes what it waited for. */
async function untilHealed(stage: FaultStage, note: FaultNote, began: number): Promise<void> {
  const waits = new Map([['the fault to end', Date.now() - began]]);
  const wait = (what: string, ms: number) => waits.set(what, (waits.get(what) ?? 0) + ms);
  for (let asked = Date.now(); asked - began < GIVE_UP_MS && note.healMs === undefined; asked = Date.now()) {
    const what = await findUnwell(stage);
    const answered = Date.now();
    const done = !what && ((await stage.runJob?.()) ?? true);
    note.until = Date.now();
    if (what) wait(what, answered - asked);
    else wait('an export', note.until - answered);
    if (done) note.healMs = note.until - began;
    else await sleep(POLL_MS, undefined, { signal: stage.signal });
  }
  note.waits = [...waits].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms);
}

interface TimeRange {
  least: number;
  most: number;
}

export interface FaultPlan {
  /** time between the starts of two faults */
  everySeconds: TimeRange;
  /** how long a fault lasts */
  seconds: TimeRange;
  /** names of the faults, in the order of the first round; the usual ones by default */
  only?: readonly string[];
}

/** Injects faults as planned until `until` aborts; each fault occurs once before any is repeated. */
export async function makeFaults(
  stage: FaultStage,
  plan: FaultPlan,
  random: Random,
  notes: FaultNote[],
  until: AbortSignal,
): Promise<void> {
  const names = plan.only ?? Object.keys(FAULTS).filter((name) => !BY_NAME_ALONE.includes(name));
  const millisecondsIn = ({ least, most }: TimeRange) => random.decimal(least, most) * 1000;
  let deck = [...names];
  for (;;) {
    const began = Date.now();
    if (!deck.length) deck = random.some(names, names.length);
    const name = deck.shift() as string;
    const note: FaultNote = { name, at: began, seconds: 0, healMs: undefined, waits: [], until: Number.POSITIVE_INFINITY };
    notes.push(note);
    const end = await (FAULTS[name] as Fault)(stage, random);
    await sleep(millisecondsIn(plan.seconds), undefined, { signal: stage.signal });
    note.seconds = (Date.now() - began) / 1000;
    const ending = Date.now();
    await end();
    await untilHealed(stage, note, ending);
    const rest = Math.max(1, millisecondsIn(plan.everySeconds) - (Date.now() - began));
    await sleep(rest, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
  }
}
