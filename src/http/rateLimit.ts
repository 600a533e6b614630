/**
 * The rate limit of every request, before authentication (specification "Limits"). The credential is looked up first, since its plan
 * decides the allowance; it is judged only afterwards, so that a refused credential spends its own bucket, never a valid key's.
 */
import type { Context, Middleware } from 'koa';
import { ApiError } from '../domain/errors.ts';
import { extractCredential } from '../domain/keyFormat.ts';
import type { Principal } from '../domain/principal.ts';
import type { KeyStore, Resolution } from '../store/keys.ts';
import type { RateLimiter, RateVerdict } from '../store/rateLimiter.ts';
import { sourceAddress } from './sourceAddress.ts';

/** What the rate limit leaves for authentication: the resolution, or the outage that kept it from being known. */
export interface CredentialState {
  credential?: Resolution | { kind: 'unknown'; digest: string; error: ApiError };
}

/** Requests per trailing 60 seconds, by kind of caller. */
export interface RateLimits {
  paid: number;
  trial: number;
  anonymous: number;
  health: number;
}

export interface RateLimitOptions {
  keys: Pick<KeyStore, 'resolve' | 'digest'>;
  limiter: Pick<RateLimiter, 'consume'>;
  limits: RateLimits;
  /** true takes the source address from the last entry of X-Forwarded-For */
  trustProxy: boolean;
  /** the routes that need no credential */
  isPublic: (path: string) => boolean;
}

export interface Bucket {
  name: string;
  limit: number;
}

/** The bucket of a request, one of the five rows of the table in "Limits". */
export function bucketFor(credential: NonNullable<CredentialState['credential']>, address: string, limits: RateLimits): Bucket {
  switch (credential.kind) {
    case 'missing':
      return { name: `anonymous:${address}`, limit: limits.anonymous };
    case 'unusable':
      return { name: `unusable:${credential.digest}`, limit: limits.anonymous };
    case 'unknown':
      return { name: `key:${credential.digest}`, limit: limits.paid };
    case 'lapsed':
    case 'ok':
      return { name: `key:${credential.digest}`, limit: limits[credential.principal.plan.rateLimit] };
  }
}

function setHeaders(ctx: Context, { limit, remaining, resetUnixSeconds }: Omit<RateVerdict, 'allowed' | 'retryAfterSeconds'>): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetUnixSeconds));
}

/** Headers by which a rotating key tells its owner, on every answer, when it stops (specification "Authentication" 7). */
export function rotatingHeaders({ rotatingUntil }: Pick<Principal, 'rotatingUntil'>): Record<string, string> {
  if (!rotatingUntil) return {};
  return {
    'X-Service-Key-Rotating': 'true',
    Warning: `299 - "This API key was rotated and stops working at ${rotatingUntil.toISOString()}; use its replacement"`,
  };
}

/** A lookup that Postgres cannot answer waits its turn: first the rate limit, then authentication throws the outage. */
async function resolveCredential(
  keys: RateLimitOptions['keys'],
  text: string | undefined,
): Promise<NonNullable<CredentialState['credential']>> {
  try {
    return await keys.resolve(text);
  } catch (error) {
    if (!(error instanceof ApiError) || text === undefined) throw error;
    return { kind: 'unknown', digest: keys.digest(text).toString('hex'), error };
  }
}

function refuse({ limit, retryAfterSeconds, resetUnixSeconds }: RateVerdict): ApiError {
  return new ApiError('rate_limit_exceeded', `More than ${limit} requests in 60 seconds. Retry in ${retryAfterSeconds} s.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    details: { limit, windowSeconds: 60, retryAfterSeconds, resetsAt: new Date(resetUnixSeconds * 1000).toISOString() },
  });
}

/** Counts the request once, sets the X-RateLimit headers, and leaves `ctx.state.credential`. */
export function rateLimit({ keys, limiter, limits, trustProxy, isPublic }: RateLimitOptions): Middleware<CredentialState> {
  return async (ctx, next) => {
    const address = sourceAddress(ctx.req, trustProxy);
    const open = isPublic(ctx.path);
    if (!open) ctx.state.credential = await resolveCredential(keys, extractCredential(ctx.req.headers));
    if (ctx.state.credential && 'principal' in ctx.state.credential) ctx.set(rotatingHeaders(ctx.state.credential.principal));
    const bucket = ctx.state.credential
      ? bucketFor(ctx.state.credential, address, limits)
      : { name: `health:${address}`, limit: limits.health };
    const verdict = await consume(ctx, limiter, bucket, open);
    if (verdict && !verdict.allowed) throw refuse(verdict);
    await next();
  };
}

/**
 * Without Redis an authenticated route is refused. An open one is answered: a liveness probe that failed with Redis would have every
 * healthy process restarted. Either way the headers are there, saying that nothing is left for a second.
 */
async function consume(
  ctx: Context,
  limiter: Pick<RateLimiter, 'consume'>,
  bucket: Bucket,
  open: boolean,
): Promise<RateVerdict | undefined> {
  try {
    const verdict = await limiter.consume(bucket.name, bucket.limit);
    setHeaders(ctx, verdict);
    return verdict;
  } catch (error) {
    setHeaders(ctx, { limit: bucket.limit, remaining: 0, resetUnixSeconds: Math.ceil(Date.now() / 1000) + 1 });
    if (open && error instanceof ApiError) return undefined;
    throw error;
  }
}
