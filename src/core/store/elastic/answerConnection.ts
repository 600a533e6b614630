/** Sends requests to Elasticsearch and gathers their answers whole, without the streams that the client's own connection makes of them. */
import { errors, UndiciConnection } from '@elastic/elasticsearch';
import { waitForLoopTurn } from '../loopTurn.ts';
import { AnswerBytes } from './answerBytes.ts';

type Sent = Parameters<UndiciConnection['request']>;
type Pool = UndiciConnection['pool'];
type Handler = Parameters<Pool['dispatch']>[1];
type Controller = Parameters<NonNullable<Handler['onRequestStart']>>[0];
type Headers = Parameters<NonNullable<Handler['onResponseStart']>>[2];

interface WholeAnswer {
  statusCode: number;
  headers: Headers;
  body: AnswerBytes | Buffer;
}

const JSON_TYPE = /\bjson\b/;
/** Up to this size an answer is decoded in a fraction of a millisecond. */
const SMALL_BYTES = 16_384;

/** Leaves JSON to `AnswerSerializer`. Errors are those of the client's own connection. */
export class AnswerConnection extends UndiciConnection {
  readonly #pathPrefix = this.url.pathname.replace(/\/$/, '');

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the class differ in what they return alone
  override request(params: Sent[0], options: any): Promise<any> {
    if (options.asStream) return super.request(params, options);
    const { method, path, querystring, headers, body } = params;
    const timeoutMs = options.timeout === this.timeout ? undefined : options.timeout;
    const request = {
      method: method as 'GET',
      path: `${this.#pathPrefix}${path}${querystring ? `?${querystring}` : ''}`,
      headers: { ...this.headers, ...headers } as Record<string, string>,
      body: body as string | Buffer | null,
      // Those of the connection may be shorter.
      ...(timeoutMs ? { headersTimeout: timeoutMs, bodyTimeout: timeoutMs } : {}),
    };
    return new Promise((resolve, reject) => {
      const gathering = new Gathering({ resolve, reject, signal: options.signal, timeoutMs });
      this.pool.dispatch(request, gathering);
    });
  }
}

interface Outcome {
  resolve(answer: WholeAnswer): void;
  reject(error: Error): void;
  signal?: AbortSignal | undefined;
  /** undefined for that of the connection, which undici keeps */
  timeoutMs?: number | undefined;
}

/** Gathers one answer. One that is given up before its request is sent fails at once, and the request is then not sent. */
class Gathering implements Handler {
  readonly #outcome: Outcome;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: Controller | undefined;
  #stopped: Error | undefined;
  #statusCode = 0;
  #headers: Headers = {};

  constructor(outcome: Outcome) {
    this.#outcome = outcome;
    const { signal, timeoutMs } = outcome;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort, { once: true });
    if (timeoutMs) this.#timer = setTimeout(() => this.#stop(new errors.TimeoutError('Request timed out')), timeoutMs);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#stopped) controller.abort(this.#stopped);
  }

  onResponseStart(_: Controller, statusCode: number, headers: Headers): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  async onResponseEnd(): Promise<void> {
    this.#end();
    if (this.#length > SMALL_BYTES) await waitForLoopTurn();
    const [statusCode, headers] = [this.#statusCode, this.#headers];
    const isPlainJson = JSON_TYPE.test(String(headers['content-type'])) && headers['content-encoding'] === undefined;
    this.#outcome.resolve({
      statusCode,
      headers,
      body: isPlainJson && this.#length ? new AnswerBytes(this.#chunks) : Buffer.concat(this.#chunks),
    });
  }

  onResponseError(_: Controller, error: Error & { code?: string }): void {
    this.#end();
    this.#outcome.reject(this.#stopped ?? connectionError(error));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#outcome.signal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = () => this.#stop(new errors.RequestAbortedError('Request aborted'));

  #stop(reason: Error): void {
    this.#stopped ??= reason;
    if (this.#controller) {
      this.#controller.abort(this.#stopped);
      return;
    }
    this.#end();
    this.#outcome.reject(this.#stopped);
  }
}

const connectionError = ({ code, message }: Error & { code?: string }): Error =>
  code === 'UND_ERR_HEADERS_TIMEOUT' ? new errors.TimeoutError('Request timed out') : new errors.ConnectionError(message);
