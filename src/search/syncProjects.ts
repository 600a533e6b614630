/**
 * `GET /projects/sync`: a walk in (lastUpdated, id) order that misses nothing. Loads commit at once and stamp above all that was committed
 * before, so that no record can appear behind a cursor (decisions §3).
 */
import { ApiError } from '../domain/errors.ts';
import type { PublicRecord } from '../domain/representation.ts';
import { withinScope } from '../filter/compile.ts';
import type { RawParameters } from '../filter/parse.ts';
import { allOf, type Clause, terms } from '../query/clauses.ts';
import type { ProjectHit, WalkPage } from '../store/projects.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from './caller.ts';
import { bindingOf, type Position, readCursor, writeCursor } from './cursor.ts';
import { deliver, type PageDelivery, type QuoteBase } from './delivery.ts';
import { evidencePaths, evidenceWarning, publicRecords, unconfirmedFilters } from './page.ts';
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
  const start: Position = request.cursor
    ? readCursor(request.cursor, bound, services.cursorSecret)
    : { after: null, removed: await newRemovals(services, caller) };
  const page = await fetchPage(services, caller, request, start);
  await refuseTie(services, caller, request, page.hits);
  const positioned = page.hits.filter((hit) => hit.project.lastUpdated !== undefined);
  const wanted = positioned.slice(0, limit);
  const delivery = await deliver(
    services,
    caller,
    wanted.map((hit) => hit.project),
    quoteOf(services.publicUrl, page),
  );
  const hits = wanted.slice(0, delivery.deliveries.length);
  const more = positioned.length > hits.length;
  const end: Position = { after: positionOf(hits.at(-1)) ?? start.after, removed: lastRemoved(page) ?? start.removed };
  return answer(services, caller, request, page, hits, delivery, { cursor: writeCursor(end, bound, services.cursorSecret), hasMore: more });
}

/** A walk that begins now has nothing of what was removed before. */
async function newRemovals({ store }: SyncServices, { signal }: Caller): Promise<Position['removed']> {
  const { at, id } = await store.lastRemoval(signal);
  return [at, id];
}

function fetchPage({ store }: SyncServices, { signal }: Caller, request: SyncRequest, start: Position): Promise<WalkPage> {
  const { selection, limit, representation } = request;
  const search = {
    query: start.after ? request.walkQuery : selection.query,
    sort: ORDER,
    size: limit + 1,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: false,
    signal,
    ...(start.after ? { searchAfter: start.after } : {}),
  };
  return store.walk(search, { at: start.removed[0], id: start.removed[1] }, removalScope(request));
}

/** A trace carries its record's state and county, so that a licence narrows traces as it narrows records. */
const removalScope = ({ selection }: SyncRequest): Clause[] => withinScope(selection.scope, { state: 'stateId', county: 'countyId' });

const positionOf = (hit: ProjectHit | undefined): [number, number] | undefined =>
  hit && [Date.parse(hit.project.lastUpdated), hit.project.id];

function lastRemoved({ removed }: WalkPage): Position['removed'] | undefined {
  const last = removed.at(-1);
  return last && [last.at, last.id];
}

/** More records than the limit at one timestamp are refused; looked into only when a whole page shares one. */
async function refuseTie(
  { store, tieLimit }: SyncServices,
  { signal }: Caller,
  { selection, limit }: SyncRequest,
  hits: readonly ProjectHit[],
) {
  const first = hits[0]?.project.lastUpdated;
  const last = hits.at(-1)?.project.lastUpdated;
  if (hits.length <= limit || first === undefined || first !== last) return;
  const [tied = 0] = await store.counts([allOf([selection.query, terms('lastUpdated', [first])])], signal);
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
  { publicUrl }: SyncServices,
  { principal }: Caller,
  { selection, representation, limit, warnings, appliedDefaults }: SyncRequest,
  page: WalkPage,
  hits: readonly ProjectHit[],
  delivery: PageDelivery,
  sync: { cursor: string; hasMore: boolean },
): Answer<PublicRecord[]> {
  const skipped = page.hits.length - page.hits.filter((hit) => hit.project.lastUpdated !== undefined).length;
  return {
    data: publicRecords(hits, delivery, selection, { publicUrl, principal, representation }),
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
        removed: page.removed.map(({ id, mergedInto, at }) => ({ id, mergedInto: mergedInto ?? null, at })),
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
