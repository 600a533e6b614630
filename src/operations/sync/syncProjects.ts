/**
 * `GET /projects/sync`: a walk in (lastUpdated, id) order that misses nothing. Loads commit at once and stamp above all that was committed
 * before, so that no record can appear behind a cursor (decisions §3).
 */
import { ApiError } from '../../domain/errors.ts';
import type { Scope } from '../../domain/principal.ts';
import type { PublicRecord } from '../../domain/record/represent.ts';
import type { RawParameters } from '../../filter/parse.ts';
import type { Warning } from '../../filter/resolve.ts';
import { allOf, terms } from '../../query/clauses.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from '../../search/caller.ts';
import { deliver, type PageDelivery, redeliver } from '../../search/delivery.ts';
import { governmentWarning, SEND_THE_FLAG } from '../../search/governmentWarning.ts';
import { once } from '../../search/idempotency.ts';
import {
  deliveredRecords,
  evidencePaths,
  evidenceWarning,
  meanwhile,
  publicRecords,
  unconfirmedFilters,
  viewOf,
} from '../../search/page.ts';
import { recordsAgain } from '../../search/replay.ts';
import { parseSync, type SyncRequest } from '../../search/request.ts';
import type { ProjectHit, Removal, TimeAndId, WalkPage } from '../../store/elastic/projects.ts';
import type { CommittedOutcome } from '../../store/postgres/idempotency.ts';
import { bindingOf, type Position, readCursor, writeCursor } from './cursor.ts';
import { legOf, onDay, turned } from './dayRollover.ts';
import type { ReadAhead } from './readAhead.ts';
import { quoteOfWalk } from './walkQuote.ts';

export interface SyncServices extends ProjectServices {
  ahead: ReadAhead;
  cursorSecret: string;
  /** records that may share one lastUpdated */
  tieLimit: number;
}

const ORDER = [{ lastUpdated: 'asc' }, { id: 'asc' }];

/** One page of one walk. */
interface Walk extends SyncRequest {
  /** what its cursors are bound to */
  bound: string;
  /** undefined where the walk begins */
  at: Position | undefined;
}

/** What a page showed besides the content of its records; kept for a repetition under the same idempotency key. */
interface Shown {
  start: Position;
  /** what its cursor is bound to */
  bound: string;
  /** places of its records in the walk */
  positions: TimeAndId[];
  /** records or removals lie beyond the page */
  further: boolean;
  removed: Told[];
  lastRemoved: TimeAndId | null;
  lastLeft: TimeAndId | null;
  seen: number;
  highWater: string | null;
  scanned: number;
  unpositionable: number;
}

export async function syncProjects(services: SyncServices, caller: Caller, raw: RawParameters): Promise<Answer<PublicRecord[]>> {
  const request = parseSync(raw, caller.principal, environmentOf(services));
  const binding = bindingOf(request.meaning, request.spelling, request.selection.scope);
  const at = request.cursor ? readCursor(request.cursor, binding, services.cursorSecret) : undefined;
  const walk = { ...request, bound: binding.meaning, at };
  return once(services, caller, JSON.stringify([...raw].sort()), {
    run: (claimed) => newPage(services, claimed, walk),
    replay: (outcome) => replayedPage(services, caller, walk, outcome),
  });
}

async function newPage(services: SyncServices, caller: Caller, walk: Walk): Promise<Answer<PublicRecord[]>> {
  const { start, page } = await nextPage(services, caller, walk);
  if (!start.turn) await refuseTie(services, caller, walk, start, page.hits);
  const positioned = page.hits.filter((hit) => hit.project.lastUpdated !== undefined);
  const hits = positioned.slice(0, walk.limit);
  const [removed, leftOut] = await Promise.all([
    removedOf(services, caller, walk, page, start.unlisted),
    governmentWarning(services.store, walk.selection, SEND_THE_FLAG, caller.signal),
  ]);
  const shown = shownBy(page, { start, bound: walk.bound, removed, hits, further: positioned.length > hits.length || page.moreGone });
  prepareNext(services, caller, walk, shown);
  const keeping = caller.claim ? { ...caller, claim: { ...caller.claim, keep: shown } } : caller;
  const [delivery, records] = await Promise.all([
    deliver(
      services,
      keeping,
      hits.map((hit) => hit.project),
      () => quoteOfWalk(services, walk, start, caller.signal),
    ),
    meanwhile(() => publicRecords(hits, walk.selection, viewOf(services, caller, walk))),
  ]);
  return answer(services, walk, shown, { hits, records, delivery, leftOut });
}

