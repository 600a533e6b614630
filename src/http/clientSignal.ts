import type { Middleware } from 'koa';
import { CLIENT_GONE } from '../core/search/actor.ts';
import { searchUnavailable } from '../core/store/elastic/client.ts';
import { runAfterReading } from '../core/store/serverSilence.ts';

export interface ClientState {
  signal: AbortSignal;
  /** when the signal aborts at the latest, on the clock of `performance.now()` */
  deadline: number;
}

/**
 * Sets `ctx.state.deadline`, and `ctx.state.signal`, which aborts when the client disconnects before its answer is written or when the request has
 * taken `deadlineMs`; the signal's reason is then answered as 503.
 */
export const clientSignal =
  (deadlineMs: number): Middleware<ClientState> =>
  async (ctx, next) => {
    const stop = new AbortController();
    const giveUp = () => stop.abort(searchUnavailable(`The request took longer than ${deadlineMs} ms`));
    const deadline = setTimeout(() => runAfterReading(giveUp), deadlineMs);
    ctx.res.once('close', () => {
      clearTimeout(deadline);
      if (!ctx.res.writableFinished) stop.abort(CLIENT_GONE);
    });
    ctx.state.signal = stop.signal;
    ctx.state.deadline = performance.now() + deadlineMs;
    await next();
  };
