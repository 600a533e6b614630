/** The soak itself: customers, loads and faults at once, then what became of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GenerationStore } from '../../ingest/write/generations.ts';
import { IndexNames } from '../../src/core/store/elastic/indices.ts';
import { Api, WorkerProcess } from '../lib/programs.ts';
import { type Environment, Sandbox } from '../lib/sandbox.ts';
import { watchCharges } from '../proofs/charges.ts';
import { withElastic } from '../proofs/copies.ts';
import { deadlocksOf } from '../proofs/deadlocks.ts';
import type { Loads } from '../proofs/loaders.ts';
import { schedule } from '../proofs/schedule.ts';
import type { ServerUrls } from '../stack/index.ts';
import type { Client } from './client.ts';
import { Customers, FOR_CUSTOMERS } from './customers.ts';
import { disturb, type FaultNote, type Stage } from './faults.ts';
import { type Level, levelOf, type Sample, watch } from './memory.ts';
import type { SoakOptions } from './options.ts';
import { type Proxies, startProxies } from './proxies.ts';
import { progressText, type SoakResult } from './report.ts';

const LOAD_PAUSE_MS = 4_000;
const CHANGES_PER_SWITCH = 400;
/** More than there is time for. */
const CHANGES_MAX = 1_000_000;
const PROGRESS_MS = 60_000;
/** What a request that began before a fault may have met of it. */
const BEFORE_MS = 15_000;
/** A second; twice what the limits let pass over a run of minutes. */
const LEAK_BYTES = 400_000;
const POLL_MS = 50;

/** Undone at the end, the last one first. */
type Closing = (() => Promise<unknown>)[];

