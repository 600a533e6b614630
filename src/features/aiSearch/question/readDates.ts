/**
 * Reads times of meetings. Seasons are meteorological; a winter belongs to the year of its January, a month or season alone is the latest that has
 * begun, of a next meeting the first that has not.
 *
 *     reading  ::= [of] ("between" | "from") time ("and" | "to" | "through" | "until") time
 *                | [of] ("since" | "before" | …) ["the" ("start" | "end") "of"] time
 *                | [of] ["in" | …] (relative | time {("," | "and" | "or") time}) ["or later"] | "upcoming"
 *     of       ::= ("updated" | "first heard" | "next hearing" | …) {"set" | "scheduled" | "is" | …}
 *     time     ::= YYYY-MM[-DD] | M/[D/]YYYY | month [day] [["of"] year] | day month year | (season | "early" | "mid" | "late") ["of"] [year]
 *                | ("Q" 1..4 | "H" 1..2 | "first quarter" | …) [["of"] year] | YYYY-YY | year
 *     relative ::= ["the"] ("last" | "past" | "this" | "previous" | "recent" | "next") ([number] period | season) | "yesterday" | "year to date" | …
 *                | ["the"] ("first" | "last") number period "of" year
 */
import { DateTime, type DurationLike } from 'luxon';
import data from '../../../catalogue/questionTimes.json' with { type: 'json' };
import { unitAt } from './amounts.ts';
import { literalCriterion } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import type { FilterReading } from './types.ts';
import { listStems } from './words.ts';

/** Days of a month in words, from the first on. */
const [NTHS, TEENTHS] = [
  'first second third fourth fifth sixth seventh eighth ninth'.split(' '),
  'ten eleven twelf thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ').map((one) => `${one}th`),
];
const DAYS_IN_WORDS = [...NTHS, ...TEENTHS, 'twentieth', ...NTHS.map((one) => `twenty-${one}`), 'thirtieth', 'thirty-first'];
const TIME = new RegExp(
  String.raw`^(?:(?<iso>\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2})?)|(?<us>\d{1,2}\/(?:\d{1,2}\/)?\d{4}|\d{1,2}\/\d{1,2}\/\d\d)|(?:(?<ahead>\d{1,2}(?=st|nd|rd|th| )|(?:${DAYS_IN_WORDS.join('|')})(?= (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))(?:st|nd|rd|th)? (?:of )?)?(?<name>q[1-4]|h[12]|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:quarter|half)|[a-z]{3,9})\.?(?: (?:the )?(?<day>\d{1,2}|${DAYS_IN_WORDS.join('|')})(?:st|nd|rd|th)?(?!\d|,\d| (?:hearing|reading|meeting|quarter|half)))?(?:,?[ -](?:of )?(?<of>\d{4}|['’]\d\d|(?:last|this|next) year))?|(?<year>\d{4})(?:[-–/](?<until>\d{4}|\d\d))?)(?![\d,-]\d|\w)`,
  'i',
);
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
export const isMonth = (word: string): boolean => word.length > 2 && MONTHS.some((one) => one.startsWith(word));
/** First months and lengths: of parts of a year that has to be said, seasons among them, and of those of the last year where none is said. */
const [PARTS, SHARES] = [data.parts, data.shares].map((table) => new Map(Object.entries(table) as [string, [number, number]][]));
const SEASON = { months: 3 };
const DAYS: Readonly<Record<string, number>> = data.days;
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
const COUNT_MAX = 1000;
/** The dates that a question means if they are no meetings: `updated since 2025`. */
const OF_OTHERS = { lastUpdated: 'dateUpdated', firstMeetingDate: 'dateFirstMeeting', nextMeetingDate: 'dateNextMeeting' } as const;
const PUT_OFF = listStems('datePutOff');
const dayNumber = (text: string | undefined): number => DAYS_IN_WORDS.indexOf(text?.toLowerCase() ?? '') + 1 || Number(text ?? 0);
const [YEAR_MIN, YEAR_MAX] = [1950, 2100] as const;
/** Years from today within which a number without `in` is a year. */
const BARE_YEARS = 10;
/** The forms in which the filters take days, months and years. */
const FORMS = { day: 'yyyy-MM-dd', month: 'yyyy-MM', year: 'yyyy' } as const;

