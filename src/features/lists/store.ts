/** Saved lists of a team, visible to their members (src/docs/lists.md). */

import { ApiError } from '../../core/domain/errors.ts';
import { newId } from '../../core/domain/ids.ts';
import type { Share } from '../../core/identity/share.ts';
import { type HandoverServices, handOverWithMail } from '../../core/identity/teamChanges.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Claim } from '../../core/ledger/ledger.ts';
import type { KeepForRepeat } from '../../core/search/idempotentRequests.ts';
import { isMemberSql } from '../../core/store/postgres/membership.ts';
import { readPage } from '../../core/store/postgres/pages.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import { isRestorableSql } from '../../core/store/postgres/softDeletion.ts';
import type { StoredList } from './types.ts';

export const LISTS_MAX = 1_000;
const LIST_PROJECTS_MAX = 10_000;

/** A user of a team; sees the lists of which they are a member. */
export interface Viewer {
  teamId: number;
  userId: number;
}

/** A user, and the key of the request that creates something. */
export interface Maker extends Viewer {
  keyId: string;
}

interface NewList extends Pick<StoredList, 'kind' | 'name' | 'description' | 'filters' | 'polygon' | 'columns' | 'share'> {
  /** distinct; only of a membership list */
  projectIds: readonly number[];
}

export type ListChanges = Partial<Pick<StoredList, 'name' | 'description' | 'filters' | 'polygon' | 'columns' | 'share'>>;

interface Row extends Omit<StoredList, 'share'> {
  mode: Share['mode'];
  userIds: number[];
  optOutUserIds: number[];
}

const COLUMNS = `l.id, l.kind, l.name, l.description, l.alert_id as "alertId", l.filters, l.polygon, l.columns, l.share_mode as mode,
  l.share_user_ids as "userIds", l.opt_out_user_ids as "optOutUserIds", l.created_by as "createdBy", l.created_at as "createdAt",
  l.updated_at as "updatedAt", l.deleted_at as "deletedAt",
  case when l.kind = 'membership' then (select count(*)::integer from list_project p where p.list_id = l.id)
       when l.kind = 'alert' then (select count(*)::integer from alert_match m where m.alert_id = l.alert_id and m.dismissed is distinct from m.revision) end as "projectCount"`;

/** SQL: lists that were not deleted. */
const KEPT = 'l.deleted_at is null';

/** SQL: whether a user is a member of the list with this id, by the same rule as `membersOf`. @param id and user SQL expressions */
export const isListMember = (id: string, user: string) =>
  `exists (select from project_list l where l.id = ${id} and ${KEPT} and ${isMemberSql(user, 'l')})`;

/** SQL: whether a list with this id exists. */
export const isSavedList = (id: string) => `exists (select from project_list l where l.id = ${id} and ${KEPT})`;

const MEMBERS = `l.team_id = $1 and ${isMemberSql('$2', 'l')}`;
const VISIBLE = `${MEMBERS} and ${KEPT}`;
/** SQL: deleted lists that user $2 can restore; the list of an alert comes back with its alert. */
const RESTORABLE = `${MEMBERS} and l.kind <> 'alert' and ${isRestorableSql('l.deleted_at')}`;

/** Which entries of a collection are asked for. */
export interface CollectionPart {
  limit: number;
  offset: number;
  /** those that were deleted and can be restored, in place of those that are kept */
  deleted: boolean;
}

const toList = ({ mode, userIds, optOutUserIds, ...row }: Row): StoredList => ({ ...row, share: { mode, userIds, optOutUserIds } });

const listFullError = (present: number, sent: number) =>
  new ApiError('invalid_request', `A list holds at most ${LIST_PROJECTS_MAX} projects; it has ${present} and ${sent} more were sent`, {
    param: 'projectIds',
    details: { maxProjects: LIST_PROJECTS_MAX, projectCount: present },
  });

export class ListStore {
  readonly #database: Database;
  readonly #idempotency: IdempotencyStore;
  readonly #handover: HandoverServices;

