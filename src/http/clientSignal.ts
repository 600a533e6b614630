import type { Middleware } from 'koa';

export interface ClientState {
  signal: AbortSignal;
}

/** `ctx.state.signal` aborts when the client hangs up before its answer is written, so that work for nobody stops. */
export const clientSignal: Middleware<ClientState> = async (ctx, next) => {
  const gone = new AbortController();
  const onClose = () => {
    if (!ctx.res.writableFinished) gone.abort();
  };
  ctx.res.once('close', onClose);
  ctx.state.signal = gone.signal;
  await next();
};
