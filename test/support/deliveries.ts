/** Deliveries that are made up. */
import { revisionHash } from '../../src/core/domain/record/revisionHash.ts';
import type { Database } from '../../src/core/store/postgres/pool.ts';

/** Ids of records that no test serves begin here. */
const UNSERVED_FROM = 10_000_000;

/** Gives a pool records that the index lacks, as deliveries that cost nothing, so that the books stay right. */
export async function ownUnserved(database: Database, teamId: number, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => UNSERVED_FROM + i);
  await database.query(
    `insert into delivery (team_id, project_id, revision, revision_hash, first_at, last_at, seq)
     select $1, id, 'r', hash, now(), now(), nextval('delivery_seq') from unnest($2::bigint[], $3::bigint[]) as owned (id, hash)`,
    [teamId, ids, ids.map((id) => revisionHash(id, 'r'))],
  );
}
