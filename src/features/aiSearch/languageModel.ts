/**
 * A language model behind an OpenAI-compatible API. It may hang, stall, break off, be rate limited, or answer without end or with nonsense: each
 * call is bounded and retried, and a circuit breaker stops calls for a while after repeated failures. It gets no tools, and its answer is JSON
 * of the given schema or an error.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleType,
  type IPolicy,
  type IRetryBackoffContext,
  retry,
  wrap,
} from 'cockatiel';
import type { APIError, OpenAI } from 'openai';
import PQueue from 'p-queue';
import type { TSchema } from 'typebox';

/** Of the stream: each token comes in an envelope about a hundred times its size. */
const STREAM_BYTES_MAX = 8 * 1024 * 1024;
const ANSWER_CHARACTERS_MAX = 256 * 1024;
/** The same request should have the same answer, as far as a model allows. */
const SEED = 1;

export interface ModelSettings {
  /** one call, from asking to the last word */
  timeoutMs: number;
  /** calls after the first */
  retries: number;
  /** pause before the first retry; it doubles each time */
  pauseMs: number;
  /** longest pause that a model may ask for by Retry-After */
  patienceMs: number;
  /** consecutive failures after which no call is made for `restMs` */
  failures: number;
  restMs: number;
  /** calls at once of this process; others wait */
  concurrency: number;
}

export const MODEL_SETTINGS: ModelSettings = {
  timeoutMs: 30_000,
  retries: 2,
  pauseMs: 500,
  patienceMs: 20_000,
  failures: 4,
  restMs: 30_000,
  concurrency: 4,
};

/** What a model is asked. `orders` never contains text of records or questions. */
export interface ModelTask {
  /** names the schema: letters, digits and _ */
  name: string;
  orders: string;
  /** what it works on, as JSON */
  data: unknown;
  /** of the answer */
  schema: TSchema;
  tokensMax: number;
}

/** The model did not answer, or not as agreed. The message is logged, and holds nothing of questions, texts or keys. */
export class ModelUnavailable extends Error {}

/** A failure that is worth a retry: the server was silent, busy or broken. */
class TransientFailure extends ModelUnavailable {
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** The budget of calls is used up. */
export class ModelBudgetSpent extends Error {}

/** @param value seconds, or a date */
function waitOf(value: string | null | undefined): number {
  if (!value) return 0;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}

const ajv = new Ajv2020();

export class LanguageModel {
  readonly name: string;
  readonly #url: string;
  readonly #key: string | null;
  readonly #settings: ModelSettings;
  readonly #policy: IPolicy;
  readonly #queue: PQueue;
  #client: Promise<OpenAI> | undefined;

