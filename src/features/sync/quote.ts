/** What a refused page of a walk says about the rest of the walk. */
import { allOf, range } from '../../core/query/clauses.ts';
import type { IdsPrice } from '../../core/search/byIds.ts';
import { countParameters, countUrlOf, isCounted } from '../../core/search/countUrl.ts';
import type { QuoteBase } from '../../core/search/delivery.ts';
import type { TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { ProjectStore } from '../../core/store/elastic/projects.ts';
import type { WalkPosition } from './cursor.ts';
import { planSearch } from './page.ts';
import type { SyncRequest } from './request.ts';

const isoOf = (ms: number) => new Date(ms).toISOString();

/** Records after a position in the order of (lastUpdated, id). */
function makeRecordsAfterClause([ms, id]: TimeAndId): Record<string, unknown> {
  const sameTime = allOf([range('lastUpdated', { gte: isoOf(ms), lte: isoOf(ms) }), range('id', { gt: id })]);
  return { bool: { should: [range('lastUpdated', { gt: isoOf(ms) }), sameTime], minimum_should_match: 1 } };
}

const from = (query: Record<string, unknown>, after: TimeAndId | null) => (after ? allOf([query, makeRecordsAfterClause(after)]) : query);

/** What the walk still has to serve: on a new day the added records, and everything that follows. */
function makeRemainingClause({ queryOn }: Pick<SyncRequest, 'queryOn'>, start: WalkPosition): Record<string, unknown> {
  const rest = from(queryOn(start.rollover?.to ?? start.day), start.after);
  if (!start.rollover) return rest;
  const letIn = from(planSearch(start, queryOn).query, start.rollover.after);
  return { bool: { should: [rest, letIn], minimum_should_match: 1 } };
}

/**
 * The quote of a refused page.
 * @param start position of the page
 * @param pageCount number of its records
 */
export async function quoteWalk(
  { store, publicUrl }: { store: ProjectStore; publicUrl: string },
  walk: SyncRequest,
  start: WalkPosition,
  pageCount: number,
  signal: AbortSignal | undefined,
): Promise<QuoteBase> {
  const { selection } = walk;
  const [matchCount = 0, countedCount] = await store.counts([makeRemainingClause(walk, start), selection.query], signal);
  // A count prices whole walks: of records, for the features of a collection are some of these.
  const isWhole = !start.after && !start.rollover && pageCount === countedCount && isCounted(selection);
  return { matchCount, matchCountIsExact: true, countUrl: isWhole ? countUrlOf(publicUrl, countParameters(selection, 'all')) : null };
}

/** The quote of a refused page that filters among ids: of the ids alone, of which the page may be a part. */
export const quoteIds = ({ matchCount }: IdsPrice): QuoteBase => ({ matchCount, matchCountIsExact: true, countUrl: null });
