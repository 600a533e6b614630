/** What a refused page of a walk says about the rest of the walk. */
import { allOf, range } from '../../core/query/clauses.ts';
import type { IdsPrice } from '../../core/search/byIds.ts';
import { countParameters, countUrlOf } from '../../core/search/countUrl.ts';
import type { QuoteBase } from '../../core/search/delivery.ts';
import type { TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { ProjectStore } from '../../core/store/elastic/projects.ts';
import type { WalkPosition } from './cursor.ts';
import { searchOf } from './page.ts';
import type { SyncRequest } from './request.ts';

const isoOf = (ms: number) => new Date(ms).toISOString();

/** Records after a position in the order of (lastUpdated, id). */
function recordsAfter([ms, id]: TimeAndId): Record<string, unknown> {
  const sameTime = allOf([range('lastUpdated', { gte: isoOf(ms), lte: isoOf(ms) }), range('id', { gt: id })]);
  return { bool: { should: [range('lastUpdated', { gt: isoOf(ms) }), sameTime], minimum_should_match: 1 } };
}

const from = (query: Record<string, unknown>, after: TimeAndId | null) => (after ? allOf([query, recordsAfter(after)]) : query);

/** What the walk still has to serve: on a new day the added records, and everything that follows. */
function remaining({ queryOn }: Pick<SyncRequest, 'queryOn'>, start: WalkPosition): Record<string, unknown> {
  const rest = from(queryOn(start.rollover?.to ?? start.day), start.after);
  if (!start.rollover) return rest;
  const letIn = from(searchOf(start, queryOn).query, start.rollover.after);
  return { bool: { should: [rest, letIn], minimum_should_match: 1 } };
}

/**
 * The parameters of a count that prices the rest. At the beginning of a walk they are its filters. Later they are its filters from the time
 * of the last record on: besides the rest, this includes records of the same millisecond that were already served, which cost nothing. On a
 * new day the added records have no lower bound of time, so that the whole walk is counted; what was served costs nothing either. Ids are
 * never named, since which of them match would reveal what their records say.
 */
function countedFrom({ selection }: SyncRequest, { rollover, after }: WalkPosition): Readonly<Record<string, unknown>> {
  const parameters = countParameters(selection, 'all');
  if (rollover || !after || parameters.projectIds !== undefined) return parameters;
  return { ...parameters, lastUpdatedFrom: isoOf(after[0]) };
}

/**
 * The quote of a refused page.
 * @param start position of the page
 */
export async function quoteOfWalk(
  { store, publicUrl }: { store: ProjectStore; publicUrl: string },
  walk: SyncRequest,
  start: WalkPosition,
  signal: AbortSignal | undefined,
): Promise<QuoteBase> {
  const [matchCount = 0] = await store.counts([remaining(walk, start)], signal);
  return { matchCount, matchCountIsExact: true, countUrl: countUrlOf(publicUrl, countedFrom(walk, start)) };
}

/** The quote of a refused page that filters among ids: of the ids alone. */
export const quoteOfIds = ({ publicUrl }: { publicUrl: string }, { selection }: SyncRequest, { matchCount }: IdsPrice): QuoteBase => ({
  matchCount,
  matchCountIsExact: true,
  countUrl: countUrlOf(publicUrl, countParameters(selection, 'all')),
});
