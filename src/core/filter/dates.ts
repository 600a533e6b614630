/** Dates as clients may send them: YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339. A 'To' bound means the end of the period. */
import { DateTime } from 'luxon';
import { type PlainKind, scalarKind } from './kinds.ts';
import { andThen, invalidValue, type ParsedValue } from './raw.ts';

export interface Period {
  /** the value, unchanged */
  text: string;
  /** first and last day, `YYYY-MM-DD`; for an instant, the day in the offset that was sent */
  firstDay: string;
  lastDay: string;
  /** first and last instant, to the millisecond: ISO 8601, UTC */
  start: string;
  end: string;
}

/** Years that ISO 8601 writes with four digits, both in UTC and in the offset that was sent. The index accepts no others. */
const YEAR_MIN = 1;
const YEAR_MAX = 9999;

const YEAR = /^\d{4}$/;
const MONTH = /^\d{4}-\d{2}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ](?:[01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** A time whose offset lost its `+`, which a query string decodes to a blank. */
const PLUS_LOST = /^\d{4}-\d{2}-\d{2}[Tt ][\d:.]{5,18} \d{2}:\d{2}$/;

function parsePeriod(text: string): ParsedValue<Period> {
  const unit = YEAR.test(text)
    ? 'year'
    : MONTH.test(text)
      ? 'month'
      : DAY.test(text)
        ? 'day'
        : INSTANT.test(text)
          ? 'millisecond'
          : undefined;
  const iso = unit === 'year' ? `${text}-01` : text.replace(' ', 'T').toUpperCase();
  const start = unit ? DateTime.fromISO(iso, unit === 'millisecond' ? { setZone: true } : { zone: 'utc' }) : undefined;
  const end = unit && start?.plus({ [unit]: 1 }).minus({ milliseconds: 1 });
  const years = start && end ? [start.year, start.toUTC().year, end.toUTC().year] : [];
  if (!start?.isValid || !end || years.some((year) => year < YEAR_MIN || year > YEAR_MAX)) {
    const shown = text.slice(0, 80);
    const hint = PLUS_LOST.test(text) ? "; a '+' in a query string is a blank, so write it as %2B" : '';
    return invalidValue('invalid_date', `'${shown}' is no date; send YYYY, YYYY-MM, YYYY-MM-DD or an RFC 3339 time${hint}`, {
      value: shown,
    });
  }
  return {
    value: {
      text,
      firstDay: start.toFormat('yyyy-MM-dd'),
      lastDay: end.toFormat('yyyy-MM-dd'),
      start: start.toUTC().toISO() as string,
      end: end.toUTC().toISO() as string,
    },
  };
}

export const period: PlainKind<Period> = {
  ...scalarKind({ type: 'string', description: 'YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339' }, (sent) => parsePeriod(String(sent))),
  echo: ({ text }) => text,
};

/** A span of time; one end may be open. */
export interface TimeSpan {
  /** the value, unchanged */
  text: string;
  from?: Period;
  to?: Period;
}

const INTERVAL_FORM = "send one time or 'from/to', of which one may be '..'";

function parseInterval(text: string): ParsedValue<TimeSpan> {
  const ends = text.split('/');
  if (ends.length === 1) return andThen(parsePeriod(text), (at) => ({ value: { text, from: at, to: at } }));
  const [from = '', to = ''] = ends.map((end) => (end === '..' ? '' : end));
  if (ends.length > 2 || (!from && !to)) return invalidValue('invalid_date', `'${text.slice(0, 80)}' is no interval; ${INTERVAL_FORM}`);
  return andThen(from ? parsePeriod(from) : OPEN, (start) =>
    andThen(to ? parsePeriod(to) : OPEN, (end) => {
      if (start && end && start.start > end.end) return invalidValue('invalid_date', `ends before it begins; ${INTERVAL_FORM}`);
      return { value: { text, ...(start ? { from: start } : {}), ...(end ? { to: end } : {}) } };
    }),
  );
}

const OPEN: ParsedValue<Period | undefined> = { value: undefined };

/** The parameter `datetime` of OGC API - Features (17-069r4, 7.15.4). */
export const interval: PlainKind<TimeSpan> = {
  ...scalarKind({ type: 'string', description: "A time, or an interval 'from/to', '../to', 'from/..'" }, (sent) =>
    parseInterval(String(sent)),
  ),
  echo: ({ text }) => text,
};
