/**
 * Determines whether a body still reports (src/docs/coverage.md#is-a-source-still-alive). The days on which it met show how often it meets, when
 * its next meeting was due, and how long it has been silent. Days are `YYYY-MM-DD`. Pure.
 */
import { DAY_MS } from '../../core/query/intervals.ts';

/** The rhythm is computed from the meetings of this many years before the last one. */
const YEARS_LEARNED = 3;
const DAYS_A_YEAR = 365.25;
/** With fewer meetings a body has no rhythm. */
const MEETINGS_MIN = 6;
/** Two pauses are at the same time of the year if their beginnings are at most this many days apart. */
const SEASON_DAYS = 21;
/** Pauses at the same time of two years are a recess if the shorter one has at least this share of the length. */
const RECESS_ALIKE = 0.8;
/** Pauses that began fewer days apart belong to the same year. */
const EARLIER_SEASON_DAYS = 180;
/** Minutes are published some days after the meeting. */
export const GRACE_DAYS = 7;
/** Longest delay, in days, between meetings and their extraction that is taken into account. */
const READING_DELAY_MAX = 60;
const READINGS_MIN = 3;
/** The most frequent weekdays that together have this share of the meetings are the pattern. */
const PATTERN_SHARE = 0.8;
const PATTERN_WEEKDAYS_MAX = 3;

/** A day on which a body met, or is announced to meet. */
export interface ReadMeeting {
  date: string;
  /** days of the first and the last extraction that states it; a meeting after the last one was only announced */
  firstRead: string;
  lastRead: string;
}

export interface Rhythm {
  /** median of days between meetings */
  cadenceDays: number;
  /** ISO weekdays (1 is Monday) on which it usually meets; empty without a pattern */
  weekdays: number[];
  /** the longest pause, in days, that it makes about once a year apart from recesses */
  usualPauseDays: number;
}

/** What the meetings of a body say, whatever the day. */
export interface LearnedRhythm {
  cadenceDays: number | null;
  weekdays: number[];
  usualPauseDays: number | null;
  lastMeetingDate: string | null;
  /** the day by which the next meeting is due, allowing for the longest usual pause at this time of the year */
  expectedBy: string | null;
  meanDays: number | null;
  /** the day on which the body becomes silent */
  staleOn: string | null;
}

export interface Freshness extends Omit<LearnedRhythm, 'meanDays' | 'staleOn'> {
  /** number of meetings that were due from that day to today */
  missed: number;
  /** the day since which the body counts as silent */
  staleSince: string | null;
}

const toDayNumber = (day: string) => Date.parse(day) / DAY_MS;
const toDayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
/** 1 January 1970, day 0, was a Thursday. */
const weekdayOf = (day: number) => ((day + 3) % 7) + 1;

function computeMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

interface Pause {
  from: number;
  days: number;
}

const listPauses = (days: readonly number[]): Pause[] =>
  days.slice(1).map((day, i) => ({ from: days[i] as number, days: day - (days[i] as number) }));

