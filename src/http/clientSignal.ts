import type { Middleware } from 'koa';
import { CLIENT_GONE } from '../core/search/actor.ts';
import { searchUnavailable } from '../core/store/elastic/client.ts';
import { runAfterReading } from '../core/store/serverSilence.ts';

export interface ClientState {
  signal: AbortSignal;
  /** when the signal aborts at the latest, on the clock of `performance.now()` */
  deadline: number;
  /** lets the time begin now, so many times the usual one: a body may arrive late, and a request may be larger than others */
  startDeadline(times?: number): void;
  /** lets no time pass until it begins again */
  stopDeadline(): void;
}

/**
 * Sets `ctx.state.deadline`, and `ctx.state.signal`, which aborts when the client disconnects before its answer is written or when the request has
 * taken `deadlineMs`; the signal's reason is then answered as 503.
 */
export const clientSignal =
  (deadlineMs: number): Middleware<ClientState> =>
  async (ctx, next) => {
    const stop = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    ctx.state.startDeadline = (times = 1) => {
      if (ctx.res.closed) return;
      const ms = deadlineMs * times;
      const deadline = performance.now() + ms;
      const giveUp = () => {
        if (ctx.state.deadline === deadline) stop.abort(searchUnavailable(`The request took longer than ${ms} ms`));
      };
      clearTimeout(timer);
      timer = setTimeout(() => runAfterReading(giveUp), ms);
      ctx.state.deadline = deadline;
    };
    ctx.state.stopDeadline = () => {
      clearTimeout(timer);
      ctx.state.deadline = Number.POSITIVE_INFINITY;
    };
    ctx.state.startDeadline();
    ctx.res.once('close', () => {
      clearTimeout(timer);
      if (!ctx.res.writableFinished) stop.abort(CLIENT_GONE);
    });
    ctx.state.signal = stop.signal;
    await next();
  };
