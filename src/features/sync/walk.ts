/** A walk through the change feed: the positions and contents of its pages. */
import type { Actor } from '../../core/search/actor.ts';
import { dayOfSelection, pinRestrictions, type ServedRestrictions } from '../../core/search/select.ts';
import type { ProjectServices } from '../../core/search/services.ts';
import type { ChangeFeed, FeedPage } from '../../core/store/elastic/changeFeed.ts';
import type { LineageWatch } from '../../core/store/lineageWatch.ts';
import type { WalkPosition } from './cursor.ts';
import { finishRollover, startRollover } from './dayRollover.ts';
import { makeFeedRequest, positionAfter, type ShownPage } from './page.ts';
import type { ReadAhead } from './readAhead.ts';
import type { SyncRequest } from './request.ts';
import type { TieServices } from './tie.ts';

export interface SyncServices extends ProjectServices, ServedRestrictions, Pick<TieServices, 'tieLimit'> {
  changes: ChangeFeed;
  ahead: ReadAhead;
  cursorSecret: string;
  lineage: Pick<LineageWatch, 'continues' | 'markOf'>;
}

export interface WalkRequest extends SyncRequest {
  /** the hash to which its cursors are bound */
  bound: string;
  /** undefined for the first page */
  at: WalkPosition | undefined;
}

/**
 * The position of a page, and what was found there. A new day that adds and removes nothing is skipped, unless every day is shown: that one
 * is skipped would say that no unpaid record is removed.
 */
export async function nextPage(
  services: Pick<SyncServices, 'changes' | 'ahead' | 'restrictions'>,
  { signal }: Pick<Actor, 'signal'>,
  { showsEveryDay, ...walk }: WalkRequest & { showsEveryDay?: boolean },
): Promise<{ start: WalkPosition; page: FeedPage }> {
  const today = dayOfSelection((await pinRestrictions(walk.selection, services)).context);
  const at = walk.at ?? (walk.from === undefined ? await startNow(services.changes, today, signal) : startAt(walk.from, today));
  const start = startRollover(at, today, walk.queryOn);
  const page = await services.ahead.readPage(...makeFeedRequest(walk, start), signal);
  if (!start.rollover || showsEveryDay || page.hits.length || page.departures.length) return { start, page };
  const behind = finishRollover(start);
  return { start: behind, page: await services.ahead.readPage(...makeFeedRequest(walk, behind), signal) };
}

const BEGINNING = { highWater: null, unlisted: false, pageSpanMs: null, rollover: null };

/** The first position of a walk that begins now: earlier removals do not concern it. */
async function startNow(changes: ChangeFeed, day: string, signal: AbortSignal | undefined): Promise<WalkPosition> {
  const removed = await changes.readLastRemoval(signal);
  return { ...BEGINNING, after: null, removed, departed: null, seen: removed[0], day };
}

/** The first position of a walk that continues a copy made by other means: every removal since then is reported. */
function startAt(from: string, day: string): WalkPosition {
  const start = [Date.parse(from), 0] as const;
  return { ...BEGINNING, after: start, removed: start, departed: start, seen: 0, day };
}

/**
 * Prefetches the next page if more follow. Not on plans that pay for records, which have to be the newest when they are billed, nor for a
 * trial, whose page may be cut.
 */
export function prepareNext({ ahead }: Pick<SyncServices, 'ahead'>, { principal }: Actor, walk: WalkRequest, shown: ShownPage): void {
  if (!walk.at || !shown.further || shown.start.rollover || principal.plan.recordCredit > 0) return;
  ahead.prepare(...makeFeedRequest(walk, positionAfter(shown, shown.positions.length)));
}
