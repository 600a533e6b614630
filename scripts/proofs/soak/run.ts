/** Runs a long proof: customers, loads and faults at once, then the comparison. */
import { setTimeout as sleep } from 'node:timers/promises';
import { countDeadlocks, watchCharges } from '../../lib/charges.ts';
import { ApiProcess, WorkerProcess } from '../../lib/programs.ts';
import { root, Sandbox, type SandboxEnvironment } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { type CheckingClient, newAnswerTally } from './client.ts';
import { Cluster } from './cluster.ts';
import { CUSTOMER_SETTINGS, Customers } from './customers.ts';
import { type FaultNote, type FaultStage, makeFaults } from './faults.ts';
import type { Loads } from './loaders.ts';
import { levelOf, type MemoryLevel, type MemorySample, sampleMemory } from './memory.ts';
import type { ProofProfile } from './profile.ts';
import { startProxies } from './proxies.ts';
import { type ProofReport, progressText } from './report.ts';

const PROCESSES = 2;
/** The longest time that a killed Elasticsearch node needs to restart on a busy machine. */
const READY_AFTER_OUTAGE_MS = 240_000;
/** A request that began this long before a fault may have been affected by it. */
const BEFORE_MS = 15_000;
/** Bytes leaked per second: twice what the limits allow over a run of minutes. */
const LEAK_BYTES = 400_000;
const JOB_POLL_MS = 50;

/** State shared by the parts of one run. */
interface ProofRun extends Pick<FaultStage, 'sandbox' | 'elasticUrl' | 'proxies' | 'cluster'> {
  profile: ProofProfile;
  customers: Customers;
  /** what ends with the run */
  closing: AsyncDisposableStack;
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
  await using closing = new AsyncDisposableStack();
  const cluster = profile.hasCluster ? closing.use(await Cluster.start(root, log, signal)) : undefined;
  // In front of the servers where they are to fail, not only processes.
  const proxies = profile.hasVisits ? closing.use(await startProxies(servers)) : undefined;
  const elasticUrl = () => cluster?.anyUrl ?? servers.elasticsearchUrl;
  const sandbox = closing.adopt(await Sandbox.make(servers, profile.purpose), (made) => made.remove(cluster ? null : undefined));
  await watchCharges(sandbox.database);
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const urls: string[] = [];
  const { seed, hasVisits, loads, snapshotHabit } = profile;
  const copies = { count: profile.copies, idleMs: profile.copyIdleMs, sabotage: profile.copySabotage, snapshotHabit };
  const customers = closing.use(new Customers({ sandbox, seed, urls, signal: either, copies, hasVisits, world: loads }));
  return await runAll({ profile, sandbox, elasticUrl, proxies, cluster, customers, closing, signal: either, failure, log }, urls);
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
  const { profile, sandbox, customers, proxies, cluster, log } = run;
  const deadlocksBefore = await countDeadlocks(sandbox.database);
  const loads = customers.loads({ environment: () => environmentOf(run), outages: Boolean(proxies ?? cluster) });
  await customers.loadFirst(loads, profile.records);
  const processes = await startProcesses(run);
  urls.push(...processes.apis.map(({ url }) => url));
  const { key } = await sandbox.account('national');
  const prober = customers.client('prober', key, newAnswerTally());
  const runJob = profile.hasVisits ? () => orderExport(prober) : undefined;
  const stage: FaultStage = { ...run, ...processes, spared: profile.sampleSeconds ? 1 : 0, runJob, key };
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
  const numbers = Array.from({ length: PROCESSES }, (_, at) => at);
  const hasJobs = profile.hasVisits || profile.snapshotHabit !== undefined;
  const workers = (hasJobs ? numbers : []).map((at) => new WorkerProcess(environmentOf(run, at), { nodeOptions }));
  const apis: ApiProcess[] = [];
  closing.defer(async () => void (await Promise.all([...apis, ...workers].map((one) => one.end('SIGKILL')))));
  apis.push(...(await Promise.all(numbers.map((at) => ApiProcess.start(environmentOf(run, at), signal, options)))));
  return { apis, workers };
}

/** Runs customers, loads and faults at once until the loads are done; the first failure ends the others. */
async function runTogether(
  run: ProofRun,
  stage: FaultStage,
  loads: Loads,
): Promise<{ changes: number; faults: FaultNote[]; memory: MemoryLevel[] }> {
  const { profile, customers, signal, failure, log, elasticUrl } = run;
  const over = new AbortController();
  const faults: FaultNote[] = [];
  const done = { changes: 0 };
  const samples: Record<string, MemorySample[]> = {};
  const watched = profile.sampleSeconds ? { 'an API': stage.apis[0], 'a worker': stage.workers[0] } : {};
  const memory = () => Object.entries(samples).map(([name, taken]) => levelOf(name, taken));
  const tasks: Promise<unknown>[] = [
    customers.keepLoading({ loaders: loads, plan: profile.loads, signal, done }, elasticUrl).then(() => over.abort()),
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
