/** Bodies that were announced and do not arrive. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ApiError } from '../domain/errors.ts';

/** The last request of each connection, and how to give up the reading of its body. */
const lastRequests = new WeakMap<Duplex, { request: IncomingMessage; giveUp?: (error: ApiError) => void }>();

/** To be called for every request, so that a late one can be found by its connection. */
export function noteRequest(request: IncomingMessage): void {
  lastRequests.set(request.socket, { request });
}

/** Reads a body; when the server finds that it takes too long, the request is refused and its connection closed. */
export const readInTime =
  (read: Middleware): Middleware =>
  async (ctx, next) => {
    await new Promise<void>((resolve, reject) => {
      lastRequests.set(ctx.req.socket, { request: ctx.req, giveUp: reject });
      read(ctx, async () => resolve()).catch(reject);
    });
    await next();
  };

/**
 * Refuses the request whose body is late on this connection; where it was answered without its body, ends the connection.
 * @param afterMs how long was waited
 * @returns false where no body is awaited on it
 */
export function cutLateBody(socket: Duplex & { _httpMessage?: unknown }, afterMs: number): boolean {
  const { request, giveUp } = lastRequests.get(socket) ?? {};
  if (!request || request.complete) return false;
  const message = `The body did not arrive within ${afterMs / 1000} s of the request's beginning; send it whole, or leave it out`;
  if (giveUp) giveUp(new ApiError('invalid_request', message, { param: 'body', headers: { Connection: 'close' } }));
  else if (socket._httpMessage) return false;
  else socket.destroy();
  return true;
}
