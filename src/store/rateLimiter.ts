/**
 * The rate limit: a true sliding window of the trailing 60 seconds, shared by every process (specification "Limits", decisions §6).
 * rate-limiter-flexible drives it; its stock windows are fixed, so the script keeps a log of moments in a sorted set instead.
 */
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../domain/errors.ts';

export const RATE_WINDOW_SECONDS = 60;
const ANSWER_TIMEOUT_MS = 100;
const RETRY_AFTER_SECONDS = 1;
/** Calls that may wait for one Redis; more would only pile up behind a frozen one. */
const CALLS_IN_FLIGHT_MAX = 5_000;

/**
 * KEYS[1] the log; ARGV: cost, window in seconds, limit. Answers {count, or limit + 1 if refused; ms until the oldest entry leaves}.
 * Redis' own clock orders the entries, so the clocks of the processes do not matter. A refused request leaves no entry.
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
  redis.call('PEXPIRE', KEYS[1], window / 1000)
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local wait = oldest and math.ceil((tonumber(oldest) + window - now) / 1000) or 0
return {count, wait}
`;

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the oldest request leaves the window, so that `remaining` grows */
  resetUnixSeconds: number;
  /** whole seconds until the next request passes; 0 while one would pass now */
  retryAfterSeconds: number;
}

export interface RateLimiterOptions {
  /** a client of its own: the script is registered on it */
  redis: Redis;
  /** begins every key */
  prefix: string;
  windowSeconds?: number;
  now?: () => number;
}

/** One sliding window per bucket name. The limit comes with the call, since a bucket's plan may change. */
export class RateLimiter {
  readonly #options: Required<RateLimiterOptions>;
  readonly #byLimit = new Map<number, RateLimiterRedis>();
  #inFlight = 0;

  constructor(options: RateLimiterOptions) {
    this.#options = { windowSeconds: RATE_WINDOW_SECONDS, now: Date.now, ...options };
  }

  /** Counts one request unless that exceeds the limit. Throws `rate_limiter_unavailable` within about 100 ms if Redis does not answer. */
  async consume(bucket: string, limit: number): Promise<RateVerdict> {
    if (this.#inFlight >= CALLS_IN_FLIGHT_MAX) throw unavailable(undefined);
    this.#inFlight++;
    const call = this.#limiter(limit).consume(bucket);
    call.catch(() => {}).finally(() => this.#inFlight--);
    try {
      return this.#verdict(await withinTime(call, ANSWER_TIMEOUT_MS), limit, true);
    } catch (error) {
      if (error instanceof RateLimiterRes) return this.#verdict(error, limit, false);
      throw unavailable(error);
    }
  }

  #limiter(limit: number): RateLimiterRedis {
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

  #verdict(result: RateLimiterRes, limit: number, allowed: boolean): RateVerdict {
    const remaining = allowed ? result.remainingPoints : 0;
    const waitMs = result.msBeforeNext;
    return {
      allowed,
      limit,
      remaining,
      resetUnixSeconds: Math.ceil((this.#options.now() + waitMs) / 1000),
      retryAfterSeconds: remaining > 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000)),
    };
  }
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('rate_limiter_unavailable', 'The rate limiter cannot be reached right now; nothing was charged. Retry shortly.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

/**
 * Rejects when `call` takes too long. An answer that already waits in the socket still counts: a busy process runs its timers
 * before it reads, so the verdict is put off until it has read once more.
 */
function withinTime<T>(call: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => setImmediate(() => reject(new Error(`No answer in ${timeoutMs} ms`)))), timeoutMs);
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
