/** A key at work: nothing is made with one that is being revoked (src/docs/keys.md). */
import { ApiError } from '../domain/errors.ts';
import type { Queryable } from '../store/postgres/pool.ts';

/**
 * Keeps a key from being revoked until `tx` ends: what it makes there is either refused, or found by whoever revokes it as leaked.
 * @throws ApiError `unauthorized` where it was revoked since the request was let in
 */
export async function holdKey(tx: Queryable, keyId: string): Promise<void> {
  const held = await tx.query('select from api_key where id = $1 and revoked_at is null for share', [keyId]);
  if (!held.length) throw new ApiError('unauthorized', 'This API key was revoked.', { param: 'Authorization' });
}
