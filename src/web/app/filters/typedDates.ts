/** Periods that a person types: "since January", "before June 2026", "March 5, 2026", "2025". Pure. */

/** Days, months or years as the filters take them; an end that is absent is open. */
export interface TypedPeriod {
  from?: string;
  to?: string;
  /** the kind of dates that the text names, if any */
  of?: 'meeting' | 'change' | 'first' | 'next';
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const two = (n: number) => String(n).padStart(2, '0');

/** The number of a month by its name or the first three or more letters; 0 for none. */
const monthNumber = (text: string) => (/^[a-z]{3,9}$/.test(text) ? MONTHS.findIndex((month) => month.startsWith(text)) + 1 : 0);

const isDay = (day: string) => {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

/**
 * One day, month or year, as the filters take it; undefined for anything else. A month without its year is the latest that has begun.
 * @param today `YYYY-MM-DD`
 */
function periodTyped(typed: string, today: string): string | undefined {
  const text = typed
    .trim()
    .replace(/\.$/, '')
    .replaceAll(/(\d)(st|nd|rd|th)\b/g, '$1');
  if (text === 'today') return today;
  if (/^(19|20)\d{2}$/.test(text)) return text;
  if (/^\d{4}-\d{2}$/.test(text)) return Number(text.slice(5)) >= 1 && Number(text.slice(5)) <= 12 ? text : undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return isDay(text) ? text : undefined;
  const [, month = '', , year] = /^([a-z]+)\.?(,?\s+((?:19|20)\d{2}))?$/.exec(text) ?? [];
  if (monthNumber(month)) return year ? `${year}-${two(monthNumber(month))}` : latestMonth(monthNumber(month), today);
  const [, named = '', day = '', ofYear = ''] =
    /^([a-z]+)\.?\s+(\d{1,2}),?\s+((?:19|20)\d{2})$/.exec(text) ?? rearranged(/^(\d{1,2})\s+([a-z]+)\.?,?\s+((?:19|20)\d{2})$/.exec(text));
  const full = `${ofYear}-${two(monthNumber(named))}-${two(Number(day))}`;
  return monthNumber(named) && isDay(full) ? full : undefined;
}

/** "5 March 2026" as "March 5 2026". */
const rearranged = (found: RegExpExecArray | null): string[] => (found ? [found[0], found[2] ?? '', found[1] ?? '', found[3] ?? ''] : []);

function latestMonth(month: number, today: string): string {
  const year = Number(today.slice(0, 4));
  return `${month <= Number(today.slice(5, 7)) ? year : year - 1}-${two(month)}`;
}

/** The period of the same length before or after. */
function neighbour(period: string, by: 1 | -1): string {
  const [year = 0, month = 1, day = 1] = period.split('-').map(Number);
  if (period.length === 4) return String(year + by);
  if (period.length === 7) return new Date(Date.UTC(year, month - 1 + by)).toISOString().slice(0, 7);
  return new Date(Date.UTC(year, month - 1, day + by)).toISOString().slice(0, 10);
}

const OF_CHANGES = /^(?:last\s+)?(?:updated?|changed?|modified)\s+/;
const OF_FIRST = /^first\s+(?:meetings?|heard|hearings?)\s+/;
const OF_NEXT = /^next\s+(?:meetings?|hearings?)\s+/;
const OF_MEETINGS = /^(?:meetings?|heard|hearings?|decided)\s+/;

/** Both ends, in order. */
const orderedEnds = (one: string | undefined, other: string | undefined): Pick<TypedPeriod, 'from' | 'to'> | undefined =>
  one && other ? (one <= other ? { from: one, to: other } : { from: other, to: one }) : undefined;

function endsTyped(text: string, today: string): Pick<TypedPeriod, 'from' | 'to'> | undefined {
  const [, first = '', second = ''] =
    /^(?:between|from) (.+?) (?:and|to|until|till) (.+)/.exec(text) ?? /^(.+?) (?:to|–|-) (.+)/.exec(text) ?? [];
  if (first) return orderedEnds(periodTyped(first, today), periodTyped(second, today));
  const [, word = '', named = text] = /^(since|from|starting|after|until|till|through|by|up to|before|in|during|on) (.+)/.exec(text) ?? [];
  const period = periodTyped(named, today);
  if (!period) return undefined;
  if (['since', 'from', 'starting'].includes(word)) return { from: period };
  if (word === 'after') return { from: neighbour(period, 1) };
  if (word === 'before') return { to: neighbour(period, -1) };
  if (['until', 'till', 'through', 'by', 'up to'].includes(word)) return { to: period };
  return { from: period, to: period };
}

const NAMED = [
  ['change', OF_CHANGES],
  ['first', OF_FIRST],
  ['next', OF_NEXT],
  ['meeting', OF_MEETINGS],
] as const;

/** The period that a whole text means; undefined if it means none. @param today `YYYY-MM-DD` */
export function periodOf(typed: string, today: string): TypedPeriod | undefined {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const [of, pattern] = NAMED.find(([, one]) => one.test(text)) ?? [];
  const ends = endsTyped(pattern ? text.replace(pattern, '') : text, today);
  return ends && { ...ends, ...(of ? { of } : {}) };
}
