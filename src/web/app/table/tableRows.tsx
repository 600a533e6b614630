/** The rows of the table: those that the filters match, or those of the open list of projects. */
import { useState } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { ask, askCached, type FailedRequest } from '../shared/api.ts';
import { holdsProjects } from '../shared/savedView.ts';
import { type PageState, queryOf } from '../shared/state.ts';
import { useAnswer } from '../shared/ui.tsx';
import { type RecordPages, type RowsQuery, useRecordPages } from './recordPages.tsx';

/** Parameters of a search that the table sets itself. */
const OWN = { page: null, limit: null, offset: null, format: null };

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
  /** Reads the open list again. */
  readListAgain: () => void;
}

/** @param representation of the records @param onSpent called when a page cost credits */
export function useTableRows(
  { filters, sort, order, open: opening }: Pick<PageState, 'filters' | 'sort' | 'order' | 'open'>,
  representation: string,
  onSpent: () => void,
): TableRows {
  // An open alert only has its filters changed here.
  const open = opening?.startsWith('lst_') ? opening : null;
  const opened = useAnswer(
    async (signal): Promise<SavedList | null> => (open ? (await ask(`/lists/${open}`, { signal })).data : null),
    [open],
  );
  const list = open && opened.answer?.id === open ? opened.answer : null;
  const areOfList = list !== null && holdsProjects(list);
  const shape = { sort, order, representation, include: representation === 'full' ? 'derived' : null };
  const search: RowsQuery = { path: '/projects/search', parameters: { ...filters, ...OWN, ...shape } };
  const ofList: RowsQuery = { path: `/lists/${open}/results`, parameters: shape };
  const isKnown = !open || list !== null || opened.problem !== null;
  const pages = useRecordPages(isKnown ? (areOfList ? ofList : search) : null, onSpent);
  // Not by itself: it would be a second request of the key's allowance, and a page that is read tells the number.
  const [countedFor, countFor] = useState('');
  const asked = queryOf(filters);
  const counting = useAnswer(
    async (signal) => (countedFor === asked ? (await askCached(`/projects/count${asked}`, { signal })).data.matchCount : null),
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
