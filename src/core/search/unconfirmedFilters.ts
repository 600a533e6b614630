/** Which filters a record's served values do not confirm; the guide is src/docs/evidence.md. Pure. */
import type { FetchedProject } from '../domain/record/represent.ts';
import { sourcePath } from '../domain/record/schemas.ts';
import type { ProjectStatement } from '../domain/record/statement.ts';
import type { Unconfirmed, Warning } from '../domain/warnings.ts';
import { listEvidenceFilters, makeConfirmations, makeUnconfirmedClauses } from '../filter/compile.ts';
import type { Served } from '../filter/entry.ts';
import { FILTER_NAMES, type FilterName, type FilterValues, filterOf } from '../filter/table.ts';
import { allOf, anyOf, type Clause } from '../query/clauses.ts';
import { type Aggregate, type Aggregations, innerAggregate } from '../query/facets.ts';
import type { ProjectHit, ProjectStore } from '../store/elastic/projects.ts';
import type { Actor } from './actor.ts';
import type { Selection } from './select.ts';

type Attribute = keyof ProjectStatement;

const listAttributesRead = (names: readonly FilterName[]): Attribute[] => [...new Set(names.flatMap((name) => filterOf(name).reads ?? []))];

/** `_source` paths that are needed to confirm the filters, in addition to those of the representation. */
export function evidencePaths(filters: FilterValues): string[] {
  return listAttributesRead(listEvidenceFilters(filters)).map(sourcePath);
}

function pickServed({ compact, standard = {}, full = {}, hearings }: FetchedProject, attributes: readonly Attribute[]): Served {
  const parts: Partial<Record<Attribute, unknown>>[] = [compact, standard, full];
  const served: Record<string, unknown> = { hearings };
  for (const attribute of attributes) served[attribute] = parts.find((part) => part[attribute] !== undefined)?.[attribute];
  return served as Served;
}

const NO_FILTERS: FilterName[] = [];

type Filtered = Pick<Selection, 'filters' | 'context'>;

/** Makes a function, once a request, that lists the filters which a hit does not confirm. */
export function makeUnconfirmedLister({ filters, context }: Filtered): (hit: ProjectHit) => FilterName[] {
  const names = listEvidenceFilters(filters);
  const attributes = listAttributesRead(names);
  const checks = makeConfirmations(names, filters, context);
  if (!checks.length) return () => NO_FILTERS;
  return ({ project, matched }) => {
    const { evidenceOnly } = project;
    const hit = { matched, evidenceOnly, served: evidenceOnly ? {} : pickServed(project, attributes) };
    return checks.flatMap(([name, confirms]) => (confirms(hit) ? [] : [name]));
  };
}

/**
 * Summary over several records; null when all of them confirm every filter.
 * @param failed for each record the filters that it does not confirm
 */
export function summarizeUnconfirmed(failed: Iterable<readonly FilterName[]>): Unconfirmed | null {
  const failing = new Set<FilterName>();
  let records = 0;
  for (const names of failed) {
    if (names.length) records += 1;
    for (const name of names) failing.add(name);
  }
  return records ? { filters: FILTER_NAMES.filter((name) => failing.has(name)), records } : null;
}

/** Aggregations that count unconfirmed matches over a whole set, read by `readUnconfirmed`. Empty when every match confirms its filters. */
export function unconfirmedAggregations({ filters, context }: Filtered): Aggregations {
  const clauses = makeUnconfirmedClauses(filters, context);
  if (!clauses.length) return {};
  const each = { filters: { filters: Object.fromEntries(clauses) } };
  return { unconfirmed: { filter: anyOf(clauses.map(([, clause]) => clause)), aggs: { each } } };
}

export function readUnconfirmed(answer: Aggregate): Unconfirmed | null {
  const { doc_count: records = 0, each } = innerAggregate(answer, 'unconfirmed');
  if (!records) return null;
  const { buckets } = each as unknown as { buckets: Readonly<Record<string, Aggregate>> };
  const filters = FILTER_NAMES.filter((name) => buckets[name]?.doc_count);
  return { filters, records };
}

/**
 * Exact counts of matches, and how many matches of the first query are unconfirmed, in one round trip.
 * @throws ApiError `search_unavailable`
 */
export async function countConfirming(
  store: ProjectStore,
  queries: readonly Clause[],
  selection: Filtered,
  signal?: AbortSignal,
): Promise<{ counts: number[]; unconfirmed: Unconfirmed | null }> {
  const [query = { match_none: {} }] = queries;
  const aggs = unconfirmedAggregations(selection);
  if (!aggs.unconfirmed) return { counts: await store.counts(queries, signal), unconfirmed: null };
  // A separate query for the few unconfirmed matches avoids an aggregation over the whole set.
  const few = allOf([query, aggs.unconfirmed.filter as Clause]);
  const { counts, answer } = await store.countAndAggregate(queries, { query: few, aggs }, signal);
  return { counts, unconfirmed: readUnconfirmed(answer) };
}

/**
 * The warning about all matches of a selection, for an answer that counts nothing else. On plans that pay for records, ids combined with
 * other filters get no warning: it would reveal which of them match.
 * @throws ApiError `search_unavailable`
 */
export async function readEvidenceWarning(
  store: ProjectStore,
  selection: Selection,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
): Promise<Warning[]> {
  if (principal.plan.recordCredit > 0 && selection.filters.projectIds) return [];
  if (!makeUnconfirmedClauses(selection.filters, selection.context).length) return [];
  return evidenceWarning((await countConfirming(store, [selection.query], selection, signal)).unconfirmed);
}

export function evidenceWarning(unconfirmed: Unconfirmed | null): Warning[] {
  if (!unconfirmed) return [];
  const { filters, records } = unconfirmed;
  const some = records === null ? 'Some records' : `${records} ${records === 1 ? 'record' : 'records'}`;
  return [
    {
      code: 'filter_evidence_unconfirmed',
      message: `${some} matched ${filters.join(', ')} by what earlier generations or absorbed records stated, since the current generation does not cover the value: null is served there (status: unknown). Keep those with a value for a set of the current generation`,
      params: { filters, ...(records === null ? {} : { records }) },
    },
  ];
}
