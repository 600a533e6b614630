/** `npm run prove-nodes`: the service works while one of three Elasticsearch nodes is slow, is killed and is restarted, under continuous load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { watchCharges } from '../../lib/charges.ts';
import { ApiProcess } from '../../lib/programs.ts';
import { root, Sandbox, withElastic } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { allTeams, Clients, type ClientsTally } from '../bench/clients.ts';
import { Cluster } from './cluster.ts';
import { Customers } from './customers.ts';
import type { Loads } from './loaders.ts';
import { runProof } from './main.ts';
import { isNodesSound, type NodesReport, type NodesStage, nodesText, type StageName } from './nodesReport.ts';

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

/** What goes on during all stages, and ends with them. */
interface Opened {
  cluster: Cluster;
  customers: Customers;
  loads: Loads;
  clients: Clients;
}

/** Nodes, a loaded index, an API with the addresses of all nodes, copies and clients. */
async function open(
  { seed, records }: NodesProfile,
  servers: ServerUrls,
  closing: AsyncDisposableStack,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Opened> {
  const sandbox = closing.adopt(await Sandbox.make(servers, 'nodes'), (made) => made.remove(null));
  const cluster = closing.use(await Cluster.start(root, log, signal, { heap: HEAP, isProxied: true, niceness: NICENESS }));
  await watchCharges(sandbox.database);
  const environment = (url: string) => ({ ...sandbox.environment(url), INDEX_SHARDS: String(NODES), INDEX_REPLICAS: '1' });
  const urls: string[] = [];
  const customers = closing.use(new Customers({ sandbox, seed, urls, signal, copies: COPIES, hasVisits: false, world: LOADS }));
  const loads = customers.loads({ environment: () => environment(cluster.anyUrl), outages: true });
  await customers.loadFirst(loads, records);
  await cluster.untilGreen(signal);
  await checkSpread(cluster.anyUrl, new IndexNames(sandbox.indexPrefix).readAlias('projects'));
  const api = closing.use(await ApiProcess.start(environment(cluster.urls.join()), signal));
  urls.push(api.url);
  await customers.open();
  const accounts = [await sandbox.account('national'), await sandbox.account('api_only')];
  const plan = { url: api.url, keys: accounts.map(({ key }) => key), paths: pathsOf(records), seed, expectsAnswers: true };
  return { cluster, customers, clients: closing.use(new Clients(plan)), loads };
}

export async function proveNodes(
  profile: NodesProfile,
  servers: ServerUrls,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<NodesReport> {
  await using closing = new AsyncDisposableStack();
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const { cluster, customers, clients, loads } = await open(profile, servers, closing, either, log);
  const began = Date.now();
  const stages: NodesStage[] = [];
  const over = new AbortController();
  const done = { changes: 0 };
  const loading = customers.keepLoading({ loaders: loads, plan: LOADS, signal: over.signal, done }, () => cluster.anyUrl);
  const tasks = [loading, ...customers.run(over.signal)].map((task) =>
    task.catch((error) => {
      if (!over.signal.aborted) failure.abort(error);
    }),
  );
  clients.setLoad({ kind: 'open', perSecond: [profile.perSecond, profile.perSecond] });
  await sleep(WARM_UP_MS, undefined, { signal: either });
  await clients.take();
  const rounds = Math.max(1, Math.round(profile.minutes / ROUND_MINUTES_MOST));
  const stageMs = (profile.minutes * 60_000) / rounds / (profile.kill ? STAGES_A_ROUND : STAGES_WITHOUT_KILL);
  for (let round = 0; round < rounds; round++) await runRound({ profile, cluster, clients, stages, signal: either, log }, round, stageMs);
  clients.setLoad({ kind: 'none' });
  over.abort();
  await Promise.all(tasks);
  either.throwIfAborted();
  log('The load is over; copies are compared, and the ledger is read …');
  const { copies } = await customers.report(cluster.anyUrl);
  const seconds = Math.round((Date.now() - began) / 1000);
  return { seed: profile.seed, seconds, rounds, changes: done.changes, loads: loads.counts, stages, copies };
}

const EXAMPLES = `
Examples:
  npm run prove-nodes                    three minutes
  npm run prove-nodes -- --minutes 30    as it is meant
  npm run prove-nodes -- --no-kill       slow nodes alone
  npm run prove-nodes -- --json          the result for programs

What it does: three nodes of one cluster, each with a heap of 512 MB, hold three shards with a copy each. Two teams ask one API process on and on,
loaders change records, copies are kept by sync. In each round every answer of one node comes 500 ms late, to the API and to the other
nodes; then another node is killed, and started again. No answer may fail but those in flight when a node is killed, and p99 stays within
twice that of healthy nodes. While a node starts, it takes processor time of the cores that all share here: that stage is shown and not judged.

Uses DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Exit code 0: every line is kept.`;

type Options = NodesProfile & { json: boolean };

if (import.meta.main)
  await runProof(() => {
    const { json, ...profile } = makeProgram(
      'npm run prove-nodes --',
      'Proves that a slow, dead or returning Elasticsearch node is noticed by nobody.',
      EXAMPLES,
    )
      .option('--minutes <number>', 'of load, in rounds of at most five', wholeNumber(1, 1440), 3)
      .option('--seed <number>', 'the same seed gives the same loads and requests', wholeNumber(0, 999_999_999), 1)
      .option('--records <number>', 'records that are loaded first', wholeNumber(100, 1_000_000), 2_000)
      .option('--per-second <number>', 'calls a second of each of two teams', wholeNumber(1, 10_000), 4)
      .option('--no-kill', 'slow nodes alone')
      .option('--json', 'print the result as JSON', false)
      .parse()
      .opts<Options>();
    return { json, isSound: isNodesSound, text: nodesText, prove: (...on) => proveNodes(profile, ...on) };
  });
