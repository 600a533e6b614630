/** Worker processes that a test kills or freezes at any message to or from Postgres and Elasticsearch, which pass through counting proxies. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerSettings } from '../../src/core/jobs/runnerSettings.ts';
import { root } from './programs.ts';
import { MessageCount, stoppingProxy } from './stoppingProxy.ts';

const RUN = path.join(root, 'scripts/run.mjs');
/** Starts a process of `workerChild.ts` from its bundle, which loads in half of the processor time of the modules. */
export const forkWorker = (): ChildProcess => fork(RUN, ['test/support/workerChild.ts']);

/** Time after which a started worker is idle. */
const SETTLE_MS = 200;

/** A lease that outlasts a job on a busy machine, too: a test ends it. */
export const LASTING: Partial<RunnerSettings> = { leaseMs: 60_000 };
/** Without sweeps and polls, so that every counted message belongs to the job. */
export const CALM: Partial<RunnerSettings> = { ...LASTING, sweepMs: 60_000, pollMs: 60_000, heartbeatMs: 60_000 };

/** A worker that was stopped during a job, or after its end. */
export interface StoppedWorker<Job> {
  job: Job;
  child: ChildProcess;
  count: MessageCount;
  /** messages of the worker for the job */
  passed: number;
  close(): void;
}

export class StoppableWorkers {
  readonly #env: Record<string, string>;
  readonly #now: string;
  readonly #children = new Set<ChildProcess>();
  #next: ChildProcess;

  /** @param now ISO 8601, by their clocks */
  constructor(env: Record<string, string>, now: string) {
    this.#env = env;
    this.#now = now;
    this.#next = this.#spawn();
  }

  #spawn(): ChildProcess {
    const child = forkWorker();
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** The process of the next worker is loading in the meantime. */
  async #start(count: MessageCount, settings: Partial<RunnerSettings>) {
    const { DATABASE_URL = '', ELASTICSEARCH_URL = '' } = this.#env;
    const [database, elastic] = await Promise.all([stoppingProxy(DATABASE_URL, count), stoppingProxy(ELASTICSEARCH_URL, count)]);
    const child = this.#next;
    this.#next = this.#spawn();
    const addresses = { DATABASE_URL: database.url, ELASTICSEARCH_URL: elastic.url };
    const started = once(child, 'message').then(([first]) => (first === 'started' ? first : once(child, 'message')));
    if (child.connected) child.send({ env: { ...this.#env, ...addresses }, now: this.#now, settings });
    await started;
    const close = () => {
      database.close();
      elastic.close();
    };
    return { child, close };
  }

  /**
   * Submits a job and stops all messages of its worker after `allowed` of them, or when the job has ended.
   * @param ended resolves when the job has ended; may fail where the service does not answer
   */
  async stoppedAfter<Job>(
    allowed: number,
    settings: Partial<RunnerSettings>,
    { submit, ended }: { submit: () => Promise<Job>; ended: (job: Job) => Promise<unknown> },
  ): Promise<StoppedWorker<Job>> {
    const count = new MessageCount(Number.POSITIVE_INFINITY);
    const { child, close } = await this.#start(count, settings);
    await sleep(SETTLE_MS);
    const idle = count.passed;
    count.allowFurther(allowed);
    const job = await submit();
    await Promise.race([count.stopped, ended(job).catch(() => undefined)]);
    return { job, child, count, passed: count.passed - idle, close };
  }

  async kill({ child, close }: Pick<StoppedWorker<unknown>, 'child' | 'close'>): Promise<void> {
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
    close();
  }

  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
