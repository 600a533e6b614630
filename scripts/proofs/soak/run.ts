/** Runs a long proof: customers, loads and faults at once, then the comparison. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GenerationStore } from '../../../ingest/write/generationSets.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { countDeadlocks, watchCharges } from '../../lib/charges.ts';
import { ApiProcess, WorkerProcess } from '../../lib/programs.ts';
import { root, Sandbox, type SandboxEnvironment, withElastic } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { type CheckingClient, newAnswerTally } from './client.ts';
import { Cluster } from './cluster.ts';
import { CUSTOMER_SETTINGS, Customers } from './customers.ts';
import { type FaultNote, type FaultStage, makeFaults } from './faults.ts';
import type { Loads } from './loaders.ts';
import { levelOf, type MemoryLevel, type MemorySample, sampleMemory } from './memory.ts';
import type { ProofProfile } from './profile.ts';
import { type Proxies, startProxies } from './proxies.ts';
import { type ProofReport, progressText } from './report.ts';
import { runLoads } from './schedule.ts';

const PROCESSES = 2;
/** The longest time that a killed Elasticsearch node needs to restart on a busy machine. */
const READY_AFTER_OUTAGE_MS = 240_000;
/** A request that began this long before a fault may have been affected by it. */
const BEFORE_MS = 15_000;
/** Bytes leaked per second: twice what the limits allow over a run of minutes. */
const LEAK_BYTES = 400_000;
const JOB_POLL_MS = 50;

/** Clean-up at the end of a run, in reverse order. */
type Closing = (() => Promise<unknown>)[];

/** The servers of a proof: the given ones, behind proxies if they are to fail, or its own Elasticsearch cluster. */
interface Backends {
  proxies: Proxies | undefined;
  cluster: Cluster | undefined;
  /** address of an Elasticsearch node that is up, without the proxy */
  elasticUrl: () => string;
}

/** State shared by the parts of one run. */
interface ProofRun extends Backends {
  profile: ProofProfile;
  sandbox: Sandbox;
  customers: Customers;
  closing: Closing;
  /** aborted at the first failure of a part */
  signal: AbortSignal;
  failure: AbortController;
  log: (line: string) => void;
}

