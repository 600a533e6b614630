/** The use of keys in the last 24 hours, as far as it is recorded: receipts and jobs name their key, free pages do not. */
import type { Database } from '../store/postgres/pool.ts';

export interface KeyUse {
  /** ledger entries by route, most credits first; route is null for entries without one */
  receipts: { route: string | null; entries: number; items: number; credits: number; first: Date; last: Date }[];
  jobs: { kind: string; jobs: number; first: Date; last: Date }[];
  /** records delivered to the team by any of its keys; of reads within an hour the first counts */
  recordsOfTeam: number;
}

export async function readLastDayUse(database: Database, teamId: number, keyIds: readonly string[]): Promise<KeyUse> {
  const [receipts, jobs, [delivered]] = await Promise.all([
    database.query<KeyUse['receipts'][number]>(
      `select route, count(*)::integer as entries, sum(items)::integer as items, (-sum(amount))::integer as credits, min(at) as first, max(at) as last
       from ledger_entry where team_id = $2 and key_id = any ($1::uuid[]) and at > service_now() - interval '24 hours' group by route order by credits desc, route`,
      [keyIds, teamId],
    ),
    database.query<KeyUse['jobs'][number]>(
      `select kind, count(*)::integer as jobs, min(created_at) as first, max(created_at) as last
       from job where team_id = $2 and cause->>'keyId' = any ($1::text[]) and created_at > now() - interval '24 hours' group by kind order by kind`,
      [keyIds, teamId],
    ),
    database.query<{ records: number }>(
      `select count(*)::integer as records from delivery where team_id = $1 and last_at > service_now() - interval '24 hours'`,
      [teamId],
    ),
  ]);
  return { receipts, jobs, recordsOfTeam: delivered?.records ?? 0 };
}
