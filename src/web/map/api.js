// Requests to the API of this origin, with the key of this browser session.
import { settings } from './settings.js';

const KEPT = 'landuse-key';

export const keptKey = () => sessionStorage.getItem(KEPT);
/** @param {string} key */
export const keepKey = (key) => sessionStorage.setItem(KEPT, key);
export const forgetKey = () => sessionStorage.removeItem(KEPT);

/** What went wrong, in one sentence, and what helps. */
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

/** Codes after which another key is needed. */
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

/**
 * @param {string} path from the root of this origin
 * @param {{method?: string, body?: object, headers?: Record<string, string>, key?: string | null, signal?: AbortSignal | undefined}} [options]
 * @returns {Promise<Response>}
 */
async function send(path, { method = 'GET', body, headers = {}, key = keptKey(), signal } = {}) {
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
 * @param {string} path below the root of the API
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<{data: any, meta: any}>}
 */
export async function ask(path, options) {
  const response = await send(`${settings.apiRoot}${path}`, options);
  return response.status === 204 ? { data: null, meta: {} } : response.json();
}

/**
 * @param {string} path below the root of the keys
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<{data: any, meta: any}>}
 */
export async function askKeys(path, options) {
  const response = await send(`${settings.keysRoot}${path}`, options);
  return response.status === 204 ? { data: null, meta: {} } : response.json();
}

/** @param {string} path below the root of the API */
export async function download(path) {
  const response = await send(`${settings.apiRoot}${path}`);
  const [, name = 'export.csv'] = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** One for each click that may spend, so that a repeated request is charged once. */
export const onceKey = () => crypto.randomUUID();
