/** Refuses requests whose announced body does not arrive. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';

interface LastRequest {
  request: IncomingMessage;
  /** stops reading its body */
  giveUp?: (error: ApiError) => void;
  /** why the body will never arrive, if known before it was read */
  broken?: ApiError;
}

/** The last request of each connection. */
const lastRequests = new WeakMap<Duplex, LastRequest>();

/** Called for every request, so that a request with a late body can be found by its connection. */
export function trackRequest(request: IncomingMessage): void {
  lastRequests.set(request.socket, { request });
}

/** Reads a body. If the server notices that it does not arrive, the request is refused and its connection closed. */
export const readBodyInTime =
  (read: Middleware): Middleware =>
  async (ctx, next) => {
    await new Promise<void>((resolve, reject) => {
      const broken = lastRequests.get(ctx.req.socket)?.broken;
      if (broken) return reject(broken);
      lastRequests.set(ctx.req.socket, { request: ctx.req, giveUp: reject });
      read(ctx, async () => resolve()).catch(reject);
    });
    await next();
  };

const refused = (message: string) => new ApiError('invalid_request', message, { param: 'body', headers: { Connection: 'close' } });

/**
 * Refuses the request whose body is late on this connection; if it was answered without its body, closes the connection.
 * @param afterMs time waited
 * @returns false when no body is awaited on it
 */
export function refuseLateBody(socket: Duplex & { _httpMessage?: unknown }, afterMs: number): boolean {
  const { request, giveUp } = lastRequests.get(socket) ?? {};
  if (!request || request.complete) return false;
  const message = `The body did not arrive within ${afterMs / 1000} s of the request's beginning; send it whole, or leave it out`;
  if (giveUp) giveUp(refused(message));
  else if (socket._httpMessage) return false;
  else socket.destroy();
  return true;
}

/**
 * Refuses at once the request whose body is not valid HTTP.
 * @returns false when no body is being read on this connection yet
 */
export function refuseBrokenBody(socket: Duplex): boolean {
  const last = lastRequests.get(socket);
  if (!last || last.request.complete) return false;
  const error = refused('The body is not valid HTTP, or has chunk extensions of more than 16 KB');
  last.broken = error;
  last.giveUp?.(error);
  return last.giveUp !== undefined;
}
