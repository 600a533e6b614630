/** Worker processes that a test kills or freezes at any message to or from Postgres and Elasticsearch, which pass through counting proxies. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunnerSettings } from '../../src/core/jobs/settings.ts';
import { QUICK } from './jobs.ts';
import type { Random } from './random.ts';
import { MessageCount, stoppingProxy } from './stoppingProxy.ts';

const CHILD = fileURLToPath(new URL('workerChild.ts', import.meta.url));
/** Time after which a started worker is idle. */
const SETTLE_MS = 200;

/** Without sweeps and polls, so that every counted message belongs to the job. */
export const CALM: Partial<RunnerSettings> = { sweepMs: 60_000, pollMs: 60_000, heartbeatMs: 60_000 };

/** Longer than the lease of a job. */
const FREEZE_MS = QUICK.leaseMs + 4 * QUICK.sweepMs;
/** Timeout of a kill or a freeze with everything after it. */
export const A_CASE_MS = 30_000;

/** A job during which workers are stopped, and how a test checks its end. */
export interface StoppableJob<Job> {
  /** of a worker from its start to the end of the job */
  messages: number;
  stoppedAfter(allowed: number, settings: Partial<RunnerSettings>): Promise<StoppedWorker<Job>>;
  successor(): Promise<{ stop(): Promise<void> }>;
  ended(job: Job): Promise<unknown>;
  /** asserts that the job ended as without an interruption */
  endedOnce(job: Job, about: string): Promise<void>;
}

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
    const child = fork(CHILD);
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

  /**
   * Kills a worker at messages spread over a whole job, each followed by another worker.
   * @param seen checks the state that the killed worker left
   */
  async killEach<Job>(
    { times, random }: { times: number; random: Random },
    { messages, stoppedAfter, successor, endedOnce }: StoppableJob<Job>,
    seen: (job: Job) => Promise<void> = async () => {},
  ): Promise<void> {
    for (let i = 0; i < times; i++) {
      const after = Math.floor(((i + random.next()) / times) * messages);
      const stopped = await stoppedAfter(after, CALM);
      await this.kill(stopped);
      await seen(stopped.job);
      const next = await successor();
      await endedOnce(stopped.job, `killed after ${after} of ${messages} messages`);
      await next.stop();
    }
  }

  /** Freezes a worker at messages spread over a whole job, until another one could take the job, and then wakes it. */
  async freezeEach<Job>(
    { times, random }: { times: number; random: Random },
    { messages, stoppedAfter, successor, ended, endedOnce }: StoppableJob<Job>,
  ): Promise<void> {
    for (let i = 0; i < times; i++) {
      const after = Math.floor(((i + random.next()) / times) * messages);
      const stopped = await stoppedAfter(after, {});
      stopped.child.kill('SIGSTOP');
      const next = await successor();
      // The transaction that settles the job has its row locked, so that nobody can take the job until it ends.
      await Promise.race([ended(stopped.job), sleep(FREEZE_MS)]);
      stopped.count.letGo();
      stopped.child.kill('SIGCONT');
      await endedOnce(stopped.job, `frozen after ${after} of ${messages} messages`);
      await this.kill(stopped);
      await next.stop();
    }
  }

  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
