/** Numbers, dates, names and filters in words. Pure. */
import { MEETING_FILTERS } from '../../../core/domain/meetingFilters.ts';
import { SERVICE_ZONE } from '../../../core/domain/serviceClock.ts';

/** Filters of a saved search, by their names. */
export type Criteria = Readonly<Record<string, unknown>>;

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

const numberFormat = new Intl.NumberFormat('en-US');
const shortNumberFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const momentFormat = new Intl.DateTimeFormat('en-US', {
  ...({ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const),
  timeZone: SERVICE_ZONE,
  timeZoneName: 'short',
});

export const number = (n: number) => numberFormat.format(n);
export const shortNumber = (n: number) => shortNumberFormat.format(n);
/** @param day `YYYY-MM-DD` */
export const date = (day: string | null | undefined) => (day ? dayFormat.format(new Date(`${day.slice(0, 10)}T00:00:00Z`)) : '');
/** A time on the service clock, by which alerts run and credits come, with its zone. @param at ISO 8601 */
export const moment = (at: string | null | undefined) => (at ? momentFormat.format(new Date(at)) : '');

/** `1 row`, `2,000 rows`. */
export const countInWords = (n: number, one: string, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** `propertySubtypes` → `Property subtypes`. */
export function nameInWords(name: string): string {
  const text = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The given parts, separated by dots. */
export const joinParts = (...parts: (string | number | null | undefined | false)[]) => parts.filter(Boolean).join(' · ');

const STATES_NAMED = 3;

/** Where the projects of a cluster are: around a county, or across a state's border with their number in each state. */
export function placeOfCell({ county, states }: { county: string | null; states: readonly { label: string; count: number }[] }): string {
  if (states.length < 2) return county ? `around ${county}` : states[0] ? `in ${states[0].label}` : 'here';
  const named = states.slice(0, STATES_NAMED).map(({ label, count }) => `${number(count)} in ${label}`);
  const others = states.length - STATES_NAMED;
  return [...named, ...(others > 0 ? [`the rest in ${countInWords(others, 'other state')}`] : [])].join(', ');
}
