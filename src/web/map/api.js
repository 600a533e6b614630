// Requests to the API of this origin, with the reader's key.
import { keptKey } from '../shared/keptKey.js';
import { settings } from './settings.js';

/** A failed request: what went wrong in a sentence, and its remedy. */
export class FailedRequest extends Error {
  /** @param {{code: string, message: string, remedy: string, status?: number, details?: any, waitSeconds?: number}} said */
  constructor({ code, message, remedy, status = 0, details = null, waitSeconds = 0 }) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.status = status;
    this.details = details;
    this.waitSeconds = waitSeconds;
  }
}

const UNREACHABLE = {
  code: 'unreachable',
  message: 'The service does not answer.',
  remedy: 'Check the connection, and try again in a moment. Nothing was charged.',
};

/** Error codes after which another key is needed. */
const OF_KEYS = new Set(['missing_api_key', 'invalid_api_key', 'key_expired', 'key_revoked', 'account_disabled', 'subscription_required']);
/** @param {unknown} problem */
export const needsKey = (problem) => problem instanceof FailedRequest && (problem.status === 401 || OF_KEYS.has(problem.code));

/**
 * @param {Response} response
 * @returns {Promise<FailedRequest>}
 */
async function problemOf(response) {
  const body = await response.json().catch(() => null);
  const error = body?.error;
  if (!error) return new FailedRequest({ ...UNREACHABLE, status: response.status });
  return new FailedRequest({
    code: error.code,
    message: error.message,
    remedy: settings.remedies[error.code] ?? '',
    status: response.status,
    details: error.details,
    waitSeconds: Number(response.headers.get('retry-after') ?? 0),
  });
}

/** A longer wait is reported as an error. */
const WAIT_MAX_SECONDS = 65;

/** @type {Set<(until: number) => void>} */
const waitObservers = new Set();
/**
 * Registers a function that is called with the time (milliseconds since 1970) until which a request waits for the key's allowance.
 * @param {(until: number) => void} observe
 */
export function observeWaits(observe) {
  waitObservers.add(observe);
  return () => void waitObservers.delete(observe);
}

/** @param {number} ms @param {AbortSignal | undefined} signal */
const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/**
 * Sends a request. One that exceeded the allowance had no effect: it is repeated when there is room, and the page counts down the seconds.
 * @param {string} path from the root of this origin
 * @param {Parameters<typeof sendOnce>[1]} [options]
 * @returns {Promise<Response>}
 */
async function send(path, options = {}) {
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

/**
 * @param {string} path from the root of this origin
 * @param {{method?: string, body?: object, headers?: Record<string, string>, key?: string | null, signal?: AbortSignal | undefined}} [options]
 * @returns {Promise<Response>}
 */
async function sendOnce(path, { method = 'GET', body, headers = {}, key = keptKey(), signal } = {}) {
  const sent = { Authorization: `Bearer ${key}`, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, { method, headers: sent, body: body ? JSON.stringify(body) : null, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new FailedRequest(UNREACHABLE);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/**
 * Sends a request to the API.
 * @param {string} path relative to the root of the API
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<{data: any, meta: any}>}
 */
export async function ask(path, options) {
  const response = await send(`${settings.apiRoot}${path}`, options);
  return response.status === 204 ? { data: null, meta: {} } : response.json();
}

const KEPT_MS = 60_000;
const KEPT_MAX = 50;
/** @type {Map<string, {until: number, answer: {data: any, meta: any}}>} */
const keptAnswers = new Map();

/**
 * Sends a request, or returns an answer cached for up to a minute, so that going back and forth does not use the allowance.
 * @type {typeof ask}
 */
export async function askKept(path, options) {
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
 * @param {string} path relative to their root
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<{data: any, meta: any}>}
 */
export async function askKeys(path, options) {
  const response = await send(`${settings.keysRoot}${path}`, options);
  return response.status === 204 ? { data: null, meta: {} } : response.json();
}

/**
 * Reads the account, with its credits and the address of the vocabularies; free, and with its own rate limit.
 * @param {{key?: string, signal?: AbortSignal}} [options]
 */
export async function askStart(options) {
  const { account, credits, vocabularies, limits } = (await ask('/start', options)).data;
  const { remaining: balance, ...rates } = credits;
  return { ...account, ...rates, balance, limits, vocabularies };
}

/**
 * Reads the vocabularies, and the states with what the licence covers. The browser caches the file, which never changes under its name.
 * @param {{vocabularies: {url: string}, licence: {nationwide: boolean, stateIds: number[] | null, countyIds: number[] | null}}} account
 * @param {AbortSignal} signal
 */
export async function readWords({ vocabularies, licence }, signal) {
  const { taxonomy, statuses, states } = await (await send(new URL(vocabularies.url).pathname, { signal })).json();
  const licensed = new Set([...(licence.stateIds ?? []), ...(licence.countyIds ?? []).map((id) => Math.floor(id / 1000))]);
  const withLicence = states.map((/** @type {any} */ state) => ({ ...state, entitled: licence.nationwide || licensed.has(state.id) }));
  return [taxonomy, statuses, withLicence];
}

/** @param {string} path relative to the root of the API */
export async function download(path) {
  const response = await send(`${settings.apiRoot}${path}`);
  const [, name = 'export.csv'] = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A new idempotency key, made for each click that may spend, so that a repeated request is charged once. */
export const onceKey = () => crypto.randomUUID();