export async function soak(
  options: SoakOptions,
  servers: ServerUrls,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<SoakResult> {
  const closing: Closing = [];
  try {
    const proxies = await startProxies(servers);
    closing.push(() => proxies.stop());
    const sandbox = await Sandbox.make(servers, 'soak');
    closing.push(() => sandbox.remove());
    await watchCharges(sandbox.database);
    return await soakOn({ servers, proxies, sandbox, closing, signal, report }, options);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Ground {
  servers: ServerUrls;
  proxies: Proxies;
  sandbox: Sandbox;
  closing: Closing;
  signal: AbortSignal;
  report: (line: string) => void;
}

async function soakOn(ground: Ground, options: SoakOptions): Promise<SoakResult> {
  const began = Date.now();
  const { sandbox, proxies, servers, closing, report } = ground;
  const deadlocksBefore = await deadlocksOf(sandbox.database);
  const failure = new AbortController();
  const signal = AbortSignal.any([ground.signal, failure.signal]);
  const urls: string[] = [];
  const customers = new Customers({ sandbox, seed: options.seed, urls, signal });
  const { elasticsearchUrl, databaseUrl, redisUrl } = proxies.urls;
  const reached = { ...sandbox.environment(elasticsearchUrl), DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  const environment: Environment = { ...reached, ...FOR_CUSTOMERS };
  const loads = customers.loads({ environment: () => environment, outages: true });
  await loads.loadFull([customers.world.header(1, 'full'), ...customers.world.first(options.records).lines]);
  const processes = await startProcesses(environment, closing, signal);
  urls.push(...processes.apis.map(({ url }) => url));
  const { key } = await sandbox.account('national');
  const prober = customers.client('prober', key, { requests: 0, checked: 0, unanswered: [], wrong: [] });
  const stage: Stage = { sandbox, servers, proxies, ...processes, job: () => jobDone(prober), key, signal };
  closing.push(() => customers.close());
  await customers.open();
  if (options.sabotage?.includes('leak')) stage.apis[0].disturb({ leakBytes: LEAK_BYTES });
  const { changes, faults, memory } = await allTogether(customers, loads, stage, options, failure, report);
  report('The time is over; jobs end, copies are compared, and the books are read …');
  for (const how of options.sabotage ?? []) if (how !== 'leak') await customers.spoil(how);
  const { unanswered, failedJobs, ...found } = await customers.found(servers.elasticsearchUrl);
  const outside = notesOutside(faults);
  return {
    ...found,
    seed: options.seed,
    seconds: Math.round((Date.now() - began) / 1000),
    ...{ changes, faults, memory, loads: loads.counts, healSeconds: options.healSeconds },
    unanswered: outside(unanswered),
    unansweredInFaults: unanswered.length - outside(unanswered).length,
    failedJobs: outside(failedJobs),
    deadlocks: (await deadlocksOf(sandbox.database)) - deadlocksBefore,
  };
}

/** In words, those that no fault explains. */
const notesOutside =
  (faults: readonly FaultNote[]) =>
  (notes: readonly { at: number; what: string }[]): string[] =>
    notes
      .filter(({ at }) => !faults.some((fault) => at > fault.at - BEFORE_MS && at < fault.until))
      .map(({ at, what }) => `${new Date(at).toISOString()} ${what}`);

async function startProcesses(environment: Environment, closing: Closing, signal: AbortSignal): Promise<Pick<Stage, 'apis' | 'workers'>> {
  const nodeOptions = ['--expose-gc'];
  const apis: Api[] = [];
  const workers: WorkerProcess[] = [];
  closing.push(() => Promise.all([...apis, ...workers].map((one) => one.end('SIGKILL'))));
  for (let at = 0; at < 2; at++) workers.push(new WorkerProcess(environment, { nodeOptions }));
  await Promise.all([0, 1].map(async () => apis.push(await Api.start(environment, signal, { nodeOptions }))));
  return { apis: apis as [Api, Api], workers: workers as [WorkerProcess, WorkerProcess] };
}

/** Everything at once until the time is over; the first failure ends the rest. */
async function allTogether(
  customers: Customers,
  loads: Loads,
  stage: Stage,
  { minutes, faults: plan, sampleSeconds }: SoakOptions,
  failure: AbortController,
  report: (line: string) => void,
): Promise<{ changes: number; faults: FaultNote[]; memory: Level[] }> {
  const over = new AbortController();
  const until = over.signal;
  const faults: FaultNote[] = [];
  let reported = 0;
  const samples: Record<string, Sample[]> = { 'an API': [], 'a worker': [] };
  const memory = () => Object.entries(samples).map(([name, taken]) => levelOf(name, taken));
  const loading = async () => {
    const changes = await schedule({
      ...{ world: customers.world, loaders: loads, random: customers.random('schedule'), clients: [], signal: stage.signal },
      ...{ options: { changes: CHANGES_MAX, minutes }, pauseMs: LOAD_PAUSE_MS, changesPerSwitch: CHANGES_PER_SWITCH, renews: true },
      report: () => undefined,
      search: () => generations(stage),
    });
    over.abort();
    return changes;
  };
  const tasks: Promise<unknown>[] = [
    loading(),
    disturb(stage, plan, customers.random('faults'), faults, until),
    watch(() => stage.apis[0].usage(), sampleSeconds * 1000, samples['an API'] as Sample[], until),
    watch(() => stage.workers[0].usage(), sampleSeconds * 1000, samples['a worker'] as Sample[], until),
    everyMinute(until, (passed) => {
      report(progressText({ minutes: passed, tally: customers.tally, loads: loads.counts, faults, memory: memory() }));
      for (; reported < customers.tally.wrong.length; reported++) report(`  wrong: ${customers.tally.wrong[reported]}`);
    }),
    ...customers.run(until),
  ];
  const fail = (error: unknown) => {
    failure.abort(error);
    over.abort(); // what waits for the end would wait for ever
  };
  const [changes] = (await Promise.all(tasks.map((task) => task.catch(fail))).finally(() => failure.signal.throwIfAborted())) as [number];
  return { changes, faults, memory: memory() };
}

async function everyMinute(until: AbortSignal, work: (minutes: number) => void): Promise<void> {
  for (let minutes = 1; ; minutes++) {
    await sleep(PROGRESS_MS, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    work(minutes);
  }
}

const generations = ({ servers, sandbox }: Stage) =>
  withElastic(servers.elasticsearchUrl, (client) => new GenerationStore(client, new IndexNames(sandbox.indexPrefix)).read());

/** Orders an export of anything and waits for its end, which is that a worker works. */
async function jobDone(client: Client): Promise<boolean> {
  const [id] = client.newest.keys();
  const ordered = await client.send('POST', '/exports', { projectIds: [id] });
  if (ordered.status !== 202) return ordered.status === 200;
  for (;;) {
    const { body } = await client.get(`/exports/${ordered.body.data.id}`);
    if (['ready', 'failed'].includes(body.data.status)) return body.data.status === 'ready';
    await sleep(POLL_MS);
  }
}
