/** Proves that the service works while one of three Elasticsearch nodes is slow, is killed and is restarted, under continuous load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GenerationStore } from '../../../ingest/write/generationSets.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { watchCharges } from '../../lib/charges.ts';
import { ApiProcess } from '../../lib/programs.ts';
import { root, Sandbox, type SandboxEnvironment, withElastic } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { allTeams, Clients, type ClientsTally } from '../bench/clients.ts';
import { Cluster } from './cluster.ts';
import { Customers } from './customers.ts';
import type { NodesReport, NodesStage, StageName } from './nodesReport.ts';
import { runLoads } from './schedule.ts';

const NODES = 3;
const HEAP = '512m';
/** Nodes that share the cores with the service would keep Postgres and Redis from them for longer than an answer may take. */
const NICENESS = 10;
const SLOW_MS = 500;
/** Two of five minutes of a round are healthy, one each slow, killed, and with the node back. */
const STAGES_A_ROUND = 5;
/** Of a round in which no node is killed: slow between healthy. */
const STAGES_WITHOUT_KILL = 3;
const ROUND_MINUTES_MOST = 5;
/** Pause after a fault, before answers count as those of a healthy cluster. */
const SETTLE_MS = 10_000;
const WARM_UP_MS = 15_000;
/** Failed answers of a stage that are shown when it ends. */
const FAILURES_SHOWN = 5;
const COPIES = { count: 3, idleMs: 1_500 };
/** An increment now and then; no switch of generations, whose cost on so few cores would hide that of the nodes. */
const LOADS = {
  changes: Number.POSITIVE_INFINITY,
  minutes: 1440,
  pauseMs: 20_000,
  changesPerSwitch: 1_000_000,
  batchMax: 100,
  hasMerges: true,
};

export interface NodesProfile {
  minutes: number;
  seed: number;
  records: number;
  /** calls of each of two teams */
  perSecond: number;
  /** whether a node is killed in each round, after one was slow */
  kill: boolean;
}

interface Run {
  profile: NodesProfile;
  cluster: Cluster;
  clients: Clients;
  stages: NodesStage[];
  signal: AbortSignal;
  log: (line: string) => void;
}

/** Paths of the requests, which are valid whatever the loads change. */
const pathsOf = (records: number): string[] => [
  '/projects/search?dateRange=all&representation=compact&limit=25',
  '/projects/search?dateRange=all&states=CO&limit=10',
  '/projects/count?dateRange=all&states=TX',
  '/projects/search?dateRange=all&counties=Boulder%20County&states=CO&representation=compact&limit=25',
  '/projects/count?dateRange=all&status=approved',
  ...Array.from({ length: 5 }, (_, at) => `/projects/${1 + Math.floor((at * records) / 5)}`),
];

async function runStage({ clients, stages, log, signal }: Run, name: StageName, round: number, ms: number): Promise<void> {
  const began = Date.now();
  await sleep(ms, undefined, { signal });
  await endStage({ clients, stages, log }, name, round, began);
}

async function endStage({ clients, stages, log }: Pick<Run, 'clients' | 'stages' | 'log'>, name: StageName, round: number, began: number) {
  const tally: ClientsTally = await clients.take();
  const { answeredMs, failures } = allTeams(tally);
  stages.push({ name, round, began, seconds: tally.seconds, answeredMs, failures, killedAt: undefined });
  log(`round ${round}, ${name}: ${answeredMs.length} answers in ${Math.round(tally.seconds)} s, ${failures.length} failed`);
  for (const { began: at, ended, what } of failures.slice(0, FAILURES_SHOWN))
    log(`  ${new Date(at).toISOString()}, after ${Math.round(ended - at)} ms: ${what}`);
}

/** Runs a round: one node is slow; then one is killed and restarted. */
async function runRound(run: Run, round: number, stageMs: number): Promise<void> {
  const { cluster } = run;
  const slow = round % NODES;
  await runStage(run, 'healthy', round, stageMs);
  await cluster.slow(slow, SLOW_MS);
  await runStage(run, 'one slow', round, stageMs);
  await cluster.slow(slow, 0);
  await runStage(run, 'settling', round, SETTLE_MS);
  await runStage(run, 'healthy', round, stageMs);
  if (run.profile.kill) await killInRound(run, round, stageMs);
}

async function killInRound(run: Run, round: number, stageMs: number): Promise<void> {
  const { cluster, clients, stages, signal } = run;
  const killed = (round + 1) % NODES;
  const killedAt = Date.now();
  await cluster.kill(killed);
  await runStage(run, 'one killed', round, stageMs);
  (stages.at(-1) as NodesStage).killedAt = killedAt;
  const began = Date.now();
  await cluster.restart(killed);
  await cluster.untilAnswers(killed, signal);
  await endStage(run, 'one starting', round, began);
  await runStage(run, 'one back', round, stageMs);
  await cluster.untilGreen(signal);
  await runStage(run, 'settling', round, SETTLE_MS);
  await clients.take();
}

