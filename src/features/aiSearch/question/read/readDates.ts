/**
 * Reads times of meetings. Seasons are meteorological; a winter belongs to the year of its January, a month alone is the latest that has begun.
 *
 *     reading  ::= ("between" | "from") time ("and" | "to" | "through" | "until") time
 *                | ("since" | "before" | …) ["the" ("start" | "end") "of"] time | ["in" | …] (relative | time {("," | "and" | "or") time}) ["or later"]
 *     time     ::= YYYY-MM[-DD] | month [day] [["of"] year] | season ["of"] year | "Q" 1..4 year | year
 *     relative ::= ["the"] ("last" | "past" | "this" | "previous" | "recent") ([number | "couple of"] period | season)
 */
import { DateTime, type DurationLike } from 'luxon';
import { listPhrases, listWords } from '../lists.ts';
import type { QuestionWords } from '../questionWords.ts';
import { unitAt } from '../units.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
/** First months of seasons, and what they last. */
const SEASONS = new Map(Object.entries({ spring: 3, summer: 6, fall: 9, autumn: 9, winter: 12 }));
const SEASON = { months: 3 };
const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
const COUNT_MAX = 1000;
const SINCE = listPhrases('dateSince');
const ONWARDS = listPhrases('dateOnwards');
const BEFORE = listPhrases('dateBefore');
/** Words that name the beginning or the end of a time: `the start of`. */
const EDGES = listPhrases('dateEdges');
const WITHIN = listPhrases('dateWithin');
/** Verbs that date the building, not the meeting. */
const BUILT = listWords('built');
const YEAR_MIN = 1950;
const YEAR_MAX = 2100;
/** Years from today within which a number without `in` is a year. */
const BARE_YEARS = 10;
const NUMBERING = listWords('numbering');
/** The forms in which the filters take days, months and years. */
const FORMS = { day: 'yyyy-MM-dd', month: 'yyyy-MM', year: 'yyyy' } as const;

interface Time {
  from: DateTime;
  to: DateTime;
  unit: keyof typeof FORMS;
  /** number of tokens */
  length: number;
  /** of a month alone */
  isYearUnsaid?: true;
}

const formatTime = (time: DateTime, unit: Time['unit']): string => time.toFormat(FORMS[unit]);
const timeFrom = (from: DateTime, time: DurationLike, unit: Time['unit'], length: number): Time => ({
  from,
  to: from.plus(time).minus({ [unit]: 1 }),
  unit,
  length,
});

/** 0 for what is no year, `2,000` and `2000 acres` among it. */
function yearAt(question: QuestionWords, at: number): number {
  const value = /^\d{4}$/.test(question.slice(at, at + 1)) ? Number(question.word(at)) : 0;
  return value >= YEAR_MIN && value <= YEAR_MAX && !unitAt(question.tokens, at + 1) ? value : 0;
}

/** Whether a year stands for itself: `2025 rezonings`, not the number of a house. */
const isBareYear = (question: QuestionWords, at: number, today: DateTime): boolean =>
  Math.abs(yearAt(question, at) - today.year) <= BARE_YEARS && !question.isCapital(at + 1) && !NUMBERING.has(question.word(at - 1));

/** 1 to 12; 0 for what is no month: `may`, `march` and short forms are months with a capital or a year. */
function monthAt(question: QuestionWords, at: number): number {
  const word = question.word(at);
  const isSure = !/^(?:march|sept|.{3})$/.test(word) || question.isCapital(at) || yearAt(question, at + 1) > 0;
  return word.length > 2 && isSure ? MONTHS.findIndex((month) => month.startsWith(word)) + 1 : 0;
}

