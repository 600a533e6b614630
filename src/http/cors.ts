/**
 * Requests from browser pages of other origins (CORS, fetch.spec.whatwg.org): who may send them, what they may send and read. Cookies are
 * never allowed.
 */
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { MAX_CREDITS_HEADER } from '../core/domain/credits.ts';

const METHODS = 'GET, POST, PATCH, DELETE';
const REQUEST_HEADERS = [
  'Authorization, X-API-Key, Idempotency-Key, Content-Type, X-Request-Id, X-Service-Schema-Version',
  MAX_CREDITS_HEADER,
  'MCP-Protocol-Version, Mcp-Method, Mcp-Name',
].join(', ');
/** Headers of answers that a browser only shows to a page if they are listed. */
const ANSWER_HEADERS = [
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Service-Schema-Version, X-Service-Environment',
  'X-Service-Key-Rotating, Warning, ETag, Allow, Content-Crs, WWW-Authenticate, Deprecation, Sunset, Link, Content-Disposition',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/** Whether a request is the one that a browser sends before a request with a key; it has no key itself. */
export const isPreflight = ({ method, headers }: IncomingMessage) =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Lets pages of these origins read answers, errors included. For other origins the header is absent, and their browser withholds the
 * answer.
 * @param allowsAnyOrigin whether pages of every origin may read what a path answers
 */
export function cors(origins: readonly string[], allowsAnyOrigin: (path: string) => boolean): Middleware {
  const allowed = new Set(origins);
  return (ctx, next) => {
    ctx.vary('Origin');
    const { origin } = ctx.req.headers;
    const isOpen = allowsAnyOrigin(ctx.path);
    if (origin === undefined || !(isOpen || allowed.has(origin))) return next();
    ctx.set('Access-Control-Allow-Origin', isOpen ? '*' : origin);
    ctx.set('Access-Control-Expose-Headers', ANSWER_HEADERS);
    if (isPreflight(ctx.req)) {
      ctx.set('Access-Control-Allow-Methods', METHODS);
      ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
      ctx.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    }
    return next();
  };
}

/** Answers a preflight with 204, whatever its path; `cors` has set what may be sent. Runs after the rate limit. */
export const answerPreflight: Middleware = (ctx, next) => {
  if (!isPreflight(ctx.req)) return next();
  ctx.status = 204;
};
