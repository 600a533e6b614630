/** The service clock: US Mountain Time (decisions §6). Days are `YYYY-MM-DD`. */
import { DateTime } from 'luxon';

export const SERVICE_ZONE = 'America/Denver';

const day = new Intl.DateTimeFormat('en-CA', { timeZone: SERVICE_ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });

/** The calendar day on the service clock. */
export const serviceToday = (now: Date): string => day.format(now);

/** The day so many calendar months before `today`; a day the month lacks becomes its last. */
export function monthsBefore(today: string, months: number): string {
  return DateTime.fromISO(today, { zone: 'utc' }).minus({ months }).toISODate() as string;
}
