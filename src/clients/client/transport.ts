/** One request of the service, repeated until it is answered: with the waits that the service asks for, and one Idempotency-Key for all attempts. */
import { DEFAULT_URL, serviceRoot } from './defaultUrl.ts';
import { ConnectionFailure, type ErrorBody, Refusal, UnusableKey } from './errors.ts';
import type { ErrorCode } from './generated.ts';

export interface ClientOptions {
  /** an API key, `svc_live_…` */
  key: string;
  /** root of the service; `DEFAULT_URL` unless given */
  url?: string;
  /** attempts after the first one; 5 unless given */
  retries?: number;
  /** longest wait before another attempt, in milliseconds; a refusal that asks for more is thrown. 65,000 unless given */
  retryWaitMaxMs?: number;
  /** longest wait for an answer of one attempt, in milliseconds; of a file, until it begins. 60,000 unless given */
  timeoutMs?: number;
  /** is called before each further attempt */
  onRetry?: (retry: Retry) => void;
  /** instead of the global one */
  fetch?: typeof fetch;
}

/** An attempt that failed, and when the next one starts. */
export interface Retry {
  attempt: number;
  waitMs: number;
  error: Refusal | ConnectionFailure;
}

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * of your own, so that a later process can repeat the request; where one is taken and none is given, each call makes a new one. A walk adds
   * the number of the page, from 1: `mine:1`
   */
  idempotencyKey?: string;
  /** what the call may cost at most: where it costs more it is refused, and nothing is charged; of a walk, each page */
  maxCredits?: number;
  /** comes back as the request id; 1 to 255 of A-Z a-z 0-9 _ . : - */
  requestId?: string;
}

/** A request whose every attempt is the same. */
export interface Prepared {
  method: string;
  /** from the root of the service, with the query */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
}

/** Codes that another attempt may answer otherwise. Nothing was charged by any of them. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'rate_limit_exceeded',
  'rate_limiter_unavailable',
  'service_unavailable',
  'search_unavailable',
  'delivery_ledger_unavailable',
  'enrichment_ledger_unavailable',
  'idempotency_in_flight',
  'internal_error',
]);
/**
 * Refusals for want of room may be repeated so often in all, beyond what answered requests allow: repetitions of everything would keep an
 * overloaded service from serving anything. Source: B. Beyer and others, "Site Reliability Engineering", O'Reilly 2016, chapter 21.
 */
const SPARE_RETRIES = 25;
const RETRIES_AN_ANSWER = 0.2;
const FIRST_WAIT_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;
/** Of a gateway before the service. */
const GATEWAY = new Set([502, 503, 504]);

/** Rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** 128 random bits; `crypto.randomUUID` is missing on pages that are served without TLS. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws UnusableKey: `fetch` would repeat the whole key in the message of its error */
function sendableKey(text: string): string {
  const key = text.trim();
  if (!key) throw new UnusableKey('The client needs a key: new LandUseClient({ key })');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UnusableKey('The key contains a space, a line break or another character that no key has: copy the key alone');
  return key;
}

function errorOf(response: Response, text: string, url: string, attempts: number): Refusal | ConnectionFailure {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  try {
    const { error } = JSON.parse(text) as { error: ErrorBody };
    return new Refusal(response.status, error, Number.isFinite(retryAfter) ? retryAfter : null);
  } catch {
    return new ConnectionFailure(`${url} answers ${response.status}, and not as this service does`, { status: response.status, attempts });
  }
}

const mayPass = (error: Refusal | ConnectionFailure) =>
  error instanceof Refusal ? PASSING.has(error.code) : error.status === null || GATEWAY.has(error.status);

export class Transport {
  readonly url: string;
  readonly #key: string;
  readonly #retries: number;
  readonly #retryWaitMaxMs: number;
  readonly #timeoutMs: number;
  readonly #onRetry: ((retry: Retry) => void) | undefined;
  readonly #fetch: typeof fetch;
  #spareRetries = SPARE_RETRIES;

  constructor({ key, url = DEFAULT_URL, retries = 5, retryWaitMaxMs = 65_000, timeoutMs = 60_000, onRetry, ...rest }: ClientOptions) {
    this.url = serviceRoot(url);
    this.#key = sendableKey(key);
    this.#retries = retries;
    this.#retryWaitMaxMs = retryWaitMaxMs;
    this.#timeoutMs = timeoutMs;
    this.#onRetry = onRetry;
    this.#fetch = rest.fetch ?? ((...request) => fetch(...request));
  }

  /**
   * The whole body of a 2xx answer as JSON.
   * @throws Refusal, ConnectionFailure, and the reason of the signal
   */
  async json(request: Prepared): Promise<unknown> {
    return this.#repeated(request, async (response) => JSON.parse(await response.text()));
  }

  /** A 2xx answer whose body is still to come. */
  async stream(request: Prepared): Promise<Response> {
    return this.#repeated(request, async (response) => response);
  }

  async #repeated<T>(request: Prepared, read: (response: Response) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, read, attempt);
      if ('value' in outcome) {
        this.#spareRetries = Math.min(SPARE_RETRIES, this.#spareRetries + RETRIES_AN_ANSWER);
        return outcome.value;
      }
      const waitMs = attempt > this.#retries || !mayPass(outcome.error) ? undefined : this.#waitBefore(attempt, outcome.error);
      if (waitMs === undefined || !this.#mayRepeat(outcome.error)) throw outcome.error;
      this.#onRetry?.({ attempt, waitMs, error: outcome.error });
      await sleep(waitMs, request.signal);
    }
  }

  /** Whether a refusal is repeated yet; where it says that the service is overloaded, it counts. */
  #mayRepeat(error: Refusal | ConnectionFailure): boolean {
    if (!(error instanceof Refusal && error.code === 'service_unavailable')) return true;
    if (this.#spareRetries < 1) return false;
    this.#spareRetries -= 1;
    return true;
  }

  /** What the service asks for, or twice as long each time with some chance in it; undefined where that is too long. */
  #waitBefore(attempt: number, error: Refusal | ConnectionFailure): number | undefined {
    const asked = error instanceof Refusal && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1000 : undefined;
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2);
    const waitMs = asked ?? backoff;
    return waitMs <= this.#retryWaitMaxMs ? waitMs : undefined;
  }

  async #attempt<T>(request: Prepared, read: (response: Response) => Promise<T>, attempts: number) {
    const { method, path, headers, body, signal } = request;
    const url = `${this.url}${path}`;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeoutMs);
    try {
      const response = await this.#fetch(url, {
        method,
        headers: { Authorization: `Bearer ${this.#key}`, ...headers },
        ...(body === undefined ? {} : { body }),
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      if (response.ok) return { value: await read(response) };
      return { error: errorOf(response, await response.text(), this.url, attempts) };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      const why = timeout.signal.aborted ? `did not answer within ${this.#timeoutMs} ms` : 'cannot be reached, or broke the answer off';
      return { error: new ConnectionFailure(`${this.url} ${why}`, { attempts, cause }) };
    } finally {
      clearTimeout(timer); // a file that streams takes as long as it takes
    }
  }
}
