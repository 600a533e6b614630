/** A walk through the change feed: where its pages begin, and what is found there. */
import type { Actor } from '../../core/search/actor.ts';
import type { ProjectServices } from '../../core/search/services.ts';
import type { ChangeFeed, FeedPage } from '../../core/store/elastic/changeFeed.ts';
import type { LineageWatch } from '../../core/store/lineageWatch.ts';
import type { WalkPosition } from './cursor.ts';
import { finishRollover, startRollover } from './dayRollover.ts';
import { feedRequest, positionAfter, type ShownPage } from './page.ts';
import type { ReadAhead } from './readAhead.ts';
import type { SyncRequest } from './request.ts';
import type { TieServices } from './tie.ts';

export interface SyncServices extends ProjectServices, Pick<TieServices, 'tieLimit'> {
  changes: ChangeFeed;
  ahead: ReadAhead;
  cursorSecret: string;
  lineage: Pick<LineageWatch, 'continues' | 'markOf'>;
}

/** One page of one walk. */
export interface WalkRequest extends SyncRequest {
  /** what its cursors are bound to */
  bound: string;
  /** undefined where the walk begins */
  at: WalkPosition | undefined;
}

/** Where the page begins, and what is found there. A new day that lets nothing in and drops nothing is passed over. */
export async function nextPage(
  services: Pick<SyncServices, 'changes' | 'ahead'>,
  { signal }: Pick<Actor, 'signal'>,
  walk: WalkRequest,
): Promise<{ start: WalkPosition; page: FeedPage }> {
  const { today } = walk.selection.context;
  const at = walk.at ?? (walk.from === undefined ? await beginningNow(services.changes, today, signal) : beginningAt(walk.from, today));
  const start = startRollover(at, today, walk.queryOn);
  const page = await services.ahead.page(...feedRequest(walk, start), signal);
  if (!start.rollover || page.hits.length || page.departures.length) return { start, page };
  const behind = finishRollover(start);
  return { start: behind, page: await services.ahead.page(...feedRequest(walk, behind), signal) };
}

const BEGINNING = { highWater: null, unlisted: false, pageSpanMs: null, rollover: null };

/** A walk that begins now has nothing of what was removed before. */
async function beginningNow(changes: ChangeFeed, day: string, signal: AbortSignal | undefined): Promise<WalkPosition> {
  const removed = await changes.lastRemoval(signal);
  return { ...BEGINNING, after: null, removed, departed: null, seen: removed[0], day };
}

/** A walk that continues a copy made elsewhere is told of everything that went since. */
function beginningAt(from: string, day: string): WalkPosition {
  const start = [Date.parse(from), 0] as const;
  return { ...BEGINNING, after: start, removed: start, departed: start, seen: 0, day };
}

/**
 * A walk that is under way and finds more will ask for what comes next. Not where a record is billed, which has to be the newest there is,
 * nor for a trial, whose page may end earlier than it was asked for.
 */
export function prepareNext({ ahead }: Pick<SyncServices, 'ahead'>, { principal }: Actor, walk: WalkRequest, shown: ShownPage): void {
  if (!walk.at || !shown.further || shown.start.rollover || principal.plan.recordCredit > 0) return;
  ahead.prepare(...feedRequest(walk, positionAfter(shown, shown.positions.length)));
}
