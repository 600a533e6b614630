/** Sort orders of a page. Ties are broken by `lastUpdated` desc, then `id` desc, so that pages never overlap. */
import { anyOf, range, terms } from './clauses.ts';

type SortClause = Record<string, unknown>;

export interface SortChoice {
  field: 'meetingDate' | 'lastUpdated' | 'dataRichness' | 'totalUnitCount' | 'acreage';
  direction: 'asc' | 'desc';
}

const HEARINGS = 'derived.hearings';

/**
 * Sorts records without a meeting date last, at the ends of the range of `Date`: a page goes on after the last record's sort values, and those of
 * `_last`, -2^63 and 2^63 - 1 milliseconds, are no numbers of JSON, so that Elasticsearch would refuse them.
 */
const UNDATED = { asc: 8_640_000_000_000_000, desc: -8_640_000_000_000_000 } as const;

/**
 * The sort clauses of a page.
 * @param meetingCap latest meeting day that may be served, `YYYY-MM-DD`; null when it is the day on which the records were written. With a
 * cap, a merged project is sorted by its newest hearing up to that day, which is the date that it shows, and any other record by its own
 * date.
 */
export function sortClauses({ field, direction }: SortChoice, meetingCap: string | null): SortClause[] {
  const ties: SortClause[] = [{ lastUpdated: 'desc' }, { id: 'desc' }];
  if (field === 'lastUpdated') return [{ lastUpdated: direction }, { id: 'desc' }];
  if (field === 'meetingDate' && meetingCap !== null) {
    const shown = anyOf([range(`${HEARINGS}.date`, { lte: meetingCap }), terms(`${HEARINGS}.alone`, [true])]);
    return [
      { [`${HEARINGS}.date`]: { order: direction, mode: 'max', nested: { path: HEARINGS, filter: shown }, missing: UNDATED[direction] } },
      ...ties,
    ];
  }
  const missing = field === 'meetingDate' ? UNDATED[direction] : '_last';
  return [{ [`derived.${field}`]: { order: direction, missing } }, ...ties];
}
