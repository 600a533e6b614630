/** Reads times of meetings: `since 2024`, `in March 2026`, `last spring`, `in the last 6 months`. Seasons are meteorological. */
import type { QuestionWords } from '../question.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const SHORT_MONTHS: Readonly<Record<string, number>> = Object.fromEntries([
  ...MONTHS.map((name, i) => [name.slice(0, 3), i + 1]),
  ['sept', 9],
] as [string, number][]);
/** first month and number of months; a winter belongs to the year of its January */
const SEASONS: Readonly<Record<string, readonly [number, number]>> = {
  spring: [3, 3],
  summer: [6, 3],
  fall: [9, 3],
  autumn: [9, 3],
  winter: [12, 3],
};
const UNITS = ['day', 'week', 'month', 'quarter', 'year'];
const SINCE = ['since', 'after', 'from', 'starting', 'beginning', 'later than'];
const ONWARDS = ['or later', 'or after', 'and later', 'and after', 'and onwards', 'onwards', 'onward', 'or newer'];
const BEFORE = ['before', 'until', 'prior to', 'earlier than', 'through', 'by', 'up to'];
/** Parts of a time that say where it begins, or ends, to a bound. */
const EDGES = ['start of', 'beginning of', 'first of', 'end of'];
const WITHIN = ['in', 'during', 'of', 'on', 'throughout', 'for', 'over', 'within'];
/** Verbs that date the building, not the meeting. */
const BUILT = /^(?:build|construct|erect|complet|open|establish|found|destroy|adopt|enact|effective|amend|occupi|date)$/;
const YEAR_MIN = 1950;
const YEAR_MAX = 2100;

/** First and last day, `YYYY-MM-DD`, `YYYY-MM` or `YYYY`: the form in which the filters take them. */
interface Time {
  from: string;
  to: string;
  length: number;
}

const pad = (n: number) => String(n).padStart(2, '0');
const month = (year: number, index: number): string =>
  `${year + Math.floor((index - 1) / 12)}-${pad(((((index - 1) % 12) + 12) % 12) + 1)}`;
const months = (year: number, first: number, count: number, length: number): Time => ({
  from: month(year, first),
  to: month(year, first + count - 1),
  length,
});

const day = (date: Date): string => date.toISOString().slice(0, 10);

function daysBack(today: string, count: number, unit: string): string {
  const date = new Date(`${today}T00:00:00Z`);
  if (unit === 'day' || unit === 'week') date.setUTCDate(date.getUTCDate() - count * (unit === 'week' ? 7 : 1));
  else {
    const back = count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back + 1, 0)).getUTCDate();
    return day(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, Math.min(date.getUTCDate(), last))));
  }
  return day(date);
}

/** Whether `YYYY-MM` or `YYYY-MM-DD` is in the calendar. */
function isDate(text: string): boolean {
  const [year = 0, monthIndex = 0, date = 1] = text.split('-').map(Number);
  const read = new Date(Date.UTC(year, monthIndex - 1, date));
  return monthIndex >= 1 && monthIndex <= 12 && read.getUTCMonth() === monthIndex - 1 && read.getUTCDate() === date;
}

const yearOf = (question: QuestionWords, at: number): number | undefined => {
  const value = /^\d{4}$/.test(question.word(at)) ? Number(question.word(at)) : 0;
  return value >= YEAR_MIN && value <= YEAR_MAX ? value : undefined;
};

function monthOf(question: QuestionWords, at: number): number | undefined {
  const word = question.word(at);
  const full = MONTHS.indexOf(word) + 1;
  if (full && (word !== 'may' && word !== 'march' ? true : question.isCapital(at) || yearOf(question, at + 1) !== undefined)) return full;
  return Object.hasOwn(SHORT_MONTHS, word) && (question.isCapital(at) || yearOf(question, at + 1)) ? SHORT_MONTHS[word] : undefined;
}

