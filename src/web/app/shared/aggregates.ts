/** Aggregates in as few counted requests as the API allows. */
import type { AggregateProjectsResult, Query } from '../../../clients/client/generated.ts';
import { call } from './api.ts';

/** Aggregates of one request. */
const QUERIES_MAX = 6;

/** @returns the answers of the queries in the same order */
export async function aggregateAll(queries: readonly Query[], signal: AbortSignal): Promise<AggregateProjectsResult[]> {
  const parts = Array.from({ length: Math.ceil(queries.length / QUERIES_MAX) }, (_, i) =>
    queries.slice(i * QUERIES_MAX, (i + 1) * QUERIES_MAX),
  );
  const answers = await Promise.all(parts.map((part) => call('aggregateProjects', { body: { queries: part } }, { signal })));
  return answers.flatMap(({ data }) => data.results ?? []);
}
