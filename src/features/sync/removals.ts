/** What a copy has to drop: removed records, and existing ones that filters or licence no longer select. */
import { ApiError } from '../../core/domain/errors.ts';
import { isWithin, type Scope } from '../../core/domain/principal.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import type { FeedPage } from '../../core/store/elastic/changeFeed.ts';

/** An entry of `meta.sync.removed`. */
export interface RemovalNotice {
  id: number;
  mergedInto: number | null;
  /** time of the removal, ISO 8601 */
  at: string;
}

interface Candidate {
  notice: RemovalNotice;
  /** true if the licence covers the record; otherwise the removal is reported only to a pool that was delivered the record */
  isPublic: boolean;
}

/**
 * The removals and departures that are reported. Those of records outside the licence or the filters are reported only to a pool that was
 * delivered the records. If its history is incomplete or cannot be read, all are reported; a copy without these records ignores the ids.
 * @param unlisted whether the walk served records that the pool's history does not list
 */
export async function removalNotices(
  holdings: Pick<HoldingStore, 'heldAmong'>,
  { teamId, scope, unlisted }: { teamId: number; scope: Scope; unlisted: boolean },
  page: Pick<FeedPage, 'removals' | 'departures'>,
): Promise<RemovalNotice[]> {
  const candidates = candidatesOf(page, scope);
  const doubtful = candidates.filter(({ isPublic }) => !isPublic).map(({ notice }) => notice.id);
  const held = unlisted || !doubtful.length ? new Set(doubtful) : await heldAmong(holdings, teamId, doubtful);
  return candidates.filter(({ notice, isPublic }) => isPublic || held.has(notice.id)).map(({ notice }) => notice);
}

const candidatesOf = ({ removals, departures }: Pick<FeedPage, 'removals' | 'departures'>, scope: Scope): Candidate[] => [
  ...removals.map((removal) => ({
    notice: { id: removal.id, mergedInto: removal.mergedInto ?? null, at: removal.at },
    isPublic: isWithin(scope, { stateId: Number(removal.stateId), countyId: Number(removal.countyId) }),
  })),
  ...departures.map(([ms, id]) => ({ notice: { id, mergedInto: null, at: new Date(ms).toISOString() }, isPublic: false })),
];

/** The ids that were delivered to the pool; all ids when that cannot be read. */
async function heldAmong(holdings: Pick<HoldingStore, 'heldAmong'>, teamId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
  try {
    return await holdings.heldAmong(teamId, ids);
  } catch (error) {
    if (error instanceof ApiError) return new Set(ids);
    throw error;
  }
}
