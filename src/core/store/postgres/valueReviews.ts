/** Values that people compared with the words of the minutes, in Postgres: the newest answer for each value of a generation. */
import { type BodyAccuracy, computeAccuracies, type FieldAccuracy, type FieldCount } from '../../domain/accuracy.ts';
import type { Database } from './pool.ts';

export interface ValueReview {
  projectId: number;
  field: string;
  /** of the body whose minutes state the value; null if that is not known */
  bodyKey: string | null;
  right: boolean;
  reviewedAt: string;
}

export class ValueReviewStore {
  readonly #database: Database;
  readonly #prefix: string;

  /** @param prefix of the indices */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
  }

  /** Adds reviews; of several of one value the newest stays, however often they are added. @param generation whose values they are of */
  async add(generation: number, reviews: readonly ValueReview[]): Promise<void> {
    await this.#database.query(
      `insert into value_review as known (index_prefix, generation, project_id, field, body_key, is_right, reviewed_at)
       select distinct on ("projectId", field) $1, $2, "projectId", field, "bodyKey", "right", "reviewedAt"
       from jsonb_to_recordset($3::jsonb) as r ("projectId" bigint, field text, "bodyKey" text, "right" boolean, "reviewedAt" timestamptz)
       order by "projectId", field, "reviewedAt" desc
       on conflict (index_prefix, generation, project_id, field) do update
         set body_key = excluded.body_key, is_right = excluded.is_right, reviewed_at = excluded.reviewed_at
         where known.reviewed_at <= excluded.reviewed_at`,
      [this.#prefix, generation, JSON.stringify(reviews)],
    );
  }

  /** The accuracy of each body of which values were checked, whatever their generation. @throws ApiError `service_unavailable` */
  async readByBody(bodyKeys: readonly string[]): Promise<Map<string, BodyAccuracy>> {
    const rows = await this.#database.query<FieldCount & { bodyKey: string; checkedAt: Date }>(
      `select body_key as "bodyKey", field, count(*)::integer as checked, count(*) filter (where is_right)::integer as "right",
         max(reviewed_at) as "checkedAt"
       from (select distinct on (project_id, field) * from value_review where index_prefix = $1 and body_key = any ($2)
             order by project_id, field, reviewed_at desc) newest
       group by body_key, field`,
      [this.#prefix, bodyKeys],
    );
    const toBodyAccuracy = ([bodyKey, fields]: [string, typeof rows]): [string, BodyAccuracy] => {
      const newest = Math.max(...fields.map(({ checkedAt }) => checkedAt.getTime()));
      const checked = fields.reduce((sum, one) => sum + one.checked, 0);
      return [bodyKey, { checked, fields: computeAccuracies(fields), checkedAt: new Date(newest).toISOString() }];
    };
    return new Map([...Map.groupBy(rows, ({ bodyKey }) => bodyKey)].map(toBodyAccuracy));
  }

  /** The accuracy of each of these generations of which values were checked. @throws ApiError `service_unavailable` */
  async readByGeneration(generations: readonly number[]): Promise<Map<number, Record<string, FieldAccuracy>>> {
    const rows = await this.#database.query<FieldCount & { generation: string }>(
      `select generation, field, count(*)::integer as checked, count(*) filter (where is_right)::integer as "right"
       from value_review where index_prefix = $1 and generation = any ($2) group by generation, field`,
      [this.#prefix, generations],
    );
    return new Map([...Map.groupBy(rows, (row) => Number(row.generation))].map(([number, fields]) => [number, computeAccuracies(fields)]));
  }
}