function readNamedTime(question: QuestionWords, at: number, today: DateTime): Time | undefined {
  const year = yearAt(question, at);
  const iso = /^\d{4}-\d{2}(?:-\d{2})?(?!\d)/.exec(question.text.slice(question.tokens[at]?.start))?.[0];
  const stated = iso && year ? DateTime.fromISO(iso, { zone: 'utc' }) : today;
  if (iso && year && !stated.isValid) return undefined;
  if (iso && year) return { from: stated, to: stated, unit: iso.length > 7 ? 'day' : 'month', length: iso.split('-').length };
  if (year) return timeFrom(DateTime.utc(year), { years: 1 }, 'year', 1);
  const month = monthAt(question, at);
  const day = DateTime.utc(yearAt(question, at + 2), month, question.tokens[at + 1]?.value ?? 0);
  if (month && day.year && day.isValid) return timeFrom(day, { days: 1 }, 'day', 3);
  const of = question.word(at + 1) === 'of' ? 1 : 0;
  const ofYear = yearAt(question, at + 1 + of);
  if (month && !ofYear) {
    const latest = DateTime.utc(month > today.month ? today.year - 1 : today.year, month);
    return { from: latest, to: latest, unit: 'month', length: 1, isYearUnsaid: true };
  }
  if (month) return timeFrom(DateTime.utc(ofYear, month), { months: 1 }, 'month', 2 + of);
  const season = SEASONS.get(question.word(at));
  if (season && ofYear) return timeFrom(DateTime.utc(season === 12 ? ofYear - 1 : ofYear, season), SEASON, 'month', 2 + of);
  const quarter = question.word(at) === 'q' && question.textAfter(at) === '' ? (question.tokens[at + 1]?.value ?? 0) : 0;
  const ofQuarter = yearAt(question, at + 2);
  return ofQuarter && [1, 2, 3, 4].includes(quarter)
    ? timeFrom(DateTime.utc(ofQuarter, quarter * 3 - 2), { quarters: 1 }, 'month', 3)
    : undefined;
}

/** A time with those that follow it in a list, if they make one without a gap: `2021 and 2022`, `March, April and May 2026`. */
function readListedTimes(question: QuestionWords, at: number, today: DateTime): Time | undefined {
  const first = readNamedTime(question, at, today);
  if (!first) return undefined;
  const behind = at + first.length;
  const joins = Number(/^(?:and|or|&)$/.test(question.word(behind)));
  const next = behind + joins + Number(question.word(behind + joins) === 'in');
  const isListed = joins > 0 || /^,\s/.test(question.textAfter(behind - 1));
  const rest = isListed ? readListedTimes(question, next, today) : undefined;
  if (rest?.unit !== first.unit) return first;
  const from = first.isYearUnsaid ? first.from.set({ year: rest.from.year }) : first.from;
  const to = first.isYearUnsaid ? from : first.to;
  return +to.plus({ [first.unit]: 1 }) === +rest.from ? { ...rest, from, length: next + rest.length - at } : first;
}

/** A time as seen from today. */
function readRelativeTime(question: QuestionWords, at: number, today: DateTime): Time | undefined {
  const next = at + (question.word(at) === 'the' ? 2 : 1);
  const which = question.word(next - 1);
  if (!['last', 'past', 'this', 'previous', 'recent'].includes(which)) return undefined;
  const couple = question.hasPhrase(next, 'couple of') ? 2 : 0;
  const count = couple || (question.tokens[next]?.value ?? 0);
  const last = next + (couple || Number(count > 0));
  const length = last + 1 - at;
  const season = SEASONS.get(question.stems[last] ?? '');
  if (season && !count) {
    let begins = DateTime.utc(today.year, season);
    while ((which === 'this' ? begins : begins.plus(SEASON)) > today) begins = begins.minus({ years: 1 });
    return timeFrom(begins, SEASON, 'month', length);
  }
  const period = PERIODS.find((one) => one === question.stems[last]);
  if (!period || count > COUNT_MAX) return undefined;
  const isUpToToday = count > 0 || ['past', 'recent'].includes(which) || period === 'day' || period === 'week';
  if (isUpToToday) return { from: today.minus({ [period]: count || 1 }), to: today, unit: 'day', length };
  const from = today.startOf(period).minus({ [period]: which === 'this' ? 0 : 1 });
  return timeFrom(from, { [period]: 1 }, period === 'year' ? 'year' : 'month', length);
}

