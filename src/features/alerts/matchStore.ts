/** What alerts delivered, and what their members dismissed of it. */

import type { PublicRecord } from '../../core/domain/record/represent.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import type { NewBecause } from './newlyRead.ts';
import type { Finding } from './types.ts';

interface MatchPlace {
  projectId: number;
  dismissed: boolean;
}

export interface StoredMatch extends MatchPlace {
  deliveryId: string;
  /** the revision that the alert last delivered, and when that record was last changed */
  revision: string;
  lastUpdated: Date;
  /** the compact record as the pool last held it, and its revision */
  shown: PublicRecord;
  shownRevision: string;
  /** fields that changed since the delivery before; null for a new record, or where that is not known */
  changedFields: string[] | null;
  /** null if an earlier version delivered it */
  newBecause: NewBecause | null;
  /** null when it was delivered by the filters alone */
  finding: Finding | null;
}

/** A compact record in the revision that a pool holds. */
export interface HeldRecord {
  projectId: number;
  revision: string;
  record: PublicRecord;
}

const PLACE = 'm.project_id::float8 as "projectId", m.dismissed is not distinct from m.revision as dismissed';
const MATCH = `${PLACE}, m.delivery_id as "deliveryId", m.revision, m.last_updated as "lastUpdated", m.shown, m.shown_revision as "shownRevision",
  m.changed_fields as "changedFields", m.new_because as "newBecause",
  case when m.why is not null then jsonb_build_object('whyThisMatched', m.why, 'evidence', m.evidence) end as finding`;

export class AlertMatchStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The order of all matches of an alert, newest delivery first, or of one delivery. */
  listMatchOrder(alertId: string, deliveryId: string | undefined): Promise<MatchPlace[]> {
    const all = `select ${PLACE} from alert_match m where m.alert_id = $1 order by m.delivered_at desc, m.place, m.project_id desc`;
    const ofDelivery = `select ${PLACE} from alert_delivered r join alert_match m on m.alert_id = $1 and m.project_id = r.project_id
      where r.delivery_id = $2 order by r.place`;
    const [sql, values] = deliveryId === undefined ? [all, [alertId]] : [ofDelivery, [alertId, deliveryId]];
    return this.#database.query<MatchPlace>(sql, values);
  }

  async find(alertId: string, projectIds: readonly number[]): Promise<Map<number, StoredMatch>> {
    const sql = `select ${MATCH} from alert_match m where m.alert_id = $1 and m.project_id = any ($2::bigint[])`;
    const matches = await this.#database.query<StoredMatch>(sql, [alertId, projectIds]);
    return new Map(matches.map((match) => [match.projectId, match]));
  }

  async storeHeldRevisions(alertId: string, held: readonly HeldRecord[]): Promise<void> {
    const sql = `update alert_match m set shown = item.record, shown_revision = item.revision
      from unnest($2::bigint[], $3::text[], $4::jsonb[]) as item (id, revision, record) where m.alert_id = $1 and m.project_id = item.id`;
    const records = held.map(({ record }) => JSON.stringify(record));
    await this.#database.query(sql, [alertId, held.map(({ projectId }) => projectId), held.map(({ revision }) => revision), records]);
  }

  /**
   * Dismisses records or takes this back. A dismissed record that changes reappears.
   * @returns false when the alert delivered none of the records
   */
  async dismiss(alertId: string, projectIds: readonly number[], dismissed: boolean): Promise<boolean> {
    const sql = `update alert_match set dismissed = case when $3 then revision end where alert_id = $1 and project_id = any ($2::bigint[])
      returning project_id`;
    return (await this.#database.query(sql, [alertId, projectIds, dismissed])).length > 0;
  }

  /** Hashes of the last delivered revision of each record, as in the index. */
  async listDeliveredHashes(alertId: string): Promise<string[]> {
    const sql = 'select revision_hash::text as hash from alert_match where alert_id = $1';
    return (await this.#database.query<{ hash: string }>(sql, [alertId])).map(({ hash }) => hash);
  }

  async listDeliveredIds(alertId: string): Promise<number[]> {
    const sql = 'select project_id::float8 as id from alert_match where alert_id = $1';
    return (await this.#database.query<{ id: number }>(sql, [alertId])).map(({ id }) => id);
  }

  /**
   * Revisions that were judged and do not satisfy the requirement, so that they are not judged again; none if the alert now has another
   * requirement.
   */
  async listRejectedRevisions(alertId: string, requirement: string | null): Promise<string[]> {
    const sql = `select r.revision_hash::text as hash from alert_refused r join alert a on a.id = r.alert_id
      where a.id = $1 and a.specific_requirement = $2`;
    return (await this.#database.query<{ hash: string }>(sql, [alertId, requirement])).map(({ hash }) => hash);
  }

  /** Ids of the records whose last delivered revision equals the given one. */
  async findUnchanged(alertId: string, revisions: readonly { id: number; contentRevision: string }[]): Promise<number[]> {
    const sql = `select m.project_id::float8 as id from unnest($2::bigint[], $3::text[]) as item (id, revision)
      join alert_match m on m.alert_id = $1 and m.project_id = item.id and m.revision = item.revision`;
    const values = [alertId, revisions.map(({ id }) => id), revisions.map(({ contentRevision }) => contentRevision)];
    return (await this.#database.query<{ id: number }>(sql, values)).map(({ id }) => id);
  }
}
