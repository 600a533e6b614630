/** Locks a key while it creates something, so that nothing is created with a key that is being revoked (src/docs/keys.md). */
import { ApiError } from '../domain/errors.ts';
import type { Queryable } from '../store/postgres/pool.ts';

/**
 * Locks a key against revocation until `tx` ends. What it creates there is either refused, or found by a later revocation as leaked.
 * @throws ApiError `unauthorized` when it was revoked after the request was authenticated
 */
export async function lockKey(tx: Queryable, keyId: string): Promise<void> {
  const locked = await tx.query('select from api_key where id = $1 and revoked_at is null for share', [keyId]);
  if (!locked.length) throw new ApiError('unauthorized', 'This API key was revoked.', { param: 'Authorization' });
}
