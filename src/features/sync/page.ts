/** One page of a walk: the request, the records shown, and the position of the next page. Pure. */
import type { LineageMark } from '../../core/domain/lineage.ts';
import { anyOf } from '../../core/query/clauses.ts';
import { evidencePaths } from '../../core/search/unconfirmedFilters.ts';
import type { FeedPage, FeedPosition, FeedRequest, TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { ProjectHit } from '../../core/store/elastic/projects.ts';
import { fromWritten, toWritten, type WalkPosition, type WrittenPosition } from './cursor.ts';
import { finishRollover, makeRolloverQueries, type QueryOn } from './dayRollover.ts';
import type { RemovalNotice } from './removals.ts';
import type { SyncRequest } from './request.ts';

/** The position of a walk, without `unlisted`. */
type Place = Omit<WalkPosition, 'unlisted'>;

/** What a page searches for: the next records, or on a new day those that the day adds and removes. */
interface Sought extends Pick<FeedRequest, 'query' | 'departedQuery' | 'lookUntilMs'> {
  after: TimeAndId | null;
  departed: TimeAndId | null;
}

/** How far a page searches first: a multiple of the last page's span, and at least some milliseconds. */
const PAGES_AHEAD = 4;
const MS_AHEAD = 10;

const ORIGIN: TimeAndId = [0, 0];
const ORDER = [{ lastUpdated: 'asc' }, { id: 'asc' }];

export function planSearch({ after, departed, pageSpanMs, day, rollover }: Place, queryOn: QueryOn): Sought {
  if (rollover && after) {
    const { letIn, dropped } = makeRolloverQueries(day, rollover, after, queryOn);
    return { query: letIn, departedQuery: dropped, after: rollover.after, departed: rollover.departed ?? ORIGIN };
  }
  const lookUntilMs = after && pageSpanMs !== null ? after[0] + PAGES_AHEAD * pageSpanMs + MS_AHEAD : undefined;
  return { query: queryOn(day), after, departed, lookUntilMs };
}

/** Matches what a copy may hold of the walk: by the windows of its day, or of the day that it rolls over to. */
const makeCopiedQuery = ({ day, rollover }: Pick<Place, 'day' | 'rollover'>, queryOn: QueryOn) =>
  rollover ? anyOf([queryOn(day), queryOn(rollover.to)]) : queryOn(day);

/** The feed's request for a page, and the position from which it reads. It asks for one record more, to find whether more follow. */
export function makeFeedRequest({ selection, limit, representation, queryOn }: SyncRequest, position: Place): [FeedRequest, FeedPosition] {
  const { query, departedQuery, after, departed, lookUntilMs } = planSearch(position, queryOn);
  const request = {
    query,
    departedQuery,
    removedQuery: makeCopiedQuery(position, queryOn),
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

/** What a page showed, without the content of its records. */
export interface ShownPage {
  start: WalkPosition;
  /** the hash to which its cursor is bound */
  bound: string;
  /** positions of its records in the walk */
  positions: TimeAndId[];
  /** whether more records or removals follow */
  further: boolean;
  removed: RemovalNotice[];
  lastRemoval: TimeAndId | null;
  lastDeparture: TimeAndId | null;
  seen: number;
  highWater: string | null;
  scanned: number;
  unpositionable: number;
  /** the commit of the index that it shows; null if nothing was loaded yet */
  mark: LineageMark | null;
}

/** A shown page, as stored for a month to repeat it under its idempotency key: these names must not change. */
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

/**
 * Reads a stored page.
 * @param kept made by `toKept`
 * @param delivered number of the page's records that were delivered; the others come again
 */
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

/** Records that have a position in the walk; the others cannot be part of it and are skipped. */
export const positioned = ({ hits }: Pick<FeedPage, 'hits'>): ProjectHit[] =>
  hits.filter(({ project }) => project.lastUpdated !== undefined);

/** A walk goes forward, record by record: another order would make a copy miss records. @throws Error, before anything is charged */
function throwUnlessForward({ after, rollover }: Pick<WalkPosition, 'after' | 'rollover'>, positions: readonly TimeAndId[]): void {
  let before = rollover ? rollover.after : after;
  for (const place of positions) {
    if (before && (place[0] < before[0] || (place[0] === before[0] && place[1] <= before[1])))
      throw new Error(`A page of a walk shows ${place} after ${before}`);
    before = place;
  }
}

/**
 * The page as shown.
 * @param hits the page's hits that are shown
 * @throws Error if they do not follow what the walk showed before, each after the other
 */
export function shownPage(
  page: FeedPage,
  hits: readonly ProjectHit[],
  known: Pick<ShownPage, 'start' | 'bound' | 'removed' | 'mark'>,
): ShownPage {
  const { seen, highWater, removals, departures } = page;
  const placed = positioned(page).length;
  const positions = hits.map(({ project }): TimeAndId => [Date.parse(project.lastUpdated), project.id]);
  throwUnlessForward(known.start, positions);
  return {
    ...known,
    further: placed > hits.length || page.moreToDrop,
    positions,
    lastRemoval: removals.map(({ at, id }): TimeAndId => [Date.parse(at), id]).at(-1) ?? null,
    lastDeparture: departures.at(-1) ?? null,
    seen,
    highWater,
    scanned: page.hits.length,
    unpositionable: page.hits.length - placed,
  };
}

/**
 * The position of the next page. Departures are read from what the walk's first page saw.
 * @param delivered number of this page's records
 */
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
