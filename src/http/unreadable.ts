/** Requests that Node cannot read as HTTP: refused like every other bad request, behind the rate limit and with the error envelope. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ApiError } from '../domain/errors.ts';

/** Room for a polygon of 1,000 vertices, percent-encoded, in the request line. */
export const HEAD_LIMIT_BYTES = 128 * 1024;

/** How long the rest of an unreadable request is read, so that its sender gets to see the answer. */
const LINGER_MS = 1_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

const reasons = new WeakMap<IncomingMessage, string>();
const answered = new WeakSet<Duplex>();

/** Why a request that Node did parse cannot be taken; undefined for every usual one. */
function problemOf({ url = '', httpVersion, headers }: IncomingMessage): string | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) return 'The request has no Host header';
  if (!url.startsWith('/') && url !== '*' && !URL.canParse(url)) return 'The request target is no path and no address';
  return undefined;
}

function mark(request: IncomingMessage, reason: string): IncomingMessage {
  request.url = '/';
  reasons.set(request, reason);
  return request;
}

/** Marks what cannot be taken, so that no middleware stumbles over it. */
export function readable(handle: Handle): Handle {
  return (request, response) => {
    const problem = problemOf(request);
    return handle(problem === undefined ? request : mark(request, problem), response);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request line and headers exceed ${HEAD_LIMIT_BYTES / 1024} KiB`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive',
};

/** The answer that the connection is busy with: Node keeps it on the socket. */
const busyWith = (socket: Duplex) => (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage;

/** Answers, once, on a connection whose bytes are no HTTP request or ask for a tunnel, and closes it. An answer under way comes first. */
export function answerUnreadable(handle: Handle, socket: Duplex, error?: NodeJS.ErrnoException): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable || error?.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const underWay = busyWith(socket);
  if (underWay) {
    underWay.shouldKeepAlive = false;
    underWay.once('finish', () => closeSoon(socket));
    return;
  }
  const request = new IncomingMessage(socket as Socket);
  request.method = 'GET';
  mark(request, error ? (REASONS[error.code ?? ''] ?? 'The request is not valid HTTP') : 'This server opens no tunnels');
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => closeSoon(socket));
  handle(request, response);
}

function closeSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Refuses what was marked. Runs behind the rate limit. */
export const refuseUnreadable: Middleware = (ctx, next) => {
  const reason = reasons.get(ctx.req);
  if (reason !== undefined) throw new ApiError('invalid_request', reason);
  return next();
};