/** `March 5, 2026`, `March 2026`, `March`, `2026`, `Q1 2026`, `spring 2026`, `2026-03-05`. A month alone is the latest that has begun. */
function namedTime(question: QuestionWords, at: number, today: string): Time | undefined {
  const iso = /^\d{4}-\d{2}(?:-\d{2})?(?!\d)/.exec(question.text.slice(question.tokens[at]?.start))?.[0];
  if (iso && yearOf(question, at) && isDate(iso)) return { from: iso, to: iso, length: iso.split('-').length };
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number, number];
  const named = monthOf(question, at);
  if (named) {
    const year = yearOf(question, at + 1) ?? (question.has(at + 1, 'of') ? yearOf(question, at + 2) : undefined);
    const date = question.tokens[at + 1]?.value;
    const dayYear = yearOf(question, at + 2);
    const text = dayYear && date ? `${dayYear}-${pad(named)}-${pad(date)}` : '';
    if (isDate(text)) return { from: text, to: text, length: 3 };
    if (year) return { ...months(year, named, 1, 2), length: yearOf(question, at + 1) ? 2 : 3 };
    return months(named > thisMonth ? thisYear - 1 : thisYear, named, 1, 1);
  }
  const season = Object.hasOwn(SEASONS, question.word(at)) ? SEASONS[question.word(at)] : undefined;
  const seasonYear = yearOf(question, at + 1) ?? (question.has(at + 1, 'of') ? yearOf(question, at + 2) : undefined);
  if (season && seasonYear)
    return months(season[0] === 12 ? seasonYear - 1 : seasonYear, season[0], season[1], yearOf(question, at + 1) ? 2 : 3);
  if (question.word(at) === 'q' && question.textAfter(at) === '') {
    const [quarter, year] = [question.tokens[at + 1]?.value ?? 0, yearOf(question, at + 2)];
    if (year && quarter >= 1 && quarter <= 4) return months(year, quarter * 3 - 2, 3, 3);
  }
  const year = yearOf(question, at);
  return year ? { from: String(year), to: String(year), length: 1 } : undefined;
}

/** `last spring`, `last year`, `this month`, `the last 6 months`, `past two years`: as seen from today. */
function relativeTime(question: QuestionWords, at: number, today: string): Time | undefined {
  const [year, current] = today.split('-').map(Number) as [number, number, number];
  const skip = question.word(at) === 'the' ? 1 : 0;
  const word = question.word(at + skip);
  if (!['last', 'past', 'this', 'previous', 'recent'].includes(word)) return undefined;
  const next = at + skip + 1;
  const count = question.tokens[next]?.value;
  const unit = question.stems[count ? next + 1 : next] ?? '';
  if (count && count <= 1000 && UNITS.includes(unit)) return { from: daysBack(today, count, unit), to: today, length: skip + 3 };
  if (question.has(next, 'couple of') && UNITS.includes(question.stems[next + 2] ?? ''))
    return { from: daysBack(today, 2, question.stems[next + 2] as string), to: today, length: skip + 4 };
  const season = Object.hasOwn(SEASONS, question.word(next)) ? SEASONS[question.word(next)] : undefined;
  if (season) {
    const [first, length] = season;
    let begins = first === 12 ? year - 1 : year;
    const isAhead = () => begins * 12 + first + (word === 'this' ? 0 : length) > year * 12 + current;
    while (isAhead()) begins -= 1;
    return months(begins, first, length, skip + 2);
  }
  if (word === 'past' || word === 'recent')
    return UNITS.includes(unit) ? { from: daysBack(today, 1, unit), to: today, length: skip + 2 } : undefined;
  const back = word === 'this' ? 0 : 1;
  if (unit === 'year') return { from: String(year - back), to: String(year - back), length: skip + 2 };
  if (unit === 'month') return months(year, current - back, 1, skip + 2);
  if (unit === 'quarter') return months(year, Math.floor((current - 1) / 3) * 3 + 1 - 3 * back, 3, skip + 2);
  return unit === 'week' ? { from: daysBack(today, 7, 'day'), to: today, length: skip + 2 } : undefined;
}

