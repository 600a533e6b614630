/** Single values of raw columns: dates, numbers, names, coordinates. Absent and unusable are null; nothing is guessed. Pure. */

const YEAR_MIN = 1900;
const YEAR_MAX = 2100;

function dayOf(year: number, month: number, day: number): string | null {
  if (year < YEAR_MIN || year > YEAR_MAX) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}

/** `2024-01-31…`, `2024/01/31…` or `1/31/2024` as `YYYY-MM-DD`; a time of day is cut off; `0001-01-01` and nonsense are null. */
export function parseDay(value: unknown): string | null {
  const raw = String(value ?? '').trim();
  const yearFirst = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(raw);
  if (yearFirst) return dayOf(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const monthFirst = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/.exec(raw);
  return monthFirst ? dayOf(Number(monthFirst[3]), Number(monthFirst[1]), Number(monthFirst[2])) : null;
}

/** Trimmed text with single spaces; '' is null. Longer than `most` characters is cut. */
export function parseText(value: unknown, most = 20_000): string | null {
  const clean = String(value ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return clean === '' ? null : clean.slice(0, most);
}

/** A number that is not negative: `1,200`, `.5`. A range, an estimate (`~12`) and misplaced commas are null. */
export function parseAmount(value: unknown): number | null {
  const raw = String(value ?? '').trim();
  if (!/^(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)$/.test(raw)) return null;
  return Number(raw.replace(/,/g, ''));
}

/** A whole number that is not negative; 12.0 counts as 12, 12.5 is null. */
export function parseCount(value: unknown): number | null {
  const number = parseAmount(value);
  return number !== null && Number.isInteger(number) ? number : null;
}

/** A positive number; 0 becomes null, for columns in which the source writes 0 for 'not stated'. */
export function positiveOrNull(number: number | null): number | null {
  return number !== null && number > 0 ? number : null;
}

/** The name of a project, null where it is that of a party: an applicant is no project. */
export function parseProjectName(value: unknown, parties: readonly { name: string }[]): string | null {
  const name = parseText(value, 2000);
  return parties.some((party) => party.name.toLowerCase() === name?.toLowerCase()) ? null : name;
}

/** An http(s) address, else null. */
export function parseWebAddress(value: unknown): string | null {
  const address = String(value ?? '').trim();
  return /^https?:\/\/\S+$/.test(address) && address.length <= 2000 ? address : null;
}

/** `95020` or `950206106` → `95020`, `95020-6106`; a lost leading zero cannot be restored and is null. */
export function parseZipCode(value: unknown): string | null {
  const digits = String(value ?? '').trim();
  if (/^\d{5}(-\d{4})?$/.test(digits)) return digits;
  return /^\d{9}$/.test(digits) ? `${digits.slice(0, 5)}-${digits.slice(5)}` : null;
}

/** Values that are neither null nor repeated, in order. */
export function distinctValues<T>(values: Iterable<T | null | undefined>): T[] {
  return [...new Set([...values].filter((value): value is T => value !== null && value !== undefined))];
}

/** The common value; null if none is given or two differ. */
export function agreedValue<T>(values: Iterable<T | null | undefined>): T | null {
  const all = distinctValues(values);
  return all.length === 1 ? (all[0] as T) : null;
}

/** Joins whole entries up to a limit of characters; null if there is none. */
export function joinUpTo(values: readonly string[], separator: string, most: number): string | null {
  let result = '';
  for (const value of values) {
    const next = result === '' ? value : result + separator + value;
    if (next.length > most) break;
    result = next;
  }
  return result === '' ? null : result;
}