export async function prove(
  profile: ProofProfile,
  servers: ServerUrls,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<ProofReport> {
  const closing: Closing = [];
  try {
    const backends = await openBackends(profile, servers, closing, signal, log);
    const sandbox = await Sandbox.make(servers, profile.purpose);
    closing.push(() => sandbox.remove(backends.cluster ? null : undefined));
    await watchCharges(sandbox.database);
    const failure = new AbortController();
    const either = AbortSignal.any([signal, failure.signal]);
    const urls: string[] = [];
    const { seed, hasVisits, loads, snapshotHabit } = profile;
    const copies = { count: profile.copies, idleMs: profile.copyIdleMs, sabotage: profile.copySabotage, snapshotHabit };
    const customers = new Customers({ sandbox, seed, urls, signal: either, copies, hasVisits, world: loads });
    return await runAll({ ...backends, profile, sandbox, customers, closing, signal: either, failure, log }, urls);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Starts proxies in front of the servers if servers are to fail, not only processes. */
async function openBackends(
  { nodes, hasVisits }: ProofProfile,
  servers: ServerUrls,
  closing: Closing,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Backends> {
  const cluster = nodes === 3 ? await Cluster.start(root, log, signal) : undefined;
  if (cluster) closing.push(() => cluster.stop());
  const proxies = hasVisits ? await startProxies(servers) : undefined;
  if (proxies) closing.push(() => proxies.stop());
  return { cluster, proxies, elasticUrl: () => cluster?.anyUrl ?? servers.elasticsearchUrl };
}

/** Settings of the process with this index, or of a loader. */
function environmentOf({ sandbox, cluster, proxies, elasticUrl }: ProofRun, at?: number): SandboxEnvironment {
  const settings = sandbox.environment(at === undefined ? elasticUrl() : cluster?.urls[at]);
  if (!proxies) return settings;
  const { elasticsearchUrl, databaseUrl, redisUrl } = proxies.urls;
  return { ...settings, ...CUSTOMER_SETTINGS, ELASTICSEARCH_URL: elasticsearchUrl, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}

/** @param urls gets the addresses of the API processes when they serve */
async function runAll(run: ProofRun, urls: string[]): Promise<ProofReport> {
  const began = Date.now();
  const { profile, sandbox, customers, closing, proxies, cluster, log } = run;
  const deadlocksBefore = await countDeadlocks(sandbox.database);
  const loads = customers.loads({ environment: () => environmentOf(run), outages: Boolean(proxies ?? cluster) });
  await loads.loadFull([customers.world.header(1, 'full'), ...customers.world.first(profile.records).lines]);
  const processes = await startProcesses(run);
  urls.push(...processes.apis.map(({ url }) => url));
  const { key } = await sandbox.account('national');
  const prober = customers.client('prober', key, newAnswerTally());
  const runJob = profile.hasVisits ? () => orderExport(prober) : undefined;
  const spared = profile.sampleSeconds ? 1 : 0;
  const stage: FaultStage = { ...run, ...processes, spared, runJob, key };
  closing.push(() => customers.close());
  await customers.open();
  const { spoilers = [] } = profile;
  if (spoilers.includes('leak')) stage.apis[0]?.disturb({ leakBytes: LEAK_BYTES });
  const { changes, faults, memory } = await runTogether(run, stage, loads);
  log('The loads are done; jobs end, copies are compared, and the ledger is read …');
  for (const how of spoilers) if (how !== 'leak') await customers.spoil(how);
  const { unanswered, visits, ...found } = await customers.report(run.elasticUrl());
  const unexplained = notesOutside(unanswered, faults);
  return {
    ...found,
    visits: visits && { ...visits, failedJobs: notesOutside(visits.failedJobs, faults) },
    seed: profile.seed,
    seconds: Math.round((Date.now() - began) / 1000),
    changes,
    faults,
    memory,
    loads: loads.counts,
    healSeconds: profile.healSeconds,
    unanswered: unexplained,
    unansweredInFaults: unanswered.length - unexplained.length,
    deadlocks: (await countDeadlocks(sandbox.database)) - deadlocksBefore,
  };
}

/** Notes, in words, that no fault explains. */
const notesOutside = (notes: readonly { at: number; what: string }[], faults: readonly FaultNote[]): string[] =>
  notes
    .filter(({ at }) => !faults.some((fault) => at > fault.at - BEFORE_MS && at < fault.until))
    .map(({ at, what }) => `${new Date(at).toISOString()} ${what}`);

async function startProcesses(run: ProofRun): Promise<Pick<FaultStage, 'apis' | 'workers'>> {
  const { profile, closing, signal, cluster } = run;
  const nodeOptions = profile.sampleSeconds ? ['--expose-gc'] : [];
  const options = { nodeOptions, ...(cluster ? { readyMs: READY_AFTER_OUTAGE_MS } : {}) };
  const apis: ApiProcess[] = [];
  const workers: WorkerProcess[] = [];
  closing.push(() => Promise.all([...apis, ...workers].map((one) => one.end('SIGKILL'))));
  const hasJobs = profile.hasVisits || profile.snapshotHabit !== undefined;
  if (hasJobs) for (let at = 0; at < PROCESSES; at++) workers.push(new WorkerProcess(environmentOf(run, at), { nodeOptions }));
  const numbers = Array.from({ length: PROCESSES }, (_, at) => at);
  apis.push(...(await Promise.all(numbers.map((at) => ApiProcess.start(environmentOf(run, at), signal, options)))));
  return { apis, workers };
}

/** Runs customers, loads and faults at once until the loads are done; the first failure ends the others. */
async function runTogether(
  run: ProofRun,
  stage: FaultStage,
  loads: Loads,
): Promise<{ changes: number; faults: FaultNote[]; memory: MemoryLevel[] }> {
  const { profile, customers, sandbox, signal, failure, log } = run;
  const over = new AbortController();
  const faults: FaultNote[] = [];
  const done = { changes: 0 };
  const samples: Record<string, MemorySample[]> = {};
  const watched = profile.sampleSeconds ? { 'an API': stage.apis[0], 'a worker': stage.workers[0] } : {};
  const memory = () => Object.entries(samples).map(([name, taken]) => levelOf(name, taken));
  const readGenerations = () =>
    withElastic(run.elasticUrl(), (client) => new GenerationStore(client, new IndexNames(sandbox.indexPrefix)).read());
  const random = customers.random('schedule');
  const tasks: Promise<unknown>[] = [
    runLoads({ world: customers.world, loaders: loads, plan: profile.loads, readGenerations, random, signal, done }).then(() =>
      over.abort(),
    ),
    ...profile.faults.map((plan, i) => makeFaults(stage, plan, customers.random(i ? `faults ${i}` : 'faults'), faults, over.signal)),
    ...Object.entries(watched).map(([name, one]) => {
      const taken: MemorySample[] = [];
      samples[name] = taken;
      return one && sampleMemory(() => one.usage(), (profile.sampleSeconds ?? 0) * 1000, taken, over.signal);
    }),
    reportProgress(profile.progressSeconds, over.signal, (seconds, wrongFrom) => {
      const { tally, pages } = customers;
      log(progressText({ seconds, changes: done.changes, pages, tally, loads: loads.counts, faults, memory: memory() }));
      for (const wrong of tally.wrong.slice(wrongFrom)) log(`  wrong: ${wrong}`);
      return tally.wrong.length;
    }),
    ...customers.run(over.signal),
  ].map(async (task) => task);
  const fail = (error: unknown) => {
    failure.abort(error);
    over.abort(); // otherwise those that wait for the end would never stop
  };
  await Promise.all(tasks.map((task) => task.catch(fail)));
  failure.signal.throwIfAborted();
  return { changes: done.changes, faults, memory: memory() };
}

/** @param report called with the seconds that have passed, and its own previous result */
async function reportProgress(
  everySeconds: number,
  until: AbortSignal,
  report: (seconds: number, before: number) => number,
): Promise<void> {
  let reported = 0;
  for (let seconds = everySeconds; ; seconds += everySeconds) {
    await sleep(everySeconds * 1000, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    reported = report(seconds, reported);
  }
}

/** Orders an export of one record and waits for its end. @returns whether it succeeded, which shows that a worker works */
async function orderExport(client: CheckingClient): Promise<boolean> {
  const [id] = client.newest.keys();
  const ordered = await client.send('POST', '/exports', { projectIds: [id] });
  if (ordered.status !== 202) return ordered.status === 200;
  for (;;) {
    const { body } = await client.get(`/exports/${ordered.body.data.id}`);
    if (['ready', 'failed'].includes(body.data.status)) return body.data.status === 'ready';
    await sleep(JOB_POLL_MS);
  }
}
