/** The one place that turns what is thrown into the error envelope (src/docs/errors.md). */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../core/domain/errors.ts';
import { CLIENT_GONE } from '../core/search/actor.ts';
import type { ClientState } from './clientSignal.ts';
import { keptRequestId, type RequestIdState } from './requestId.ts';

/** What other libraries throw for bad input, told by their status; everything else is a defect of ours. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const status = (error as { status?: unknown })?.status;
  if (status === 413) return new ApiError('invalid_request', 'The request body is too large', { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ApiError('invalid_request', 'The request cannot be read; check its path, encoding and body', { cause: error });
  return new ApiError('internal_error', 'The server failed; nothing was charged. Retry, and tell us the request id if it happens again.', {
    cause: error,
  });
}

/** Is told every refusal, for the tests that hold them against the error table. */
export type RefusalObserver = (error: Pick<ApiError, 'code' | 'details'>) => void;

export function writeError(ctx: Context, error: ApiError, docsUrl: string): void {
  const { code, message, param, details } = error;
  ctx.state.errorCode = code;
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = { error: { code, message, param, details, docsUrl: `${docsUrl}#${code}`, requestId: ctx.state.requestId } };
}

/** Koa's own error path would drop headers that are already set. Work aborted for a client that hung up is no failure to log. @param docsUrl address of the error reference */
export function errorEnvelope(docsUrl: string, log: Logger, observe?: RefusalObserver): Middleware<RequestIdState & Partial<ClientState>> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = asApiError(thrown);
      const gone = ctx.state.signal?.reason === CLIENT_GONE;
      if (error.status >= 500 && !gone)
        log.error({ requestId: keptRequestId(ctx.state.requestId), code: error.code, err: error.cause ?? error }, error.message);
      writeError(ctx, error, docsUrl);
      observe?.(error);
    }
  };
}