interface Time {
  from: DateTime;
  to: DateTime;
  unit: keyof typeof FORMS;
  /** number of tokens */
  length: number;
  /** of a month or a quarter alone */
  isYearUnsaid?: boolean;
  /** `next month` */
  isNext?: boolean;
  /** `by year-end` includes the year */
  isYearEnd?: boolean;
  /** of a list, if other times lie between its own */
  isBroken?: boolean;
}

const timeFrom = (from: DateTime, time: DurationLike, unit: Time['unit'], length: number): Time => ({
  from,
  to: from.plus(time).minus({ [unit]: 1 }),
  unit,
  length,
});
const formatTime = (time: DateTime, unit: Time['unit']): string => time.toFormat(FORMS[unit]);

/** What a question asks about as of today. */
const OF_TODAY = /\b(?:zoned|zoning|ground|land|moratori(?:um|a)|bans?|restrictions?|in force)\b/i;
const [ARTICLE, UNTIL] = [/^(?:an?|the|its|their)$/, /^(?:to|until|till)$/];
const LEADS = /\b(?:(?:in|since|before|during|until|after|through)(?: the)?|over the)$/;
/** Whether a word that may mean something else is a month: by a capital, by what leads to it (`in may`), or by another month (`may to june`). */
function isSurely(question: QuestionWords, at: number): boolean {
  const joins = (joint: number, other: number) =>
    /^(?:to|through|until|and)$/.test(question.word(joint)) && isMonth(question.word(other)) && question.word(other) !== question.word(at);
  // `mar-jun 2026`, `dec 7`
  const isDashed = question.textAfter(at) === '-' && isMonth(question.word(at + 1));
  const hasDay = question.word(at) !== 'may' && /^\d{1,2}$/.test(question.word(at + 1));
  return (
    question.isCapital(at) || isDashed || hasDay || LEADS.test(question.word(at - 1)) || joins(at + 1, at + 2) || joins(at - 1, at - 2)
  );
}

/** `11/1/26` is in 2026. */
const longYearOf = (us: string): string => (/\/\d\d$/.test(us) ? `20${us.slice(-2)}` : us.slice(-4));

