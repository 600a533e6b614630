/** Calendar intervals by which dates are grouped. Days are `YYYY-MM-DD`; an interval is named by its first day. Pure. */

export const INTERVALS = ['week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

export const DAY_MS = 86_400_000;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** The first day of the interval that contains a day; a week begins on Monday. */
export function startOf(interval: Interval, day: string): string {
  const date = dateOf(day);
  if (interval === 'week') return dayOf(new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS));
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % MONTHS[interval]));
  return dayOf(date);
}

/** The first day of the next interval. */
export function startOfNext(interval: Interval, day: string): string {
  const start = dateOf(startOf(interval, day));
  if (interval === 'week') return dayOf(new Date(start.getTime() + 7 * DAY_MS));
  start.setUTCMonth(start.getUTCMonth() + MONTHS[interval]);
  return dayOf(start);
}

/** The longer intervals that contain an interval, coarsest first. A week belongs to the month and year of its Monday. */
const ABOVE: Readonly<Record<Interval, readonly Interval[]>> = {
  week: ['year', 'month'],
  month: ['year', 'quarter'],
  quarter: ['year'],
  year: [],
};

/** The first days of the longer intervals that contain an interval, coarsest first. */
export const startsOfLongerIntervals = (interval: Interval, start: string): string[] =>
  ABOVE[interval].map((longer) => startOf(longer, start));

const toUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const LONG_DAY = toUtc({ dateStyle: 'long' });
const MONTH = toUtc({ year: 'numeric', month: 'long' });

/** `March 2026`, `Q1 2026`, `2026`, `Week of March 2, 2026` */
export function intervalLabel(interval: Interval, start: string): string {
  const year = start.slice(0, 4);
  if (interval === 'year') return year;
  if (interval === 'quarter') return `Q${Math.ceil(Number(start.slice(5, 7)) / 3)} ${year}`;
  return interval === 'week' ? `Week of ${LONG_DAY.format(dateOf(start))}` : MONTH.format(dateOf(start));
}
