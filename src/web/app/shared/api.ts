/** Requests to the API of this origin, with the reader's key. */
import type { Operations } from '../../../clients/client/generated.ts';
import { storedKey } from '../../shared/storedKey.ts';
import { settings } from './settings.ts';

interface Refusal {
  code: string;
  message: string;
  remedy: string;
  status?: number;
  param?: string | null;
  details?: unknown;
  waitSeconds?: number;
}

/** A failed request: what went wrong in a sentence, and its remedy. */
export class FailedRequest extends Error {
  readonly code: string;
  readonly remedy: string;
  /** the HTTP status; 0 without an answer */
  readonly status: number;
  /** the parameter to blame, as it was sent */
  readonly param: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: of a shape for each code
  readonly details: any;
  readonly waitSeconds: number;

  constructor({ code, message, remedy, status = 0, param = null, details = null, waitSeconds = 0 }: Refusal) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.status = status;
    this.param = param;
    this.details = details;
    this.waitSeconds = waitSeconds;
  }
}

const MAX_CREDITS = 'X-Service-Max-Credits';

const UNREACHABLE = {
  code: 'unreachable',
  message: 'The service does not answer.',
  remedy: 'Check the connection, and try again in a moment. Nothing was charged.',
};
/** Of a request that may spend: its answer can be lost on its way, after the charge. */
const UNANSWERED = {
  ...UNREACHABLE,
  code: 'unanswered',
  remedy: 'Whether it was charged stands under Receipts, in a moment: look there before you try again.',
};
const noAnswer = (headers: Readonly<Record<string, string>>) =>
  headers['Idempotency-Key'] && headers[MAX_CREDITS] !== '0' ? UNANSWERED : UNREACHABLE;

/** Whether a request failed for want of a network, and nothing can have been charged. */
export const isUnreachable = (problem: unknown): boolean =>
  problem instanceof FailedRequest && problem.code === UNREACHABLE.code && problem.status === 0;

/** The network is not ready at once: what fails so soon after it came back is repeated, too. */
const COMING_BACK_MS = 10_000;
const REPEAT_MS = 1_000;
let onlineAt = Number.NEGATIVE_INFINITY;
addEventListener('online', () => {
  onlineAt = performance.now();
});

/** Calls `repeat` when the browser has a network again. @returns a function that stops this */
export function repeatWhenOnline(repeat: () => void): () => void {
  const isBack = performance.now() - onlineAt < COMING_BACK_MS;
  const timer = isBack ? setTimeout(repeat, REPEAT_MS) : undefined;
  addEventListener('online', repeat);
  return () => {
    clearTimeout(timer);
    removeEventListener('online', repeat);
  };
}

/** Error codes after which another key is needed. */
const OF_KEYS = new Set(['missing_api_key', 'invalid_api_key', 'key_expired', 'key_revoked', 'account_disabled', 'subscription_required']);
export const needsKey = (problem: unknown): problem is FailedRequest =>
  problem instanceof FailedRequest && (problem.status === 401 || OF_KEYS.has(problem.code));

async function problemOf(response: Response, headers: Readonly<Record<string, string>>): Promise<FailedRequest> {
  const body = await response.json().catch(() => null);
  const error = body?.error;
  if (!error) return new FailedRequest({ ...noAnswer(headers), status: response.status });
  return new FailedRequest({
    code: error.code,
    message: error.message,
    remedy: settings.remedies[error.code] ?? '',
    status: response.status,
    param: error.param ?? null,
    details: error.details,
    waitSeconds: Number(response.headers.get('retry-after') ?? 0),
  });
}

export interface RequestOptions {
  method?: string;
  body?: object;
  headers?: Readonly<Record<string, string>>;
  key?: string | null;
  signal?: AbortSignal | undefined;
}

/** What the API answers; its bodies are described in the reference. */
export interface ApiAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: of a shape for each operation
  data: any;
  // biome-ignore lint/suspicious/noExplicitAny: of a shape for each operation
  meta: any;
}

