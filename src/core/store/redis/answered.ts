/** Answers of Redis in time, and what is answered in place of them. */
import { ApiError } from '../../domain/errors.ts';

const ANSWER_TIMEOUT_MS = 100;
/** Parts of that time, of which a pause of the whole process takes one at most. */
const TURNS = 5;
const RETRY_AFTER_SECONDS = 1;

/** By the first word of what Redis answers instead. */
const TROUBLES: Readonly<Record<string, string>> = {
  OOM: 'has no memory left',
  READONLY: 'takes no writes',
  MISCONF: 'cannot write to its disk',
};

/** The error of the contract for a limiter that does not answer. */
export function unavailable(cause: unknown): ApiError {
  const trouble = TROUBLES[cause instanceof Error ? (cause.message.split(' ')[0] ?? '') : ''] ?? 'cannot be reached';
  return new ApiError('rate_limiter_unavailable', `The rate limiter ${trouble} right now; nothing was charged. Retry shortly.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

/** What Redis answers. Throws `rate_limiter_unavailable` where it does not, or not in time. */
export async function answered<T>(call: Promise<T>, patience: number): Promise<T> {
  try {
    return await limitWait(call, ANSWER_TIMEOUT_MS * patience);
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * Rejects when `call` takes too long. Only time in which this process runs counts, in turns of its own: where all of the machine stood still,
 * Redis did too. An answer that already waits in the socket still counts: a busy process runs its timers before it reads, so the verdict is
 * put off until it has read once more.
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
