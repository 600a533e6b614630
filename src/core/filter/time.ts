/** Filters on meeting dates and times of change. */
import { DEFAULT_DATE_RANGE } from '../domain/meetingFilters.ts';
import { monthsBefore } from '../domain/serviceClock.ts';
import { range } from '../query/clauses.ts';
import { period } from './dates.ts';
import { filter } from './entry.ts';
import { choice, type PlainKind } from './kinds.ts';
import { andThen, invalidValue, parseScalar } from './raw.ts';

const DATE_RANGES = ['last_3_months', 'last_6_months', 'last_1_year', 'since_jan_2025', 'all'] as const;
export type DateRange = (typeof DATE_RANGES)[number];

const MEETING = 'derived.evidence.meetingDate';

/** First and last day of a named range that ends today, `YYYY-MM-DD`; null for a range without bounds. */
export function daysOf(name: DateRange, today: string): { gte: string; lte: string } | null {
  const months = { last_3_months: 3, last_6_months: 6, last_1_year: 12 } as const;
  if (name === 'all') return null;
  return { gte: name === 'since_jan_2025' ? '2025-01-01' : monthsBefore(today, months[name]), lte: today };
}

const namedRange = choice(...DATE_RANGES);

const RANGE_LABELS: Record<DateRange, string> = {
  last_3_months: 'Last 3 months',
  last_6_months: 'Last 6 months',
  last_1_year: 'Last year',
  since_jan_2025: 'January 2025 until today',
  all: 'All dates',
};

const dateRange: PlainKind<DateRange> = {
  ...namedRange,
  terms: DATE_RANGES.map((token) => ({ token, label: RANGE_LABELS[token] })),
  parse: (raw) =>
    andThen(parseScalar(raw), (sent) => {
      if (String(sent).toLowerCase() !== 'last_1_month') return namedRange.parse(raw);
      return invalidValue('removed_value', "'last_1_month' was removed; send last_3_months", {
        value: 'last_1_month',
        suggest: () => ({ didYouMean: 'last_3_months' }),
      });
    }),
};

export const timeFilters = {
  meetingDateFrom: filter({
    aliases: ['dateFrom'],
    label: 'Latest meeting',
    summary: 'Meeting on or after the first day of this period',
    example: '2026-03',
    kind: period,
    textFallback: 'never',
    fields: [MEETING],
    queryable: { names: ['meetingDate'], by: 'gte' },
    meaning: ({ firstDay }) => firstDay,
    must: ({ firstDay }) => [range(MEETING, { gte: firstDay })],
  }),
  meetingDateTo: filter({
    aliases: ['dateTo'],
    label: 'Latest meeting',
    summary: 'Meeting on or before the last day of this period',
    example: '2026-03',
    kind: period,
    textFallback: 'never',
    fields: [MEETING],
    queryable: { names: ['meetingDate'], by: 'lte' },
    meaning: ({ lastDay }) => lastDay,
    must: ({ lastDay }) => [range(MEETING, { lte: lastDay })],
  }),
  lastUpdatedFrom: filter({
    aliases: ['updatedFrom', 'updatedAtFrom', 'updatedSince'],
    label: 'Last change',
    summary: 'Changed at or after the start of this period',
    example: '2026-11-01T12:00:00Z',
    kind: period,
    fields: ['lastUpdated'],
    queryable: { names: ['lastUpdated'], by: 'gte' },
    meaning: ({ start }) => start,
    must: ({ start }) => [range('lastUpdated', { gte: start })],
  }),
  lastUpdatedTo: filter({
    aliases: ['updatedTo', 'updatedAtTo'],
    label: 'Last change',
    summary: 'Changed no later than the end of this period',
    example: '2026-11',
    kind: period,
    fields: ['lastUpdated'],
    queryable: { names: ['lastUpdated'], by: 'lte' },
    meaning: ({ end }) => end,
    must: ({ end }) => [range('lastUpdated', { lte: end })],
  }),
  dateRange: filter({
    label: 'Meetings',
    summary: `Meetings of a named period up to today; ${DEFAULT_DATE_RANGE} unless bounds of meetings or next meetings or projectIds are sent, all lifts it`,
    example: 'last_6_months',
    kind: dateRange,
    textFallback: 'never',
    meaning: (name) => (name === 'all' ? undefined : name),
    fields: [MEETING],
    must: (name, { today }) => {
      const days = daysOf(name, today);
      return days ? [range(MEETING, days)] : [];
    },
  }),
};
