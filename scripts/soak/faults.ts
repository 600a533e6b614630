/** One fault after the other, in an order that the seed gives: what is done, for how long, and how soon all is well again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, WorkerProcess } from '../lib/programs.ts';
import { type Elastic, elasticFor, type Sandbox } from '../lib/sandbox.ts';
import type { Random } from '../sample/random.ts';
import type { ServerUrls } from '../stack/index.ts';
import type { Proxies } from './proxies.ts';

const POLL_MS = 50;
const PROBE_MS = 5_000;
/** After which a fault counts as not healed. */
const GIVE_UP_MS = 90_000;
const CUT_EVERY_MS = 250;
const SLOW_MS = 400;
const CLOCK_MS = 3_600_000;

export interface FaultNote {
  name: string;
  at: number;
  /** for how long it lasted */
  seconds: number;
  /** from its end until every process serves again; undefined where that did not come */
  healMs: number | undefined;
  /** what was not well until then, and for how many milliseconds; the longest first */
  waits: { what: string; ms: number }[];
  /** when all was well again */
  until: number;
}

/** What faults are done to. */
export interface Stage {
  sandbox: Sandbox;
  /** where the servers really are */
  servers: ServerUrls;
  proxies: Proxies;
  /** the first of each is never killed: its memory is watched */
  apis: readonly [Api, Api];
  workers: readonly [WorkerProcess, WorkerProcess];
  /** resolves when a job that is ordered now has ended */
  job: () => Promise<boolean>;
  /** a key for requests that nobody checks */
  key: string;
  signal: AbortSignal;
}

/** Begins a fault, and returns what ends it. */
type Fault = (stage: Stage, random: Random) => Promise<() => Promise<void> | void>;

const SERVERS = ['elasticsearch', 'postgres', 'redis'] as const;
type Server = (typeof SERVERS)[number];

const gone =
  (server: Server): Fault =>
  async ({ proxies }) => {
    await proxies[server].stop();
    return () => proxies[server].start();
  };

const frozen =
  (server: Server): Fault =>
  async ({ proxies }) => {
    await proxies[server].freeze();
    return () => proxies[server].thaw();
  };

const slow =
  (server: Server): Fault =>
  async ({ proxies }) => {
    await proxies[server].delay(SLOW_MS);
    return () => proxies[server].delay(0);
  };

/** Every connection breaks, again and again, wherever an answer stands. */
const cut =
  (server: Server): Fault =>
  async ({ proxies }) => {
    const timer = setInterval(() => proxies[server].cut(), CUT_EVERY_MS);
    return () => clearInterval(timer);
  };

const withElastic = async (url: string, work: (client: Elastic) => Promise<unknown>) => {
  const client = elasticFor(url);
  await work(client).finally(() => client.close());
};

/** What Elasticsearch does to its indices at the flood stage of its disk. */
const fullElasticsearch: Fault = async ({ sandbox, servers }) => {
  const block = (value: true | null) =>
    withElastic(servers.elasticsearchUrl, (client) =>
      client.indices.putSettings({ index: `${sandbox.indexPrefix}-*`, settings: { 'index.blocks.read_only_allow_delete': value } }),
    );
  await block(true);
  return () => block(null);
};

/** Of these every charge, job and message writes one. */
const WRITTEN = ['ledger_entry', 'delivery', 'job', 'idempotency', 'webhook_message'];

