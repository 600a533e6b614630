/** A kind of job whose every write can be counted, and workers for it, in this process and in others. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { JobDefinition } from '../../src/core/jobs/defineJob.ts';
import type { JobKind } from '../../src/core/jobs/kind.ts';
import type { RunnerSettings } from '../../src/core/jobs/runnerSettings.ts';
import { type Job, JobStore } from '../../src/core/jobs/store.ts';
import { composeWorker, type Worker, type WorkerOptions } from '../../src/core/jobs/worker.ts';
import type { Queryable } from '../../src/core/store/postgres/pool.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const CHILD = fileURLToPath(new URL('./jobChild.ts', import.meta.url));

/** Short, so that tests are quick, but long enough for a busy machine. */
export const QUICK: RunnerSettings = { leaseMs: 1_500, heartbeatMs: 300, sweepMs: 300, pollMs: 500, backoffMs: 50, backoffMaxMs: 200 };

/** The steps at which a counted job can wait, in order. */
export const STEPS = ['begun', 'progressed', 'drafted', 'settling', 'charged', 'settled'] as const;
export type Step = (typeof STEPS)[number];

export function countedKind(name = 'counted', changes: Partial<JobKind> = {}): JobKind {
  return { name, prefix: 'cnt', maxAttempts: 5, deadlineMs: () => 60_000, keptDays: 7, retriable: true, ...changes };
}

/** A job that writes a row for each effect: a reservation at acceptance, a draft while running, a charge at settlement, a refund at failure. */
export async function effect(tx: Queryable, job: { id: string; attempt: number }, what: string): Promise<void> {
  await tx.query('insert into effect (job_id, attempt, what) values ($1, $2, $3)', [job.id, job.attempt, what]);
}

/** @param at called and awaited at each step of the handler */
export function countedJob(kind: JobKind, at: (step: Step, job: Job) => Promise<void> = async () => {}): JobDefinition<unknown> {
  return {
    ...kind,
    concurrency: 4,
    async handler(job, context) {
      await at('begun', job);
      await context.progress({ half: true });
      await at('progressed', job);
      await context.write((tx) => effect(tx, job, 'draft'));
      await at('drafted', job);
      await context.settle(async (tx) => {
        await at('settling', job);
        await effect(tx, job, 'charge');
        await at('charged', job);
        return { status: 'completed', result: { attempt: job.attempt } };
      });
      await at('settled', job);
    },
    giveBack: (tx, job) => effect(tx, job, 'refund'),
  };
}

export interface JobWorld extends AsyncDisposable {
  db: TestDatabase;
  jobs: JobStore;
  /** accepts a job of the kind, with its reservation */
  accept(kind: JobKind, payload?: unknown): Promise<Job>;
  job(id: string): Promise<Job>;
  /** when it is settled */
  settled(id: string, withinMs?: number): Promise<Job>;
  effects(id: string): Promise<{ attempt: number; what: string }[]>;
  /** a worker in this process, started; stopped with the world unless before */
  worker(
    definitions: readonly JobDefinition<unknown>[],
    settings?: Partial<RunnerSettings>,
    database?: Pick<WorkerOptions, 'connections' | 'patience' | 'observe'>,
  ): Promise<Worker & { log: string[] }>;
}

export type TestWorker = Worker & AsyncDisposable;

/** A worker that has started and stops once, however often it is asked to; it joins those that a world stops at its end. */
export async function startJobWorker(worker: Worker, workers: Worker[]): Promise<TestWorker> {
  let stopped: Promise<void> | undefined;
  const once: TestWorker = {
    ...worker,
    stop: (graceMs?: number) => {
      stopped ??= worker.stop(graceMs);
      return stopped;
    },
    [Symbol.asyncDispose]: () => once.stop(),
  };
  workers.push(once);
  await worker.start();
  return once;
}

/** @param given that several worlds use one after the other, each leaving it without jobs; a new one unless given, dropped with the world */
export async function jobWorld(given?: TestDatabase): Promise<JobWorld> {
  const db = given ?? (await testDatabase());
  await db.database.query('create table if not exists effect (seq serial, job_id text, attempt integer, what text)');
  const jobs = new JobStore(db.database);
  const workers: Worker[] = [];
  const job = async (id: string) => {
    const found = await jobs.find(id);
    if (!found) throw new Error(`No job ${id}`);
    return found;
  };
  return {
    db,
    jobs,
    job,
    accept: (kind, payload = {}) =>
      db.database.transaction(async (tx) => {
        const accepted = await jobs.enqueue(tx, kind, { payload });
        await effect(tx, accepted, 'reserve');
        return accepted;
      }),
    settled: (id, withinMs) => eventually(`the end of ${id}`, async () => ((await job(id)).settledAt ? job(id) : undefined), withinMs),
    effects: (id) => db.database.query('select attempt, what from effect where job_id = $1 order by seq', [id]),
    worker: async (definitions, settings = {}, database = {}) => {
      const log: string[] = [];
      const worker = composeWorker({
        ...database,
        databaseUrl: db.url,
        databaseSchema: db.schema,
        definitions: () => definitions,
        settings: { ...QUICK, ...settings },
        log: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
      });
      return { ...(await startJobWorker(worker, workers)), log };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.stop(0)));
      if (given) for (const table of ['effect', 'job']) await db.database.query(`delete from ${table}`);
      else await db.drop();
    },
  };
}

/** Generous, for busy machines; tests of speed have limits of their own. */
const USUALLY_WITHIN_MS = 45_000;

export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = USUALLY_WITHIN_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Still waiting for ${what}`);
    await sleep(20);
  }
}

export interface ChildWorker {
  process: ChildProcess;
  /** when its handler gets to the step of an attempt and waits there */
  reaches(step: Step): Promise<void>;
  /** when its handler has settled its first job */
  ended: Promise<void>;
  /** lets it continue, and never wait again */
  go(): void;
  kill(): Promise<void>;
}

/** Those that a failed test leaves, frozen ones too, are ended with their world. */
const children = new Set<ChildProcess>();

export interface ChildOptions {
  url: string;
  schema: string;
  kind: string;
  /** whether its handler waits at each step for `go` */
  waits: boolean;
  settings?: Partial<RunnerSettings>;
}

/** A worker in a child process. */
export async function childWorker(options: ChildOptions): Promise<ChildWorker> {
  const child = fork(CHILD, [JSON.stringify(options)]);
  children.add(child);
  child.once('exit', () => children.delete(child));
  const seen: string[] = [];
  const ended = Promise.withResolvers<void>();
  child.on('message', (message) => {
    seen.push(String(message));
    if (message === 'settled') ended.resolve();
  });
  const dead = once(child, 'exit');
  await eventually('a worker in a child process', () => (seen.includes('ready') ? true : undefined), 30_000);
  return {
    process: child,
    ended: ended.promise,
    reaches: async (step) => {
      while (!seen.includes(step)) {
        const last = STEPS.find((known) => known === seen.at(-1));
        if (last && last !== step) child.send(`after ${last}`);
        const before = seen.length;
        await eventually(`step ${step}`, () => (seen.length > before || seen.includes(step) ? true : undefined));
      }
    },
    go: () => child.send('go'),
    kill: async () => {
      child.kill('SIGKILL');
      await dead;
    },
  };
}
