/**
 * A language model behind an OpenAI-compatible API. It may hang, stall, break off, be rate limited, or answer without end or with nonsense: each
 * call is bounded and retried, and a circuit breaker stops calls for a while after repeated failures. It gets no tools, and its answer is JSON
 * of the given schema or an error.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { APIError, OpenAI } from 'openai';
import PQueue from 'p-queue';
import type { TSchema } from 'typebox';
import { type CallSettings, ProviderCalls, ProviderUnavailable } from './providerCalls.ts';

/** Of the stream: each token comes in an envelope about a hundred times its size. */
const STREAM_BYTES_MAX = 8 * 1024 * 1024;
const ANSWER_CHARACTERS_MAX = 256 * 1024;
/** The same request should have the same answer, as far as a model allows. */
const SEED = 1;

export interface ModelSettings extends CallSettings {
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
export class ModelUnavailable extends ProviderUnavailable {}

/** The budget of calls is used up. */
export class ModelBudgetSpent extends Error {}

const ajv = new Ajv2020();

export class LanguageModel {
  readonly name: string;
  readonly #url: string;
  readonly #key: string | null;
  readonly #settings: ModelSettings;
  readonly #calls: ProviderCalls;
  readonly #queue: PQueue;
  #client: Promise<OpenAI> | undefined;

  constructor({ url, key, name, settings = MODEL_SETTINGS }: { url: string; key: string | null; name: string; settings?: ModelSettings }) {
    this.name = name;
    this.#url = url;
    this.#key = key;
    this.#settings = settings;
    this.#queue = new PQueue({ concurrency: settings.concurrency });
    this.#calls = new ProviderCalls({
      name: 'language model',
      url,
      bytesMax: STREAM_BYTES_MAX,
      settings,
      Unavailable: ModelUnavailable,
      Unusable: ModelUnavailable,
      Counted: ModelUnavailable,
    });
  }

  /**
   * @param spend called before every call that is made @returns a value of the task's schema
   * @throws ModelUnavailable, what `spend` throws; the reason of the signal if it aborts
   */
  async ask<T>(task: ModelTask, spend: () => Promise<void>, signal: AbortSignal): Promise<T> {
    const isAnswer = ajv.compile<T>(task.schema);
    const call = async () => {
      await spend();
      const answer = this.#calls.parse(await this.#call(task, signal));
      if (!isAnswer(answer)) throw new ModelUnavailable('The answer of the language model is not as agreed');
      return answer;
    };
    return this.#calls.run(() => this.#queue.add(call, { signal }), signal);
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
      throw this.#failureOf(error as Partial<APIError> & Error, within);
    }
  }

  #failureOf(error: Partial<APIError> & Error, within: AbortSignal): ProviderUnavailable {
    if (within.aborted) return new ModelUnavailable('The language model did not answer in time', 0);
    if (error.cause instanceof ModelUnavailable) return error.cause;
    return error.status === undefined ? this.#calls.silenceFailure(error) : this.#calls.refusalFailure(error.status, error.headers);
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
      fetch: this.#calls.fetch,
    });
  }
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
  if (reason === null) throw new ModelUnavailable('The language model broke its answer off', 0);
  if (reason !== 'stop') throw new ModelUnavailable(`The answer of the language model ended early (${reason.slice(0, 40)})`);
  return content;
}
