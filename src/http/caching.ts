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

/** Weak: it stands for the content in any encoding, whatever the request id in the answer. */
const etagOf = (content: unknown) =>
  `W/"${createHash('sha256').update(SCHEMA_VERSION).update(JSON.stringify(content)).digest('base64url').slice(0, 27)}"`;

/** Whether the client has this content already, so that it need not be made. */
export function isHeld(ctx: Context, content: unknown): boolean {
  ctx.status = 200;
  ctx.etag = etagOf(content);
  const held = ctx.fresh;
  ctx.remove('ETag');
  return held;
}

/** Gives a finished answer a lifetime and an ETag of its content; 304 to a client that names it. */
export function keepFor(ctx: Context, content: unknown, { seconds, scope, immutable }: Lifetime): void {
  ctx.set('Cache-Control', `${scope === 'shared' ? 'public' : 'private'}, max-age=${seconds}${immutable ? ', immutable' : ''}`);
  if (scope === 'private') ctx.vary(['Authorization', 'X-API-Key']);
  ctx.etag = etagOf(content);
  if (ctx.fresh) ctx.status = 304;
}
