/** Runs the jobs of a registry until it is stopped, and cleans up after workers that died. Any number of runners may work at once. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Listener } from '../store/postgres/listener.ts';
import { Attempt, type AttemptObserver, GIVEN_UP, TOO_LATE } from './attempt.ts';
import type { JobDefinition, Registry } from './defineJob.ts';
import { queueDueJobs } from './due.ts';
import { Lane } from './lane.ts';
import { RUNNER_SETTINGS, type RunnerSettings } from './runnerSettings.ts';
import type { JobStore } from './store.ts';
import { JobSweep } from './sweep.ts';

export interface RunnerOptions {
  registry: Registry;
  /** for the handlers' writes */
  jobs: JobStore;
  /** for starts, renewals and sweeps, with a connection pool of its own, so that handlers cannot exhaust it */
  control: JobStore;
  log: Logger;
  /** calls back with the kind of a queued job, or with null when notifications may have been missed */
  listener(onWake: (kind: string | null) => void): Pick<Listener, 'start' | 'close'>;
  settings?: Partial<RunnerSettings>;
  observe?: AttemptObserver | undefined;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #settings: RunnerSettings;
  readonly #sweep: JobSweep;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #listener: Pick<Listener, 'start' | 'close'>;
  readonly #stopping = new AbortController();
  #stopped = false;
  #sweeper: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  /** when each kind's upkeep last began, by performance.now() */
  readonly #upkeepBegun = new Map<string, number>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#settings = { ...RUNNER_SETTINGS, ...options.settings };
    this.#sweep = new JobSweep(options.control);
    const worked = [...options.registry].filter(([, { concurrency }]) => concurrency > 0);
    this.#lanes = new Map(worked.map(([name, definition]) => [name, this.#makeLane(definition)]));
    this.#listener = options.listener((kind) => this.#wake(kind));
  }

  async start(): Promise<void> {
    await this.#listener.start();
    for (const lane of this.#lanes.values()) lane.start();
    this.#sweepSoon(0);
  }

  /** Starts no further job, gives running ones `graceMs` to end, and hands back those that have not. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#sweeper);
    const idle = Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
    const grace = setTimeout(() => this.#stopping.abort(), graceMs);
    await idle;
    clearTimeout(grace);
    await this.#sweeping;
    await this.#listener.close();
  }

  #makeLane(definition: JobDefinition<unknown>): Lane {
    const { control, jobs, log, observe } = this.#options;
    const { name, concurrency } = definition;
    const worker = `${hostname()}:${process.pid}`;
    return new Lane({
      concurrency,
      pollMs: this.#settings.pollMs,
      take: (room) => control.start(name, room, worker, this.#settings.leaseMs),
      run: async (job) => {
        const { signal: stopping } = this.#stopping;
        await new Attempt(job, definition, { jobs, leases: control, settings: this.#settings, log, observe, stopping }).run();
        // A job that had to wait for this one may be due now.
        await this.#queueDue(definition);
      },
      onError: (err) => log.error({ err, kind: name }, 'Jobs could not be started; trying again'),
    });
  }

  #wake(kind: string | null): void {
    for (const [name, lane] of this.#lanes) if (kind === null || kind === name) lane.wake();
  }

  #sweepSoon(ms: number): void {
    this.#sweeper = setTimeout(() => {
      this.#sweeping = this.#sweepOnce().finally(() => {
        if (!this.#stopped) this.#sweepSoon(this.#settings.sweepMs);
      });
    }, ms);
  }

  async #sweepOnce(): Promise<void> {
    const { log, registry } = this.#options;
    const kinds = [...registry.keys()];
    try {
      const swept = await this.#sweep.run(kinds);
      if (swept?.requeued) log.warn(swept, 'Jobs that nobody worked on were queued again');
      for (const { id, kind, why } of await this.#sweep.findJobsToFail(kinds, this.#settings.leaseMs)) await this.#giveUp(id, kind, why);
    } catch (err) {
      log.error({ err }, 'The sweep of jobs failed; it is tried again');
    }
    for (const definition of registry.values()) {
      await this.#queueDue(definition);
      await this.#runUpkeep(definition);
    }
  }

  async #queueDue(definition: JobDefinition<unknown>): Promise<void> {
    if (!definition.takeDue || this.#stopped) return;
    try {
      await queueDueJobs(this.#options.jobs, definition);
    } catch (err) {
      this.#options.log.error({ err, kind: definition.name }, 'Jobs that are due could not be queued; trying again');
    }
  }

  async #runUpkeep({ name, upkeep }: JobDefinition<unknown>): Promise<void> {
    const last = this.#upkeepBegun.get(name);
    if (!upkeep || (last !== undefined && performance.now() - last < upkeep.everyMs)) return;
    this.#upkeepBegun.set(name, performance.now());
    try {
      await upkeep.run();
    } catch (err) {
      this.#options.log.error({ err, kind: name }, 'Upkeep after jobs failed; it is tried again');
    }
  }

  async #giveUp(id: string, kind: string, why: 'deadline' | 'attempts'): Promise<void> {
    const { log, registry, observe } = this.#options;
    const failure =
      why === 'deadline'
        ? { error: TOO_LATE, lastFailure: 'The deadline passed without a worker that settled the job' }
        : { error: GIVEN_UP, lastFailure: 'The worker of the last attempt was lost' };
    try {
      const failed = await this.#sweep.fail(id, this.#settings.leaseMs, failure, registry.get(kind)?.giveBack);
      if (!failed) return;
      log.warn({ job: id, kind, why }, 'A job was given up');
      // The worker of its last attempt is gone, and observed no end of it.
      if (why === 'attempts') observe?.({ kind, outcome: 'failed', seconds: 0 });
    } catch (err) {
      log.error({ err, job: id, kind }, 'A job could not be given up; it is tried again');
    }
  }
}
