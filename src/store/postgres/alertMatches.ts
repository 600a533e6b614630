/** What alerts have delivered, and what their members have dismissed of it. */
import type { Finding } from '../../domain/alerts.ts';
import { type Database, readable } from './pool.ts';

export interface StoredMatch {
  projectId: number;
  deliveryId: string;
  dismissed: boolean;
  /** null where it was delivered by the filters alone */
  finding: Finding | null;
}

const MATCH = `m.project_id::float8 as "projectId", m.dismissed is not distinct from m.revision as dismissed,
  case when m.why is not null then jsonb_build_object('whyThisMatched', m.why, 'evidence', m.evidence) end as finding`;

export class AlertMatchStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Everything that was delivered and not dismissed, newest delivery first. */
  async undismissed(alertId: string, limit: number, offset: number): Promise<{ matches: StoredMatch[]; total: number }> {
    const where = 'm.alert_id = $1 and m.dismissed is distinct from m.revision';
    return this.#page(
      `select ${MATCH}, m.delivery_id as "deliveryId" from alert_match m where ${where}
       order by m.delivered_at desc, m.project_id desc limit $2 offset $3`,
      `select count(*)::integer as total from alert_match m where ${where}`,
      [alertId],
      { limit, offset },
    );
  }

  /** What one run delivered, in its order, dismissed or not. */
  async ofDelivery(alertId: string, deliveryId: string, limit: number, offset: number): Promise<{ matches: StoredMatch[]; total: number }> {
    const from = 'alert_delivered r join alert_match m on m.alert_id = $1 and m.project_id = r.project_id where r.delivery_id = $2';
    return this.#page(
      `select ${MATCH}, r.delivery_id as "deliveryId" from ${from} order by r.place limit $3 offset $4`,
      `select count(*)::integer as total from ${from}`,
      [alertId, deliveryId],
      { limit, offset },
    );
  }

  async #page(
    page: string,
    count: string,
    values: readonly unknown[],
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ matches: StoredMatch[]; total: number }> {
    const [matches, [counted]] = await readable(
      Promise.all([
        this.#database.query<StoredMatch>(page, [...values, limit, offset]),
        this.#database.query<{ total: number }>(count, values),
      ]),
    );
    return { matches, total: counted?.total ?? 0 };
  }

  /** False where the alert never delivered the record. A dismissed record that changes comes back. */
  async dismiss(alertId: string, projectId: number, dismissed: boolean): Promise<boolean> {
    const sql = `update alert_match set dismissed = case when $3 then revision end where alert_id = $1 and project_id = $2 returning project_id`;
    return (await readable(this.#database.query(sql, [alertId, projectId, dismissed]))).length > 0;
  }

  /** Revisions that the alert delivered last of their records and that changed after a time, as the index knows them; all where it is null. */
  async deliveredSince(alertId: string, since: Date | null): Promise<string[]> {
    const sql = `select revision_hash::text as hash from alert_match where alert_id = $1 and ($2::timestamptz is null or last_updated > $2)`;
    return (await readable(this.#database.query<{ hash: string }>(sql, [alertId, since]))).map(({ hash }) => hash);
  }

  /** Revisions that were judged and do not satisfy the alert's requirement: they are not judged again. None where the alert has another one. */
  async refused(alertId: string, requirement: string | null): Promise<string[]> {
    const sql = `select r.revision_hash::text as hash from alert_refused r join alert a on a.id = r.alert_id
      where a.id = $1 and a.specific_requirement = $2`;
    return (await readable(this.#database.query<{ hash: string }>(sql, [alertId, requirement]))).map(({ hash }) => hash);
  }

  /** Which of these revisions the alert delivered last of their records; their ids. */
  async deliveredAsTheyAre(alertId: string, revisions: readonly { id: number; contentRevision: string }[]): Promise<number[]> {
    const sql = `select m.project_id::float8 as id from unnest($2::bigint[], $3::text[]) as item (id, revision)
      join alert_match m on m.alert_id = $1 and m.project_id = item.id and m.revision = item.revision`;
    const values = [alertId, revisions.map(({ id }) => id), revisions.map(({ contentRevision }) => contentRevision)];
    return (await readable(this.#database.query<{ id: number }>(sql, values))).map(({ id }) => id);
  }
}
