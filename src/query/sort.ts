/** Orders of a page. Equal values are broken by `lastUpdated` desc, then `id` desc, so that pages never overlap (decisions §5). */

export type SortClause = Record<string, unknown>;

export interface SortChoice {
  field: 'meetingDate' | 'lastUpdated' | 'dataRichness' | 'totalUnitCount' | 'acreage';
  direction: 'asc' | 'desc';
}

/**
 * @param meetingCap latest meeting day that may be served, when it lies before today: a merged development is then ordered by the newest
 * hearing of its family up to that day, which is the date it shows
 */
export function sortClauses({ field, direction }: SortChoice, meetingCap: string | null): SortClause[] {
  const ties: SortClause[] = [{ lastUpdated: 'desc' }, { id: 'desc' }];
  if (field === 'lastUpdated') return [{ lastUpdated: direction }, { id: 'desc' }];
  if (field === 'meetingDate' && meetingCap !== null) {
    const nested = { path: 'derived.hearings', filter: { range: { 'derived.hearings.date': { lte: meetingCap } } } };
    return [{ 'derived.hearings.date': { order: direction, mode: 'max', nested, missing: '_last' } }, ...ties];
  }
  return [{ [`derived.${field}`]: { order: direction, missing: '_last' } }, ...ties];
}
