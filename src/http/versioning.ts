import type { Middleware } from 'koa';
import { ApiError } from '../domain/errors.ts';

/** The version of the contract (specification "Versioning", decisions §9). */
export const SCHEMA_VERSION = '2026-08-27';

/** Sets the version headers; a client that asks for another version is told which there is. */
export function versioning(environment: string): Middleware {
  return (ctx, next) => {
    ctx.set('X-Service-Schema-Version', SCHEMA_VERSION);
    ctx.set('X-Service-Environment', environment);
    return next();
  };
}

export const checkVersion: Middleware = (ctx, next) => {
  const asked = ctx.get('X-Service-Schema-Version');
  if (asked && asked !== SCHEMA_VERSION)
    throw new ApiError(
      'invalid_request',
      `Schema version '${asked.slice(0, 40)}' is not served; send ${SCHEMA_VERSION} or leave the header out`,
      {
        param: 'X-Service-Schema-Version',
        details: { supported: [SCHEMA_VERSION] },
      },
    );
  return next();
};