function findWeekdays(days: readonly number[]): number[] {
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

function measureSeasonDistance(a: number, b: number): number {
  const apart = Math.abs(a - b) % DAYS_A_YEAR;
  return Math.min(apart, DAYS_A_YEAR - apart);
}

/** Whether a pause is a recess: in another year there is a pause of about the same length at the same time. */
const isRecess = ({ from, days }: Pause, pauses: readonly Pause[]): boolean =>
  pauses.some(
    (other) =>
      Math.abs(other.from - from) > EARLIER_SEASON_DAYS &&
      measureSeasonDistance(other.from, from) <= SEASON_DAYS &&
      other.days >= RECESS_ALIKE * days,
  );

/** The pause that occurs about once a year at any time: the n-th longest of n years, without recesses. */
function findUsualPause(pauses: readonly Pause[], cadenceDays: number): number {
  const years = pauses.reduce((sum, { days }) => sum + days, 0) / DAYS_A_YEAR;
  let left = Math.max(1, Math.round(years));
  for (const pause of pauses.toSorted((a, b) => b.days - a.days)) {
    if (pause.days <= cadenceDays) break;
    if (!isRecess(pause, pauses) && --left === 0) return pause.days;
  }
  return Math.ceil(cadenceDays);
}

/** The longest pause that began at this time of an earlier year; 0 if none did. */
const findRecess = (last: number, pauses: readonly Pause[]): number =>
  Math.max(
    0,
    ...pauses
      .filter(({ from }) => last - from > EARLIER_SEASON_DAYS && measureSeasonDistance(last, from) <= SEASON_DAYS)
      .map(({ days }) => days),
  );

/** Median number of days from a meeting to its first extraction, for meetings after the body's first extraction. */
function measureReadingDelay(meetings: readonly ReadMeeting[]): number {
  const firstDay = meetings.reduce((first, { firstRead }) => (firstRead < first ? firstRead : first), '9999-12-31');
  const delays = meetings.flatMap(({ date, firstRead }) => (date > firstDay ? [toDayNumber(firstRead) - toDayNumber(date)] : []));
  if (delays.length < READINGS_MIN) return 0;
  return Math.round(Math.min(READING_DELAY_MAX, Math.max(0, computeMedian(delays))));
}

const NO_RHYTHM = { cadenceDays: null, weekdays: [], usualPauseDays: null, expectedBy: null, meanDays: null, staleOn: null };

/** The freshness on a day of a body with this rhythm. @param today `YYYY-MM-DD` */
export function judgeRhythm({ meanDays, staleOn, ...rhythm }: LearnedRhythm, today: string): Freshness {
  const late = rhythm.expectedBy === null ? 0 : toDayNumber(today) - toDayNumber(rhythm.expectedBy);
  return {
    ...rhythm,
    missed: late > 0 && meanDays ? 1 + Math.floor(late / meanDays) : 0,
    staleSince: staleOn !== null && today >= staleOn ? staleOn : null,
  };
}

/** The freshness of a body on a day, from its meetings. */
export const judgeFreshness = (meetings: readonly ReadMeeting[], today: string): Freshness =>
  judgeRhythm(learnRhythm(meetings, today), today);

/**
 * The rhythm of a body.
 * @param meetings each day once, in any order
 * @param today `YYYY-MM-DD`
 */
export function learnRhythm(meetings: readonly ReadMeeting[], today: string): LearnedRhythm {
  const isHeld = ({ date, lastRead }: ReadMeeting) => date <= lastRead && date <= today;
  const held = meetings.filter(isHeld);
  const heldDays = held.map(({ date }) => toDayNumber(date)).sort((a, b) => a - b);
  const last = heldDays.at(-1);
  if (last === undefined) return { ...NO_RHYTHM, lastMeetingDate: null };
  const days = heldDays.filter((day) => day >= last - YEARS_LEARNED * DAYS_A_YEAR);
  if (days.length < MEETINGS_MIN) return { ...NO_RHYTHM, lastMeetingDate: toDayText(last) };
  const pauses = listPauses(days);
  const announced = meetings
    .filter((one) => !isHeld(one))
    .map(({ date }) => toDayNumber(date))
    .filter((day) => day > last);
  const cadenceDays = computeMedian(pauses.map(({ days: between }) => between));
  const usualPauseDays = findUsualPause(pauses, cadenceDays);
  const due = Math.max(last + usualPauseDays, last + findRecess(last, pauses), announced.length ? Math.min(...announced) : 0);
  const meanDays = Math.max(1, (last - (days[0] as number)) / pauses.length);
  const staleOn = due + GRACE_DAYS + measureReadingDelay(held) + 1;
  return {
    cadenceDays,
    weekdays: findWeekdays(days),
    usualPauseDays,
    lastMeetingDate: toDayText(last),
    expectedBy: toDayText(due),
    meanDays,
    staleOn: toDayText(staleOn),
  };
}
