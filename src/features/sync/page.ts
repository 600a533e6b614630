/** One page of a walk: what it looks for, what it showed, and where the next one begins. Pure. */
import type { LineageMark } from '../../core/domain/lineage.ts';
import { evidencePaths } from '../../core/search/evidence.ts';
import type { FeedPage, FeedPosition, FeedRequest, TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { ProjectHit } from '../../core/store/elastic/projects.ts';
import { fromWritten, toWritten, type WalkPosition, type WrittenPosition } from './cursor.ts';
import { finishRollover, type QueryOn, rolloverQueries } from './dayRollover.ts';
import type { RemovalNotice } from './removals.ts';
import type { SyncRequest } from './request.ts';

/** Where a walk stands, whether or not the pool's history lists what it served. */
type Place = Omit<WalkPosition, 'unlisted'>;

/** What a page looks for: what comes next, or, on a new day, what that day lets in and drops behind the walk. */
interface Sought extends Pick<FeedRequest, 'query' | 'departedQuery' | 'lookUntilMs'> {
  after: TimeAndId | null;
  departed: TimeAndId | null;
}

/** How many pages' worth of changes, and milliseconds, are looked through first. */
const PAGES_AHEAD = 4;
const MS_AHEAD = 10;

const ORIGIN: TimeAndId = [0, 0];
const ORDER = [{ lastUpdated: 'asc' }, { id: 'asc' }];

export function soughtAt({ after, departed, pageSpanMs, day, rollover }: Place, queryOn: QueryOn): Sought {
  if (rollover && after) {
    const { letIn, dropped } = rolloverQueries(day, rollover, after, queryOn);
    return { query: letIn, departedQuery: dropped, after: rollover.after, departed: rollover.departed ?? ORIGIN };
  }
  const lookUntilMs = after && pageSpanMs !== null ? after[0] + PAGES_AHEAD * pageSpanMs + MS_AHEAD : undefined;
  return { query: queryOn(day), after, departed, lookUntilMs };
}

/** The request for a page, and the position that it has to be from. It asks for one record more, by which it is known whether more follow. */
export function feedRequest({ selection, limit, representation, queryOn }: SyncRequest, position: Place): [FeedRequest, FeedPosition] {
  const { query, departedQuery, after, departed, lookUntilMs } = soughtAt(position, queryOn);
  const request = {
    query,
    departedQuery,
    lookUntilMs,
    sort: ORDER,
    size: limit + 1,
    representation,
    toShow: true,
    toConfirm: evidencePaths(selection.filters),
    count: false,
    ...(after ? { searchAfter: [...after] } : {}),
  };
  return [request, { removed: position.removed, departed, seen: position.seen, highWater: position.highWater }];
}

/** What a page showed besides the content of its records. */
export interface ShownPage {
  start: WalkPosition;
  /** what its cursor is bound to */
  bound: string;
  /** places of its records in the walk */
  positions: TimeAndId[];
  /** records or removals lie beyond the page */
  further: boolean;
  removed: RemovalNotice[];
  lastRemoval: TimeAndId | null;
  lastDeparture: TimeAndId | null;
  seen: number;
  highWater: string | null;
  scanned: number;
  unpositionable: number;
  /** the commit of the index that it shows; absent in pages that a version kept which kept no lineage */
  mark?: LineageMark | null;
}

/** The same as it is kept for a repetition under the same idempotency key: for a month, so that these names stay. */
interface KeptPage extends Omit<ShownPage, 'start' | 'lastRemoval' | 'lastDeparture'> {
  start: WrittenPosition;
  lastRemoved: TimeAndId | null;
  lastLeft: TimeAndId | null;
}

export const toKept = ({ start, lastRemoval, lastDeparture, ...same }: ShownPage): KeptPage => ({
  ...same,
  start: toWritten(start),
  lastRemoved: lastRemoval,
  lastLeft: lastDeparture,
});

/** @param kept what `toKept` made @param delivered records of the page that were delivered; the others come again */
export function fromKept(kept: unknown, delivered: number): ShownPage {
  const { start, lastRemoved, lastLeft, positions, further, ...same } = kept as KeptPage;
  return {
    ...same,
    start: fromWritten(start),
    lastRemoval: lastRemoved,
    lastDeparture: lastLeft,
    positions: positions.slice(0, delivered),
    further: further || delivered < positions.length,
  };
}

/** Records that have a place in the walk; the others cannot be walked past and are skipped. */
export const positioned = ({ hits }: Pick<FeedPage, 'hits'>): ProjectHit[] =>
  hits.filter(({ project }) => project.lastUpdated !== undefined);

/** @param hits those of the page that are shown */
export function shownPage(
  page: FeedPage,
  hits: readonly ProjectHit[],
  known: Pick<ShownPage, 'start' | 'bound' | 'removed' | 'mark'>,
): ShownPage {
  const { seen, highWater, removals, departures } = page;
  const placed = positioned(page).length;
  return {
    ...known,
    further: placed > hits.length || page.moreToDrop,
    positions: hits.map(({ project }) => [Date.parse(project.lastUpdated), project.id]),
    lastRemoval: removals.map(({ at, id }): TimeAndId => [Date.parse(at), id]).at(-1) ?? null,
    lastDeparture: departures.at(-1) ?? null,
    seen,
    highWater,
    scanned: page.hits.length,
    unpositionable: page.hits.length - placed,
  };
}

/** Where the next page begins. Departures are looked for from what the first page of the walk saw. @param delivered records of this page */
export function positionAfter(shown: ShownPage, delivered: number): Place {
  const { start, positions, further, lastRemoval, lastDeparture, seen, highWater } = shown;
  const after = positions[delivered - 1];
  const more = further || delivered < positions.length;
  const behind = {
    ...start,
    removed: lastRemoval ?? start.removed,
    highWater: highWater === null ? null : Date.parse(highWater),
    seen: Math.max(seen, ...[after, lastRemoval, lastDeparture].map((position) => position?.[0] ?? 0)),
  };
  if (start.rollover) {
    const { to } = start.rollover;
    const rollover = { to, after: after ?? start.rollover.after, departed: lastDeparture ?? start.rollover.departed };
    return more ? { ...behind, rollover } : finishRollover(behind);
  }
  const [first] = positions;
  return {
    ...behind,
    pageSpanMs: more && after && first ? after[0] - first[0] : null,
    after: after ?? start.after,
    departed: lastDeparture ?? start.departed ?? [seen, Number.MAX_SAFE_INTEGER],
  };
}
