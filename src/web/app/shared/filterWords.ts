/** Filters of saved searches in words, and as parameters of the page's address. Pure. */
import { MEETING_FILTERS } from '../../../core/domain/meetingFilters.ts';
import { nameInWords } from './words.ts';

/** Filters of a saved search, by their names. */
export type Criteria = Readonly<Record<string, unknown>>;

/** The value of a filter in words; a shape is said to be one. */
export function valueInWords(value: unknown): string {
  const isShape = typeof value === 'object' && value !== null && (!Array.isArray(value) || typeof value[0] === 'object');
  return isShape ? 'drawn on the map' : [value].flat().join(', ').replaceAll('_', ' ');
}

/** Filters in one line. */
export const describeFilters = (filters: Criteria | null | undefined): string =>
  Object.entries(filters ?? {})
    .map(([name, value]) => `${nameInWords(name)}: ${valueInWords(value)}`)
    .join('; ') || 'everything of the licence';

/** A value of a filter as the address has it. */
function valueInAddress(value: unknown): string {
  if (Array.isArray(value) && typeof value[0] !== 'object') return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Filters of a saved search as parameters of the address. */
export const filtersInAddress = (filters: Criteria | null | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(filters ?? {}).map(([name, value]) => [name, valueInAddress(value)]));

/** Says which meetings figures include, if the filters do not. */
export const windowNote = (filters: Readonly<Record<string, string>>) =>
  MEETING_FILTERS.some((name) => filters[name]) ? '' : 'Meetings of the last year, unless the filters choose others. ';