/** `data` of the answer of an operation, as the API describes it. */
export type DataOf<Name extends keyof Operations> = Operations[Name]['answer'] extends { data: infer Data } ? Data : never;

/** A longer wait is reported as an error. */
const WAIT_MAX_SECONDS = 65;

const waitObservers = new Set<(until: number) => void>();
/** Registers a function that is called with the time (milliseconds since 1970) until which a request waits for the key's allowance. */
export function observeWaits(observe: (until: number) => void): () => void {
  waitObservers.add(observe);
  return () => void waitObservers.delete(observe);
}

const allowanceObservers = new Set<(left: number, resetsAfterSeconds: number) => void>();
/** Registers a function that is called with what each answer says of the key's allowance of requests. */
export function observeAllowance(observe: (left: number, resetsAfterSeconds: number) => void): () => void {
  allowanceObservers.add(observe);
  return () => void allowanceObservers.delete(observe);
}

/** The header is that of draft-ietf-httpapi-ratelimit-headers; routes with an allowance of their own name another policy. */
function reportAllowance({ headers }: Response): void {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (left !== undefined) for (const observe of allowanceObservers) observe(Number(left), Number(seconds));
}

const refusalObservers = new Set<(path: string, problem: FailedRequest) => void>();
/** Registers a function that is called with every refused request: its path from the root of this origin, and why. */
export function observeRefusals(observe: (path: string, problem: FailedRequest) => void): () => void {
  refusalObservers.add(observe);
  return () => void refusalObservers.delete(observe);
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/**
 * Sends a request. One that exceeded the allowance had no effect: it is repeated when there is room, and the page counts down the seconds.
 * @param path from the root of this origin
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  for (;;) {
    try {
      return await sendOnce(path, options);
    } catch (error) {
      const seconds = error instanceof FailedRequest && error.code === 'rate_limit_exceeded' ? error.waitSeconds : 0;
      if (seconds <= 0 || seconds > WAIT_MAX_SECONDS) throw error;
      for (const observe of waitObservers) observe(Date.now() + seconds * 1000);
      await pause(seconds * 1000, options.signal);
    }
  }
}

async function sendOnce(
  path: string,
  { method = 'GET', body, headers = {}, key = storedKey(), signal }: RequestOptions,
): Promise<Response> {
  const sent = { Authorization: `Bearer ${key}`, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers };
  let response: Response;
  try {
    response = await fetch(path, { method, headers: sent, body: body ? JSON.stringify(body) : null, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new FailedRequest(noAnswer(headers));
  }
  reportAllowance(response);
  if (!response.ok) {
    const problem = await problemOf(response, headers);
    for (const observe of refusalObservers) observe(path, problem);
    throw problem;
  }
  return response;
}

/**
 * Sends a request to the API.
 * @param path relative to the root of the API
 */
export async function ask(path: string, options?: RequestOptions): Promise<ApiAnswer> {
  return readAnswer(await send(`${settings.apiRoot}${path}`, options), options);
}

async function readAnswer(response: Response, { headers = {}, signal }: RequestOptions = {}): Promise<ApiAnswer> {
  if (response.status === 204) return { data: null, meta: {} };
  try {
    return await response.json();
  } catch (error) {
    // A body that breaks off is a TypeError.
    if (signal?.aborted || !(error instanceof TypeError)) throw error;
    throw new FailedRequest(noAnswer(headers));
  }
}

const KEPT_MS = 60_000;
const KEPT_MAX = 50;
const keptAnswers = new Map<string, { until: number; answer: ApiAnswer }>();

/** Sends a request, or returns an answer cached for up to a minute, so that going back and forth does not use the allowance. */
export async function askCached(path: string, options?: RequestOptions): Promise<ApiAnswer> {
  const kept = keptAnswers.get(path);
  if (kept && kept.until > Date.now()) return kept.answer;
  const answer = await ask(path, options);
  keptAnswers.delete(path);
  keptAnswers.set(path, { until: Date.now() + KEPT_MS, answer });
  for (const oldest of [...keptAnswers.keys()].slice(0, -KEPT_MAX)) keptAnswers.delete(oldest);
  return answer;
}

/** Clears cached answers, which differ after a purchase and for another key. */
export const forgetAnswers = () => keptAnswers.clear();

/**
 * Sends a request to the routes of keys.
 * @param path relative to their root
 */
export async function askKeys(path: string, options?: RequestOptions): Promise<ApiAnswer> {
  return readAnswer(await send(`${settings.keysRoot}${path}`, options), options);
}

/** The caller's account, as the start of the API tells it. */
export interface ReaderAccount {
  plan: DataOf<'getStart'>['account']['plan'];
  /** credits left in the pool */
  balance: number;
  /** credits that a record costs; 0 on plans that pay otherwise */
  creditRate: number;
  /** credits that a look-up of contacts costs at most */
  contactCreditRate: number;
  licence: { nationwide: boolean; stateIds: number[] | null; countyIds: number[] | null };
  vocabularies: { url: string; version: string };
  /** the published generation */
  release: { generation: number; activatedAt: string } | null;
  // biome-ignore lint/suspicious/noExplicitAny: described in the reference
  [field: string]: any;
}

interface Word {
  token: string;
  label: string;
}
export interface KnownState {
  id: number;
  abbreviation: string;
  name: string;
  /** whether the licence has any of it */
  entitled: boolean;
}
/** The vocabularies of filters. */
export interface Words {
  /** Building Types */
  taxonomy: (Word & { subtypes: Word[] })[];
  statuses: Word[];
  states: KnownState[];
}

/** Reads the account, with its credits and the address of the vocabularies; free, and with its own rate limit. */
export async function askStart(options?: RequestOptions): Promise<ReaderAccount> {
  const { account, credits, vocabularies, limits, release } = (await ask('/start', options)).data;
  const { remaining: balance, ...rates } = credits;
  return { ...account, ...rates, balance, limits, vocabularies, release };
}

/** Reads the vocabularies, and the states with what the licence covers. The browser caches the file, which never changes under its name. */
export async function readWords({ vocabularies, licence }: ReaderAccount, signal: AbortSignal): Promise<Words> {
  const { taxonomy, statuses, states } = await (await send(new URL(vocabularies.url).pathname, { signal })).json();
  const licensed = new Set([...(licence.stateIds ?? []), ...(licence.countyIds ?? []).map((id) => Math.floor(id / 1000))]);
  const withLicence = states.map((state: Omit<KnownState, 'entitled'>) => ({
    ...state,
    entitled: licence.nationwide || licensed.has(state.id),
  }));
  return { taxonomy, statuses, states: withLicence };
}

/**
 * Downloads a file.
 * @param path relative to the root of the API
 */
export async function download(path: string): Promise<void> {
  const response = await send(`${settings.apiRoot}${path}`);
  const [, name = 'export.csv'] = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  saveFile(await response.blob(), name);
}

/** Hands a file to the browser, which saves it under the name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * A new idempotency key, made for each click that may spend, so that a repeated request is charged once. `crypto.randomUUID` is missing where a page
 * came without TLS.
 */
export const newIdempotencyKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Headers of a request that may spend: it is charged once, and refused where it costs more than the reader was told. */
export const spendHeaders = (credits: number) => ({ 'Idempotency-Key': newIdempotencyKey(), [MAX_CREDITS]: String(credits) });

/** Whether a request was refused because it costs more than the reader was told. */
export const isDearer = (error: unknown): boolean => error instanceof FailedRequest && error.param === MAX_CREDITS;

/** Passes a refusal on, after asking for the price again if it was the reason. */
export const requoteIfDearer =
  (again: () => void) =>
  (error: unknown): never => {
    if (isDearer(error)) again();
    throw error;
  };
