/** A client that sends each request to a random API process, repeats it until it is answered, and compares answers with the model of the loads. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonBody, type ReceivedAnswer, type SentRequest, sendToAny } from '../../lib/apiClient.ts';
import type { Random } from '../../sample/random.ts';
import type { Model, ServedState } from './model.ts';

const RETRY_MS = 150;
const REQUEST_TIMEOUT_MS = 15_000;
const TRIES_UNTIL_MS = 120_000;
const NOTE_CHARACTERS = 300;
/** Refusals after which a client repeats a request: it did nothing, or is still in progress. */
const PASSING = new Set(['idempotency_in_flight', 'rate_limiter_unavailable', 'already_running']);

export interface CheckedAnswer extends Pick<ReceivedAnswer, 'status' | 'body' | 'text'> {
  /** when the first attempt was sent, and when the answer arrived */
  sent: number;
  answered: number;
}

/** Counts of all clients of a proof together. */
export interface AnswerTally {
  requests: number;
  /** answers compared with the model */
  checked: number;
  /** attempts that failed with 5xx or without an answer, with their times */
  unanswered: { at: number; what: string }[];
  wrong: string[];
}

export const newAnswerTally = (): AnswerTally => ({ requests: 0, checked: 0, unanswered: [], wrong: [] });

interface CheckingClientOptions {
  urls: readonly string[];
  key: string;
  tally: AnswerTally;
  model: Model;
  random: Random;
  signal: AbortSignal;
  /** how long it waits for an answer */
  timeoutMs?: number | undefined;
}

export class CheckingClient {
  readonly #options: CheckingClientOptions;
  readonly random: Random;

  constructor(options: CheckingClientOptions) {
    this.#options = options;
    this.random = options.random;
  }

  get newest(): ServedState {
    return this.#options.model.newest;
  }

  /** Sends GET below the API root until it is answered. @throws Error if that takes minutes */
  get(path: string, parameters: Record<string, string> = {}): Promise<CheckedAnswer> {
    const query = new URLSearchParams(parameters).toString();
    return this.#untilAnswered({ path: query ? `${path}?${query}` : path });
  }

  /** Sends a request with one Idempotency-Key for all attempts, until it is answered. */
  send(method: 'POST' | 'DELETE', path: string, body?: JsonBody): Promise<CheckedAnswer> {
    return this.#untilAnswered({ method, path, body, idempotencyKey: randomUUID() });
  }

  /** Compares an answer with every state that may have been served meanwhile: it is right if it fits one of them. */
  check(what: string, { sent, answered }: { sent: number; answered: number }, wrongIn: (state: ServedState) => string | undefined): void {
    this.#options.tally.checked += 1;
    const found = this.#options.model.statesBetween(sent, answered).map(wrongIn);
    if (!found.includes(undefined)) this.wrong(`${what}: ${found[0]}${found.length > 1 ? ` (and otherwise: ${found.at(-1)})` : ''}`);
  }

  wrong(what: string): void {
    this.#options.tally.wrong.push(`${new Date().toISOString()} ${what}`);
  }

  async #untilAnswered(request: SentRequest): Promise<CheckedAnswer> {
    const sent = Date.now();
    for (;;) {
      const answer = await this.#attempt(request);
      if (answer) return { ...answer, sent, answered: Date.now() };
      this.#options.signal.throwIfAborted();
      if (Date.now() - sent > TRIES_UNTIL_MS)
        throw new Error(`${request.method ?? 'GET'} ${request.path} was not answered in ${TRIES_UNTIL_MS / 1000} s`);
      await sleep(RETRY_MS);
    }
  }

  /** @returns undefined if the request has to be repeated */
  async #attempt(request: SentRequest): Promise<ReceivedAnswer | undefined> {
    const { urls, key, tally, signal, timeoutMs = REQUEST_TIMEOUT_MS } = this.#options;
    tally.requests += 1;
    const at = Date.now(); // a fault at this time explains the failure
    const note = (what: string) => {
      tally.unanswered.push({ at, what: `${request.method ?? 'GET'} ${request.path}: ${what}`.slice(0, NOTE_CHARACTERS) });
      return undefined;
    };
    const answer = await sendToAny({ urls, key, random: this.random, signal, timeoutMs }, request);
    const { status, body, text } = answer;
    if (status === 0) return note(text);
    if (status >= 500) return note(`${status} ${body.error?.code} ${body.error?.message}`);
    return PASSING.has(body.error?.code ?? body.data?.status) ? undefined : answer;
  }
}
