/** A careful customer: asks any of the API processes, asks again what was not answered, and holds each answer against the model. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../sample/random.ts';
import type { Model, State } from './model.ts';

const RETRY_MS = 150;
const REQUEST_TIMEOUT_MS = 15_000;
const TRIES_UNTIL_MS = 120_000;
/** Nothing was done, or what was done is still going on: a client asks again. */
const PASSING = new Set(['idempotency_in_flight', 'rate_limiter_unavailable', 'already_running']);

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type Body = Record<string, any>;

export interface Answer {
  status: number;
  body: Body;
  text: string;
  /** when it was asked first, and when it was answered */
  sent: number;
  answered: number;
}

/** What all clients of a soak share. */
export interface Tally {
  requests: number;
  /** answers held against the model */
  checked: number;
  /** attempts that were refused by 5xx or not answered, with the time */
  unanswered: { at: number; what: string }[];
  wrong: string[];
}

export interface ClientOptions {
  urls: readonly string[];
  key: string;
  tally: Tally;
  model: Model;
  random: Random;
  signal: AbortSignal;
  /** how long it waits for an answer */
  timeoutMs?: number | undefined;
}

export class Client {
  readonly #options: ClientOptions;
  readonly random: Random;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.random = options.random;
  }

  get newest(): State {
    return this.#options.model.newest;
  }

  /** GET below the API root, until it is answered. @throws Error where no attempt of minutes is */
  get(path: string, parameters: Record<string, string> = {}): Promise<Answer> {
    const query = new URLSearchParams(parameters).toString();
    return this.#ask('GET', query ? `${path}?${query}` : path);
  }

  /** With an Idempotency-Key, the same for each attempt. */
  send(method: 'POST' | 'DELETE', path: string, body?: Body): Promise<Answer> {
    return this.#ask(method, path, body, randomUUID());
  }

  /** Holds an answer against every state of its time: it is right where one of them finds nothing wrong. */
  check(what: string, { sent, answered }: { sent: number; answered: number }, wrongIn: (state: State) => string | undefined): void {
    this.#options.tally.checked += 1;
    const found = this.#options.model.between(sent, answered).map(wrongIn);
    if (!found.includes(undefined)) this.wrong(`${what}: ${found[0]}${found.length > 1 ? ` (and otherwise: ${found.at(-1)})` : ''}`);
  }

  wrong(what: string): void {
    this.#options.tally.wrong.push(`${new Date().toISOString()} ${what}`);
  }

  async #ask(method: string, path: string, body?: Body, idempotencyKey?: string): Promise<Answer> {
    const sent = Date.now();
    for (;;) {
      const answer = await this.#attempt(method, path, body, idempotencyKey);
      if (answer) return { ...answer, sent, answered: Date.now() };
      this.#options.signal.throwIfAborted();
      if (Date.now() - sent > TRIES_UNTIL_MS) throw new Error(`${method} ${path} was not answered in ${TRIES_UNTIL_MS / 1000} s`);
      await sleep(RETRY_MS);
    }
  }

  async #attempt(
    method: string,
    path: string,
    body?: Body,
    idempotencyKey?: string,
  ): Promise<Pick<Answer, 'status' | 'body' | 'text'> | undefined> {
    this.#options.tally.requests += 1;
    const url = this.random.pick(this.#options.urls);
    const began = Date.now();
    try {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.#options.key}`,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
          ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
        },
        signal: AbortSignal.any([this.#options.signal, AbortSignal.timeout(this.#options.timeoutMs ?? REQUEST_TIMEOUT_MS)]),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      const parsed = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as Body) : {};
      if (response.status < 500 && !PASSING.has(parsed.error?.code ?? parsed.data?.status))
        return { status: response.status, body: parsed, text };
      if (response.status >= 500)
        this.#unanswered(began, `${method} ${path}: ${response.status} ${parsed.error?.code} ${parsed.error?.message}`);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      this.#unanswered(began, `${method} ${path}: ${(error as Error).cause ?? error}`);
    }
    return undefined;
  }

  /** @param began of the attempt: what it fell into is what counts */
  #unanswered(began: number, what: string): void {
    this.#options.tally.unanswered.push({ at: began, what: what.slice(0, 300) });
  }
}