  constructor(database: Database, idempotency: IdempotencyStore, handover: HandoverServices) {
    this.#database = database;
    this.#idempotency = idempotency;
    this.#handover = handover;
  }

  /**
   * Creates a list with its projects, and settles the idempotency key, in one transaction.
   * @throws ApiError `invalid_request` when the team has the maximum of lists, `service_unavailable`
   */
  async create({ teamId, userId }: Viewer, list: NewList, claim: Claim | undefined): Promise<string> {
    const id = newId('lst');
    const { share } = list;
    await this.#database.transaction(async (tx) => {
      await refuseBeyondListLimit(tx, teamId);
      await tx.query(
        `insert into project_list (id, team_id, kind, name, description, filters, polygon, columns, share_mode, share_user_ids, opt_out_user_ids,
             created_by, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10, $11, $12, service_now(), service_now())`,
        [
          ...[id, teamId, list.kind, list.name, list.description, toJsonOrNull(list.filters), toJsonOrNull(list.polygon), list.columns],
          ...[share.mode, share.userIds, share.optOutUserIds, userId],
        ],
      );
      await insertProjects(tx, id, list.projectIds);
      await this.#idempotency.keep(tx, teamId, claim, { listId: id });
    });
    return id;
  }

  /** Undefined when there is no such list that the user may see. @throws ApiError `service_unavailable` */
  async find({ teamId, userId }: Viewer, id: string): Promise<StoredList | undefined> {
    const sql = `select ${COLUMNS} from project_list l where ${VISIBLE} and l.id = $3`;
    const [row] = await this.#database.query<Row>(sql, [teamId, userId, id]);
    return row && toList(row);
  }

  /** Newest first; deleted ones by their deletion. */
  async list({ teamId, userId }: Viewer, { deleted, ...part }: CollectionPart): Promise<{ lists: StoredList[]; total: number }> {
    const [wanted, newest] = deleted ? [RESTORABLE, 'l.deleted_at'] : [VISIBLE, 'l.created_at'];
    const collection = { columns: COLUMNS, from: `project_list l where ${wanted}`, order: `${newest} desc, l.id desc` };
    const { rows, total } = await readPage<Row>(this.#database, collection, [teamId, userId], part);
    return { lists: rows.map(toList), total };
  }

  /**
   * Changes the given values.
   * @returns the changed list, also when the user is no longer a member after the change; undefined when there is no such list that the
   * user may see
   */
  async change({ teamId, userId }: Viewer, id: string, changes: ListChanges): Promise<StoredList | undefined> {
    const { name, description, filters, polygon, columns, share } = changes;
    const changed = this.#database.transaction(async (tx) => {
      await tx.query('select from team where id = $1 for no key update', [teamId]);
      const rows = await tx.query<Row>(
        `update project_list l set updated_at = service_now(), name = coalesce($4, name), description = case when $5 then $6 else description end,
           share_mode = coalesce($7, share_mode), share_user_ids = coalesce($8, share_user_ids), opt_out_user_ids = coalesce($9, opt_out_user_ids),
           filters = coalesce($10::jsonb, filters), polygon = coalesce($11::jsonb, polygon), columns = case when $12 then $13 else columns end
         where ${VISIBLE} and l.id = $3 returning ${COLUMNS}`,
        [
          ...[teamId, userId, id, name ?? null, description !== undefined, description ?? null],
          ...[share?.mode ?? null, share?.userIds ?? null, share?.optOutUserIds ?? null],
          ...[toJsonOrNull(filters ?? null), toJsonOrNull(polygon ?? null), columns !== undefined, columns ?? null],
        ],
      );
      // This change may have removed the last member with an open account.
      if (share) await handOverWithMail(tx, this.#handover, teamId);
      return rows;
    });
    const [row] = await changed;
    return row && toList(row);
  }

  /**
   * Deletes a list for its members; it can be restored for some days.
   * @returns false when there is none that the user may see, or it belongs to an alert
   */
  async remove({ teamId, userId }: Viewer, id: string): Promise<boolean> {
    const sql = `update project_list l set deleted_at = service_now() where ${VISIBLE} and l.id = $3
      and l.kind <> 'alert' returning l.id`;
    return (await this.#database.query(sql, [teamId, userId, id])).length > 0;
  }

  /**
   * Restores a deleted list as it was; of one that is not deleted nothing changes.
   * @returns false when there is none that the user could see, it was deleted for good, or it belongs to an alert
   * @throws ApiError `invalid_request` when the team has the maximum of lists
   */
  async restore({ teamId, userId }: Viewer, id: string, keep: KeepForRepeat<null>): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const sql = `select l.deleted_at as "deletedAt" from project_list l
          where ${MEMBERS} and l.id = $3 and l.kind <> 'alert' and (${KEPT} or ${isRestorableSql('l.deleted_at')}) for no key update`;
      const [found] = await tx.query<{ deletedAt: Date | null }>(sql, [teamId, userId, id]);
      if (!found) return false;
      await keep(tx, null);
      if (found.deletedAt === null) return true;
      await refuseBeyondListLimit(tx, teamId);
      await tx.query('update project_list set deleted_at = null where id = $1', [id]);
      return true;
    });
  }

  /** Deletes for good what can no longer be restored. */
  async removeOutlived(): Promise<void> {
    await this.#database.query(`delete from project_list l where l.deleted_at is not null and not (${isRestorableSql('l.deleted_at')})`);
  }

  /**
   * Adds projects of which the list holds none of the ids.
   * @param families id of each project → its own and those of the records merged into it
   * @returns the ids that were not in the list before
   * @throws ApiError `invalid_request` when the list would have too many; then none is added
   */
  async addProjects(id: string, families: ReadonlyMap<number, readonly number[]>, keep: KeepForRepeat<number[]>): Promise<number[]> {
    return this.#database.transaction(async (tx) => {
      await tx.query('update project_list set updated_at = service_now() where id = $1', [id]);
      const sql = 'select project_id::float8 as id from list_project where list_id = $1 and project_id = any ($2::bigint[])';
      const rows = await tx.query<{ id: number }>(sql, [id, [...families.values()].flat()]);
      const present = new Set(rows.map((row) => row.id));
      const missing = [...families].filter(([, memberIds]) => !memberIds.some((member) => present.has(member)));
      const ids = missing.map(([projectId]) => projectId);
      const added = await insertProjects(tx, id, ids);
      const [counted] = await tx.query<{ held: number }>('select count(*)::integer as held from list_project where list_id = $1', [id]);
      const held = counted?.held ?? 0;
      if (held > LIST_PROJECTS_MAX) throw listFullError(held - added.length, added.length);
      await keep(tx, added);
      return added;
    });
  }

  /** Removes projects. @returns whether any was in the list */
  async removeProjects(id: string, projectIds: readonly number[]): Promise<boolean> {
    const sql = `with gone as (delete from list_project where list_id = $1 and project_id = any ($2::bigint[]) returning project_id),
      touched as (update project_list set updated_at = service_now() where id = $1 and exists (select from gone))
      select project_id from gone`;
    return (await this.#database.query(sql, [id, projectIds])).length > 0;
  }

  /**
   * Replaces the note of a project.
   * @param projectIds its id and those of the records merged into it
   * @returns whether it is in the list
   */
  async setNote(id: string, projectIds: readonly number[], note: string | null): Promise<boolean> {
    const sql = `with noted as (update list_project set note = $3 where list_id = $1 and project_id = any ($2::bigint[]) returning project_id),
      touched as (update project_list set updated_at = service_now() where id = $1 and exists (select from noted))
      select project_id from noted`;
    return (await this.#database.query(sql, [id, projectIds, note])).length > 0;
  }

  /** Ids of the projects that an alert matched and nobody dismissed, also of a deleted alert. */
  async idsOfAlert(alertId: string): Promise<number[]> {
    const sql = `select project_id::float8 as id from alert_match m where alert_id = $1 and dismissed is distinct from revision order by id`;
    return (await this.#database.query<{ id: number }>(sql, [alertId])).map((row) => row.id);
  }

  /** The list's projects with their notes, by the ids under which they were added, or those that its alert matched and nobody dismissed. */
  async readProjects(id: string): Promise<{ projectIds: number[]; notes: Map<number, string> }> {
    const sql = `select project_id::float8 as id, note from list_project where list_id = $1
      union all select m.project_id::float8, null from project_list l join alert_match m on m.alert_id = l.alert_id
        where l.id = $1 and m.dismissed is distinct from m.revision
      order by id`;
    const rows = await this.#database.query<{ id: number; note: string | null }>(sql, [id]);
    return {
      projectIds: rows.map((row) => row.id),
      notes: new Map(rows.flatMap(({ id: of, note }) => (note === null ? [] : [[of, note] as const]))),
    };
  }
}

/**
 * Refuses another list for a team that has the maximum. Locks the team until `tx` ends, so that the count stays correct.
 * @throws ApiError `invalid_request` when it has the maximum of lists
 */
async function refuseBeyondListLimit(tx: Queryable, teamId: number): Promise<void> {
  await tx.query('select from team where id = $1 for no key update', [teamId]);
  const sql = `select count(*)::integer as lists from project_list l join app_user u on u.id = l.created_by
    where l.team_id = $1 and ${KEPT} and u.closed_at is null`;
  const [counted] = await tx.query<{ lists: number }>(sql, [teamId]);
  if ((counted?.lists ?? 0) < LISTS_MAX) return;
  throw new ApiError('invalid_request', `The team has ${LISTS_MAX} lists, the most there can be; delete one first`, {
    details: { maxLists: LISTS_MAX },
  });
}

const toJsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));

