/** What a copy has to drop: removed records, and existing ones that filters or licence no longer select. */
import { ApiError } from '../../core/domain/errors.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import type { FeedPage, TimeAndId } from '../../core/store/elastic/changeFeed.ts';

/** An entry of `meta.sync.removed`. */
export interface RemovalNotice {
  id: number;
  mergedInto: number | null;
  /** time of the removal, ISO 8601 */
  at: string;
}

interface Candidate {
  notice: RemovalNotice;
  /** true if the walk found the record as it was last; otherwise the removal is reported only to a pool that was delivered the record */
  wasFound: boolean;
}

interface Walk {
  teamId: number;
  unlisted: boolean;
  departed: TimeAndId | null;
  leftAt: Date | null;
  isByIds: boolean;
}

/**
 * The removals and departures that are reported: of records that the walk found as they were last, and of those that changed since the walk
 * read on and that the pool was delivered. If its history is incomplete or cannot be read, all of these are reported, except by ids; a copy without
 * these records ignores the ids.
 * @param unlisted whether the walk served records that the pool's history does not list
 * @param departed up to which change the walk was told what left it; null when it was told nothing yet
 * @param leftAt when departures left, if that is not when they changed
 * @param isByIds the walk filters among ids of records that cost credits: whether it found one is content of that record, so only held ones are named
 */
export async function removalNotices(
  holdings: Pick<HoldingStore, 'heldAmong'>,
  { teamId, unlisted, departed, leftAt, isByIds }: Walk,
  page: Pick<FeedPage, 'removals' | 'departures'>,
): Promise<RemovalNotice[]> {
  const found = listCandidates(page, { departed: isByIds ? null : departed, leftAt });
  const candidates = isByIds ? found.map(({ notice }) => ({ notice, wasFound: false })) : found;
  const doubtful = candidates.filter(({ wasFound }) => !wasFound).map(({ notice }) => notice.id);
  const held = unlisted || !doubtful.length ? new Set(doubtful) : await findHeld(holdings, teamId, doubtful, isByIds);
  return candidates.filter(({ notice, wasFound }) => wasFound || held.has(notice.id)).map(({ notice }) => notice);
}

const isAfter = ([ms, id]: TimeAndId, [fromMs, fromId]: TimeAndId) => ms > fromMs || (ms === fromMs && id > fromId);

const listCandidates = (
  { removals, departures }: Pick<FeedPage, 'removals' | 'departures'>,
  { departed, leftAt }: Pick<Walk, 'departed' | 'leftAt'>,
): Candidate[] => [
  ...removals.flatMap(({ id, mergedInto = null, at, lastUpdated, matched }) => {
    // An earlier page reported a change that took the record away from the walk.
    const isReported = !matched && departed !== null && !isAfter([Date.parse(lastUpdated), id], departed);
    return isReported ? [] : [{ notice: { id, mergedInto, at }, wasFound: matched }];
  }),
  ...departures.map(([ms, id]) => ({ notice: { id, mergedInto: null, at: (leftAt ?? new Date(ms)).toISOString() }, wasFound: false })),
];

/**
 * The ids that were delivered to the pool; all ids when that cannot be read.
 * @param isByIds nothing is told of ids that the pool does not hold: the page is refused, and the client repeats it
 */
async function findHeld(
  holdings: Pick<HoldingStore, 'heldAmong'>,
  teamId: number,
  ids: readonly number[],
  isByIds: boolean,
): Promise<ReadonlySet<number>> {
  try {
    return await holdings.heldAmong(teamId, ids);
  } catch (error) {
    if (error instanceof ApiError && !isByIds) return new Set(ids);
    throw error;
  }
}
