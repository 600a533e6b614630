/**
 * Keys that were accepted recently by any process: they are looked up even when their address has used up its allowance of unusable
 * credentials.
 */
import type { Redis } from 'ioredis';
import { awaitAnswer } from './answers.ts';

const MEMORY_MS = 600_000;
const MEMORY_ENTRIES_MAX = 10_000;
const MARK_SECONDS = 86_400;

interface WorkingKeysOptions {
  redis: Redis;
  /** prefix of every key */
  prefix: string;
  now?: () => number;
  /** factor on the timeout of an answer, 1 by default */
  patience?: number;
}

/** Methods that query Redis throw `rate_limiter_unavailable` within about 150 ms when it is silent. */
export class WorkingKeys {
  readonly #options: Required<WorkingKeysOptions>;
  /** Time of the last mark by digest, oldest first. */
  readonly #marked = new Map<string, number>();

  constructor(options: WorkingKeysOptions) {
    this.#options = { now: Date.now, patience: 1, ...options };
  }

  /** Whether this process accepted the key in the last ten minutes. */
  has(digest: string): boolean {
    const markedAt = this.#marked.get(digest);
    return markedAt !== undefined && this.#options.now() - markedAt < MEMORY_MS;
  }

  /** Whether any process accepted the key in the last day. */
  async isRememberedAnywhere(digest: string): Promise<boolean> {
    const { redis, patience } = this.#options;
    return (await awaitAnswer(redis, redis.exists(this.#name(digest)), patience)) === 1;
  }

  async remember(digest: string): Promise<void> {
    const { redis, patience } = this.#options;
    await awaitAnswer(redis, redis.set(this.#name(digest), '1', 'EX', MARK_SECONDS), patience);
    this.#marked.delete(digest);
    this.#marked.set(digest, this.#options.now());
    const [oldest] = this.#marked.keys();
    if (this.#marked.size > MEMORY_ENTRIES_MAX && oldest !== undefined) this.#marked.delete(oldest);
  }

  async forget(digest: string): Promise<void> {
    this.#marked.delete(digest);
    const { redis, patience } = this.#options;
    await awaitAnswer(redis, redis.del(this.#name(digest)), patience);
  }

  #name(digest: string): string {
    return `${this.#options.prefix}working:${digest}`;
  }
}
