/**
 * `GET /projects/sync`: a walk in (lastUpdated, id) order that misses nothing. Loads commit at once and stamp above all that was committed
 * before, so that no record can appear behind a cursor (decisions §3).
 */
import { ApiError } from '../domain/errors.ts';
import type { PublicRecord } from '../domain/representation.ts';
import type { Scope } from '../filter/compile.ts';
import type { RawParameters } from '../filter/parse.ts';
import { allOf, terms } from '../query/clauses.ts';
import type { ProjectHit, Removal, TimeAndId, WalkPage } from '../store/projects.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from './caller.ts';
import { bindingOf, type Position, readCursor, writeCursor } from './cursor.ts';
import { deliver, type PageDelivery, type QuoteBase } from './delivery.ts';
import { deliveredRecords, evidencePaths, evidenceWarning, meanwhile, publicRecords, unconfirmedFilters } from './page.ts';
import { parseSync, type SyncRequest } from './request.ts';

export interface SyncServices extends ProjectServices {
  cursorSecret: string;
  /** records that may share one lastUpdated */
  tieLimit: number;
}

const ORDER = [{ lastUpdated: 'asc' }, { id: 'asc' }];

export async function syncProjects(services: SyncServices, caller: Caller, raw: RawParameters): Promise<Answer<PublicRecord[]>> {
  const request = parseSync(raw, caller.principal, environmentOf(services));
  const { selection, limit } = request;
  const bound = bindingOf([request.boundFilters, selection.scope]);
  const start = request.cursor
    ? readCursor(request.cursor, bound, services.cursorSecret)
    : request.from === undefined
      ? await beginning(services, caller)
      : beginningAt(request.from);
  const page = await fetchPage(services, caller, request, start);
  await refuseTie(services, caller, request, page.hits);
  const positioned = page.hits.filter((hit) => hit.project.lastUpdated !== undefined);
  const wanted = positioned.slice(0, limit);
  const removed = await removedOf(services, caller, request, page, start.unlisted);
  const view = { publicUrl: services.publicUrl, principal: caller.principal, representation: request.representation };
  const [delivery, records] = await Promise.all([
    deliver(
      services,
      caller,
      wanted.map((hit) => hit.project),
      quoteOf(services.publicUrl, page),
    ),
    meanwhile(() => publicRecords(wanted, selection, view)),
  ]);
  const hits = wanted.slice(0, delivery.deliveries.length);
  const hasMore = positioned.length > hits.length || page.moreGone;
  const unlisted = start.unlisted || (hits.length > 0 && !delivery.meta.ledgerApplied);
  const cursor = writeCursor({ ...endOf(start, page, hits), unlisted }, bound, services.cursorSecret);
  return answer(request, page, { hits, records, removed }, delivery, { cursor, hasMore });
}

/** A walk that begins now has nothing of what was removed before. */
async function beginning({ store }: SyncServices, { signal }: Caller): Promise<Position> {
  const removed = await store.lastRemoval(signal);
  return { after: null, removed, left: null, seen: removed[0], unlisted: false };
}

/** A walk that continues a copy made elsewhere hears of everything that went since. */
function beginningAt(from: string): Position {
  const start = [Date.parse(from), 0] as const;
  return { after: start, removed: start, left: start, seen: 0, unlisted: false };
}

function fetchPage({ store }: SyncServices, { signal }: Caller, request: SyncRequest, start: Position): Promise<WalkPage> {
  const { selection, limit, representation } = request;
  const search = {
    query: request.walkQuery,
    sort: ORDER,
    size: limit + 1,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: false,
    signal,
    ...(start.after ? { searchAfter: [...start.after] } : {}),
  };
  return store.walk(search, start);
}

/** Where the next page begins. A record can leave the walk from what its first page saw. */
function endOf(start: Position, page: WalkPage, hits: readonly ProjectHit[]): Omit<Position, 'unlisted'> {
  const after = positionOf(hits.at(-1));
  const removed = page.removed.map(({ at, id }): TimeAndId => [Date.parse(at), id]).at(-1);
  const left = page.left.at(-1);
  return {
    after: after ?? start.after,
    removed: removed ?? start.removed,
    left: left ?? start.left ?? [page.seen, Number.MAX_SAFE_INTEGER],
    seen: Math.max(page.seen, ...[after, removed, left].map((position) => position?.[0] ?? 0)),
  };
}

const positionOf = (hit: ProjectHit | undefined): TimeAndId | undefined => hit && [Date.parse(hit.project.lastUpdated), hit.project.id];

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
  { walkQuery, limit }: SyncRequest,
  hits: readonly ProjectHit[],
) {
  const first = hits[0]?.project.lastUpdated;
  const last = hits.at(-1)?.project.lastUpdated;
  if (hits.length <= limit || first === undefined || first !== last) return;
  const [tied = 0] = await store.counts([allOf([walkQuery, terms('lastUpdated', [first])])], signal);
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

const quoteOf = (publicUrl: string, page: WalkPage): QuoteBase => ({
  matchCount: page.hits.length,
  matchCountIsExact: false,
  countUrl: `${publicUrl}/v1/projects/count`,
});

function answer(
  { selection, representation, limit, warnings, appliedDefaults }: SyncRequest,
  page: WalkPage,
  { hits, records, removed }: { hits: readonly ProjectHit[]; records: readonly PublicRecord[]; removed: readonly Told[] },
  delivery: PageDelivery,
  sync: { cursor: string; hasMore: boolean },
): Answer<PublicRecord[]> {
  const skipped = page.hits.length - page.hits.filter((hit) => hit.project.lastUpdated !== undefined).length;
  return {
    data: deliveredRecords(records, delivery.deliveries),
    meta: {
      representation,
      limit,
      creditsUsed: delivery.creditsUsed,
      creditsRemaining: delivery.creditsRemaining,
      pageCount: hits.length,
      sync: {
        ...sync,
        watermark: hits.at(-1)?.project.lastUpdated ?? null,
        highWater: page.highWater,
        emitted: hits.length,
        pageSize: limit,
        candidatesScanned: page.hits.length,
        removed,
      },
      delivery: { ...delivery.meta, mode: 'all' },
      ...(delivery.trialTruncation ? { trialTruncation: delivery.trialTruncation } : {}),
      warnings: [...warnings, ...unpositionable(skipped), ...evidenceWarning(unconfirmedFilters(hits, selection))],
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
