import type { Middleware } from 'koa';
import { CLIENT_GONE } from '../core/search/actor.ts';

export interface ClientState {
  signal: AbortSignal;
}

/**
 * `ctx.state.signal` aborts when the client hangs up before its answer is written, so that work for nobody stops, and when the request has
 * taken `deadlineMs`: however many questions it asks of Elasticsearch, together they take no longer.
 */
export const clientSignal =
  (deadlineMs: number): Middleware<ClientState> =>
  async (ctx, next) => {
    const stop = new AbortController();
    const deadline = setTimeout(() => stop.abort(), deadlineMs);
    ctx.res.once('close', () => {
      clearTimeout(deadline);
      if (!ctx.res.writableFinished) stop.abort(CLIENT_GONE);
    });
    ctx.state.signal = stop.signal;
    await next();
  };
