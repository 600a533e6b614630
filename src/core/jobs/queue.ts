/**
 * The queue that wakes workers: pg-boss, in a schema of its own next to ours. An entry says that a job may be started; it is written in the
 * transaction that queues the job and deleted in the one that starts it. Which job is started is read from the jobs' own rows (jobTurns.ts):
 * workers of the version before this one go by the entries.
 */
import { createHash } from 'node:crypto';
import { type Db, PgBoss } from 'pg-boss';
import type { Queryable } from '../store/postgres/pool.ts';

/** Migration of its tables, which pg-boss's own pool does, and listening; jobs are queued and started over our pool. */
const CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 5_000;

export interface JobQueueOptions {
  url: string;
  /** schema of our tables; the queue's is this with `_queue` behind it */
  schema: string;
  /** hears of connections that broke; they are replaced by themselves */
  onError(error: Error): void;
}

export class JobQueue {
  readonly #boss: PgBoss;
  readonly #channel: string;
  /** the table of entries, to be written into a statement */
  readonly entries: string;
  #listening: { close(): Promise<void> } | undefined;

  constructor({ url, schema, onError }: JobQueueOptions) {
    this.#boss = new PgBoss({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'landuse-queue',
      max: CONNECTIONS,
      schema: `${schema}_queue`,
      schedule: false,
      // Entries are deleted when a job starts: there is nothing to expire, to retry or to archive.
      supervise: false,
    });
    this.#boss.on('error', onError);
    this.entries = `"${schema}_queue".job`;
    this.#channel = `landuse_jobs_${createHash('sha256').update(schema).digest('hex').slice(0, 24)}`;
  }

  /** Creates or migrates the queue's schema, and a queue for each kind. Several processes may do so at once. */
  async start(kinds: readonly string[]): Promise<void> {
    await this.#boss.start();
    // `exclusive`: at most one entry for each job, so that sending one again changes nothing.
    for (const kind of kinds) await this.#boss.createQueue(kind, { policy: 'exclusive' });
  }

  /** Puts an entry for each job into the queue when `tx` commits; those that have one keep it. @param at earliest start; now unless given */
  async send(tx: Queryable, kind: string, jobIds: readonly string[], at?: Date): Promise<void> {
    if (jobIds.length === 0) return;
    const entries = jobIds.map((id) => ({ data: {}, singletonKey: id, ...(at ? { startAfter: at } : {}) }));
    await this.#boss.insert(kind, entries, { db: inside(tx) });
    if (!at) await tx.query('select pg_notify($1, $2)', [this.#channel, kind]);
  }

  /** Deletes the entries of jobs that `tx` starts. One that a worker of the version before is taking is left to it: it will find the job begun. */
  async remove(tx: Queryable, kind: string, jobIds: readonly string[]): Promise<void> {
    await tx.query(
      `delete from ${this.entries} where name = $1 and id in (
         select id from ${this.entries}
         where name = $1 and coalesce(singleton_key, '') = any ($2) and policy = 'exclusive' and state <= 'active' for update skip locked
       )`,
      [kind, jobIds],
    );
  }

  /** Calls back with the kind whenever a job of it may be started at once; with null when such calls may have been missed. */
  async listen(onWake: (kind: string | null) => void): Promise<void> {
    this.#listening = await this.#boss.getDb().listen?.(this.#channel, onWake, () => onWake(null));
  }

  async stop(): Promise<void> {
    await this.#listening?.close();
    await this.#boss.stop({ graceful: false });
  }
}

function inside(tx: Queryable): Db {
  return { executeSql: async (text, values = []) => ({ rows: await tx.query(text, values) }) };
}
