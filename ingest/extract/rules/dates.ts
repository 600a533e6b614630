/** Days that a text names. Pure. */
import { parseDay } from '../../sources/values.ts';

export interface DateAt {
  /** `YYYY-MM-DD` */
  value: string;
  at: number;
  length: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const WORDS = new RegExp(`\\b${MONTH} ?(\\d{1,2})(?:st|nd|rd|th)?(?:,? ?((?:19|20)\\d{2})\\b|(?! ?\\d))`, 'gi');
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:day )?(?:of )?${MONTH},? ((?:19|20)\\d{2})\\b`, 'gi');
const DIGITS = /(?<![\d/.-])(\d{1,2})[/-](\d{1,2})[/-]((?:19|20)?\d{2})(?![\d/-])|(?<![\d/.-])((?:19|20)\d{2})-(\d{2})-(\d{2})(?!\d)/g;

/**
 * Dates in the order of the text.
 * @param since `YYYY-MM-DD`: a day without its year is the first one after it; null: such days are left out
 */
export function findDates(text: string, since: string | null): DateAt[] {
  const found: DateAt[] = [];
  const add = (year: string | undefined, month: number, day: string, at: number, length: number) => {
    const value = year ? parseDay(`${month}/${day}/${year.length === 2 ? `20${year}` : year}`) : dayAfter(since, month, day);
    if (value && !found.some((one) => at < one.at + one.length && at + length > one.at)) found.push({ value, at, length });
  };
  const monthOf = (word: string) => MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
  for (const { index, 0: whole, 1: day = '', 2: month = '', 3: year } of text.matchAll(DAY_FIRST))
    add(year, monthOf(month), day, index, whole.length);
  for (const { index, 0: whole, 1: month = '', 2: day = '', 3: year } of text.matchAll(WORDS))
    if (/^[A-Z]/.test(month)) add(year, monthOf(month), day, index, whole.length);
  for (const { index, 0: whole, 1: month, 2: day = '', 3: year, 4: first, 5: second, 6: third = '' } of text.matchAll(DIGITS))
    if (first) add(first, Number(second), third, index, whole.length);
    else add(year, Number(month), day, index, whole.length);
  return found.sort((a, b) => a.at - b.at);
}

function dayAfter(since: string | null, month: number, day: string): string | null {
  if (!since) return null;
  const year = Number(since.slice(0, 4));
  const here = parseDay(`${month}/${day}/${year}`);
  return here && here >= since ? here : parseDay(`${month}/${day}/${year + 1}`);
}
