/** A saved view: a list that keeps filters, order and columns, as the address of the table has them. Pure. */
import type { RecordField } from '../../../clients/client/generated.ts';
import type { SavedList } from './answers.ts';
import { type PageState, toFilters } from './state.ts';
import { filtersInAddress } from './words.ts';

type ViewState = Pick<PageState, 'filters' | 'sort' | 'order' | 'columns'>;

/** Whether a list holds projects, not criteria that find them. */
export const holdsProjects = ({ projectCount }: SavedList): boolean => projectCount !== null;

/** What a view changes of the page's state; a list of projects changes the columns only. */
export function viewOfList(list: SavedList): ViewState {
  const { sort = null, order = null, ...filters } = filtersInAddress(list.filters);
  if (list.polygon) filters.polygon = JSON.stringify(list.polygon);
  return { filters, sort, order, columns: list.columns?.join(',') ?? null };
}

/** The parts of a new list, or of a change of one. @param kind of the list that there is */
export function listOfView({ filters, sort, order, columns }: ViewState, kind: SavedList['kind'] = 'filter') {
  // The service refuses what is no field.
  const kept = { columns: keptColumns(columns) || null };
  if (kind === 'membership' || kind === 'alert') return kept;
  const ordered = { ...(sort ? { sort } : {}), ...(order ? { order } : {}) };
  const { polygon, ...others } = filters;
  if (kind !== 'polygon' || !polygon) return { ...kept, filters: { ...toFilters(filters), ...ordered } };
  return { ...kept, polygon: JSON.parse(polygon), filters: { ...toFilters(others), ...ordered } };
}

/** Contacts have roles of any words, which a list does not take: it keeps the column of all of them. */
const keptColumns = (columns: string | null) =>
  columns && ([...new Set(columns.split(',').map((name) => name.replace(/^contacts\..*/, 'contacts')))] as RecordField[]);

const textOf = ({ filters, sort, order, columns }: ViewState) =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)), sort, order, keptColumns(columns)]);

/** Whether the page shows a view as it is saved. */
export function isUnchanged(list: SavedList, state: ViewState): boolean {
  const saved = viewOfList(list);
  return holdsProjects(list) ? String(keptColumns(saved.columns)) === String(keptColumns(state.columns)) : textOf(saved) === textOf(state);
}
