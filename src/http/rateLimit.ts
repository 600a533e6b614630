/**
 * The rate limit of every request, before authentication (src/docs/keys.md). The credential is looked up first, since its plan determines
 * the allowance, but refused only afterwards: a refused credential uses up its own bucket, never that of a valid key.
 */
import type { Context, Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import { RATE_WINDOW_SECONDS, type RateLimiter, type RateVerdict } from '../core/store/redis/rateLimiter.ts';
import { isPreflight } from './cors.ts';
import { type Credential, type CredentialLookUpOptions, lookUpCredential, unusableBucket } from './credentialLookUp.ts';
import type { OpenRate } from './openRoutes.ts';
import { acceptsBasicAuth, MCP_PATH } from './roots.ts';
import { readSourceAddress } from './sourceAddress.ts';

/** State that the rate limit leaves for authentication and for the route. */
export interface CredentialState {
  credential?: Credential;
  /** set where the limit on unusable credentials refused the request before its credential was looked up */
  notLookedUp?: true;
  /** resolves when the request is admitted, rejects with its refusal */
  admitted?: Promise<void>;
}

/** Requests per trailing 60 seconds, by kind of caller. */
export interface RateLimits {
  paid: number;
  trial: number;
  anonymous: number;
  /** distinct unusable credentials of one address, not requests */
  refused: number;
  health: number;
  file: number;
}

export interface RateLimitOptions extends CredentialLookUpOptions {
  limiter: Pick<RateLimiter, 'consume'> & CredentialLookUpOptions['limiter'];
  limits: RateLimits;
  /** whether the source address is the last entry of X-Forwarded-For */
  trustProxy: boolean;
  /** the group of a path that needs no credential; undefined for other paths */
  openRate: (path: string) => OpenRate | undefined;
  /** the bucket of a path whose requests are counted apart from the key's others; undefined for other paths */
  ownBucket?: (path: string) => Bucket | undefined;
  /** the bucket that a valid key's request over the rate counts against instead; undefined if it is refused */
  spareBucket?: (ctx: Context) => Promise<Bucket | undefined>;
}

/** The allowance of a group of open routes; that of files is larger, since a page loads dozens. */
export const openRouteLimit = (rate: OpenRate, { health, file }: Pick<RateLimits, 'health' | 'file'>): number =>
  rate === 'file' ? file : health;

export interface Bucket {
  name: string;
  limit: number;
}

/** The bucket of a request, according to the table in the guide's section "Limits". */
export function chooseBucket(credential: Credential, address: string, limits: RateLimits): Bucket {
  switch (credential.kind) {
    case 'missing':
    case 'conflicting':
      return { name: `anonymous:${address}`, limit: limits.anonymous };
    case 'unusable':
      return { name: unusableBucket(credential.digest), limit: limits.anonymous };
    case 'unknown':
      return { name: `key:${credential.digest}`, limit: limits.paid };
    case 'lapsed':
    case 'ok':
      return { name: `key:${credential.lineage}`, limit: limits[credential.principal.plan.rateLimit] };
  }
}

/** The bucket of a request; a valid key has another one on a path with its own allowance. */
function chooseBucketOfPath(credential: Credential, path: string, address: string, { limits, ownBucket }: RateLimitOptions): Bucket {
  const own = credential.kind === 'ok' ? ownBucket?.(path) : undefined;
  return own && credential.kind === 'ok'
    ? { name: `${own.name}:${credential.lineage}`, limit: own.limit }
    : chooseBucket(credential, address, limits);
}

type Shown = Omit<RateVerdict, 'allowed' | 'retryAfterSeconds'>;

/**
 * Sets the limit's numbers in our own headers and in those of draft-ietf-httpapi-ratelimit-headers.
 * @param policy what is counted
 */
function setHeaders(ctx: Context, policy: string, { limit, remaining, resetUnixSeconds }: Shown): void {
  const seconds = Math.max(0, resetUnixSeconds - Math.ceil(Date.now() / 1000));
  ctx.set({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetUnixSeconds),
    'RateLimit-Policy': `"${policy}";q=${limit};w=${RATE_WINDOW_SECONDS}`,
    RateLimit: `"${policy}";r=${remaining};t=${seconds}`,
  });
}

/** What a bucket counts: the first part of its name, such as `key`, `anonymous` or `page`. */
const namePolicy = ({ name }: Bucket) => name.slice(0, name.indexOf(':'));

/** Headers on every answer to a rotated key, with the end of its grace window (src/docs/keys.md). */
export function rotationHeaders({ rotatingUntil }: Pick<Principal, 'rotatingUntil'>): Record<string, string> {
  if (!rotatingUntil) return {};
  return {
    'X-Service-Key-Rotating': 'true',
    Warning: `299 - "This API key was rotated and stops working at ${rotatingUntil.toISOString()}; use its replacement"`,
  };
}

const REASONS = {
  credential: (limit: number) => `More than ${limit} requests in 60 seconds.`,
  address: (limit: number) => `More than ${limit} different API keys that do not work came from this address in 60 seconds.`,
};

