/** Recent changes of keys, users and teams, for processes that cannot reach Postgres: a revoked key stays revoked. */
import type { Redis } from 'ioredis';
import { type KeyChange, type KeyChanges, RECOGNISED_MS } from '../../domain/keyChanges.ts';
import { awaitAnswer } from './answers.ts';

/** Longer than any process accepts a key without Postgres, whatever its clock. */
const KEPT_MS = 2 * RECOGNISED_MS;

interface ReportedChangesOptions {
  redis: Redis;
  /** prefix of every key */
  prefix: string;
  /** factor on the timeout of an answer, 1 by default */
  patience?: number;
  /** called with the error when a change could not be reported */
  onLost?: (error: Error) => void;
}

/** Fields with dates, which JSON has as text. */
const MOMENTS = new Set(['revoked_at', 'closed_at']);
const reviveDates = (name: string, value: unknown) => (MOMENTS.has(name) && typeof value === 'string' ? new Date(value) : value);

export class ReportedChanges implements KeyChanges {
  readonly #options: ReportedChangesOptions;

  constructor(options: ReportedChangesOptions) {
    this.#options = options;
  }

  async report(subject: string, change: KeyChange): Promise<void> {
    const { redis, patience = 1, onLost } = this.#options;
    try {
      await awaitAnswer(redis, redis.set(this.#name(subject), JSON.stringify(change), 'PX', KEPT_MS), patience);
    } catch (error) {
      onLost?.(error as Error);
    }
  }

  async readChange({ id, user_id, team_id }: { id: string; user_id: number; team_id: number }): Promise<KeyChange> {
    const { redis, patience = 1 } = this.#options;
    const names = [`team:${team_id}`, `user:${user_id}`, `key:${id}`].map((subject) => this.#name(subject));
    const reported = await awaitAnswer(redis, redis.mget(names), patience);
    return Object.assign({}, ...reported.map((text) => (text ? JSON.parse(text, reviveDates) : {})));
  }

  #name(subject: string): string {
    return `${this.#options.prefix}changed:${subject}`;
  }
}
