/** The HTTP client of the demo, the proofs and the benchmarks. It shares no code with the product's clients, so that it can test them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../src/terminal/program.ts';

/** A JSON object as the service answers it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type JsonBody = Record<string, any>;

export interface SentRequest {
  method?: string;
  /** path and query, without the origin */
  path: string;
  body?: JsonBody | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface ReceivedAnswer {
  status: number;
  /** {} if the answer is not JSON */
  body: JsonBody;
  text: string;
  bytes: Buffer;
  /** from sending the request to the last byte of the answer */
  milliseconds: number;
}

const SHOWN_CHARACTERS = 300;
const JOB_POLL_MS = 20;
const JOB_WAIT_MS = 300_000;

/** Sends one request and reads the whole answer, whatever its status. @throws Error if the connection fails */
export async function sendRequest(
  origin: string,
  key: string,
  { method = 'GET', path, body, idempotencyKey, headers: further, signal }: SentRequest,
): Promise<ReceivedAnswer> {
  const started = performance.now();
  const headers: Record<string, string> = { Authorization: `Bearer ${key}`, ...further };
  if (body) headers['Content-Type'] = 'application/json';
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  const response = await fetch(`${origin}${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : {}, text, bytes, milliseconds: performance.now() - started };
}

/** Processes of one service, any of which is asked. */
export interface ServiceProcesses {
  urls: readonly string[];
  key: string;
  random: { pick<T>(among: readonly T[]): T };
  signal: AbortSignal;
  timeoutMs: number;
}

/** Sends a request below `/v1` to any of the processes. @returns status 0, with the reason as text, where it is not answered @throws if aborted */
export async function sendToAny({ urls, key, random, signal, timeoutMs }: ServiceProcesses, request: SentRequest): Promise<ReceivedAnswer> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const sent = { ...request, path: `/v1${request.path}`, signal: either };
  return sendRequest(random.pick(urls), key, sent).catch((error: Error) => {
    signal.throwIfAborted();
    return { status: 0, body: {}, text: String(error.cause ?? error), bytes: Buffer.alloc(0), milliseconds: 0 };
  });
}

/** Sends requests below `/v1` with one key, and throws unless they succeed. */
export class ApiClient {
  readonly #origin: string;
  readonly #key: string;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  /** @throws UserError with the answer unless the status is 2xx */
  async send(request: SentRequest): Promise<ReceivedAnswer> {
    const answer = await sendRequest(this.#origin, this.#key, { ...request, path: `/v1${request.path}` });
    const { method = 'GET', path } = request;
    if (answer.status >= 300) throw new UserError(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, SHOWN_CHARACTERS)}`);
    return answer;
  }

  /** @returns `data` of the answer */
  async get<T = JsonBody>(path: string): Promise<T> {
    return (await this.send({ path })).body.data;
  }

  /** @returns `data` of the answer */
  async post<T = JsonBody>(path: string, body: JsonBody = {}, idempotencyKey?: string): Promise<T> {
    return (await this.send({ method: 'POST', path, body, idempotencyKey })).body.data;
  }

  /** Polls a job until it has ended. @throws UserError if that takes minutes, or the job failed */
  async waitForJob<T = JsonBody>(path: string, pollMs = JOB_POLL_MS): Promise<T> {
    for (const until = Date.now() + JOB_WAIT_MS; Date.now() < until; await sleep(pollMs)) {
      const answer = await sendRequest(this.#origin, this.#key, { path: `/v1${path}` });
      // A busy server refuses the poll, but the job continues.
      if (answer.status === 503) continue;
      const job = answer.status < 300 ? answer.body.data : await this.get(path);
      if (job.status === 'failed') throw new UserError(`${path} failed: ${JSON.stringify(job.error)}`);
      if (job.readyAt || job.settledAt) return job as T;
    }
    throw new UserError(`${path} has not ended in ${JOB_WAIT_MS / 1000} s.`);
  }
}
