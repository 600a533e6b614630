/** Turns everything thrown into the error envelope (src/docs/errors.md). */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../core/domain/errors.ts';
import { CLIENT_GONE } from '../core/search/actor.ts';
import type { ClientState } from './clientSignal.ts';
import { type RequestIdState, storableRequestId } from './requestId.ts';

/** Errors of other libraries for bad input are recognised by their status; any other error is a defect. */
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

/** Called with every refusal, by the tests that compare them with the error table. */
export type RefusalObserver = (error: Pick<ApiError, 'code' | 'details'>) => void;

function writeError(ctx: Context, error: ApiError, docsUrl: string): void {
  const { code, message, param, details } = error;
  ctx.state.errorCode = code;
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = { error: { code, message, param, details, docsUrl: `${docsUrl}#${code}`, requestId: ctx.state.requestId } };
}

/**
 * Used instead of Koa's own error handling, which drops headers that are already set. Work that was aborted because the client disconnected
 * is not logged as a failure.
 * @param docsUrl address of the error reference
 */
export function errorEnvelope(docsUrl: string, log: Logger, observe?: RefusalObserver): Middleware<RequestIdState & Partial<ClientState>> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = asApiError(thrown);
      const gone = ctx.state.signal?.reason === CLIENT_GONE;
      if (error.status >= 500 && !gone && !error.isByDesign)
        log.error({ requestId: storableRequestId(ctx.state.requestId), code: error.code, err: error.cause ?? error }, error.message);
      writeError(ctx, error, docsUrl);
      observe?.(error);
    }
  };
}
