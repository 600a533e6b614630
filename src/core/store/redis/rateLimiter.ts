/**
 * The rate limit: a true sliding window of the trailing 60 seconds, shared by all processes. rate-limiter-flexible has only fixed windows,
 * so a script keeps a log of request times in a sorted set instead.
 */
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { awaitAnswer, rateLimiterUnavailable } from './answers.ts';
import { AHEAD_MS, CountedAhead } from './countedAhead.ts';

export const RATE_WINDOW_SECONDS = 60;
/** Most concurrent calls; more would only queue behind a frozen Redis. */
const CALLS_IN_FLIGHT_MAX = 5_000;
/** How long a log outlives its window, since its newest entries may be of requests that are yet to come. */
const LOG_KEPT_MS = 2 * AHEAD_MS;

/**
 * KEYS[1] the log; ARGV: cost, window in seconds, limit. Returns {count, or limit + 1 if refused; milliseconds until the oldest entry
 * leaves the window}. Redis' own clock orders the entries, so that clocks of processes do not matter. A refused request adds no entry.
 */
const SLIDING_LOG = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local window = tonumber(ARGV[2]) * 1000000
local cost, limit = tonumber(ARGV[1]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local count = redis.call('ZCARD', KEYS[1])
if count + cost > limit then
  count = limit + 1
else
  for i = 1, cost do
    local moment = string.format('%.0f', now)
    redis.call('ZADD', KEYS[1], moment, moment .. ':' .. (count + i))
  end
  count = count + cost
  redis.call('PEXPIRE', KEYS[1], window / 1000 + ${LOG_KEPT_MS})
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local wait = oldest and math.ceil((tonumber(oldest) + window - now) / 1000) or 0
return {count, wait}
`;

const CLOCK = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local window, limit = tonumber(ARGV[1]) * 1000000, tonumber(ARGV[2])
local function wait(first) return first and math.ceil((tonumber(first) + window - now) / 1000) or 0 end
`;

/**
 * KEYS[1] a log as above; ARGV: window in seconds, limit. Returns {count, milliseconds until the oldest entry leaves the window} and
 * changes nothing.
 */
const PEEK = `${CLOCK}
local since = string.format('%.0f', now - window)
local count = redis.call('ZCOUNT', KEYS[1], '(' .. since, '+inf')
return {count, wait(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. since, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2])}
`;

/**
 * KEYS[1] distinct members by the time they were last counted; ARGV: window in seconds, limit, member. Returns the same as the first
 * script. A member that is already counted always passes; a refused one is not added.
 */
const ADD_MEMBER = `${CLOCK}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local count = redis.call('ZCARD', KEYS[1])
local held = redis.call('ZSCORE', KEYS[1], ARGV[3])
if not held and count >= limit then
  count = limit + 1
else
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window / 1000)
  count = held and count or count + 1
end
return {count, wait(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])}
`;

/**
 * KEYS[1] a log as above; ARGV: window in seconds, limit, number of requests. Counts requests that are made within the next `AHEAD_MS`, if half of
 * the limit is left afterwards, each as of the latest moment at which it may be made. Returns {count, or -1 if none was counted; milliseconds
 * until the oldest entry leaves the window; how the names of the entries begin}.
 */
const COUNT_AHEAD = `${CLOCK}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local count, number = redis.call('ZCARD', KEYS[1]), tonumber(ARGV[3])
if count + number > limit / 2 then return {-1, 0, ''} end
local moment = string.format('%.0f', now + ${AHEAD_MS} * 1000)
local name = 'ahead:' .. moment .. ':' .. count .. ':'
for i = 1, number do redis.call('ZADD', KEYS[1], moment, name .. i) end
redis.call('PEXPIRE', KEYS[1], window / 1000 + ${LOG_KEPT_MS})
return {count + number, wait(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]), name}
`;

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds at which the oldest request leaves the window, so that `remaining` increases */
  resetUnixSeconds: number;
  /** whole seconds until the next request is allowed; 0 if it is allowed now */
  retryAfterSeconds: number;
}

interface RateLimiterOptions {
  /** a client of its own, since the scripts are registered on it */
  redis: Redis;
  /** prefix of every key */
  prefix: string;
  windowSeconds?: number;
  now?: () => number;
  /** factor on the timeout of an answer, 1 by default */
  patience?: number;
}

