/**
 * Reads times of meetings. Seasons are meteorological; a winter belongs to the year of its January, a month alone is the latest that has begun.
 *
 *     reading  ::= ("between" | "from") time ("and" | "to" | "through" | "until") time
 *                | ("since" | "before" | …) ["the" ("start" | "end") "of"] time | ["in" | …] (relative | time) ["or later"]
 *     time     ::= YYYY-MM[-DD] | month [day] [["of"] year] | season ["of"] year | "Q" 1..4 year | year
 *     relative ::= ["the"] ("last" | "past" | "this" | "previous" | "recent") ([number | "couple of"] period | season)
 */
import { daysAfter } from '../../../../core/domain/process/hearings.ts';
import { monthsBefore } from '../../../../core/domain/serviceClock.ts';
import { listPhrases, listWords } from '../lists.ts';
import type { QuestionWords } from '../question.ts';
import { stemsOf } from '../tokens.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
/** First months of seasons, and months of each. */
const SEASONS = new Map(Object.entries({ spring: 3, summer: 6, fall: 9, autumn: 9, winter: 12 }));
const SEASON_MONTHS = 3;
/** Days or months of a period. */
const DAYS = new Map(Object.entries({ day: 1, week: 7 }));
const PERIOD_MONTHS = new Map(Object.entries({ month: 1, quarter: 3, year: 12 }));
const COUNT_MAX = 1000;
const SINCE = listPhrases('dateSince');
const ONWARDS = listPhrases('dateOnwards');
const BEFORE = listPhrases('dateBefore');
/** Parts of a time that say where it begins, or ends, to a bound. */
const EDGES = listPhrases('dateEdges');
const WITHIN = listPhrases('dateWithin');
/** Verbs that date the building, not the meeting. */
const BUILT = new Set([...listWords('built')].flatMap(stemsOf));
const YEAR_MIN = 1950;
const YEAR_MAX = 2100;

/** First and last day, `YYYY-MM-DD`, `YYYY-MM` or `YYYY`: the form in which the filters take them. */
interface Time {
  from: string;
  to: string;
  /** number of tokens */
  length: number;
}

const pad = (n: number) => String(n).padStart(2, '0');
/** @param index of a month of this year or another: 0 is December of the year before */
const formatMonth = (year: number, index: number): string => new Date(Date.UTC(year, index - 1)).toISOString().slice(0, 7);
const months = (year: number, first: number, count: number, length: number): Time => ({
  from: formatMonth(year, first),
  to: formatMonth(year, first + count - 1),
  length,
});

/** Whether `YYYY-MM` or `YYYY-MM-DD` is in the calendar. */
function isDate(text: string): boolean {
  const read = new Date(text);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
}

/** 0 for what is no year. */
function yearAt(question: QuestionWords, at: number): number {
  const value = /^\d{4}$/.test(question.word(at)) ? Number(question.word(at)) : 0;
  return value >= YEAR_MIN && value <= YEAR_MAX ? value : 0;
}

/** 1 to 12; 0 for what is no month: `may` and short forms are months with a capital or a year. */
function monthAt(question: QuestionWords, at: number): number {
  const word = question.word(at);
  const isSure = !/^(?:march|sept|.{3})$/.test(word) || question.isCapital(at) || yearAt(question, at + 1) > 0;
  return MONTH.test(word) && isSure ? MONTHS.indexOf(word.slice(0, 3)) + 1 : 0;
}

function namedTime(question: QuestionWords, at: number, today: string): Time | undefined {
  const iso = /^\d{4}-\d{2}(?:-\d{2})?(?!\d)/.exec(question.text.slice(question.tokens[at]?.start))?.[0];
  if (iso && yearAt(question, at) && isDate(iso)) return { from: iso, to: iso, length: iso.split('-').length };
  const of = question.word(at + 1) === 'of' ? 1 : 0;
  const year = yearAt(question, at + 1 + of);
  const length = year ? 2 + of : 1;
  const month = monthAt(question, at);
  if (month) {
    const day = `${yearAt(question, at + 2)}-${pad(month)}-${pad(question.tokens[at + 1]?.value ?? 0)}`;
    if (isDate(day)) return { from: day, to: day, length: 3 };
    const [thisYear = 0, thisMonth = 0] = today.split('-').map(Number);
    return months(year || (month > thisMonth ? thisYear - 1 : thisYear), month, 1, length);
  }
  const season = SEASONS.get(question.word(at));
  if (season && year) return months(season === 12 ? year - 1 : year, season, SEASON_MONTHS, length);
  const quarter = question.word(at) === 'q' && question.textAfter(at) === '' ? (question.tokens[at + 1]?.value ?? 0) : 0;
  const ofQuarter = yearAt(question, at + 2);
  if (ofQuarter && [1, 2, 3, 4].includes(quarter)) return months(ofQuarter, quarter * 3 - 2, 3, 3);
  const alone = yearAt(question, at);
  return alone ? { from: String(alone), to: String(alone), length: 1 } : undefined;
}

