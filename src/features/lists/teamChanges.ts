/** Hands over lists that have no open member any more (src/docs/lists.md). */
import type { HandedThings, TeamSubscriber } from '../../core/identity/teamChanges.ts';
import { openMemberCountSql, SET_MEMBERS_SQL } from '../../core/store/postgres/membership.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';

export const LIST_TEAM_CHANGES: TeamSubscriber = { handOver };

/** Makes the owners members of lists without an open member; without an owner nothing changes. */
async function handOver(tx: Queryable, teamId: number, ownerIds: readonly number[]): Promise<HandedThings> {
  const lists = ownerIds.length
    ? await tx.query<{ id: string; name: string; kind: string }>(
        `update project_list l set ${SET_MEMBERS_SQL} where l.team_id = $1 and l.deleted_at is null and ${openMemberCountSql('l')} = 0
           returning l.id, l.name, l.kind`,
        [teamId, ownerIds],
      )
    : [];
  // The list of an alert is handed over with the alert.
  const things = lists.filter(({ kind }) => kind !== 'alert').map(({ id, name }) => ({ id, name }));
  return { kind: 'lists', heading: 'Lists:', things };
}