/** The records of a page that was committed before, as they are now and without charge; the walk goes on from it as from the first. */
async function replayedPage(
  services: SyncServices,
  caller: Caller,
  walk: Walk,
  outcome: CommittedOutcome,
): Promise<Answer<PublicRecord[]>> {
  const { positions, ...rest } = outcome.kept as Shown;
  const shown: Shown = {
    ...rest,
    positions: positions.slice(0, outcome.ids.length),
    further: rest.further || outcome.ids.length < positions.length,
  };
  const [hits, leftOut] = await Promise.all([
    recordsAgain(services, caller, walk, outcome.ids),
    governmentWarning(services.store, walk.selection, SEND_THE_FLAG, caller.signal),
  ]);
  const delivery = await redeliver(
    services,
    caller,
    hits.map((hit) => hit.project),
    outcome,
  );
  const records = publicRecords(hits, walk.selection, viewOf(services, caller, walk));
  return answer(services, walk, shown, { hits, records, delivery, leftOut });
}

/** Where the page begins, and what is found there. A new day that lets nothing in and drops nothing is passed over. */
async function nextPage(services: SyncServices, caller: Caller, walk: Walk): Promise<{ start: Position; page: WalkPage }> {
  const { today } = walk.selection.context;
  const at = walk.at ?? (walk.from === undefined ? await beginning(services, caller, today) : beginningAt(walk.from, today));
  const start = onDay(at, today, walk.queryOn);
  const page = await services.ahead.walk(...searchFor(walk, start), caller.signal);
  if (!start.turn || page.hits.length || page.left.length) return { start, page };
  const behind = turned(start);
  return { start: behind, page: await services.ahead.walk(...searchFor(walk, behind), caller.signal) };
}

/** A walk that begins now has nothing of what was removed before. */
async function beginning({ store }: SyncServices, { signal }: Caller, day: string): Promise<Position> {
  const removed = await store.lastRemoval(signal);
  return { after: null, removed, left: null, seen: removed[0], highWater: null, unlisted: false, pace: null, day, turn: null };
}

/** A walk that continues a copy made elsewhere hears of everything that went since. */
function beginningAt(from: string, day: string): Position {
  const start = [Date.parse(from), 0] as const;
  return { after: start, removed: start, left: start, seen: 0, highWater: null, unlisted: false, pace: null, day, turn: null };
}

function searchFor({ selection, limit, representation, queryOn }: SyncRequest, position: Omit<Position, 'unlisted'>) {
  const { query, gone, after, left, until } = legOf(position, queryOn);
  const search = {
    query,
    gone,
    until,
    sort: ORDER,
    size: limit + 1,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: false,
    ...(after ? { searchAfter: [...after] } : {}),
  };
  return [search, { ...position, left }] as const;
}

/**
 * A walk that is under way and finds more will ask for what comes next. Not where a record is billed, which has to be the newest there is,
 * nor for a trial, whose page may end earlier than it was asked for.
 */
function prepareNext({ ahead }: SyncServices, { principal }: Caller, walk: Walk, shown: Shown): void {
  if (!walk.at || !shown.further || shown.start.turn || principal.plan.recordCredit > 0) return;
  ahead.prepare(...searchFor(walk, endOf(shown, shown.positions.length)));
}

function shownBy(
  page: WalkPage,
  { hits, ...known }: Pick<Shown, 'start' | 'bound' | 'removed' | 'further'> & { hits: readonly ProjectHit[] },
): Shown {
  const { seen, highWater } = page;
  return {
    ...known,
    positions: hits.map(({ project }) => [Date.parse(project.lastUpdated), project.id]),
    lastRemoved: page.removed.map(({ at, id }): TimeAndId => [Date.parse(at), id]).at(-1) ?? null,
    lastLeft: page.left.at(-1) ?? null,
    seen,
    highWater,
    scanned: page.hits.length,
    unpositionable: page.hits.filter((hit) => hit.project.lastUpdated === undefined).length,
  };
}

/** Where the next page begins after so many records of this one. A record can leave the walk from what its first page saw. */
function endOf(shown: Shown, delivered: number): Omit<Position, 'unlisted'> {
  const { start, positions, further, lastRemoved, lastLeft, seen, highWater } = shown;
  const after = positions[delivered - 1];
  const more = further || delivered < positions.length;
  const behind = {
    ...start,
    removed: lastRemoved ?? start.removed,
    highWater: highWater === null ? null : Date.parse(highWater),
    seen: Math.max(seen, ...[after, lastRemoved, lastLeft].map((position) => position?.[0] ?? 0)),
  };
  if (!start.turn) {
    const [first] = positions;
    const pace = more && after && first ? after[0] - first[0] : null;
    return { ...behind, pace, after: after ?? start.after, left: lastLeft ?? start.left ?? [seen, Number.MAX_SAFE_INTEGER] };
  }
  const turn = { to: start.turn.to, after: after ?? start.turn.after, left: lastLeft ?? start.turn.left };
  return more ? { ...behind, turn } : turned(behind);
}

