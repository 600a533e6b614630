/** Requests from pages in a browser (CORS, fetch.spec.whatwg.org): who may send them, what they may send and read. Never with cookies. */
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { MAX_CREDITS_HEADER } from '../core/domain/credits.ts';

const METHODS = 'GET, POST, PATCH, DELETE';
const REQUEST_HEADERS = [
  'Authorization, X-API-Key, Idempotency-Key, Content-Type, X-Request-Id, X-Service-Schema-Version',
  MAX_CREDITS_HEADER,
].join(', ');
/** Headers of our answers that a browser hides from a page unless they are named. */
const ANSWER_HEADERS = [
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Service-Schema-Version, X-Service-Environment',
  'X-Service-Key-Rotating, Warning, ETag, Allow, Content-Crs, WWW-Authenticate, Deprecation, Sunset, Link, Content-Disposition',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/** What a browser asks before it sends a request with a key: it carries no key itself. */
export const isPreflight = ({ method, headers }: IncomingMessage) =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** Lets pages of these origins read answers, errors included. Others get no such header, and their browser keeps the answer from them. */
export function cors(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return (ctx, next) => {
    ctx.vary('Origin');
    const { origin } = ctx.req.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', ANSWER_HEADERS);
    if (isPreflight(ctx.req)) {
      ctx.set('Access-Control-Allow-Methods', METHODS);
      ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
      ctx.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    }
    return next();
  };
}

/** 204 to a preflight, whatever its path; what it may send then was said by `cors`. Runs behind the rate limit. */
export const answerPreflight: Middleware = (ctx, next) => {
  if (!isPreflight(ctx.req)) return next();
  ctx.status = 204;
};
