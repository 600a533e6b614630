/** Sends a request, and retries it after the waits that the service asks for, with one Idempotency-Key for all attempts. */
import { DEFAULT_URL, serviceRoot } from './defaultUrl.ts';
import { ConnectionFailure, type ErrorBody, Refusal, UnusableKey } from './errors.ts';
import type { ErrorCode } from './generated.ts';

export interface ClientOptions {
  /** an API key, `svc_live_…` */
  key: string;
  /** root URL of the service; `DEFAULT_URL` by default */
  url?: string;
  /** attempts after the first one; 5 by default */
  retries?: number;
  /** longest wait before a retry, in milliseconds; a refusal that asks for a longer one is thrown. 65,000 by default */
  retryWaitMaxMs?: number;
  /** timeout of an attempt, in milliseconds; for a file, until its first byte. 60,000 by default */
  timeoutMs?: number;
  /** called before each retry */
  onRetry?: (retry: Retry) => void;
  /** replaces the global `fetch` */
  fetch?: typeof fetch;
}

/** A failed attempt, and the wait before the next one. */
export interface Retry {
  attempt: number;
  waitMs: number;
  error: Refusal | ConnectionFailure;
}

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * your own key, with which a later process can repeat the request; by default each call that needs one makes a new one. A walk appends
   * the page number, from 1: `mine:1`
   */
  idempotencyKey?: string;
  /** highest price of the call, or of each page of a walk; above it the call is refused, and nothing is charged */
  maxCredits?: number;
  /** becomes the request id; 1 to 255 characters of A-Z a-z 0-9 _ . : - */
  requestId?: string;
}

/** A request, equal for all attempts. */
export interface Prepared {
  method: string;
  /** path from the root of the service, with the query */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
}

/** Error codes after which a retry may succeed. None of them charges. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'rate_limit_exceeded',
  'rate_limiter_unavailable',
  'request_timeout',
  'service_unavailable',
  'search_unavailable',
  'delivery_ledger_unavailable',
  'enrichment_ledger_unavailable',
  'idempotency_in_flight',
  'internal_error',
]);
/**
 * Retries after refusals by an overloaded service, in addition to those that answered requests allow: unlimited retries would keep an
 * overloaded service from serving anything. Source: B. Beyer and others, "Site Reliability Engineering", O'Reilly 2016, chapter 21.
 */
const SPARE_RETRIES = 25;
const RETRIES_AN_ANSWER = 0.2;
const FIRST_WAIT_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;
/** HTTP status codes of gateways in front of the service. */
const GATEWAY = new Set([429, 502, 503, 504]);

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

/** A random key of 128 bits. `crypto.randomUUID` is missing on pages without TLS. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The key, if a header can contain it. @throws UnusableKey, since an error of `fetch` would contain the whole key */
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

/** Whether a request may be sent again after an error: what creates something has a key, under which it is created once. */
const mayPass = (error: Refusal | ConnectionFailure): boolean =>
  error instanceof Refusal ? PASSING.has(error.code) : error.status === null || GATEWAY.has(error.status);

type Outcome<T> = { value: T } | { error: Refusal | ConnectionFailure };

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
   * Sends a request. @returns the body of a 2xx answer, parsed as JSON
   * @throws Refusal, ConnectionFailure, and the reason of the signal
   */
  async json(request: Prepared): Promise<unknown> {
    return this.#sendWithRetries(request, async (response) => JSON.parse(await response.text()));
  }

  /** Sends a request. @returns a 2xx response whose body has not been read */
  async stream(request: Prepared): Promise<Response> {
    return this.#sendWithRetries(request, async (response) => response);
  }

  async #sendWithRetries<T>(request: Prepared, read: (response: Response) => Promise<T>): Promise<T> {
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

  /** Whether a request may be retried. A retry after an overload uses up a spare one. */
  #mayRepeat(error: Refusal | ConnectionFailure): boolean {
    if (!(error instanceof Refusal && error.code === 'service_unavailable')) return true;
    if (this.#spareRetries < 1) return false;
    this.#spareRetries -= 1;
    return true;
  }

  /** Milliseconds before the next attempt: what the service asks for, or exponential backoff with jitter; undefined if that is too long. */
  #waitBefore(attempt: number, error: Refusal | ConnectionFailure): number | undefined {
    const asked = error instanceof Refusal && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1000 : undefined;
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2);
    const waitMs = asked ?? backoff;
    return waitMs <= this.#retryWaitMaxMs ? waitMs : undefined;
  }

  async #attempt<T>(request: Prepared, read: (response: Response) => Promise<T>, attempts: number): Promise<Outcome<T>> {
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