/**
 * What a copy has to drop: removed records, and records that are there but that the filters or the licence no longer find. Those outside
 * the licence or the filters are told only to a pool that was delivered them, unless its history is not whole or cannot be read.
 */
async function removedOf(
  { holdings }: SyncServices,
  { principal }: Caller,
  { selection: { scope } }: SyncRequest,
  { removed, left }: WalkPage,
  unlisted: boolean,
): Promise<Told[]> {
  const traces = removed.map((trace) => ({
    told: { id: trace.id, mergedInto: trace.mergedInto ?? null, at: trace.at },
    certain: isWithin(scope, trace),
  }));
  const changes = left.map(([ms, id]) => ({ told: { id, mergedInto: null, at: new Date(ms).toISOString() }, certain: false }));
  const gone = [...traces, ...changes];
  const doubtful = gone.filter(({ certain }) => !certain).map(({ told }) => told.id);
  const all = () => new Set(doubtful);
  const held =
    unlisted || !doubtful.length
      ? all()
      : await holdings.among(principal.teamId, doubtful).catch((error) => {
          if (error instanceof ApiError) return all();
          throw error;
        });
  return gone.filter(({ told, certain }) => certain || held.has(told.id)).map(({ told }) => told);
}

function isWithin(scope: Scope, { stateId, countyId }: Removal): boolean {
  return !scope || scope.stateIds.includes(Number(stateId)) || scope.countyIds.includes(Number(countyId));
}

interface Told {
  id: number;
  mergedInto: number | null;
  at: string;
}

/** More records than the limit at one timestamp are refused; looked into only when a whole page shares one. */
async function refuseTie(
  { store, tieLimit }: SyncServices,
  { signal }: Caller,
  { queryOn, limit }: SyncRequest,
  { day }: Position,
  hits: readonly ProjectHit[],
) {
  const first = hits[0]?.project.lastUpdated;
  const last = hits.at(-1)?.project.lastUpdated;
  if (hits.length <= limit || first === undefined || first !== last) return;
  const [tied = 0] = await store.counts([allOf([queryOn(day), terms('lastUpdated', [first])])], signal);
  if (tied <= tieLimit) return;
  throw new ApiError('sync_tie_unresolved', `${tied} records share the timestamp ${first}; the walk cannot pass it`, {
    details: {
      suggestion: 'Split the walk by geography: one walk a state, or a county.',
      timestamp: first,
      records: tied,
      limit: tieLimit,
    },
  });
}

interface Page {
  hits: readonly ProjectHit[];
  records: readonly PublicRecord[];
  delivery: PageDelivery;
  /** tells of records that were asked for by id and left out */
  leftOut: readonly Warning[];
}

function answer(
  { cursorSecret }: SyncServices,
  { selection, representation, limit, warnings, appliedDefaults }: Walk,
  shown: Shown,
  { hits, records, delivery, leftOut }: Page,
): Answer<PublicRecord[]> {
  const delivered = hits.slice(0, delivery.deliveries.length);
  const { start, bound, positions, further, highWater, scanned, removed } = shown;
  const through = delivery.trialTruncation?.delivered ?? positions.length;
  const unlisted = start.unlisted || (delivered.length > 0 && !delivery.meta.ledgerApplied);
  const watermark = positions[through - 1];
  return {
    data: deliveredRecords(records, delivery.deliveries),
    meta: {
      representation,
      limit,
      creditsUsed: delivery.creditsUsed,
      creditsRemaining: delivery.creditsRemaining,
      pageCount: delivered.length,
      sync: {
        cursor: writeCursor({ ...endOf(shown, through), unlisted }, bound, cursorSecret),
        hasMore: further || through < positions.length || start.turn !== null,
        watermark: watermark ? new Date(watermark[0]).toISOString() : null,
        highWater,
        emitted: delivered.length,
        pageSize: limit,
        candidatesScanned: scanned,
        removed,
      },
      delivery: { ...delivery.meta, mode: 'all' },
      ...(delivery.trialTruncation ? { trialTruncation: delivery.trialTruncation } : {}),
      warnings: [
        ...warnings,
        ...leftOut,
        ...unpositionable(shown.unpositionable),
        ...evidenceWarning(unconfirmedFilters(delivered, selection)),
      ],
      appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

function unpositionable(skipped: number) {
  if (!skipped) return [];
  return [
    { code: 'sync_records_unpositionable', message: `${skipped} records have no time of change and were skipped`, params: { skipped } },
  ];
}
