/** Requests that Node cannot parse as HTTP: refused like any other bad request, after the rate limit and with the error envelope. */
import { isUtf8 } from 'node:buffer';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';

/** Enough for a polygon of 1,000 vertices, percent-encoded, in the request line. */
export const HEAD_LIMIT_BYTES = 128 * 1024;

/** How long the rest of an unreadable request is still received, so that its sender can read the answer. */
const LINGER_MS = 1_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Unreadable {
  code?: 'request_timeout';
  reason: string;
  /** name of the header or parameter */
  param?: string;
}

const unreadable = new WeakMap<IncomingMessage, Unreadable>();
const answered = new WeakSet<Duplex>();

/** Headers that Node silently reduces to their first value if they are repeated. */
const SINGLE_HEADERS = ['Host', 'Content-Type'];
const PERCENT_ENCODED = /(?:%[0-9a-f]{2})+/gi;

/** The parameter whose percent-encoded bytes are not valid UTF-8, which decoders would interpret differently. */
function findUndecodable(url: string): string | undefined {
  const start = url.indexOf('?');
  const pairs = start < 0 ? [] : url.slice(start + 1).split('&');
  const found = pairs.find((pair) => pair.match(PERCENT_ENCODED)?.some((run) => !isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'))));
  return found && [...new URLSearchParams(found).keys()][0];
}

/** Why a request that Node parsed cannot be accepted; undefined if it can. */
function findProblem({ url = '', httpVersion, headers, headersDistinct }: IncomingMessage): Unreadable | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) return { reason: 'The request has no Host header', param: 'Host' };
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name.toLowerCase()]?.length ?? 0) > 1);
  if (repeated) return { reason: `The request has more than one ${repeated} header`, param: repeated };
  if (!url.startsWith('/') && url !== '*' && !URL.canParse(url)) return { reason: 'The request target is no path and no address' };
  const param = findUndecodable(url);
  if (param !== undefined) return { reason: `The percent-encoded text of '${param.slice(0, 80)}' is not UTF-8`, param: param.slice(0, 80) };
  return undefined;
}

function mark(request: IncomingMessage, problem: Unreadable): IncomingMessage {
  request.url = '/';
  unreadable.set(request, problem);
  return request;
}

/** Marks requests that cannot be accepted, before any middleware reads them. */
export function markUnreadable(handle: Handle): Handle {
  return (request, response) => {
    const problem = findProblem(request);
    return handle(problem === undefined ? request : mark(request, problem), response);
  };
}

const PROBLEMS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: { reason: `The request line and headers exceed ${HEAD_LIMIT_BYTES / 1024} KiB` },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', reason: 'The request took too long to arrive' },
};

/** The answer being written to a connection, which Node stores on the socket. */
const findAnswerInProgress = (socket: Duplex) => (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage;

/**
 * Whether a connection was opened ahead of time, as browsers do, and never used: an answer now would be taken for that of its next request.
 */
const isUnused = (socket: Duplex, error: NodeJS.ErrnoException | undefined) =>
  error?.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Socket).bytesRead === 0;

/** Answers once on a connection whose bytes are not HTTP, or that asks for a tunnel, and closes it after any answer under way. */
export function answerUnreadable(handle: Handle, socket: Duplex, error?: NodeJS.ErrnoException): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable || error?.code === 'ECONNRESET' || isUnused(socket, error)) {
    socket.destroy();
    return;
  }
  const underWay = findAnswerInProgress(socket);
  if (underWay) {
    underWay.shouldKeepAlive = false;
    underWay.once('finish', () => closeAfterLinger(socket));
    return;
  }
  const request = new IncomingMessage(socket as Socket);
  request.method = 'GET';
  const reason = error ? 'The request is not valid HTTP' : 'This server opens no tunnels';
  mark(request, PROBLEMS[error?.code ?? ''] ?? { reason });
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => closeAfterLinger(socket));
  handle(request, response);
}

function closeAfterLinger(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Refuses marked requests. Runs after the rate limit. */
export const refuseUnreadable: Middleware = (ctx, next) => {
  const problem = unreadable.get(ctx.req);
  if (!problem) return next();
  const { code = 'invalid_request', reason, param } = problem;
  throw new ApiError(code, reason, param === undefined ? {} : { param });
};
