/** The rows of the table: those that the filters match, or those of the open list of projects. */
import { useState } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { callCached } from '../shared/api.ts';
import { useAnswer, useCall } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import type { FailedRequest } from '../shared/problems.ts';
import { holdsProjects } from '../shared/savedView.ts';
import { queryOf, toFilters } from '../shared/state.ts';
import { type RecordPages, type RowsQuery, useRecordPages } from './recordPages.tsx';

/** Parameters of a search that the table sets itself. */
const OWN = { page: undefined, limit: undefined, offset: undefined, format: undefined };

export interface TableRows {
  pages: RecordPages;
  /** every match, also those that were not read; null while it is not known */
  matchCount: number | null;
  /** Counts the matches, where no page has told their number. */
  count: () => void;
  /** the open view or list; null if none is */
  list: SavedList | null;
  /** whether the rows are those of the open list, which filters do not narrow */
  areOfList: boolean;
  problem: FailedRequest | null;
  readListAgain: () => void;
}

/** @param representation of the records */
export function useTableRows(representation: 'standard' | 'full'): TableRows {
  const { state, onSpent } = usePage();
  const { filters, sort, order } = state;
  // An open alert only has its filters changed here.
  const open = state.open?.startsWith('lst_') ? state.open : null;
  const opened = useCall('getList', open ? { id: open } : null);
  const list = open && opened.answer?.data.id === open ? opened.answer.data : null;
  const areOfList = list !== null && holdsProjects(list);
  const shape = {
    ...(sort ? { sort } : {}),
    ...(order ? { order } : {}),
    representation,
    ...(representation === 'full' ? { include: 'derived' } : {}),
  };
  const query: RowsQuery = areOfList
    ? { of: 'getListResults', input: { ...shape, id: list.id } }
    : { of: 'searchProjects', input: { ...toFilters(filters), ...OWN, ...shape } };
  const isKnown = !open || list !== null || opened.problem !== null;
  const pages = useRecordPages(isKnown ? query : null, onSpent);
  // Not by itself: it would be a second request of the key's allowance, and a page that is read tells the number.
  const [countedFor, countFor] = useState('');
  const asked = queryOf(filters);
  const counting = useAnswer(
    async (signal) => (countedFor === asked ? (await callCached('countProjects', toFilters(filters), { signal })).data.matchCount : null),
    [asked, countedFor],
  );
  const counted = areOfList ? list.projectCount : countedFor === asked ? counting.answer : null;
  return {
    pages,
    matchCount: pages.matchCount ?? counted,
    count: () => countFor(asked),
    list,
    areOfList,
    problem: pages.problem ?? (open ? opened.problem : null) ?? counting.problem,
    readListAgain: opened.again,
  };
}