/** The year of `2025`, `'25` and `last year`. */
const yearOf = (text: string | undefined, today: DateTime): string | number | undefined =>
  text?.includes('year') ? today.year + ['last', 'this', 'next'].indexOf(text.slice(0, 4).toLowerCase()) - 1 : text?.replace(/^['’]/, '20');

/**
 * The time at a token; `2,000` and `2000 acres` are no years, `may`, `march` and short forms are months where that is sure.
 * @param isLed whether words lead to it: a year alone needs them, or stands for itself
 */
function readNamedTime(question: QuestionWords, at: number, today: DateTime, isLed = true): Time | undefined {
  const start = question.tokens[at]?.start ?? question.text.length;
  const ofDigits = readDigits(question, at);
  if (ofDigits) return ofDigits;
  const { 0: said = '', groups = {} } = TIME.exec(question.text.slice(start)) ?? {};
  const { iso, us, ahead } = groups;
  const name = groups.name?.toLowerCase() ?? '';
  const length = question.tokens.slice(at).filter((token) => token.start < start + said.length).length;
  const year = Number(iso?.slice(0, 4) ?? (us && longYearOf(us)) ?? yearOf(groups.of, today) ?? groups.year ?? 0);
  // `2000 acres` is no year, `2025 hearings` is one.
  const counts = /^[ -]$/.test(question.textAfter(at + length - 1)) ? unitAt(question.tokens, at + length)?.unit.name : undefined;
  const isYear = year >= YEAR_MIN && year <= YEAR_MAX && ['hearings', undefined].includes(counts);
  if (!said || (year && !isYear) || (!isLed && (groups.year || iso?.length === 7) && !isBareYear(question, at, today))) return undefined;
  if (groups.year) {
    // `2024-25`
    const more = groups.until ? Math.max(0, (Number(groups.until) % 100) - (year % 100)) : 0;
    return timeFrom(DateTime.utc(year), { years: 1 + more }, 'year', length);
  }
  const isSure = isYear || !/^(?:march|sept|.{3})$/.test(name) || isSurely(question, at);
  const named = isSure && isMonth(name) ? MONTHS.findIndex((one) => one.startsWith(name)) + 1 : 0;
  const [first = '', second] = us?.split('/') ?? [];
  const month = Number(iso?.slice(5, 7) ?? first) || named;
  const day = iso?.slice(8) || (us && us.split('/').length === 3 ? second : (ahead ?? groups.day));
  if (day) {
    const on = DateTime.utc(year || today.year, month, dayNumber(day));
    const isWhole = month > 0 && on.isValid && (year || !ahead) && !(ahead && groups.day);
    return isWhole ? { from: on, to: on, unit: 'day', length, isYearUnsaid: !year } : undefined;
  }
  // `in Winter Gardens` is a place.
  const isLedTo = !question.isCapital(at + 1) && LEADS.test(`${question.word(at - 2)} ${question.word(at - 1)}`);
  const isPart = year || (!/^(?:early|mid|late)$/.test(name) && isLedTo);
  const [begins, months] = (isPart ? PARTS?.get(name) : undefined) ?? SHARES?.get(name) ?? [month, 1];
  if (!begins || begins > 12) return undefined;
  const latest = begins > today.month ? today.year - 1 : today.year;
  const from = DateTime.utc((year || latest) - Number(name === 'winter'), begins);
  return { ...timeFrom(from, { months }, 'month', length), isYearUnsaid: !year };
}

/** `'24`, `the 1990s` */
function readDigits(question: QuestionWords, at: number): Time | undefined {
  const [, short = ''] = /(?:^|\s)['’](\d\d)$/.exec(question.text.slice(0, question.tokens[at]?.end)) ?? [];
  const [, decade = ''] = /^((?:19|20)\d0)['’]?s$/.exec(question.slice(at, at + 2)) ?? [];
  if (short) return timeFrom(DateTime.utc(2000 + Number(short)), { years: 1 }, 'year', 1);
  return decade ? timeFrom(DateTime.utc(Number(decade)), { years: 10 }, 'year', 2) : undefined;
}

/** `two weeks ago`, `last Tuesday` */
function readNearTime(question: QuestionWords, at: number, today: DateTime): Time | undefined {
  const count = /^an?$/.test(question.word(at)) ? 1 : (question.tokens[at]?.value ?? 0);
  const behind = at + (question.tokens[at]?.span ?? 1);
  const period = PERIODS.find((one) => one === question.stems[behind]);
  if (period && count > 0 && count <= COUNT_MAX && question.word(behind + 1) === 'ago') {
    const unit = period === 'year' ? 'year' : period === 'month' || period === 'quarter' ? 'month' : 'day';
    return timeFrom(today.minus({ [period]: count }).startOf(period), { [period]: 1 }, unit, behind + 2 - at);
  }
  if (!/^(?:last|next|this)$/.test(question.word(at))) return undefined;
  const weekday = WEEKDAYS.indexOf(question.word(at + 1)) + 1;
  if (!weekday) return undefined;
  const apart = weekday - today.weekday;
  const days = { last: apart < 0 ? apart : apart - 7, this: apart, next: apart > 0 ? apart : apart + 7 }[question.word(at)] ?? 0;
  return { ...timeFrom(today.plus({ days }), { days: 1 }, 'day', 2), isNext: days > 0 };
}

/** A year or month in numbers that stands for itself: `2025 rezonings`, not the number of a house or the end of `13/45/2026`. */
const isBareYear = (question: QuestionWords, at: number, today: DateTime): boolean =>
  Math.abs(Number(question.word(at)) - today.year) <= BARE_YEARS &&
  !question.isCapital(at + 1) &&
  !question.is(at - 1, 'numbering') &&
  !/[\w/.-]$|\d(?:st|nd|rd|th)?,? $/.test(question.text.slice(0, question.tokens[at]?.start)) &&
  !/^ \d/.test(question.text.slice(question.tokens[at]?.end));

/** A time with those that follow it in a list: `2021 and 2022`, `March, April and May 2026`. */
function readListedTimes(question: QuestionWords, at: number, today: DateTime, isLed = true): Time | undefined {
  const first = readNamedTime(question, at, today, isLed);
  if (!first) return undefined;
  const behind = at + first.length;
  const joins = Number(/^(?:and|or|&)$/.test(question.word(behind)));
  const next = behind + joins + Number(question.word(behind + joins) === 'in');
  const isListed = joins > 0 || /^,\s/.test(question.textAfter(behind - 1));
  const rest = isListed ? readListedTimes(question, next, today) : undefined;
  if (rest?.unit !== first.unit) return first;
  const { year } = first.isYearUnsaid ? rest.from : first.from;
  const isNext = +first.to.set({ year }).plus({ [first.unit]: 1 }) === +rest.from;
  return { ...rest, from: first.from.set({ year }), length: next + rest.length - at, isBroken: rest.isBroken || !isNext };
}

/** A time as seen from today, or a part of a year: `the first six months of 2026`. */
function readRelativeTime(question: QuestionWords, at: number, today: DateTime): Time | undefined {
  const next = at + (question.word(at) === 'the' ? 2 : 1);
  const which = question.word(next - 1);
  const toDate = question.phraseAt(at, 'dateToDate');
  if (toDate) return { from: today.startOf('year'), to: today, unit: 'day', length: toDate };
  const near = readNearTime(question, next - 1, today);
  if (near) return { ...near, length: near.length + next - 1 - at };
  const days = Object.hasOwn(DAYS, which) ? today.plus({ days: DAYS[which] ?? 0 }) : undefined;
  if (days) return { from: days, to: days, unit: 'day', length: next - at, isNext: days > today };
  if (!/^(?:last|past|trailing|this|current|present|previous|recent|next|coming|first)$/.test(which)) return undefined;
  const count = question.tokens[next]?.value ?? 0;
  const last =
    next + (count > 0 ? (question.tokens[next]?.span ?? 1) : 0) + Number(/^(?:calendar|full|whole|entire)$/.test(question.word(next)));
  const length = last + 1 - at;
  const name = question.stems[last] ?? '';
  const period = PERIODS.find((one) => one === name);
  const of = question.word(last + 1) === 'of' ? readNamedTime(question, last + 2, today) : undefined;
  if (of?.unit === 'year' && period && count) {
    const time = { [period]: count };
    return { ...timeFrom(which === 'first' ? of.from : of.from.plus({ years: 1 }).minus(time), time, 'month', length + 1 + of.length) };
  }
  if (of || which === 'first') return undefined;
  const season = /^(?:early|mid|late)$/.test(name) ? undefined : PARTS?.get(name)?.[0];
  const isNext = which === 'next' || which === 'coming';
  if (season && !count) {
    // The one two years ago, and from there on to the one that is meant.
    let begins = DateTime.utc(today.year - 2, season);
    const isPast = (one: DateTime) => (isNext ? one <= today : one.plus({ years: 1 }).plus(which === 'this' ? {} : SEASON) <= today);
    while (isPast(begins)) begins = begins.plus({ years: 1 });
    return { ...timeFrom(begins, SEASON, 'month', length), isNext };
  }
  if (!period || count > COUNT_MAX) return undefined;
  if (isNext && count) return { from: today, to: today.plus({ [period]: count }), unit: 'day', length, isNext };
  if (!isNext && (count > 0 || which === 'past' || which === 'trailing' || which === 'recent' || period === 'day'))
    return { from: today.minus({ [period]: count || 1 }), to: today, unit: 'day', length };
  const from = today.startOf(period).plus({ [period]: isNext ? 1 : /^(?:this|current|present)$/.test(which) ? 0 : -1 });
  const unit = period === 'year' ? 'year' : period === 'week' || period === 'day' ? 'day' : 'month';
  return { ...timeFrom(from, { [period]: 1 }, unit, length), isNext };
}

/** `the year`, `the month`, behind the name of its end. */
function readThisPeriod(question: QuestionWords, at: number, today: DateTime): Time | undefined {
  const period = question.word(at) === 'the' ? PERIODS.find((one) => one === question.word(at + 1)) : undefined;
  if (!period || period === 'day') return undefined;
  return timeFrom(today.startOf(period), { [period]: 1 }, period === 'year' ? 'year' : period === 'week' ? 'day' : 'month', 2);
}

/** `year-end`, `year's end` */
const readYearEnd = (question: QuestionWords, at: number, today: DateTime): Time | undefined =>
  /^year(?:['’]s)? end$/.test(question.words(at, at + 2))
    ? { ...timeFrom(today.startOf('year'), { years: 1 }, 'year', 2), isYearEnd: true }
    : undefined;

/** Reads times as bounds of the meeting date, each bound once; the date of a building remains text. */
export function readDates(question: QuestionWords, today: string): void {
  const day = DateTime.fromISO(today, { zone: 'utc' });
  for (let i = 0; i < question.tokens.length; i++) if (question.isFree(i) && !readRange(question, i, day)) readTime(question, i, day);
  nameDatesApart(question);
  for (let i = 0; i < question.tokens.length; i++) {
    const length = question.phraseAt(i, 'dateUpcoming');
    if (question.isFree(i, i + length)) question.readAsFilters(i, i + length, { nextMeetingDateFrom: formatTime(day, 'day') }, 'never');
  }
}

/** `Since March, which had their first meeting in Providence?`: what the dates are of stands apart from them. */
function nameDatesApart(question: QuestionWords): void {
  for (const dates of Object.keys(OF_OTHERS)) {
    const isOpen = question.filters[`${dates}From`] && !question.filters[`${dates}To`] && !question.filters.meetingDateFrom;
    const end = isOpen ? question.readings.find(({ filters }) => filters.join() === 'meetingDateTo') : undefined;
    if (end) renameDates(question, end, dates);
  }
  const read = question.readings.find(({ filters }) => filters.every((name) => /^meetingDate(?:From|To)$/.test(name)));
  if (!read) return;
  for (const [dates, list] of Object.entries(OF_OTHERS))
    for (let i = 0; i < question.tokens.length; i++) {
      const length = question.phraseAt(i, list);
      if (!length || !question.isFree(i, i + length) || question.filters[`${dates}From`] || question.filters[`${dates}To`]) continue;
      renameDates(question, read, dates);
      question.take(i, i + length, read.filters);
      read.text = `${read.text}, ${question.slice(i, i + length)}`;
      return;
    }
}

function renameDates(question: QuestionWords, read: FilterReading, dates: string): void {
  for (const name of read.filters) question.renameFilter(name, name.replace('meetingDate', dates));
}

const DAYS_OF_MONTH =
  /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|through|thru) ?(\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?![\w/-])/i;

/** `Nov 1-15, 2026`, `December 7 to 18`: the latest that has begun, of a next meeting the first that has not. */
function readDaysOfMonth(question: QuestionWords, at: number, today: DateTime): boolean {
  const lead = question.phraseAt(at, 'dateWithin') || Number(/^(?:from|between)$/.test(question.word(at)));
  const start = question.tokens[at + lead]?.start ?? question.text.length;
  const [said = '', name = '', first, last, year] = DAYS_OF_MONTH.exec(question.text.slice(start)) ?? [];
  const month = isMonth(name.toLowerCase()) ? MONTHS.findIndex((one) => one.startsWith(name.toLowerCase())) + 1 : 0;
  const { dates, from: begin } = namedDates(question, at);
  const isNext = dates === 'nextMeetingDate';
  const nearest = isNext ? today.year + Number(month < today.month) : today.year - Number(month > today.month);
  const ofYear = Number(year ?? nearest);
  const [from, to] = [first, last].map((day) => DateTime.utc(ofYear, month, Number(day)));
  const end = question.tokens.findLastIndex((token) => token.start < start + said.length) + 1;
  if (!month || !from?.isValid || !to?.isValid || to <= from || !question.isFree(at, end)) return false;
  const meant = dates === 'meetingDate' && from > today ? 'nextMeetingDate' : dates;
  return question.readAsFilters(begin, end, { [`${meant}From`]: formatTime(from, 'day'), [`${meant}To`]: formatTime(to, 'day') }, 'never');
}

function readRange(question: QuestionWords, at: number, today: DateTime): boolean {
  if (readDaysOfMonth(question, at, today)) return true;
  const isBetween = ['between', 'from'].includes(question.word(at));
  const lead = isBetween ? 1 : question.phraseAt(at, 'dateWithin');
  const edgeAt = (token: number) =>
    Number(question.word(token) === 'the') + question.phraseAt(token + Number(question.word(token) === 'the'), 'dateEdges');
  const begins = edgeAt(at + lead) > 1 ? at + lead + edgeAt(at + lead) : at + lead;
  const first = readNamedTime(question, begins, today, lead > 0);
  const join = begins + (first?.length ?? 0);
  const isDash = /^ ?[-–] ?$/.test(question.textAfter(join - 1));
  const isJoined = /^(?:to|through|thru|until)$/.test(question.word(join)) || (isBetween && question.word(join) === 'and');
  const ends = join + Number(!isDash);
  const next = ends + (edgeAt(ends) > 1 ? edgeAt(ends) : 0);
  const last = first && (isJoined || isDash) ? readNamedTime(question, next, today) : undefined;
  if (!first || !last) return false;
  // `between January and March 2026` lies in one year; `between November and March 2026` begins in the year before.
  const sameYear = first.from.set({ year: last.to.year });
  const latest = sameYear <= last.to.endOf(last.unit) ? sameYear : sameYear.minus({ years: 1 });
  const from = first.isYearUnsaid ? latest : first.from;
  const [begin, end] = from > last.to.endOf(last.unit) ? [last, first] : [{ ...first, from }, last];
  const { dates: said, from: start } = namedDates(question, at);
  const dates = said === 'meetingDate' && begin.from > today ? 'nextMeetingDate' : said;
  const filters = { [`${dates}From`]: formatTime(begin.from, begin.unit), [`${dates}To`]: formatTime(end.to, end.unit) };
  return question.readAsFilters(start, next + last.length, filters, 'never');
}

/** Words from `first` to the time: `first came to a public hearing in March`. */
const FIRST_REACH = 8;

/** The first token of words for a first meeting that end before a token; that token for none. */
function findFirstMeeting(question: QuestionWords, end: number): number {
  let isHeard = false;
  for (let from = end - 1; from >= Math.max(0, end - FIRST_REACH); from--) {
    isHeard ||= question.is(from, 'dateHeard');
    // `1st hearing`
    const isFirst = question.word(from) === 'st' && question.word(from - 1) === '1';
    if (isFirst || question.is(from, 'dateOrdinal')) return isHeard ? from - Number(isFirst) : end;
    if (!question.is(from, 'dateHeard') && !question.is(from, 'dateHeardBeside')) return end;
  }
  return end;
}

/** The dates that words before a time name, and the first of these words: `first heard`, `next hearing set for`. */
function namedDates(question: QuestionWords, at: number): { dates: string; from: number } {
  const first = findFirstMeeting(question, at);
  if (first < at && question.isFree(first, at)) return { dates: 'firstMeetingDate', from: first };
  let end = at;
  while (question.is(end - 1, 'dateBetween')) end--;
  const found = Object.entries(OF_OTHERS)
    .map(([dates, list]) => ({ dates, from: end - question.phraseBefore(end, list) }))
    .find(({ from }) => from < end);
  return found && question.isFree(found.from, at) ? found : { dates: 'meetingDate', from: at };
}

function readTime(question: QuestionWords, i: number, today: DateTime): boolean {
  // `continued to January`, `continued to a hearing in January`: it is heard then.
  const hearing = Number(/^(?:hearing|meeting|session)$/.test(question.word(i - 1)));
  const put = hearing ? i - 2 - Number(ARTICLE.test(question.word(i - 2))) : i;
  const isPutOff = [1, 2].some((back) => PUT_OFF.has(question.stems[put - back] ?? ''));
  const isUntil = isPutOff && UNTIL.test(question.word(put)) && question.isFree(put, i + 1);
  const until = isUntil && !hearing ? 1 : 0;
  const isBound = !isUntil && !(isPutOff && question.word(i) === 'from');
  const begins = isBound ? question.phraseAt(i, 'dateSince') : 0;
  // `not updated after March` was last updated in March at the latest.
  const behind = begins || Number(question.word(i) === 'past');
  const unchanged = behind && question.phraseBefore(i, 'dateUnchanged');
  const since = unchanged ? 0 : begins;
  const before = unchanged ? behind : isBound ? question.phraseAt(i, 'dateBefore') : 0;
  const lastUpdate = unchanged ? { dates: 'lastUpdated', from: i - unchanged } : undefined;
  const { dates: said, from: start } = lastUpdate ?? (isUntil ? { dates: 'nextMeetingDate', from: put } : namedDates(question, i));
  const lead = until || since || before || question.phraseAt(i, 'dateWithin');
  const the = Number(question.word(i + lead) === 'the');
  const edge = since || before ? question.phraseAt(i + lead + the, 'dateEdges') : 0;
  const at = i + lead + the + edge;
  // `by the end of next month`, `by year-end`
  const edgeTime = edge
    ? (readRelativeTime(question, at, today) ?? readThisPeriod(question, at, today))
    : before
      ? readYearEnd(question, at, today)
      : undefined;
  const relative = edgeTime ?? readRelativeTime(question, i + lead, today);
  const listed = relative ? undefined : (since || before ? readNamedTime : readListedTimes)(question, at, today, lead > 0);
  const time = relative ?? listed;
  // `March 5`: its year is not said; `built in 2020` dates the building.
  if (
    !time ||
    (time.unit === 'day' && time.isYearUnsaid && !(since || before) && said !== 'nextMeetingDate') ||
    [1, 2].some((back) => question.is(i - back, 'built'))
  )
    return false;
  const end = (relative && !edgeTime ? i + lead : at) + time.length;
  // `as of today`, `zoned R-1 today` and `under a moratorium today` bound nothing.
  const isNow =
    question.word(i) === 'as' ||
    (lead === 0 && (OF_TODAY.test(question.text) || /\b[A-Z][A-Z\d-]{1,9} $/.test(question.text.slice(0, question.tokens[i]?.start))));
  if (isNow && relative && +time.from === +today && question.isFree(i, end)) {
    question.take(i, end);
    return true;
  }
  if (!question.isFree(i, end)) return false;
  if (time.isBroken) {
    // `2019 and 2022`: no filter knows two times apart.
    question.criteria.push(literalCriterion(question.slice(at, end)));
    question.take(i, end);
    return true;
  }
  const isWeek = time.unit === 'day' && question.word(i) === 'of' && question.word(i - 1) === 'week';
  const isEnd = time.isYearEnd || (edge > 0 && /^(?:end|last|final|close)$/.test(question.word(at - edge)));
  const onwards = before ? 0 : question.phraseAt(end, 'dateOnwards');
  const backwards = since || before ? 0 : question.phraseAt(end, 'dateBackwards');
  // A bound that is not included is the next day, month or year.
  const isAfter = since > 0 && (isEnd || (!edge && ['after', 'later', 'post'].includes(question.word(i))));
  const isIncluded =
    unchanged > 0 ||
    isEnd ||
    (!edge && ['through', 'until', 'by', 'up', 'no', 'not', 'nothing', 'none', "isn't", 'is', 'on', '<=', '≤'].includes(question.word(i)));
  const isToCome = said === 'meetingDate' && !before && time.from > today && !time.isYearUnsaid;
  const dates = (relative?.isNext && start === i) || isToCome ? 'nextMeetingDate' : said;
  // `next hearing in January` is still to come.
  const isAhead = dates === 'nextMeetingDate' && time.to.endOf(time.unit) < today;
  const isPast = time.unit === 'day' && time.from > today && dates !== 'nextMeetingDate';
  const years = !time.isYearUnsaid ? 0 : Number(isAhead) - Number(isPast);
  const from = (isAfter ? time.to.plus({ [time.unit]: 1 }) : time.from).plus({ years });
  const to = (!before || isIncluded ? time.to : time.from.minus({ [time.unit]: 1 })).plus({ years, days: isWeek ? 6 : 0 });
  // `decisions from June 2026` are of that month, `from June 2026 on` is open.
  const isOf = question.word(i) === 'from' && time.unit !== 'day' && !onwards && question.word(end) !== 'on';
  const filters = {
    ...(before || backwards ? {} : { [`${dates}From`]: formatTime(from, time.unit) }),
    ...((since && !isOf) || onwards ? {} : { [`${dates}To`]: formatTime(to, time.unit) }),
  };
  return question.readAsFilters(start - Number(isWeek), end + onwards + backwards, filters, 'never');
}
