/**
 * `GET /projects/sync`: a lossless walk in (lastUpdated, id) order. A load is committed at once, with stamps later than everything
 * committed before, so that no record can appear before a cursor. The rules of a walk are in src/docs/paging-and-sync.md.
 */
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { CommittedOutcome } from '../../core/ledger/idempotencyStore.ts';
import type { Actor } from '../../core/search/actor.ts';
import { priceIds, throwUnlessIdsPaid } from '../../core/search/byIds.ts';
import { withStanding } from '../../core/search/charge.ts';
import { readGovernmentWarning, SEND_THE_FLAG } from '../../core/search/governmentWarning.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import { fetchDeliveredHits, type ServedPage, serveAgain, servePage } from '../../core/search/servePage.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { bindingOf, type CursorContent, readCursor, refuseLineage, writeCursor } from './cursor.ts';
import { findTimeLeft } from './dayRollover.ts';
import { fromKept, positionAfter, positioned, type ShownPage, shownPage, toKept } from './page.ts';
import { quoteIds, quoteWalk } from './quote.ts';
import { removalNotices } from './removals.ts';
import type { SyncRequest } from './request.ts';
import { throwIfTied } from './tie.ts';
import { nextPage, prepareNext, type SyncServices, type WalkRequest } from './walk.ts';

export async function syncProjects(services: SyncServices, actor: Actor, request: SyncRequest): Promise<OperationAnswer<ServedRecord[]>> {
  const bound = bindingOf(request.meaning, request.selection.scope);
  const from = request.cursor ? readCursor(request.cursor, bound, services.cursorSecret) : undefined;
  await throwUnlessContinued(services, from, actor);
  const walk = { ...request, bound, at: from?.position };
  return runOnce(services, actor, request.same, {
    run: (claiming) => serveNewPage(services, withStanding(services, claiming), walk),
    replay: (outcome) => serveReplayedPage(services, actor, walk, outcome),
  });
}

/**
 * @throws ApiError `service_unavailable` while the index is not the recorded one; `invalid_cursor` when the cursor belongs to another index
 */
async function throwUnlessContinued({ lineage }: SyncServices, from: CursorContent | undefined, { signal }: Actor): Promise<void> {
  const isContinued = await lineage.continues(from?.mark, signal);
  if (from && !isContinued) throw refuseLineage();
}

async function serveNewPage(services: SyncServices, actor: Actor, walk: WalkRequest): Promise<OperationAnswer<ServedRecord[]>> {
  const { principal, signal } = actor;
  const { selection, representation, limit, bound, withContacts, withDerived } = walk;
  const ids = await priceIds(services, actor, selection);
  if (ids) throwUnlessIdsPaid(ids, actor, limit, quoteIds(ids));
  const { start, page } = await nextPage(services, actor, { ...walk, showsEveryDay: ids !== undefined });
  if (!start.rollover) await throwIfTied(services, walk.queryOn(start.day), limit, page.hits, signal);
  const hits = positioned(page).slice(0, limit);
  const pool = {
    teamId: principal.teamId,
    unlisted: start.unlisted,
    departed: start.departed,
    leftAt: findTimeLeft(start, services.now()),
    isByIds: ids !== undefined,
  };
  const [removed, leftOut, mark] = await Promise.all([
    removalNotices(services.holdings, pool, page),
    readGovernmentWarning(services.store, selection, SEND_THE_FLAG, actor),
    services.lineage.markOf(page.seen, signal),
  ]);
  const found = shownPage(page, hits, { start, bound, removed, mark });
  const shown = ids ? hideWhatFollows(found, limit) : found;
  prepareNext(services, actor, walk, shown);
  const served = await servePage(services, actor, {
    hits,
    selection,
    representation,
    withContacts,
    withDerived,
    quoteOf: () => (ids ? quoteIds(ids) : quoteWalk(services, walk, start, hits.length, signal)),
    keep: toKept(shown),
  });
  return makeAnswer(services, walk, shown, served, leftOut);
}

/** Among ids, a full page says that more may follow, and nothing of the match after it. */
const hideWhatFollows = (shown: ShownPage, limit: number): ShownPage => {
  const { length } = shown.positions;
  return { ...shown, further: shown.further || length === limit, scanned: length + shown.unpositionable };
};

/** Repeats a committed page without charge. The walk continues as from the original page. */
async function serveReplayedPage(
  services: SyncServices,
  actor: Actor,
  walk: WalkRequest,
  outcome: CommittedOutcome,
): Promise<OperationAnswer<ServedRecord[]>> {
  const { selection, representation, withContacts, withDerived } = walk;
  const [hits, leftOut] = await Promise.all([
    fetchDeliveredHits(services, actor, walk, outcome.ids),
    readGovernmentWarning(services.store, selection, SEND_THE_FLAG, actor),
  ]);
  const served = await serveAgain(services, actor, { hits, selection, representation, withContacts, withDerived }, outcome);
  return makeAnswer(services, walk, fromKept(outcome.kept, outcome.ids.length), served, leftOut);
}

/** The answer of a page. @param leftOut warnings about records that were requested by id and left out */
function makeAnswer(
  { cursorSecret }: Pick<SyncServices, 'cursorSecret'>,
  { selection, representation, limit, warnings, appliedDefaults }: WalkRequest,
  shown: ShownPage,
  { records, creditsUsed, creditsRemaining, delivery, trialTruncation, warnings: unconfirmed }: ServedPage,
  leftOut: readonly Warning[],
): OperationAnswer<ServedRecord[]> {
  const { start, bound, positions, further, highWater, scanned, removed } = shown;
  const through = trialTruncation?.delivered ?? positions.length;
  const unlisted = start.unlisted || (records.length > 0 && !delivery.ledgerApplied);
  const watermark = positions[through - 1];
  return {
    data: records,
    meta: {
      representation,
      limit,
      creditsUsed,
      creditsRemaining,
      pageCount: records.length,
      sync: {
        cursor: writeCursor({ ...positionAfter(shown, through), unlisted }, bound, cursorSecret, shown.mark ?? null),
        hasMore: further || through < positions.length || start.rollover !== null,
        watermark: watermark ? new Date(watermark[0]).toISOString() : null,
        highWater,
        emitted: records.length,
        pageSize: limit,
        candidatesScanned: scanned,
        removed,
      },
      delivery: { ...delivery, mode: 'all' },
      ...(trialTruncation ? { trialTruncation } : {}),
      warnings: [...warnings, ...leftOut, ...makeSkippedWarnings(shown.unpositionable), ...unconfirmed],
      appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

function makeSkippedWarnings(skipped: number): Warning[] {
  if (!skipped) return [];
  return [
    { code: 'sync_records_unpositionable', message: `${skipped} records have no time of change and were skipped`, params: { skipped } },
  ];
}
