/** Refuses requests whose announced body does not arrive. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import { runAfterReading } from '../core/store/serverSilence.ts';
import type { ClientState } from './clientSignal.ts';

interface AwaitedBody {
  /** stops reading it */
  giveUp?: (error: ApiError) => void;
  /** why it will never arrive whole, if known before it was read */
  broken?: ApiError;
}

const awaitedBodies = new WeakMap<IncomingMessage, AwaitedBody>();
/** The last request of each connection. */
const lastRequests = new WeakMap<Duplex, IncomingMessage>();

const announcesBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Called for every request when its head has arrived. If its body is not whole `bodyMs` later, it is refused and its connection closed. */
export function awaitBody(request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  lastRequests.set(request.socket, request);
  awaitedBodies.set(request, {});
  if (!announcesBody(request)) return;
  const timer = setTimeout(() => runAfterReading(() => refuseLateBody(request, response, bodyMs)), bodyMs);
  request.once('close', () => clearTimeout(timer));
}

/** Reads a body; the time of the request counts from its end on. If it does not arrive, the request is refused and its connection closed. */
export const readBodyInTime =
  (read: Middleware): Middleware<Partial<ClientState>> =>
  async (ctx, next) => {
    ctx.state.stopDeadline?.();
    await new Promise<void>((resolve, reject) => {
      const body = awaitedBodies.get(ctx.req) ?? {};
      if (body.broken) return reject(body.broken);
      body.giveUp = reject;
      read(ctx, async () => resolve()).catch(reject);
    });
    ctx.state.startDeadline?.();
    await next();
  };

const CLOSED = { param: 'body', headers: { Connection: 'close' } };

/** Where the body is not read, the connection ends with the answer. */
function refuseLateBody(request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  if (request.complete) return;
  const message = `The body was not whole ${bodyMs / 1000} s after the head of the request; nothing was done or charged. Send it at once, or leave it out`;
  giveBodyUp(request, new ApiError('request_timeout', message, CLOSED));
  response.shouldKeepAlive = false;
  const close = () => request.socket.destroySoon();
  if (response.writableFinished) close();
  else response.once('finish', close);
}

function giveBodyUp(request: IncomingMessage, error: ApiError): void {
  const body = awaitedBodies.get(request);
  if (!body) return;
  body.broken = error;
  body.giveUp?.(error);
}

/**
 * Refuses at once the request whose body is not valid HTTP.
 * @returns false when no body is being read on this connection yet
 */
export function refuseBrokenBody(socket: Duplex): boolean {
  const request = lastRequests.get(socket);
  if (!request || request.complete) return false;
  giveBodyUp(request, new ApiError('invalid_request', 'The body is not valid HTTP, or has chunk extensions of more than 16 KB', CLOSED));
  return awaitedBodies.get(request)?.giveUp !== undefined;
}
