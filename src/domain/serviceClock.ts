/** The service clock: US Mountain Time (decisions §6). Days are `YYYY-MM-DD`. */
export const SERVICE_ZONE = 'America/Denver';

const day = new Intl.DateTimeFormat('en-CA', { timeZone: SERVICE_ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });

/** The calendar day on the service clock. */
export const serviceToday = (now: Date): string => day.format(now);

/** The day so many calendar months before `today`; a day the month lacks becomes its last. */
export function monthsBefore(today: string, months: number): string {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