  constructor({ url, key, name, settings = MODEL_SETTINGS }: { url: string; key: string | null; name: string; settings?: ModelSettings }) {
    this.name = name;
    this.#url = url;
    this.#key = key;
    this.#settings = settings;
    const { failures, restMs, retries, pauseMs, patienceMs, concurrency } = settings;
    this.#queue = new PQueue({ concurrency });
    const breaker = circuitBreaker(handleType(ModelUnavailable), { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failures) });
    const backoff = new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
      const asked = 'error' in result && result.error instanceof TransientFailure ? result.error.waitMs : 0;
      return Math.min(Math.max(asked, pauseMs * 2 ** (attempt - 1)), patienceMs);
    });
    this.#policy = wrap(retry(handleType(TransientFailure), { maxAttempts: retries, backoff }), breaker);
  }

  /**
   * @param spend called before every call that is made @returns a value of the task's schema
   * @throws ModelUnavailable, what `spend` throws; the reason of the signal where it aborts
   */
  async ask<T>(task: ModelTask, spend: () => Promise<void>, signal: AbortSignal): Promise<T> {
    const isAnswer = ajv.compile<T>(task.schema);
    const call = async () => {
      await spend();
      const answer = parsed(await this.#call(task, signal));
      if (!isAnswer(answer)) throw new ModelUnavailable('The answer of the language model is not as agreed');
      return answer;
    };
    try {
      return await this.#policy.execute(() => this.#queue.add(call, { signal }), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BrokenCircuitError)
        throw new ModelUnavailable('The language model failed again and again; it is left alone for a while');
      throw error;
    }
  }

  async #call(task: ModelTask, signal: AbortSignal): Promise<string> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    const within = AbortSignal.any([signal, AbortSignal.timeout(this.#settings.timeoutMs)]);
    try {
      return await contentOf(await client.chat.completions.create(this.#request(task), { signal: within }));
    } catch (error) {
      if (error instanceof ModelUnavailable) throw error;
      signal.throwIfAborted();
      throw failureOf(error as Partial<APIError> & Error, within);
    }
  }

  #request({ name, orders, data, schema, tokensMax }: ModelTask): OpenAI.Chat.ChatCompletionCreateParamsStreaming {
    return {
      model: this.name,
      stream: true,
      temperature: 0,
      seed: SEED,
      max_completion_tokens: tokensMax,
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: JSON.parse(JSON.stringify(schema)) } },
      messages: [
        { role: 'system', content: orders },
        { role: 'user', content: JSON.stringify(data) },
      ],
    };
  }

  /** Loaded when it is needed for the first time: it is large. Nothing of it is read from the environment. */
  async #connect(): Promise<OpenAI> {
    const { OpenAI: Client } = await import('openai');
    return new Client({
      baseURL: this.#url,
      apiKey: this.#key ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      ...(this.#key === null ? { defaultHeaders: { Authorization: null } } : {}),
      maxRetries: 0,
      timeout: this.#settings.timeoutMs,
      logLevel: 'off',
      fetch: guardedFetch(new URL(this.#url).origin),
    });
  }
}

/** Calls one origin alone, follows no redirect, and reads so many bytes and no more. */
function guardedFetch(origin: string): typeof fetch {
  return async (target, init) => {
    const url = target instanceof Request ? target.url : String(target);
    if (new URL(url).origin !== origin) throw new ModelUnavailable('A call to another server than that of the language model was refused');
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    let bytes = 0;
    const bounded = answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          if (bytes > STREAM_BYTES_MAX) controller.error(new ModelUnavailable('The answer of the language model is too long'));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(bounded ?? null, { status, statusText, headers });
  };
}

/** The whole text of an answer that came to its end by itself. */
async function contentOf(chunks: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>): Promise<string> {
  let content = '';
  let reason: string | null = null;
  for await (const { choices } of chunks) {
    const [choice] = choices ?? [];
    if (!choice) continue;
    const { delta, finish_reason } = choice;
    if (delta?.tool_calls?.length || delta?.refusal) throw new ModelUnavailable('The language model did something else than answer');
    content += delta?.content ?? '';
    if (content.length > ANSWER_CHARACTERS_MAX) throw new ModelUnavailable('The answer of the language model is too long');
    reason = finish_reason ?? reason;
  }
  if (reason === null) throw new TransientFailure('The language model broke its answer off');
  if (reason !== 'stop') throw new ModelUnavailable(`The answer of the language model ended early (${reason.slice(0, 40)})`);
  return content;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new ModelUnavailable('The answer of the language model is not JSON');
  }
}

function failureOf(error: Partial<APIError> & Error, within: AbortSignal): ModelUnavailable {
  const { status, headers, cause } = error;
  if (within.aborted) return new TransientFailure('The language model did not answer in time');
  if (cause instanceof ModelUnavailable) return cause;
  if (status === 408 || status === 429 || (status !== undefined && status >= 500))
    return new TransientFailure(`The language model answered ${status}`, waitOf(headers?.get('retry-after')));
  if (status !== undefined) return new ModelUnavailable(`The language model answered ${status}`);
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  return new TransientFailure(`The language model did not answer (${why})`);
}
