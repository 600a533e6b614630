/** Orders of a page. Equal values are broken by `lastUpdated` desc, then `id` desc, so that pages never overlap. */
import { anyOf, range, terms } from './clauses.ts';

type SortClause = Record<string, unknown>;

export interface SortChoice {
  field: 'meetingDate' | 'lastUpdated' | 'dataRichness' | 'totalUnitCount' | 'acreage';
  direction: 'asc' | 'desc';
}

const HEARINGS = 'derived.hearings';

/**
 * @param meetingCap latest meeting day that may be served, when it differs from the day of the records' writing: a merged development is
 * then ordered by the newest hearing of its family up to that day, which is the date it shows; another record by its one date, whenever
 * that is
 */
export function sortClauses({ field, direction }: SortChoice, meetingCap: string | null): SortClause[] {
  const ties: SortClause[] = [{ lastUpdated: 'desc' }, { id: 'desc' }];
  if (field === 'lastUpdated') return [{ lastUpdated: direction }, { id: 'desc' }];
  if (field === 'meetingDate' && meetingCap !== null) {
    const shown = anyOf([range(`${HEARINGS}.date`, { lte: meetingCap }), terms(`${HEARINGS}.alone`, [true])]);
    return [
      { [`${HEARINGS}.date`]: { order: direction, mode: 'max', nested: { path: HEARINGS, filter: shown }, missing: '_last' } },
      ...ties,
    ];
  }
  return [{ [`derived.${field}`]: { order: direction, missing: '_last' } }, ...ties];
}
