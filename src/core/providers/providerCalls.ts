/**
 * Calls a provider's server, which may hang, fail, limit rates or send endless answers. Each call is limited in time and size, restricted to the
 * provider's origin, and retried with the pauses that the server asks for; after repeated failures no call is made for a while.
 */
import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  type IPolicy,
  type IRetryBackoffContext,
  retry,
  wrap,
} from 'cockatiel';
import { retryAfterMs } from '../domain/durations.ts';
import { isStorableJson } from '../domain/storableText.ts';

export interface CallSettings {
  /** longest time of one call, from the request to the last byte */
  timeoutMs: number;
  /** calls after the first */
  retries: number;
  /** pause before the first retry; it doubles each time */
  pauseMs: number;
  /** longest pause that a provider may ask for by Retry-After */
  patienceMs: number;
  /** consecutive failures after which no call is made for `restMs` */
  failures: number;
  restMs: number;
}

/** The provider did not answer, or not as agreed. The message is logged, and contains neither the request nor keys. */
export class ProviderUnavailable extends Error {
  /** pause before a retry, in milliseconds; undefined where a retry would fail too */
  readonly waitMs: number | undefined;

  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

type Failure = new (message: string, waitMs?: number) => ProviderUnavailable;

interface ProviderCallsOptions {
  /** goes on after 'The' in messages */
  name: string;
  url: string;
  /** most bytes of an answer */
  bytesMax: number;
  settings: CallSettings;
  /** no answer, or a refusal */
  Unavailable: Failure;
  /** an answer that cannot be read */
  Unusable: Failure;
  /** class of failures that count towards `failures`; by default those that are worth a retry */
  Counted?: Failure;
}

const isTransient = (error: unknown): error is ProviderUnavailable => error instanceof ProviderUnavailable && error.waitMs !== undefined;

export class ProviderCalls {
  readonly #options: ProviderCallsOptions;
  readonly #origin: string;
  readonly #policy: IPolicy;

  constructor(options: ProviderCallsOptions) {
    this.#options = options;
    this.#origin = new URL(options.url).origin;
    const { Counted } = options;
    const { failures, restMs, retries, pauseMs, patienceMs } = options.settings;
    const counted = handleWhen((error) => (Counted ? error instanceof Counted : isTransient(error)));
    const breaker = circuitBreaker(counted, { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failures) });
    const backoff = new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
      const asked = 'error' in result && isTransient(result.error) ? (result.error.waitMs ?? 0) : 0;
      return Math.min(Math.max(asked, pauseMs * 2 ** (attempt - 1)), patienceMs);
    });
    this.#policy = wrap(retry(handleWhen(isTransient), { maxAttempts: retries, backoff }), breaker);
  }

  /** Makes a call, and retries it if that may help. @throws the error of the last call, or the signal's reason if it aborts */
  async run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { name, Unavailable } = this.#options;
    try {
      return await this.#policy.execute(call, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BrokenCircuitError) throw new Unavailable(`The ${name} failed again and again; it is left alone for a while`);
      throw error;
    }
  }

  /** Calls the provider's origin only, follows no redirect, and reads an answer up to the limit. */
  readonly fetch: typeof fetch = async (target, init) => {
    const { name, bytesMax, Unavailable, Unusable } = this.#options;
    const url = target instanceof Request ? target.url : String(target);
    if (new URL(url).origin !== this.#origin) throw new Unavailable(`A call to another server than that of the ${name} was refused`);
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    let bytes = 0;
    const bounded = answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          if (bytes > bytesMax) controller.error(new Unusable(`The answer of the ${name} is too long`));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(bounded ?? null, { status, statusText, headers });
  };

  /** The failure of a call that was answered with another status than 200. */
  refusalFailure(status: number, headers?: Headers): ProviderUnavailable {
    const { name, Unavailable } = this.#options;
    const mayPass = status === 408 || status === 429 || status >= 500;
    return new Unavailable(`The ${name} answered ${status}`, mayPass ? retryAfterMs(headers?.get('retry-after')) : undefined);
  }

  /** The failure of a call that was not answered. */
  silenceFailure({ name: error, cause }: Error): ProviderUnavailable {
    const { name, Unavailable } = this.#options;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : error;
    return new Unavailable(`The ${name} did not answer (${why})`, 0);
  }

  /** @throws Unusable where the text is not JSON, or holds text that cannot be stored */
  parse(text: string): unknown {
    const { name, Unusable } = this.#options;
    const value = parseJson(text);
    if (value === undefined) throw new Unusable(`The answer of the ${name} is not JSON`);
    if (!isStorableJson(value)) throw new Unusable(`The answer of the ${name} holds text that cannot be stored`);
    return value;
  }
}

/** undefined where the text is not JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
