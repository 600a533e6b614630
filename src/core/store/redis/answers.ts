/** Time limits on answers of Redis, and the errors when there is none. */
import type { Redis } from 'ioredis';
import { ApiError } from '../../domain/errors.ts';
import { awaitServer } from '../serverSilence.ts';

/** Redis answers in less than a millisecond; a busy machine may keep it from a core for a hundred times as long, which is no outage. */
const SILENT_MS = 150;
/** For a Redis that answers other commands meanwhile, or while this process is late itself. */
const LONGEST_MS = 1_500;
const RETRY_AFTER_SECONDS = 1;

/** Explanations by the first word of an error reply of Redis. */
const TROUBLES: Readonly<Record<string, string>> = {
  OOM: 'has no memory left',
  READONLY: 'takes no writes',
  MISCONF: 'cannot write to its disk',
};

/** The contract's error for a rate limiter that does not answer. */
export function rateLimiterUnavailable(cause: unknown): ApiError {
  const trouble = TROUBLES[cause instanceof Error ? (cause.message.split(' ')[0] ?? '') : ''] ?? 'cannot be reached';
  return new ApiError('rate_limiter_unavailable', `The rate limiter ${trouble} right now; nothing was charged. Retry shortly.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

/**
 * Awaits an answer of Redis.
 * @param patience factor on the waits
 * @throws ApiError `rate_limiter_unavailable` when it fails or Redis is silent
 */
export async function awaitAnswer<T>(redis: Pick<Redis, 'stream'>, call: Promise<T>, patience: number): Promise<T> {
  const received = () => redis.stream?.bytesRead ?? 0;
  try {
    return await awaitServer(call, { received }, { silentMs: SILENT_MS * patience, longestMs: LONGEST_MS * patience });
  } catch (error) {
    throw rateLimiterUnavailable(error);
  }
}
