/** Pages of a collection, with how many entries it has in all. */
import type { Queryable } from './pool.ts';

interface Collection {
  columns: string;
  /** tables with their `where`, which takes the values */
  from: string;
  order: string;
}

export async function readPage<Row>(
  on: Queryable,
  { columns, from, order }: Collection,
  values: readonly unknown[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Row[]; total: number }> {
  const page = `order by ${order} limit $${values.length + 1} offset $${values.length + 2}`;
  const [rows, [counted]] = await Promise.all([
    on.query<Row>(`select ${columns} from ${from} ${page}`, [...values, limit, offset]),
    on.query<{ total: number }>(`select count(*)::integer as total from ${from}`, values),
  ]);
  return { rows, total: counted?.total ?? 0 };
}