/** Reads the first time of a question as bounds of the meeting date; the date of a building remains text. */
export function readDates(question: QuestionWords, today: string): void {
  const day = DateTime.fromISO(today, { zone: 'utc' });
  for (let i = 0; i < question.tokens.length; i++)
    if (question.isFree(i) && (readRange(question, i, day) || readTime(question, i, day))) return;
}

function readRange(question: QuestionWords, at: number, today: DateTime): boolean {
  const first = ['between', 'from'].includes(question.word(at)) ? readNamedTime(question, at + 1, today) : undefined;
  if (!first) return false;
  const join = at + 1 + first.length;
  const last = ['and', 'to', 'through', 'until'].includes(question.word(join)) ? readNamedTime(question, join + 1, today) : undefined;
  if (!last) return false;
  // `between January and March 2026` lies in one year; `between November and March 2026` begins in the year before.
  const sameYear = first.from.set({ year: last.to.year });
  const latest = sameYear <= last.to.endOf(last.unit) ? sameYear : sameYear.minus({ years: 1 });
  const from = first.isYearUnsaid ? latest : first.from;
  const filters = { meetingDateFrom: formatTime(from, first.unit), meetingDateTo: formatTime(last.to, last.unit) };
  return question.readAsFilters(at, join + 1 + last.length, filters, 'never');
}

/** The dates that a question means if they are no meetings: `updated since 2025`. */
const OF_OTHERS: readonly [name: string, phrases: readonly string[]][] = [
  ['lastUpdated', ['updated', 'last updated', 'last changed']],
  ['firstMeetingDate', ['first meeting', 'first heard', 'first hearing']],
  ['nextMeetingDate', ['next meeting', 'next hearing', 'next hearings']],
];

function readTime(question: QuestionWords, i: number, today: DateTime): boolean {
  const [dates, named] = OF_OTHERS.map(([name, phrases]) => [name, question.longestPhraseBefore(i, phrases)] as const).find(
    ([, length]) => length > 0,
  ) ?? ['meetingDate', 0];
  const since = question.longestPhrase(i, SINCE);
  const before = question.longestPhrase(i, BEFORE);
  const lead = since || before || question.longestPhrase(i, WITHIN);
  const the = question.word(i + lead) === 'the' ? 1 : 0;
  const edge = since || before ? question.longestPhrase(i + lead + the, EDGES) : 0;
  const at = i + lead + the + edge;
  const relative = readRelativeTime(question, i + lead, today);
  const mayBegin = lead || monthAt(question, i) || SEASONS.has(question.word(i)) || isBareYear(question, i, today);
  const time = relative ?? (mayBegin ? (since || before ? readNamedTime : readListedTimes)(question, at, today) : undefined);
  if (!time || [1, 2].some((back) => BUILT.has(question.word(i - back)))) return false;
  const end = (relative ? i + lead : at) + time.length;
  if (!question.isFree(i, end)) return false;
  const isEnd = edge > 0 && question.word(at - edge) === 'end';
  const onwards = relative || before ? 0 : question.longestPhrase(end, ONWARDS);
  // A bound that is not included is the next day, month or year.
  const isAfter = since > 0 && (isEnd || (!edge && ['after', 'later'].includes(question.word(i))));
  const isIncluded = isEnd || (!edge && ['through', 'until', 'by', 'up'].includes(question.word(i)));
  const from = isAfter ? time.to.plus({ [time.unit]: 1 }) : time.from;
  const to = !before || isIncluded ? time.to : time.from.minus({ [time.unit]: 1 });
  const filters = {
    ...(before ? {} : { [`${dates}From`]: formatTime(from, time.unit) }),
    ...(since || onwards ? {} : { [`${dates}To`]: formatTime(to, time.unit) }),
  };
  return question.readAsFilters(i - named, end + onwards, filters, 'never');
}
