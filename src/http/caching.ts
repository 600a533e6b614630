/** How long clients and shared caches may store an answer (RFC 9111), and 304 for those that already have it (RFC 9110 section 13). */
import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { SCHEMA_VERSION } from './versioning.ts';

/** Forbids storing an answer, unless its route sets a lifetime. */
export const noStore: Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'private, no-store');
  return next();
};

export interface Lifetime {
  seconds: number;
  /** shared: the same for everybody; private: only for the client with the key */
  scope: 'shared' | 'private';
  /** the content never changes under this URL */
  immutable?: boolean;
}

/** A weak ETag: equal for the content in any encoding, whatever the request id in the answer. */
const etagOf = (content: unknown) =>
  `W/"${createHash('sha256').update(SCHEMA_VERSION).update(JSON.stringify(content)).digest('base64url').slice(0, 27)}"`;

/** Whether the client already has this content, so that it need not be made. */
export function clientHasContent(ctx: Context, content: unknown): boolean {
  ctx.status = 200;
  ctx.etag = etagOf(content);
  const held = ctx.fresh;
  ctx.remove('ETag');
  return held;
}

/** Sets an ETag of a finished answer's content; 304 if the client sent that ETag. */
export function setEtag(ctx: Context, content: unknown): void {
  ctx.etag = etagOf(content);
  if (ctx.fresh) ctx.status = 304;
}

/** Sets the lifetime of a finished answer and an ETag of its content; 304 if the client sent that ETag. */
export function setLifetime(ctx: Context, content: unknown, { seconds, scope, immutable }: Lifetime): void {
  ctx.set('Cache-Control', `${scope === 'shared' ? 'public' : 'private'}, max-age=${seconds}${immutable ? ', immutable' : ''}`);
  if (scope === 'private') ctx.vary(['Authorization', 'X-API-Key']);
  setEtag(ctx, content);
}
