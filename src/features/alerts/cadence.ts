/** When an alert runs (src/docs/alerts.md). Pure. */
import { DateTime } from 'luxon';
import { SERVICE_ZONE, serviceToday } from '../../core/domain/serviceClock.ts';

/** Hour of the service clock at which alerts run. */
const RUN_HOUR = 6;

export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
type Frequency = (typeof FREQUENCIES)[number];

export interface Cadence {
  frequency: Frequency;
  /** of a weekly alert: 1 for Monday to 7 for Sunday */
  weekday: number | null;
  /** of a monthly alert: 1 to 28 */
  day: number | null;
  /** whether it also runs on each day before a hearing of a record that matches */
  beforeHearings: boolean;
}

/** Merges a change into a cadence; only the day that belongs to the frequency is kept. */
export function mergeCadence(before: Cadence, sent: Partial<Cadence> = {}): Cadence {
  const frequency = sent.frequency ?? before.frequency;
  return {
    frequency,
    weekday: frequency === 'weekly' ? (sent.weekday ?? before.weekday ?? 1) : null,
    day: frequency === 'monthly' ? (sent.day ?? before.day ?? 1) : null,
    beforeHearings: sent.beforeHearings ?? before.beforeHearings,
  };
}

/**
 * When an alert is next due after a time: at 06:00 on the service clock, also on days of its daylight saving changes. One that runs before
 * hearings is due every day, and its job finds out whether that day has a run.
 */
export function findNextRun({ weekday, day, beforeHearings }: Cadence, after: Date): Date {
  let at = DateTime.fromJSDate(after, { zone: SERVICE_ZONE }).set({ hour: RUN_HOUR, minute: 0, second: 0, millisecond: 0 });
  const fits = () => beforeHearings || ((weekday === null || at.weekday === weekday) && (day === null || at.day === day));
  while (at.toMillis() <= after.getTime() || !fits()) at = at.plus({ days: 1 });
  return at.toJSDate();
}

/** The days whose hearings a due run announces, `YYYY-MM-DD`; the last is the day after the run. */
export interface HearingDays {
  from: string;
  to: string;
  /** whether the run is only made when a record that matches is heard then, since its frequency is not due */
  required: boolean;
}

/**
 * The days whose hearings a due run announces. The days of two runs never overlap, and after an outage days that have passed are left out.
 * @param now when the due run is taken, at `dueAt` or later
 * @returns null for an alert that does not run before hearings
 */
export function findHearingDays(cadence: Cadence, dueAt: Date, now: Date): HearingDays | null {
  if (!cadence.beforeHearings) return null;
  const dueByFrequency = findNextRun({ ...cadence, beforeHearings: false }, new Date(dueAt.getTime() - 1));
  const [dayAfterDue, today] = [serviceToday(findNextRun(cadence, dueAt)), serviceToday(now)];
  return {
    from: dayAfterDue > today ? dayAfterDue : today,
    to: serviceToday(findNextRun(cadence, now)),
    required: dueByFrequency.getTime() > now.getTime(),
  };
}

/** The next midnight of the service clock, when the count of manual runs starts again. */
export const findNextServiceDay = (now: Date): Date =>
  DateTime.fromJSDate(now, { zone: SERVICE_ZONE }).startOf('day').plus({ days: 1 }).toJSDate();