/** One sliding window for each bucket name. The limit is passed with the call, since the plan of a bucket may change. */
export class RateLimiter {
  readonly #options: Required<RateLimiterOptions>;
  readonly #byLimit = new Map<number, RateLimiterRedis>();
  readonly #ahead = new CountedAhead<RateVerdict>({
    count: (bucket, limit, number) => this.#countAhead(bucket, limit, number),
    giveBack: (bucket, names) => this.#ask(() => this.#options.redis.zrem(this.#makeKey(bucket), ...names)),
  });
  #inFlight = 0;

  constructor(options: RateLimiterOptions) {
    this.#options = { windowSeconds: RATE_WINDOW_SECONDS, now: Date.now, patience: 1, ...options };
  }

  /**
   * Counts a request unless it exceeds the limit. Requests of a busy bucket whose limit is large and not near are counted ahead, several at once.
   * @throws ApiError `rate_limiter_unavailable` within about 150 ms if Redis is silent
   */
  async consume(bucket: string, limit: number): Promise<RateVerdict> {
    const ahead = this.#options.redis.status === 'ready' ? await this.#ahead.take(bucket, limit) : undefined;
    return ahead ?? this.#consumeOne(bucket, limit);
  }

  async #consumeOne(bucket: string, limit: number): Promise<RateVerdict> {
    const result = await this.#ask(() =>
      this.#getLimiter(limit)
        .consume(bucket)
        .catch((refused) => (refused instanceof RateLimiterRes ? refused : Promise.reject(refused))),
    );
    return this.#makeVerdict(result.consumedPoints, result.msBeforeNext, limit);
  }

  async #countAhead(bucket: string, limit: number, number: number) {
    const [count, waitMs, names] = await this.#run<[number, number, string]>(COUNT_AHEAD, bucket, limit, number);
    return count < 0 ? undefined : { last: this.#makeVerdict(count, waitMs, limit), names };
  }

  /** The verdict that `consume` would return, without counting. @throws as `consume` */
  async peek(bucket: string, limit: number): Promise<RateVerdict> {
    const [count, waitMs] = await this.#run(PEEK, bucket, limit);
    return this.#makeVerdict(count + 1, waitMs, limit);
  }

  /** Counts distinct members of a bucket; one that is already counted passes at no cost. @throws as `consume` */
  async addMember(bucket: string, member: string, limit: number): Promise<RateVerdict> {
    const [count, waitMs] = await this.#run(ADD_MEMBER, bucket, limit, member);
    return this.#makeVerdict(count, waitMs, limit);
  }

  /** Removes a member. @throws as `consume` */
  async removeMember(bucket: string, member: string): Promise<void> {
    await this.#ask(() => this.#options.redis.zrem(this.#makeKey(bucket), member));
  }

  #makeKey(bucket: string): string {
    return `${this.#options.prefix}rate:${bucket}`;
  }

  #run<Answer = [number, number]>(script: string, bucket: string, ...values: (string | number)[]): Promise<Answer> {
    const { redis, windowSeconds } = this.#options;
    return this.#ask(() => redis.eval(script, 1, this.#makeKey(bucket), windowSeconds, ...values) as Promise<Answer>);
  }

  async #ask<T>(call: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= CALLS_IN_FLIGHT_MAX) throw rateLimiterUnavailable(undefined);
    this.#inFlight++;
    const asked = call();
    asked.catch(() => {}).finally(() => this.#inFlight--);
    return awaitAnswer(this.#options.redis, asked, this.#options.patience);
  }

  #getLimiter(limit: number): RateLimiterRedis {
    const known = this.#byLimit.get(limit);
    if (known) return known;
    const { redis, prefix, windowSeconds } = this.#options;
    const limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${prefix}rate`,
      points: limit,
      duration: windowSeconds,
      customIncrTtlLuaScript: SLIDING_LOG,
      rejectIfRedisNotReady: true,
    });
    this.#byLimit.set(limit, limiter);
    return limiter;
  }

  #makeVerdict(count: number, waitMs: number, limit: number): RateVerdict {
    const remaining = Math.max(0, limit - count);
    return {
      allowed: count <= limit,
      limit,
      remaining,
      resetUnixSeconds: Math.ceil((this.#options.now() + waitMs) / 1000),
      retryAfterSeconds: remaining > 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000)),
    };
  }
}