/** A time as seen from today. */
function relativeTime(question: QuestionWords, at: number, today: string): Time | undefined {
  const next = at + (question.word(at) === 'the' ? 2 : 1);
  const which = question.word(next - 1);
  if (!['last', 'past', 'this', 'previous', 'recent'].includes(which)) return undefined;
  const couple = question.has(next, 'couple of') ? 2 : 0;
  const count = couple || (question.tokens[next]?.value ?? 0);
  const last = next + (couple || Number(count > 0));
  const unit = question.stems[last] ?? '';
  const length = last + 1 - at;
  const [year = 0, month = 0] = today.split('-').map(Number);
  const season = SEASONS.get(unit);
  if (season && !count) {
    let begins = season === 12 ? year - 1 : year;
    while (begins * 12 + season + (which === 'this' ? 0 : SEASON_MONTHS) > year * 12 + month) begins -= 1;
    return months(begins, season, SEASON_MONTHS, length);
  }
  const [days, size] = [DAYS.get(unit), PERIOD_MONTHS.get(unit)];
  if ((!days && !size) || count > COUNT_MAX) return undefined;
  const times = count || 1;
  if (days) return { from: daysAfter(today, -times * days), to: today, length };
  if (count || which === 'past' || which === 'recent') return { from: monthsBefore(today, times * (size as number)), to: today, length };
  const back = which === 'this' ? 0 : 1;
  if (size === 12) return { from: String(year - back), to: String(year - back), length };
  const span = size as number;
  return months(year, Math.floor((month - 1) / span) * span + 1 - span * back, span, length);
}

/** The day, month or year behind a time, or before it. */
function shifted(time: string, by: 1 | -1): string {
  const [year = 0, month, day] = time.split('-').map(Number);
  if (day) return daysAfter(time, by);
  return month ? formatMonth(year, month + by) : String(year + by);
}

/** Reads the first time of a question as bounds of the meeting date; the date of a building remains text. */
export function readDates(question: QuestionWords, today: string): void {
  for (let i = 0; i < question.tokens.length; i++)
    if (question.isFree(i) && (readRange(question, i, today) || readOne(question, i, today))) return;
}

function readRange(question: QuestionWords, at: number, today: string): boolean {
  const first = ['between', 'from'].includes(question.word(at)) ? namedTime(question, at + 1, today) : undefined;
  if (!first) return false;
  const join = at + 1 + first.length;
  const last = ['and', 'to', 'through', 'until'].includes(question.word(join)) ? namedTime(question, join + 1, today) : undefined;
  if (!last) return false;
  // `between January and March 2026`: the year of the second is that of the first.
  const hasYear = question.tokens.slice(at + 1, join).some((_, i) => yearAt(question, at + 1 + i));
  const sameYear = `${last.to.slice(0, 4)}${first.from.slice(4)}`;
  const from = hasYear || sameYear > last.to ? first.from : sameYear;
  return question.read(at, join + 1 + last.length, { meetingDateFrom: from, meetingDateTo: last.to }, 'never');
}

function readOne(question: QuestionWords, i: number, today: string): boolean {
  const since = question.longest(i, SINCE);
  const before = question.longest(i, BEFORE);
  const lead = since || before || question.longest(i, WITHIN);
  const the = question.word(i + lead) === 'the' ? 1 : 0;
  const edge = since || before ? question.longest(i + lead + the, EDGES) : 0;
  const at = i + lead + the + edge;
  const relative = relativeTime(question, i + lead, today);
  const mayBegin = lead || monthAt(question, i) || SEASONS.has(question.word(i));
  const time = relative ?? (mayBegin ? namedTime(question, at, today) : undefined);
  if (!time || [1, 2].some((back) => BUILT.has(question.stems[i - back] ?? ''))) return false;
  const end = (relative ? i + lead : at) + time.length;
  if (!question.isFree(i, end)) return false;
  const read = (filters: Record<string, string>, to = end) => question.read(i, to, filters, 'never');
  const isEnd = edge > 0 && question.word(at - edge) === 'end';
  if (since) return read({ meetingDateFrom: isEnd || ['after', 'later'].includes(question.word(i)) ? shifted(time.to, 1) : time.from });
  if (before) {
    const isIncluded = isEnd || (!edge && ['through', 'until', 'by', 'up'].includes(question.word(i)));
    return read({ meetingDateTo: isIncluded ? time.to : shifted(time.from, -1) });
  }
  const onwards = relative ? 0 : question.longest(end, ONWARDS);
  return onwards ? read({ meetingDateFrom: time.from }, end + onwards) : read({ meetingDateFrom: time.from, meetingDateTo: time.to });
}
