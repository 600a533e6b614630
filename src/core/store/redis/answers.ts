/** Time limits on answers of Redis, and the errors when there is none. */
import { ApiError } from '../../domain/errors.ts';

/** Redis answers in less than a millisecond; a busy machine may keep it from a core for a hundred times as long, which is no outage. */
const ANSWER_TIMEOUT_MS = 150;
/** Number of timers into which a wait is split, so that a pause of the whole process uses up at most one of them. */
const TURNS = 5;
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
 * @throws ApiError `rate_limiter_unavailable` when it fails or is late
 */
export async function awaitAnswer<T>(call: Promise<T>, patience: number): Promise<T> {
  try {
    return await limitWait(call, ANSWER_TIMEOUT_MS * patience);
  } catch (error) {
    throw rateLimiterUnavailable(error);
  }
}

/**
 * Rejects when `call` takes too long. The wait is split into several timers, so that time in which the whole machine was suspended does not
 * count. A busy process runs timers before it reads sockets, so the rejection is deferred until it has read once more: an answer that is
 * already there counts.
 */
function limitWait<T>(call: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = (turns: number): void => {
      timer = setTimeout(() => (turns > 1 ? wait(turns - 1) : runAfterReading(giveUp)), timeoutMs / TURNS);
    };
    const giveUp = () => reject(new Error(`No answer in ${timeoutMs} ms`));
    call.then(resolve, reject).finally(() => clearTimeout(timer));
    wait(TURNS);
  });
}

const runAfterReading = (then: () => void): void => {
  setImmediate(() => setImmediate(then));
};
