import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';

/** The version of the contract (src/docs/versions.md). */
export const SCHEMA_VERSION = '2026-08-27';

/** Sets the version headers, and refuses a request for another version. */
export function versioning(environment: string): Middleware {
  return (ctx, next) => {
    ctx.set('X-Service-Schema-Version', SCHEMA_VERSION);
    ctx.set('X-Service-Environment', environment);
    return next();
  };
}

export const checkVersion: Middleware = (ctx, next) => {
  const asked = ctx.headers['x-service-schema-version'];
  if (asked !== undefined && asked !== SCHEMA_VERSION)
    throw new ApiError(
      'invalid_request',
      `Schema version '${String(asked).slice(0, 40)}' is not served; send ${SCHEMA_VERSION} or leave the header out`,
      {
        param: 'X-Service-Schema-Version',
        details: { supported: [SCHEMA_VERSION] },
      },
    );
  return next();
};

/** When older names of parameters were deprecated; they are accepted at least until the sunset. */
const DEPRECATED_SINCE = Date.UTC(2026, 7, 27) / 1000;
const SUNSET = new Date(Date.UTC(2027, 7, 27)).toUTCString();

/** Headers of an answer to a request that used deprecated names (RFC 9745, RFC 8594). */
export function makeDeprecationHeaders(
  sent: Iterable<string>,
  deprecated: ReadonlySet<string>,
  changelogUrl: string,
): Record<string, string> {
  if (![...sent].some((name) => deprecated.has(name))) return {};
  return { Deprecation: `@${DEPRECATED_SINCE}`, Sunset: SUNSET, Link: `<${changelogUrl}>; rel="deprecation"; type="application/json"` };
}
