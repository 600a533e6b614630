/** The keys connected with a leaked one: its lineage, and those minted with any key of it (src/docs/keys.md). */
import type { Queryable } from '../store/postgres/pool.ts';
import type { Suspicion } from './teamChanges.ts';

/** SQL: keys of the lineage of $1, and all keys minted or rotated with one of these, transitively. */
const CONNECTED = `with recursive lineage as (
    select k.id, k.user_id, k.created_at from api_key k join api_key leaked on leaked.id = $1 and leaked.team_id = k.team_id
    where coalesce(k.first_key_id, k.id) = coalesce(leaked.first_key_id, leaked.id)
  ), reached as (
    select id from lineage
    union
    select made.id from reached r join api_key k on k.id = r.id
      join api_key made on made.team_id = $2 and (made.minted_by = k.id or made.id = k.replaced_by)
  )`;

/**
 * Locks the keys connected with a leaked one, until no more are found: a key that is being minted is either committed first, or refused.
 */
export async function lockConnectedKeys(tx: Queryable, keyId: string, teamId: number): Promise<Suspicion> {
  for (let locked = 0; ; ) {
    const keys = await tx.query<{ id: string }>(
      `${CONNECTED} select id from api_key where id in (select id from reached) order by id for update`,
      [keyId, teamId],
    );
    if (keys.length === locked) break;
    locked = keys.length;
  }
  const sql = `${CONNECTED} select array(select id from reached order by id) as "keyIds", array_agg(distinct user_id) as "userIds",
      min(created_at) as since from lineage`;
  const [found] = await tx.query<Omit<Suspicion, 'teamId'>>(sql, [keyId, teamId]);
  if (!found) throw new Error(`The key ${keyId} has no lineage`);
  return { teamId, ...found };
}
