/** What clients and caches between may keep of an answer (RFC 9111), and answers to those who have it already (RFC 9110 section 13). */
import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { SCHEMA_VERSION } from './versioning.ts';

/** Nothing is kept of an answer, unless its route says otherwise. */
export const noStore: Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'private, no-store');
  return next();
};

export interface Lifetime {
  seconds: number;
  /** shared: the same for everybody; private: for the key that asked, within one client */
  scope: 'shared' | 'private';
  /** the same for ever under its name */
  immutable?: boolean;
}

/**
 * Gives a finished answer a lifetime and an ETag of its content; 304 to a client that names it. The ETag is weak: it stands for the content
 * in any encoding, whatever the request id in the answer.
 */
export function keepFor(ctx: Context, content: unknown, { seconds, scope, immutable }: Lifetime): void {
  ctx.set('Cache-Control', `${scope === 'shared' ? 'public' : 'private'}, max-age=${seconds}${immutable ? ', immutable' : ''}`);
  if (scope === 'private') ctx.vary(['Authorization', 'X-API-Key']);
  const digest = createHash('sha256').update(SCHEMA_VERSION).update(JSON.stringify(content)).digest('base64url');
  ctx.etag = `W/"${digest.slice(0, 27)}"`;
  if (ctx.fresh) ctx.status = 304;
}
