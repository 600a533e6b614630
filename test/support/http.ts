/** Requests sent exactly as written, which `fetch` would correct or refuse, and the checks that every answer of the API has to pass. */
import assert from 'node:assert/strict';
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import zlib from 'node:zlib';
import { ERRORS, type ErrorCode } from '../../src/core/domain/errorTable.ts';
import type { Json } from './json.ts';

const TIMEOUT_MS = 15_000;
const SCHEMA_VERSION = '2026-08-27';
const ENVELOPE = ['code', 'message', 'param', 'details', 'docsUrl', 'requestId'];

/** Patterns that no answer may contain: stack traces, paths and names of internal parts, whole keys. */
const SECRETS = [
  /\n\s+at /,
  /\.ts:\d+/,
  /node_modules|node:internal/,
  /ECONNREFUSED|ETIMEDOUT|EPIPE/,
  /index_not_found|_exception|_shards/i,
  /\bsqlstate\b|pg_catalog/i,
  /svc_live_[0-9A-Za-z]{36}/,
  /a secret for tests/,
];

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
};

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Json;
  /** from the first byte sent to the last one received */
  ms: number;
}

export interface WireRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  key?: string;
  body?: string;
  agent?: http.Agent;
  signal?: AbortSignal;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a request with this very path. Rejects where the connection breaks. */
export function send(url: string, path: string, { method = 'GET', headers = {}, key, body, agent, signal }: WireRequest = {}) {
  const { hostname, port } = new URL(url);
  const length = body === undefined || headers['Transfer-Encoding'] ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const started = performance.now();
  return new Promise<WireAnswer>((resolve, reject) => {
    const request = http.request({
      hostname,
      port,
      path,
      method,
      headers: { ...(key ? { 'X-API-Key': key } : {}), ...length, ...headers },
      ...(agent ? { agent } : {}),
      ...(signal ? { signal } : {}),
    });
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error(`No answer to ${method} ${path.slice(0, 100)}`)));
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const decode = DECODERS[bytes.length ? (response.headers['content-encoding'] ?? '') : ''];
        const text = (decode?.(bytes) ?? bytes).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: parse(text),
          ms: performance.now() - started,
        });
      });
    });
    request.end(body);
  });
}

/** Sends these bytes and reads until the server closes the connection. */
export function sendBytes(url: string, bytes: string): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The server keeps the connection open')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => {
      const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n', 2);
      const [first = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      );
      resolve({ status: Number(first.split(' ')[1]), headers, text, body: parse(text), ms: performance.now() - started });
    });
  });
}

/** Sends a message to the tools for agents. */
export const postMcp = (url: string, key: string, message: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  });

/** Checks what holds for every answer: the headers of the contract, an envelope, and no internals. */
export function checkAnswer(answer: WireAnswer, method = 'GET'): void {
  const { status, headers, text, body } = answer;
  const shown = `${status} ${text.slice(0, 300)}`;
  assert.match(String(headers['x-request-id']), /^[A-Za-z0-9_.:-]{1,255}$/, shown);
  assert.equal(headers['x-service-schema-version'], SCHEMA_VERSION, shown);
  assert.match(String(headers['x-service-environment']), /^[a-z]/, shown);
  assert.equal(headers['x-content-type-options'], 'nosniff', shown);
  assert.equal(headers['x-frame-options'], 'DENY', shown);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'/, shown);
  for (const name of ['limit', 'remaining', 'reset']) assert.match(String(headers[`x-ratelimit-${name}`]), /^\d+$/, `${name}: ${shown}`);
  checkRateFields(headers);
  for (const secret of SECRETS) assert.doesNotMatch(text, secret);
  if (method === 'HEAD') {
    assert.equal(text, '');
    return;
  }
  if (String(headers['content-type']).startsWith('text/html')) return;
  if (String(headers['content-type']).startsWith('text/calendar')) {
    assert.equal(status, 200, shown);
    assert.match(text, /^BEGIN:VCALENDAR\r\n(.+\r\n)+END:VCALENDAR\r\n$/, shown);
    return;
  }
  assert.match(String(headers['content-type']), /^application\/((geo|schema)\+)?json/, shown);
  assert.equal(typeof body, 'object', shown);
  if (status >= 400) checkErrorBody(answer);
}

/** Sends a request, and checks what holds for every answer. */
export async function sendChecked(url: string, path: string, request: WireRequest = {}): Promise<WireAnswer> {
  const answer = await send(url, path, request);
  checkAnswer(answer, request.method);
  return answer;
}

/** Checks that the structured rate limit fields agree with our own headers. */
function checkRateFields(headers: IncomingHttpHeaders): void {
  const [, policy, limit] = /^"([a-z]+)";q=(\d+);w=60$/.exec(String(headers['ratelimit-policy'])) ?? [];
  const [, named, remaining, seconds] = /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? [];
  assert.deepEqual([named, limit, remaining], [policy, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]);
  assert(Number(seconds) <= 60 && policy, String(headers.ratelimit));
}

function checkErrorBody({ status, headers, body, text }: WireAnswer): void {
  assert.deepEqual(Object.keys(body), ['error'], text);
  const { error } = body;
  assert.deepEqual(Object.keys(error), ENVELOPE, text);
  assert.equal(ERRORS[error.code as ErrorCode]?.status, status, text);
  assert(typeof error.message === 'string' && error.message.length > 0 && error.message.length < 2_000, text);
  assert(error.param === null || typeof error.param === 'string', text);
  assert(error.details === null || (typeof error.details === 'object' && !Array.isArray(error.details)), text);
  assert.equal(error.requestId, headers['x-request-id']);
  assert(error.docsUrl.endsWith(`/docs/errors#${error.code}`), text);
  for (const problem of error.details?.problems ?? []) {
    for (const field of ['code', 'message']) assert.equal(typeof problem[field], 'string', `${field} in ${JSON.stringify(problem)}`);
    // null if no parameter is at fault, as of the error itself
    assert(typeof problem.param === 'string' || (problem.param === null && error.param === null), JSON.stringify(problem));
  }
  if (status === 405) assert.match(String(headers.allow), /^[A-Z]+(, [A-Z]+)*$/);
  if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer');
  if (status === 429) assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
}

/** Checks an answer, and that it is a certain refusal; `param` is compared if given. */
export function checkError(answer: WireAnswer, code: ErrorCode, param?: string | null): void {
  checkAnswer(answer);
  assert.equal(answer.body?.error?.code, code, answer.text.slice(0, 500));
  if (param !== undefined) assert.equal(answer.body.error.param, param, answer.text.slice(0, 500));
}