function refuse({ limit, retryAfterSeconds, resetUnixSeconds }: RateVerdict, of: keyof typeof REASONS = 'credential'): ApiError {
  return new ApiError('rate_limit_exceeded', `${REASONS[of](limit)} Retry in ${retryAfterSeconds} s.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    details: { limit, windowSeconds: 60, retryAfterSeconds, resetsAt: new Date(resetUnixSeconds * 1000).toISOString() },
  });
}

/** How many buckets `AmpleBuckets` remembers. */
const AMPLE_MAX = 10_000;

/**
 * Buckets with more than half of their allowance left when Redis was last asked. Their requests may begin while they are counted: one is hardly
 * ever refused, and if so, only its reads were in vain.
 */
class AmpleBuckets {
  /** requests left, by name of the bucket */
  readonly #left = new Map<string, number>();

  /** Whether a request of the bucket may begin before it is counted. */
  take({ name, limit }: Bucket): boolean {
    const left = this.#left.get(name) ?? 0;
    if (left <= limit / 2) return false;
    this.#left.set(name, left - 1);
    return true;
  }

  note({ name }: Bucket, { remaining }: RateVerdict): void {
    if (this.#left.size >= AMPLE_MAX) this.#left.clear();
    this.#left.set(name, remaining);
  }

  forget({ name }: Bucket): void {
    this.#left.delete(name);
  }
}

/**
 * Counts the request, and sets the headers of the rate limit, `ctx.state.credential` and `ctx.state.admitted`. A request that began before it was
 * counted is answered only afterwards; if the count refuses it, the refusal replaces its answer.
 */
export function rateLimit(options: RateLimitOptions): Middleware<CredentialState> {
  const { limiter, limits, trustProxy, openRate, spareBucket } = options;
  const ample = new AmpleBuckets();
  return async (ctx, next) => {
    const address = readSourceAddress(ctx.req, trustProxy);
    const open = openRate(ctx.path) ?? (isPreflight(ctx.req) ? 'preflight' : undefined);
    const bucket = open
      ? { name: `${open}:${address}`, limit: openRouteLimit(open, limits) }
      : chooseBucketOfPath(await resolveCredential(ctx, options, address), ctx.path, address, options);
    const mayBegin = !open && ctx.method === 'GET' && ample.take(bucket);
    const admitted = admit(ctx, { limiter, ample, bucket, isOpen: open !== undefined, spareBucket });
    admitted.catch(() => undefined); // awaited in any case, but perhaps later
    if (!mayBegin) await admitted;
    ctx.state.admitted = admitted;
    try {
      await next();
    } finally {
      await admitted;
    }
  };
}

interface Counting {
  limiter: Pick<RateLimiter, 'consume'>;
  ample: AmpleBuckets;
  bucket: Bucket;
  isOpen: boolean;
  spareBucket: RateLimitOptions['spareBucket'];
}

/** @throws ApiError `rate_limit_exceeded`, `rate_limiter_unavailable` */
async function admit(ctx: Context, { limiter, ample, bucket, isOpen, spareBucket }: Counting): Promise<void> {
  const verdict = await consume(ctx, limiter, bucket, isOpen).catch((error) => {
    ample.forget(bucket);
    throw error;
  });
  if (!verdict) return;
  ample.note(bucket, verdict);
  if (verdict.allowed) return;
  const { credential } = ctx.state as CredentialState;
  const spare = credential?.kind === 'ok' ? await spareBucket?.(ctx) : undefined;
  if (!spare || credential?.kind !== 'ok') throw refuse(verdict);
  const second = await consume(ctx, limiter, { ...spare, name: `${spare.name}:${credential.lineage}` }, isOpen);
  if (!second?.allowed) throw refuse(second ?? verdict);
}

/**
 * Looks up the credential and stores it in `ctx.state`.
 * @throws ApiError before the look-up when a limit on unusable credentials is exceeded, which `ctx.state` then says
 */
async function resolveCredential(ctx: Context, options: RateLimitOptions, address: string): Promise<Credential> {
  const unknown = { name: 'anonymous:', limit: options.limits.anonymous };
  const found = await withHeaders(ctx, unknown, () =>
    lookUpCredential(options, ctx.req, { address, acceptsBasicAuth: acceptsBasicAuth(ctx.path), acceptsTokens: ctx.path === MCP_PATH }),
  );
  if ('spent' in found) {
    ctx.state.notLookedUp = true;
    setHeaders(ctx, found.of === 'address' ? 'refused' : 'unusable', found.spent);
    throw refuse(found.spent, found.of);
  }
  const { credential } = found;
  if ('principal' in credential) ctx.set(rotationHeaders(credential.principal));
  ctx.state.credential = credential;
  return credential;
}

/**
 * The credential of a key that a form brings, under the same limits.
 * @throws ApiError `rate_limit_exceeded`, `rate_limiter_unavailable`
 */
export async function lookUpKeyOfForm(
  options: Omit<RateLimitOptions, 'openRate'>,
  { req }: Pick<Context, 'req'>,
  key: string,
): Promise<Credential> {
  const address = readSourceAddress(req, options.trustProxy);
  const found = await lookUpCredential(options, { headersDistinct: { 'x-api-key': [key] } }, { address });
  if ('spent' in found) throw refuse(found.spent, found.of);
  return found.credential;
}

/** Sets the headers even when Redis does not answer; they then show nothing left for one second. */
async function withHeaders<T>(ctx: Context, bucket: Bucket, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    setHeaders(ctx, namePolicy(bucket), { limit: bucket.limit, remaining: 0, resetUnixSeconds: Math.ceil(Date.now() / 1000) + 1 });
    throw error;
  }
}

/**
 * Counts a request. Without Redis an authenticated route is refused, but an open one is answered: a liveness probe that failed with Redis
 * would restart every healthy process.
 */
async function consume(
  ctx: Context,
  limiter: Pick<RateLimiter, 'consume'>,
  bucket: Bucket,
  open: boolean,
): Promise<RateVerdict | undefined> {
  try {
    const verdict = await withHeaders(ctx, bucket, () => limiter.consume(bucket.name, bucket.limit));
    setHeaders(ctx, namePolicy(bucket), verdict);
    return verdict;
  } catch (error) {
    if (open && error instanceof ApiError) return undefined;
    throw error;
  }
}
