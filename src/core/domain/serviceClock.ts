/** The service clock: US Mountain Time. Days are `YYYY-MM-DD`. */
export const SERVICE_ZONE = 'America/Denver';

const day = new Intl.DateTimeFormat('en-CA', { timeZone: SERVICE_ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });

const HOUR_MS = 3_600_000;
let known = { hour: Number.NaN, day: '' };

/** The calendar day on the service clock; it changes on a whole hour only. */
export function serviceToday(now: Date): string {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  if (hour !== known.hour) known = { hour, day: day.format(now) };
  return known.day;
}

/** When a day begins on the service clock: 6 hours after midnight UTC in summer, else 7. */
export function startOfServiceDay(day: string): Date {
  const [summer, winter] = [6, 7].map((hours) => new Date(Date.parse(day) + hours * HOUR_MS)) as [Date, Date];
  return serviceToday(summer) === day ? summer : winter;
}

/** The day so many calendar months before `today`; a day the month lacks becomes its last. */
export function monthsBefore(today: string, months: number): string {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
