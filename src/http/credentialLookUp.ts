/**
 * Looks up the credential of a request. Two limits apply before a look-up, so that keys cannot be guessed: that of the credential itself,
 * and that of the address for distinct unusable credentials. A key that was accepted recently passes both.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../core/domain/errors.ts';
import { classifyKey, extractCredentials, isAccessToken } from '../core/domain/keyFormat.ts';
import type { KeyStore } from '../core/identity/keys.ts';
import type { Resolution } from '../core/identity/resolvedKeys.ts';
import type { RateLimiter, RateVerdict } from '../core/store/redis/rateLimiter.ts';
import type { WorkingKeys } from '../core/store/redis/workingKeys.ts';

/**
 * The result of a look-up. conflicting: several different credentials were sent; unknown: it could not be looked up because of an outage.
 */
export type Credential = Resolution | { kind: 'conflicting'; error: ApiError } | { kind: 'unknown'; digest: string; error: ApiError };

export interface CredentialLookUpOptions {
  keys: Pick<KeyStore, 'resolve' | 'resolveToken' | 'hashSecret'>;
  working: Pick<WorkingKeys, 'has' | 'isRememberedAnywhere' | 'remember' | 'forget'>;
  limiter: Pick<RateLimiter, 'peek' | 'addMember' | 'removeMember'>;
  /** anonymous: requests with one unusable credential; refused: distinct unusable credentials of one address */
  limits: { anonymous: number; refused: number };
}

/** The bucket of one unusable credential. */
export const unusableBucket = (digest: string) => `unusable:${digest}`;
const refusedBucket = (address: string) => `refused:${address}`;

/** The credential, or the limit that prevented its look-up. */
export type CredentialLookUp = { credential: Credential } | { spent: RateVerdict; of: 'credential' | 'address' };

/**
 * Whether a browser says that a page of another site makes the request. It would send the Basic credentials of an earlier visit with it, so they do not
 * count there. Programs send neither header; browsers without `Sec-Fetch-Site` send `Origin` where scripts of another site ask.
 */
function isFromAnotherSite(headers: NodeJS.Dict<string[]>): boolean {
  const [site, origin, host] = ['sec-fetch-site', 'origin', 'host'].map((name) => headers[name]?.[0]);
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !origin.endsWith(`//${host}`);
}

function conflicting(count: number): ApiError {
  const message = `The request carries ${count} different credentials; send one, as "Authorization: Bearer <API_KEY>" or in X-API-Key`;
  return new ApiError('invalid_request', message, { param: 'Authorization' });
}

/**
 * Looks up the credential of a request, unless a limit is exceeded.
 * @throws ApiError `rate_limiter_unavailable`
 */
export async function lookUpCredential(
  options: CredentialLookUpOptions,
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  { address, acceptsBasicAuth = false, acceptsTokens = false }: { address: string; acceptsBasicAuth?: boolean; acceptsTokens?: boolean },
): Promise<CredentialLookUp> {
  const [text, ...others] = extractCredentials(headersDistinct, acceptsBasicAuth && !isFromAnotherSite(headersDistinct));
  if (others.length) return { credential: { kind: 'conflicting', error: conflicting(others.length + 1) } };
  const isToken = text !== undefined && acceptsTokens && isAccessToken(text);
  if (text === undefined || (classifyKey(text) === 'foreign' && !isToken)) return { credential: { kind: 'missing' } };
  const digested = options.keys.hashSecret(text);
  const digest = digested.toString('hex');
  const familiar = options.working.has(digest);
  if (!familiar) {
    const refusal = await refuseLookUp(options, address, digest);
    if (refusal) return refusal;
  }
  const credential = await resolve(isToken ? options.keys.resolveToken(digested) : options.keys.resolve(text, digested), digest);
  const works = credential.kind !== 'unusable';
  if (!works && familiar) await options.working.forget(digest);
  if (works && !familiar) await options.limiter.removeMember(refusedBucket(address), digest);
  if (works && !familiar && credential.kind !== 'unknown') await options.working.remember(digest);
  return { credential };
}

/** Refuses the look-up if a limit is exceeded; counts the credential as refused before it is looked up, so that bursts are limited too. */
async function refuseLookUp(
  { limiter, working, limits }: CredentialLookUpOptions,
  address: string,
  digest: string,
): Promise<CredentialLookUp | undefined> {
  const own = await limiter.peek(unusableBucket(digest), limits.anonymous);
  if (!own.allowed) return { spent: own, of: 'credential' };
  const place = await limiter.addMember(refusedBucket(address), digest, limits.refused);
  if (place.allowed || (await working.isRememberedAnywhere(digest))) return undefined;
  return { spent: place, of: 'address' };
}

/** Awaits a look-up. An outage is returned as a value, so that the rate limit applies before authentication throws it. */
async function resolve(lookUp: Promise<Resolution>, digest: string): Promise<Credential> {
  try {
    return await lookUp;
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'unknown', digest, error };
    throw error;
  }
}