/** Copies of the served index, on which nodes they are. @throws Error unless there are three shards of one copy each, spread over all nodes */
async function checkSpread(url: string, alias: string): Promise<void> {
  const shards = await withElastic(url, (client) =>
    client.cat.shards({ index: alias, format: 'json', h: ['shard', 'prirep', 'node', 'state'] }),
  );
  const nodes = new Set(shards.map(({ node }) => node));
  if (shards.length !== 2 * NODES || nodes.size !== NODES || shards.some(({ state }) => state !== 'STARTED'))
    throw new Error(`The served index is not spread over three nodes: ${JSON.stringify(shards)}`);
}

interface Opened {
  sandbox: Sandbox;
  cluster: Cluster;
  customers: Customers;
  environment: () => SandboxEnvironment;
  clients: Clients;
}

type Closing = (() => Promise<unknown>)[];

/** Nodes, a loaded index, an API with the addresses of all nodes, copies and clients. */
async function open(
  profile: NodesProfile,
  servers: ServerUrls,
  closing: Closing,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Opened & { loads: ReturnType<Customers['loads']> }> {
  const { seed, records } = profile;
  const sandbox = await Sandbox.make(servers, 'nodes');
  closing.push(() => sandbox.remove(null));
  const cluster = await Cluster.start(root, log, signal, { heap: HEAP, isProxied: true, niceness: NICENESS });
  closing.push(() => cluster.stop());
  await watchCharges(sandbox.database);
  const spread = { INDEX_SHARDS: String(NODES), INDEX_REPLICAS: '1' };
  const environment = () => ({ ...sandbox.environment(cluster.anyUrl), ...spread });
  const urls: string[] = [];
  const customers = new Customers({ sandbox, seed, urls, signal, copies: COPIES, hasVisits: false, world: LOADS });
  closing.push(() => customers.close());
  const loads = customers.loads({ environment, outages: true });
  await loads.loadFull([customers.world.header(1, 'full'), ...customers.world.first(records).lines]);
  await cluster.untilGreen(signal);
  await checkSpread(cluster.anyUrl, new IndexNames(sandbox.indexPrefix).readAlias('projects'));
  const api = await ApiProcess.start({ ...sandbox.environment(cluster.urls.join()), ...spread }, signal);
  closing.push(() => api.end());
  urls.push(api.url);
  await customers.open();
  const accounts = [await sandbox.account('national'), await sandbox.account('api_only')];
  const clients = new Clients({ url: api.url, keys: accounts.map(({ key }) => key), paths: pathsOf(records), seed, expectsAnswers: true });
  closing.push(() => clients.end());
  return { sandbox, cluster, customers, environment, clients, loads };
}

export async function proveNodes(
  profile: NodesProfile,
  servers: ServerUrls,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<NodesReport> {
  const closing: Closing = [];
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  try {
    const { sandbox, cluster, customers, clients, loads } = await open(profile, servers, closing, either, log);
    const began = Date.now();
    const stages: NodesStage[] = [];
    const over = new AbortController();
    const done = { changes: 0 };
    const readGenerations = () =>
      withElastic(cluster.anyUrl, (client) => new GenerationStore(client, new IndexNames(sandbox.indexPrefix)).read());
    const random = customers.random('schedule');
    const loading = runLoads({ world: customers.world, loaders: loads, plan: LOADS, readGenerations, random, signal: over.signal, done });
    const tasks = [loading, ...customers.run(over.signal)].map((task) =>
      task.catch((error) => {
        if (!over.signal.aborted) failure.abort(error);
      }),
    );
    clients.setLoad({ kind: 'open', perSecond: [profile.perSecond, profile.perSecond] });
    const run: Run = { profile, cluster, clients, stages, signal: either, log };
    await sleep(WARM_UP_MS, undefined, { signal: either });
    await clients.take();
    const rounds = Math.max(1, Math.round(profile.minutes / ROUND_MINUTES_MOST));
    const stageMs = (profile.minutes * 60_000) / rounds / (profile.kill ? STAGES_A_ROUND : STAGES_WITHOUT_KILL);
    for (let round = 0; round < rounds; round++) await runRound(run, round, stageMs);
    clients.setLoad({ kind: 'none' });
    over.abort();
    await Promise.all(tasks);
    either.throwIfAborted();
    log('The load is over; copies are compared, and the ledger is read …');
    const { copies } = await customers.report(cluster.anyUrl);
    return {
      seed: profile.seed,
      seconds: Math.round((Date.now() - began) / 1000),
      rounds,
      changes: done.changes,
      loads: loads.counts,
      stages,
      copies,
    };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
