/** A careful customer: asks any of the API processes, asks again what was not answered, and compares each answer with the model of the loads. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonBody, type ReceivedAnswer, type SentRequest, sendRequest } from '../../lib/apiClient.ts';
import type { Random } from '../../sample/random.ts';
import type { Model, ServedState } from './model.ts';

const RETRY_MS = 150;
const REQUEST_TIMEOUT_MS = 15_000;
const TRIES_UNTIL_MS = 120_000;
const NOTE_CHARACTERS = 300;
/** Nothing was done, or what was done is still going on: a client asks again. */
const PASSING = new Set(['idempotency_in_flight', 'rate_limiter_unavailable', 'already_running']);

export interface CheckedAnswer extends Pick<ReceivedAnswer, 'status' | 'body' | 'text'> {
  /** when it was asked first, and when it was answered */
  sent: number;
  answered: number;
}

/** What all clients of a proof share. */
export interface AnswerTally {
  requests: number;
  /** answers compared with the model */
  checked: number;
  /** attempts that were refused by 5xx or not answered, with the time */
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

  /** GET below the API root, until it is answered. @throws Error where no attempt of minutes is */
  get(path: string, parameters: Record<string, string> = {}): Promise<CheckedAnswer> {
    const query = new URLSearchParams(parameters).toString();
    return this.#untilAnswered({ path: query ? `${path}?${query}` : path });
  }

  /** With an Idempotency-Key, the same for each attempt. */
  send(method: 'POST' | 'DELETE', path: string, body?: JsonBody): Promise<CheckedAnswer> {
    return this.#untilAnswered({ method, path, body, idempotencyKey: randomUUID() });
  }

  /** Compares an answer with every state of its time: it is right where one of them finds nothing wrong. */
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

  /** @returns undefined where it has to be asked again */
  async #attempt(request: SentRequest): Promise<ReceivedAnswer | undefined> {
    const { urls, key, tally, signal, timeoutMs = REQUEST_TIMEOUT_MS } = this.#options;
    tally.requests += 1;
    const at = Date.now(); // what the attempt met counts, not when it gave up
    const note = (what: string) => {
      tally.unanswered.push({ at, what: `${request.method ?? 'GET'} ${request.path}: ${what}`.slice(0, NOTE_CHARACTERS) });
      return undefined;
    };
    try {
      const answer = await sendRequest(this.random.pick(urls), key, {
        ...request,
        path: `/v1${request.path}`,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const { status, body } = answer;
      if (status >= 500) return note(`${status} ${body.error?.code} ${body.error?.message}`);
      return PASSING.has(body.error?.code ?? body.data?.status) ? undefined : answer;
    } catch (error) {
      signal.throwIfAborted();
      return note(String((error as Error).cause ?? error));
    }
  }
}
