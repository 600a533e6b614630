/**
 * Whether a body still reports (src/docs/coverage.md#is-a-source-still-alive): from the days on which it met follow how often it meets, when its
 * next meeting was due and how long it has been silent. Days are `YYYY-MM-DD`; the clock is a parameter. Pure.
 */
import { DAY_MS } from '../../core/query/intervals.ts';

/** Meetings of a body are learned from over this many years before its last one. */
const YEARS_LEARNED = 3;
const DAYS_A_YEAR = 365.25;
/** Fewer meetings show no rhythm. */
const MEETINGS_MIN = 6;
/** A recess of an earlier year counts where it began within so many days of this time of the year. */
const SEASON_DAYS = 21;
/** Pauses of two years at the same season are a recess where one is at least this share of the other. */
const RECESS_ALIKE = 0.8;
/** Less than this ago is the same season, not an earlier one. */
const EARLIER_SEASON_DAYS = 180;
/** Minutes are published some days after the meeting. */
export const GRACE_DAYS = 7;
/** Days that reading may lag behind the meetings, as far as it is learned. */
const READING_DELAY_MAX = 60;
const READINGS_MIN = 3;
/** The weekdays that hold this share of the meetings are the pattern. */
const PATTERN_SHARE = 0.8;
const PATTERN_WEEKDAYS_MAX = 3;

/** A day on which a body met, or is announced to meet. */
export interface ReadMeeting {
  date: string;
  /** day of the first and of the newest extraction that states it: a day after the newest was only announced */
  firstRead: string;
  lastRead: string;
}

export interface Rhythm {
  /** median of days between meetings */
  cadenceDays: number;
  /** ISO weekdays (1 is Monday) on which it usually meets; empty where it has no pattern */
  weekdays: number[];
  /** the pause, in days, that it makes about once a year besides its recesses */
  usualPauseDays: number;
}

export interface Freshness {
  cadenceDays: number | null;
  weekdays: number[];
  usualPauseDays: number | null;
  lastMeetingDate: string | null;
  /** the day by which the next meeting was due, after the longest pause that is usual at this time of the year */
  expectedBy: string | null;
  /** meetings that fell due from that day to today */
  missed: number;
  /** the day since which the body counts as silent */
  staleSince: string | null;
}

const dayNumber = (day: string) => Date.parse(day) / DAY_MS;
const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
/** Days of the week repeat from Thursday, 1 January 1970. */
const weekdayOf = (day: number) => ((day + 3) % 7) + 1;

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

interface Pause {
  from: number;
  days: number;
}

const pausesBetween = (days: readonly number[]): Pause[] =>
  days.slice(1).map((day, i) => ({ from: days[i] as number, days: day - (days[i] as number) }));

function weekdayPattern(days: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const day of days) counts.set(weekdayOf(day), (counts.get(weekdayOf(day)) ?? 0) + 1);
  const pattern: number[] = [];
  let covered = 0;
  for (const [weekday, count] of [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    if (covered >= PATTERN_SHARE * days.length) break;
    pattern.push(weekday);
    covered += count;
  }
  return pattern.length > PATTERN_WEEKDAYS_MAX ? [] : pattern.sort((a, b) => a - b);
}

function seasonApart(a: number, b: number): number {
  const apart = Math.abs(a - b) % DAYS_A_YEAR;
  return Math.min(apart, DAYS_A_YEAR - apart);
}

/** Whether a body pauses for about as long at this time of another year: a recess. */
const isRecess = ({ from, days }: Pause, pauses: readonly Pause[]): boolean =>
  pauses.some(
    (other) =>
      Math.abs(other.from - from) > EARLIER_SEASON_DAYS &&
      seasonApart(other.from, from) <= SEASON_DAYS &&
      other.days >= RECESS_ALIKE * days,
  );

/** The pause that comes about once a year at any time of it: of the pauses of n years the n-th longest, without recesses. */
function usualPause(pauses: readonly Pause[], cadenceDays: number): number {
  const years = pauses.reduce((sum, { days }) => sum + days, 0) / DAYS_A_YEAR;
  let left = Math.max(1, Math.round(years));
  for (const pause of pauses.toSorted((a, b) => b.days - a.days)) {
    if (pause.days <= cadenceDays) break;
    if (!isRecess(pause, pauses) && --left === 0) return pause.days;
  }
  return Math.ceil(cadenceDays);
}

/** The longest pause that began at this time of an earlier year; 0 where none did. */
const recessFrom = (last: number, pauses: readonly Pause[]): number =>
  Math.max(
    0,
    ...pauses.filter(({ from }) => last - from > EARLIER_SEASON_DAYS && seasonApart(last, from) <= SEASON_DAYS).map(({ days }) => days),
  );

/** Median days from a meeting to the extraction that first stated it, of meetings since the body was first read. */
function readingDelay(meetings: readonly ReadMeeting[]): number {
  const begun = meetings.reduce((first, { firstRead }) => (firstRead < first ? firstRead : first), '9999-12-31');
  const delays = meetings.flatMap(({ date, firstRead }) => (date > begun ? [dayNumber(firstRead) - dayNumber(date)] : []));
  if (delays.length < READINGS_MIN) return 0;
  return Math.round(Math.min(READING_DELAY_MAX, Math.max(0, medianOf(delays))));
}

const NO_RHYTHM = { cadenceDays: null, weekdays: [], usualPauseDays: null, expectedBy: null, missed: 0, staleSince: null };

/**
 * What the meetings of a body say about it on a day.
 * @param meetings each day once, in any order
 * @param today `YYYY-MM-DD`
 */
export function judgeFreshness(meetings: readonly ReadMeeting[], today: string): Freshness {
  const isHeld = ({ date, lastRead }: ReadMeeting) => date <= lastRead && date <= today;
  const held = meetings.filter(isHeld);
  const heldDays = held.map(({ date }) => dayNumber(date)).sort((a, b) => a - b);
  const last = heldDays.at(-1);
  if (last === undefined) return { ...NO_RHYTHM, lastMeetingDate: null };
  const days = heldDays.filter((day) => day >= last - YEARS_LEARNED * DAYS_A_YEAR);
  if (days.length < MEETINGS_MIN) return { ...NO_RHYTHM, lastMeetingDate: dayText(last) };
  const pauses = pausesBetween(days);
  const announced = meetings
    .filter((one) => !isHeld(one))
    .map(({ date }) => dayNumber(date))
    .filter((day) => day > last);
  const cadenceDays = medianOf(pauses.map(({ days: between }) => between));
  const usualPauseDays = usualPause(pauses, cadenceDays);
  const due = Math.max(last + usualPauseDays, last + recessFrom(last, pauses), announced.length ? Math.min(...announced) : 0);
  const now = dayNumber(today);
  const meanDays = Math.max(1, (last - (days[0] as number)) / pauses.length);
  const namedOn = due + GRACE_DAYS + readingDelay(held) + 1;
  return {
    cadenceDays,
    weekdays: weekdayPattern(days),
    usualPauseDays,
    lastMeetingDate: dayText(last),
    expectedBy: dayText(due),
    missed: now > due ? 1 + Math.floor((now - due) / meanDays) : 0,
    staleSince: now >= namedOn ? dayText(namedOn) : null,
  };
}