/** What Postgres answers to a write when its disk is full; reads go on. */
const fullPostgres: Fault = async ({ sandbox: { database } }) => {
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

const killedApi: Fault = async ({ apis: [, api], signal }) => {
  await api.end('SIGKILL');
  return () => api.start(signal);
};

const killedWorker: Fault = async ({ workers: [, worker] }) => {
  await worker.end('SIGKILL');
  return () => worker.start();
};

const frozenProcess =
  (kind: 'apis' | 'workers'): Fault =>
  async (stage, random) => {
    const frozenOne = random.pick<Api | WorkerProcess>(stage[kind]);
    frozenOne.signal('SIGSTOP');
    return () => frozenOne.signal('SIGCONT');
  };

/** A process that is an hour wrong must not count as ready. */
const wrongClock: Fault = async ({ apis, signal }, random) => {
  const api = random.pick(apis);
  api.disturb({ clockMs: random.pick([CLOCK_MS, -CLOCK_MS]) });
  for (const until = Date.now() + GIVE_UP_MS; (await readiness(api.url, signal)) === 200; await sleep(POLL_MS))
    if (Date.now() > until) throw new Error('An API whose clock is an hour wrong says that it is ready');
  return () => api.disturb({ clockMs: 0 });
};

/** Of each kind at least one is in the first seven. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'API killed': killedApi,
  'Postgres frozen': frozen('postgres'),
  'Elasticsearch cut': cut('elasticsearch'),
  'worker killed': killedWorker,
  'clock of an API wrong': wrongClock,
  'Postgres full': fullPostgres,
  'Redis slow': slow('redis'),
  'API frozen': frozenProcess('apis'),
  'Elasticsearch full': fullElasticsearch,
  'Elasticsearch gone': gone('elasticsearch'),
  'Elasticsearch frozen': frozen('elasticsearch'),
  'Elasticsearch slow': slow('elasticsearch'),
  'Postgres gone': gone('postgres'),
  'Postgres slow': slow('postgres'),
  'Postgres cut': cut('postgres'),
  'Redis gone': gone('redis'),
  'Redis frozen': frozen('redis'),
  'Redis cut': cut('redis'),
  'worker frozen': frozenProcess('workers'),
};

const statusOf = (url: string, signal: AbortSignal, headers: Record<string, string> = {}): Promise<number> =>
  fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

const readiness = (url: string, signal: AbortSignal) => statusOf(`${url}/ready`, signal);

/** Each API is ready, searches and charges. @returns the first thing that is not so */
async function unwell({ apis, key, signal }: Stage): Promise<string | undefined> {
  const headers = { Authorization: `Bearer ${key}` };
  const asked = apis.flatMap(({ url }, at) =>
    ['/ready', '/v1/projects/search?dateRange=all&limit=5', '/v1/account/credits'].map(async (path) => {
      const status = await statusOf(`${url}${path}`, signal, headers);
      return status === 200 ? undefined : `${path.split('?')[0]} of API ${at + 1} (${status || 'no answer'})`;
    }),
  );
  return (await Promise.all(asked)).find(Boolean);
}

/** Waits until all is well, a job is done included, and notes what it waited for. */
async function healed(stage: Stage, note: FaultNote, began: number): Promise<void> {
  const waits = new Map([['the fault to end', Date.now() - began]]);
  const wait = (what: string, ms: number) => waits.set(what, (waits.get(what) ?? 0) + ms);
  for (let asked = Date.now(); asked - began < GIVE_UP_MS && note.healMs === undefined; asked = Date.now()) {
    const what = await unwell(stage);
    const answered = Date.now();
    const done = !what && (await stage.job());
    note.until = Date.now();
    if (what) wait(what, answered - asked);
    else wait('an export', note.until - answered);
    if (done) note.healMs = note.until - began;
    else await sleep(POLL_MS, undefined, { signal: stage.signal });
  }
  note.waits = [...waits].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms);
}

export interface FaultPlan {
  everySeconds: number;
  /** shortest and longest time that a fault lasts */
  seconds: { least: number; most: number };
  /** names of those that there are, in the order of the first round; all unless given */
  only?: readonly string[];
}

/** A fault every so many seconds until `until` aborts; all kinds once before any comes again. */
export async function disturb(stage: Stage, plan: FaultPlan, random: Random, notes: FaultNote[], until: AbortSignal): Promise<void> {
  const names = plan.only ?? Object.keys(FAULTS);
  for (let deck: string[] = []; ; ) {
    const began = Date.now();
    if (!deck.length) deck = notes.length ? random.some(names, names.length) : [...names];
    const name = deck.shift() as string;
    const note: FaultNote = { name, at: began, seconds: 0, healMs: undefined, waits: [], until: Number.POSITIVE_INFINITY };
    notes.push(note);
    const end = await (FAULTS[name] as Fault)(stage, random);
    await sleep(random.between(plan.seconds.least, plan.seconds.most) * 1000, undefined, { signal: stage.signal });
    note.seconds = (Date.now() - began) / 1000;
    const ending = Date.now();
    await end();
    await healed(stage, note, ending);
    const rest = Math.max(1, plan.everySeconds * 1000 - (Date.now() - began));
    await sleep(rest, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
  }
}
