/** The figures below the table, and its groups: counted by the service in one request, or from the rows where all of them were read. */
import { useState } from 'preact/hooks';
import { browserStorage } from '../../shared/storage.ts';
import { aggregateAll } from '../shared/aggregates.ts';
import type { AnalyticsGroup } from '../shared/facets.ts';
import { useAnswer } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import type { FailedRequest } from '../shared/problems.ts';
import { countInWords, number } from '../shared/words.ts';
import {
  figureQueries,
  figuresOfRows,
  GROUPS_MAX,
  groupQuery,
  groupsOf,
  groupsOfRows,
  isDimension,
  type RowGroup,
  readFigures,
  type TableFigures,
} from './figures.ts';
import type { RecordField } from './recordFields.ts';
import type { TableRows } from './tableRows.tsx';

/** Where a browser keeps that its reader wants totals, which are a request of their own. */
const KEPT_WISH = 'landuse-totals';

export interface FigureReading {
  /** null while they were not asked for, or are read */
  figures: TableFigures | null;
  /** null where the rows are not grouped */
  groups: readonly RowGroup[] | null;
  /** what the groups are of, and what is missing among them */
  note: string;
  /** whether the groups are of the rows that were read alone */
  isOfRows: boolean;
  problem: FailedRequest | null;
  loading: boolean;
  /** Asks for the figures of all that matches; on later visits, too. */
  ask: () => void;
}

/** @param by the column or dimension that rows are grouped by; null for none */
export function useFigures(
  { pages, areOfList, matchCount }: TableRows,
  columns: readonly RecordField[],
  by: RecordField | null,
): FigureReading {
  const { filters } = usePage().state;
  const [isAsked, setAsked] = useState(browserStorage.getItem(KEPT_WISH) !== null);
  const { records, hasMore } = pages;
  const areAllRead = !hasMore && matchCount !== null && records.length >= matchCount;
  // Only rows can tell what the service does not group by, and what a list holds.
  const dimension = by && isDimension(by.name) && !areOfList ? by.name : null;
  const queries = [
    ...(dimension ? [groupQuery(dimension, columns, filters)] : []),
    ...(areAllRead || areOfList || !(isAsked || dimension) ? [] : figureQueries(columns, filters)),
  ];
  const { answer, problem, loading } = useAnswer(
    async (signal) => ({ asked: JSON.stringify(queries), results: queries.length ? await aggregateAll(queries, signal) : [] }),
    [JSON.stringify(queries)],
  );
  const results = answer?.asked === JSON.stringify(queries) ? answer.results : null;
  const [grouped, ...totals] = dimension ? (results ?? []) : [undefined, ...(results ?? [])];
  const metrics = Object.assign({}, ...totals.map((result) => result?.totals?.metrics ?? {}));
  const ask = () => {
    browserStorage.setItem(KEPT_WISH, 'yes');
    setAsked(true);
  };
  const counted = { figures: results && totals.length ? readFigures(columns, metrics) : null, problem, loading, ask };
  const figures = areAllRead && records.length ? figuresOfRows(records, columns) : counted.figures;
  if (!by) return { ...counted, figures, groups: null, note: '', isOfRows: false };
  if (!dimension)
    return {
      ...counted,
      figures,
      groups: groupsOfRows(by, records, columns),
      isOfRows: true,
      note: areAllRead
        ? ''
        : `Only of the ${countInWords(records.length, 'row')} that were read${matchCount === null ? '' : `, of ${number(matchCount)} that match`}.`,
    };
  const notes = [
    grouped?.meta.suppressedGroups && 'Groups of fewer than 5 projects are not shown.',
    grouped?.meta.truncated && `The ${GROUPS_MAX} largest are shown.`,
  ];
  const groups = grouped ? groupsOf(dimension, grouped.groups as AnalyticsGroup[], filters) : null;
  return { ...counted, figures, groups, note: notes.filter(Boolean).join(' '), isOfRows: false };
}
