/** The keys that a leaked one leads to: its lineage, and what was minted with any key of that (src/docs/keys.md). */
import type { Queryable } from '../store/postgres/pool.ts';
import type { Suspicion } from './teamChanges.ts';

/**
 * Keys of the lineage of $1, and all that were minted or rotated to by one of these, over any number of steps. What was minted before that was
 * recorded counts where it is of the same user and younger than the lineage.
 */
const REACHED = `with recursive lineage as (
    select k.id, k.user_id, k.created_at from api_key k join api_key leaked on leaked.id = $1 and leaked.team_id = k.team_id
    where coalesce(k.first_key_id, k.id) = coalesce(leaked.first_key_id, leaked.id)
  ), reached as (
    select id from lineage
    union
    select k.id from api_key k where k.team_id = $2 and k.minter is null and k.user_id in (select user_id from lineage)
      and k.created_at >= (select min(created_at) from lineage)
    union
    select made.id from reached r join api_key k on k.id = r.id
      join api_key made on made.team_id = $2 and (made.minted_by = k.id or made.id = k.replaced_by)
  )`;

/** Locks the keys that a leaked one leads to, until no more are found: one that is being minted is committed first, or refused. */
export async function holdReached(tx: Queryable, keyId: string, teamId: number): Promise<Suspicion> {
  for (let held = 0; ; ) {
    const keys = await tx.query<{ id: string }>(
      `${REACHED} select id from api_key where id in (select id from reached) order by id for update`,
      [keyId, teamId],
    );
    if (keys.length === held) break;
    held = keys.length;
  }
  const sql = `${REACHED} select array(select id from reached order by id) as "keyIds", array_agg(distinct user_id) as "userIds",
      min(created_at) as since from lineage`;
  const [found] = await tx.query<Omit<Suspicion, 'teamId'>>(sql, [keyId, teamId]);
  if (!found) throw new Error(`The key ${keyId} has no lineage`);
  return { teamId, ...found };
}
