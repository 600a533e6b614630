/** Bodies that were announced and do not arrive. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';

interface LastRequest {
  request: IncomingMessage;
  /** gives up the reading of its body */
  giveUp?: (error: ApiError) => void;
  /** why it will never arrive, where that was known before anybody read it */
  broken?: ApiError;
}

/** The last request of each connection. */
const lastRequests = new WeakMap<Duplex, LastRequest>();

/** To be called for every request, so that the one whose body does not arrive can be found by its connection. */
export function noteRequest(request: IncomingMessage): void {
  lastRequests.set(request.socket, { request });
}

/** Reads a body; when the server finds that it does not arrive, the request is refused and its connection closed. */
export const readInTime =
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
 * Refuses the request whose body is late on this connection; where it was answered without its body, ends the connection.
 * @param afterMs how long was waited
 * @returns false where no body is awaited on it
 */
export function cutLateBody(socket: Duplex & { _httpMessage?: unknown }, afterMs: number): boolean {
  const { request, giveUp } = lastRequests.get(socket) ?? {};
  if (!request || request.complete) return false;
  const message = `The body did not arrive within ${afterMs / 1000} s of the request's beginning; send it whole, or leave it out`;
  if (giveUp) giveUp(refused(message));
  else if (socket._httpMessage) return false;
  else socket.destroy();
  return true;
}

/** Refuses at once the request whose body cannot be read as HTTP. @returns false where nobody reads a body on this connection yet */
export function cutBrokenBody(socket: Duplex): boolean {
  const last = lastRequests.get(socket);
  if (!last || last.request.complete) return false;
  const error = refused('The body is not valid HTTP, or has chunk extensions of more than 16 KB');
  last.broken = error;
  last.giveUp?.(error);
  return last.giveUp !== undefined;
}