/** The first day after a period: `after 2024`. */
function dayBehind(time: string): string {
  const [year = 0, monthIndex, date] = time.split('-').map(Number);
  if (date) return day(new Date(Date.UTC(year, (monthIndex ?? 1) - 1, date + 1)));
  return monthIndex ? month(year, monthIndex + 1) : String(year + 1);
}
function dayAhead(time: string): string {
  const [year = 0, monthIndex, date] = time.split('-').map(Number);
  if (date) return day(new Date(Date.UTC(year, (monthIndex ?? 1) - 1, date - 1)));
  return monthIndex ? month(year, monthIndex - 1) : String(year - 1);
}

/** Reads the first time of a question as bounds of the meeting date; the date of a building remains text. */
export function readDates(question: QuestionWords, today: string): void {
  for (let i = 0; i < question.tokens.length; i++) {
    if (!question.isFree(i)) continue;
    const between = question.word(i) === 'between' || question.word(i) === 'from';
    const first = between ? namedTime(question, i + 1, today) : undefined;
    const join = first && i + 1 + first.length;
    if (first && join !== undefined && ['and', 'to', 'through', 'until'].includes(question.word(join))) {
      const last = namedTime(question, join + 1, today);
      if (last) {
        const from = /^\d{4}/.test(first.from) && question.has(i + 1, first.from) ? first.from : yearless(first, last, question, i + 1);
        question.read(i, join + 1 + last.length, { meetingDateFrom: from, meetingDateTo: last.to }, 'never');
        return;
      }
    }
    if (readOne(question, i, today)) return;
  }
}

/** `between January and March 2026`: the year of the second is that of the first. */
function yearless(first: Time, last: Time, question: QuestionWords, at: number): string {
  const named = yearOf(question, at + first.length - 1) !== undefined || /^\d{4}$/.test(first.from);
  const candidate = `${last.to.slice(0, 4)}${first.from.slice(4)}`;
  return named || candidate > last.to ? first.from : candidate;
}

function readOne(question: QuestionWords, i: number, today: string): boolean {
  const since = question.longest(i, SINCE);
  const before = question.longest(i, BEFORE);
  const lead = since || before || question.longest(i, WITHIN) || 0;
  const the = question.word(i + lead) === 'the' ? 1 : 0;
  const edge = since || before ? question.longest(i + lead + the, EDGES) : 0;
  const at = i + lead + the + edge;
  const relative = relativeTime(question, i + lead, today);
  const time = relative ?? (lead || monthOf(question, i) || isSeasonYear(question, i) ? namedTime(question, at, today) : undefined);
  if (!time || dates(question, i)) return false;
  const end = relative ? i + lead + relative.length : at + time.length;
  if (!question.isFree(i, end)) return false;
  const onwards = since || before || relative ? 0 : question.longest(end, ONWARDS);
  if (onwards) return question.read(i, end + onwards, { meetingDateFrom: time.from }, 'never');
  const isEnd = edge > 0 && question.word(at - edge) === 'end';
  const isAfter = since > 0 && (question.word(i) === 'after' || question.word(i) === 'later' || isEnd);
  if (since) return question.read(i, end, { meetingDateFrom: isAfter ? dayBehind(time.to) : time.from }, 'never');
  if (before) {
    const included = isEnd || (!edge && ['through', 'until', 'by', 'up'].includes(question.word(i)));
    return question.read(i, end, { meetingDateTo: included ? time.to : dayAhead(time.from) }, 'never');
  }
  return question.read(i, end, { meetingDateFrom: time.from, meetingDateTo: time.to }, 'never');
}

const isSeasonYear = (question: QuestionWords, at: number) =>
  Object.hasOwn(SEASONS, question.word(at)) && yearOf(question, at + 1) !== undefined;

/** Whether the words before date a building or a plan instead of the meeting. */
const dates = (question: QuestionWords, at: number): boolean => [1, 2].some((back) => BUILT.test(question.stems[at - back] ?? ''));
