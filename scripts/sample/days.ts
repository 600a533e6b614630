/** Calendar days as whole numbers since 1970-01-01 (UTC), and how often a body meets. */
import { hashOf } from './random.ts';

const DAY_MS = 86_400_000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MEETING_EVERY_DAYS = 14;

/** 'YYYY-MM-DD' → day number. Anything else is refused. */
export function dayOf(date: string): number {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !Number.isInteger(day) || dateOf(day) !== date)
    throw new Error(`'${date}' is no date (YYYY-MM-DD)`);
  return day;
}

/** Day number → 'YYYY-MM-DD'. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Day number → 'January 6, 2026'. */
export function longDate(day: number): string {
  const date = new Date(day * DAY_MS);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

export const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();

/** The body's last meeting on or before a day: every second week, Monday to Thursday, always the same weekday. */
export function meetingOnOrBefore(day: number, cityId: number, body: string): number {
  const hash = hashOf('schedule', cityId, body);
  const mondayToThursday = 4 + (hash % 4);
  const first = (mondayToThursday % 7) + 7 * ((hash >>> 8) % 2);
  return day - ((((day - first) % MEETING_EVERY_DAYS) + MEETING_EVERY_DAYS) % MEETING_EVERY_DAYS);
}
