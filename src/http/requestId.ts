import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import { mayHoldKey } from '../core/domain/keyFormat.ts';

export const ID_TEXT = /^[A-Za-z0-9_.:-]{1,255}$/;

export interface RequestIdState {
  requestId: string;
}

/** Echoes the client's X-Request-Id or generates one (src/docs/errors.md). Runs first, so that every answer has it. */
export const requestId: Middleware<RequestIdState> = (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  ctx.state.requestId = ID_TEXT.test(given) ? given : `req_${randomUUID()}`;
  ctx.set('X-Request-Id', ctx.state.requestId);
  return next();
};

/** The id as logs, receipts and jobs store it. */
export const storableRequestId = (id: string): string => (mayHoldKey(id) ? 'withheld' : id);

/** Refuses an id that cannot be echoed; runs after the rate limit, as every refusal does. */
export const checkRequestId: Middleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  if (given !== undefined && !ID_TEXT.test(String(given)))
    throw new ApiError('invalid_request', 'X-Request-Id takes 1 to 255 characters of A-Z a-z 0-9 _ . : -', { param: 'X-Request-Id' });
  return next();
};