async function insertProjects(tx: Queryable, id: string, projectIds: readonly number[]): Promise<number[]> {
  const sql = `insert into list_project (list_id, project_id) select $1, unnest($2::bigint[]) on conflict do nothing
    returning project_id::float8 as id`;
  return (await tx.query<{ id: number }>(sql, [id, projectIds])).map((row) => row.id);
}

/** Inserts the list of an alert's matches, in the transaction that creates the alert. */
export async function insertCompanionList(
  tx: Queryable,
  { teamId, userId }: Viewer,
  { alertId, name, share }: { alertId: string; name: string; share: Share },
): Promise<string> {
  const id = newId('lst');
  await tx.query(
    `insert into project_list (id, team_id, kind, name, alert_id, share_mode, share_user_ids, opt_out_user_ids, created_by, created_at, updated_at)
     values ($1, $2, 'alert', $3, $4, $5, $6, $7, $8, service_now(), service_now())`,
    [id, teamId, name, alertId, share.mode, share.userIds, share.optOutUserIds, userId],
  );
  return id;
}

export async function shareCompanionList(tx: Queryable, alertId: string, { name, share }: { name: string; share: Share }): Promise<void> {
  await tx.query(
    `update project_list set name = $2, share_mode = $3, share_user_ids = $4, opt_out_user_ids = $5, updated_at = service_now()
     where alert_id = $1 and (name, share_mode, share_user_ids, opt_out_user_ids) is distinct from ($2, $3, $4::integer[], $5::integer[])`,
    [alertId, name, share.mode, share.userIds, share.optOutUserIds],
  );
}

/** Deletes the lists of alerts that are deleted; they come back with their alerts, or go for good. */
export async function removeCompanionLists(tx: Queryable, alertIds: readonly string[]): Promise<void> {
  await tx.query('update project_list set deleted_at = service_now() where alert_id = any ($1) and deleted_at is null', [alertIds]);
}

export async function restoreCompanionList(tx: Queryable, alertId: string, alert: { name: string; share: Share }): Promise<void> {
  await tx.query('update project_list set deleted_at = null where alert_id = $1', [alertId]);
  await shareCompanionList(tx, alertId, alert);
}
