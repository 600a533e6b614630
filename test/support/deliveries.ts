/** Made-up deliveries. */
import { revisionHash } from '../../src/core/domain/record/revisionHash.ts';
import type { Database } from '../../src/core/store/postgres/pool.ts';

/** No test loads records with ids from here on. */
const UNSERVED_FROM = 10_000_000;

/** Delivers records that are not in the index to a pool, for 0 credits so that the books stay correct. */
export async function deliverUnserved(database: Database, teamId: number, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => UNSERVED_FROM + i);
  await database.query(
    `insert into delivery (team_id, project_id, revision, revision_hash, first_at, last_at, seq)
     select $1, id, 'r', hash, now(), now(), nextval('delivery_seq') from unnest($2::bigint[], $3::bigint[]) as owned (id, hash)`,
    [teamId, ids, ids.map((id) => revisionHash(id, 'r'))],
  );
}
