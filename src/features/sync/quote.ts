/** What a refused page of a walk says about everything that the walk still has to bring. */
import { allOf, range } from '../../core/query/clauses.ts';
import { countedBy, countUrlOf } from '../../core/search/countUrl.ts';
import type { QuoteBase } from '../../core/search/delivery.ts';
import type { TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { ProjectStore } from '../../core/store/elastic/projects.ts';
import type { WalkPosition } from './cursor.ts';
import { soughtAt } from './page.ts';
import type { SyncRequest } from './request.ts';

const isoOf = (ms: number) => new Date(ms).toISOString();

/** Records behind a place in the order of (lastUpdated, id). */
function recordsAfter([ms, id]: TimeAndId): Record<string, unknown> {
  const sameTime = allOf([range('lastUpdated', { gte: isoOf(ms), lte: isoOf(ms) }), range('id', { gt: id })]);
  return { bool: { should: [range('lastUpdated', { gt: isoOf(ms) }), sameTime], minimum_should_match: 1 } };
}

const from = (query: Record<string, unknown>, after: TimeAndId | null) => (after ? allOf([query, recordsAfter(after)]) : query);

/** What the walk has not brought yet: of a new day what that lets in, and everything that follows. */
function remaining({ queryOn }: Pick<SyncRequest, 'queryOn'>, start: WalkPosition): Record<string, unknown> {
  const rest = from(queryOn(start.rollover?.to ?? start.day), start.after);
  if (!start.rollover) return rest;
  const letIn = from(soughtAt(start, queryOn).query, start.rollover.after);
  return { bool: { should: [rest, letIn], minimum_should_match: 1 } };
}

/**
 * The parameters under which a count prices what remains. Where a walk begins they are its filters. Later they are its filters from the time of
 * the last record on: that prices the remaining records and those of the same millisecond which this walk has brought, which cost the pool
 * nothing. On a new day no time tells what it lets in, so that the whole walk is named: what it has brought costs nothing either. The records
 * themselves are never named: which ids match says what their records hold.
 */
function countedFrom({ selection }: SyncRequest, { rollover, after }: WalkPosition): Readonly<Record<string, unknown>> {
  const parameters = countedBy(selection, 'all');
  if (rollover || !after || parameters.projectIds !== undefined) return parameters;
  return { ...parameters, lastUpdatedFrom: isoOf(after[0]) };
}

/** @param start where the refused page begins */
export async function quoteOfWalk(
  { store, publicUrl }: { store: ProjectStore; publicUrl: string },
  walk: SyncRequest,
  start: WalkPosition,
  signal: AbortSignal | undefined,
): Promise<QuoteBase> {
  const [matchCount = 0] = await store.counts([remaining(walk, start)], signal);
  return { matchCount, matchCountIsExact: true, countUrl: countUrlOf(publicUrl, countedFrom(walk, start)) };
}
