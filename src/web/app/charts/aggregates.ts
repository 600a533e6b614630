/** Aggregates in as few counted requests as the API allows. */
import { ask, type DataOf } from '../shared/api.ts';

export type Aggregated = NonNullable<DataOf<'aggregateProjects'>['results']>[number];

/** Aggregates of one request. */
const QUERIES_MAX = 6;

/** @param queries bodies of single aggregates @returns their answers in the same order */
export async function aggregateAll(queries: readonly object[], signal: AbortSignal): Promise<Aggregated[]> {
  const parts = Array.from({ length: Math.ceil(queries.length / QUERIES_MAX) }, (_, i) =>
    queries.slice(i * QUERIES_MAX, (i + 1) * QUERIES_MAX),
  );
  const answers = await Promise.all(parts.map((part) => ask('/analytics/aggregate', { method: 'POST', body: { queries: part }, signal })));
  return answers.flatMap(({ data }) => data.results as Aggregated[]);
}
