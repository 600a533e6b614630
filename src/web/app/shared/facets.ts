/** The charts: what each measures and groups by, how groups become points, and which filters select the projects of a point. Pure. */
import type { Dimension, Measurement, Metric, OddsDimension, Query } from '../../../clients/client/generated.ts';
import { DEFAULT_DATE_RANGE, MEETING_FILTERS } from '../../../core/domain/meetingFilters.ts';
import { type FilterChange, toFilters } from './state.ts';
import { number } from './words.ts';

interface ChartMeasure {
  /** in the address, and in an answer's `metrics`: `count`, `sum_acreage` */
  name: string;
  label: string;
  /** absent for a count of projects, and for days */
  metric?: Metric;
}

/** Fields with their labels; a sum of storeys or heights means nothing. */
const FIELDS: { field: Measurement; label: string; adds: boolean }[] = [
  { field: 'totalUnitCount', label: 'Dwelling units', adds: true },
  { field: 'acreage', label: 'Acres', adds: true },
  { field: 'squareFootage', label: 'Floor area, square feet', adds: true },
  { field: 'lotCount', label: 'Lots', adds: true },
  { field: 'parkingSpaces', label: 'Parking spaces', adds: true },
  { field: 'buildingStories', label: 'Stories', adds: false },
  { field: 'buildingHeightFeet', label: 'Height, feet', adds: false },
];

const COUNT: ChartMeasure = { name: 'count', label: 'Projects' };
/** Measured by `POST /analytics/odds`: a mean of what is decided would leave out what takes longest. */
export const DAYS: ChartMeasure = { name: 'daysToDecision', label: 'Days until half are decided' };

export const MEASURES: readonly ChartMeasure[] = [
  COUNT,
  ...FIELDS.flatMap(({ field, label, adds }): ChartMeasure[] => [
    ...(adds ? [{ name: `sum_${field}`, label: `${label} in total`, metric: { op: 'sum' as const, field } }] : []),
    { name: `median_${field}`, label: `${label}, median project`, metric: { op: 'median', field } },
  ]),
  DAYS,
];

/** The measure that the address names; projects where it names none, or an unknown one. */
export const measureOf = (name: string | null): ChartMeasure => MEASURES.find((measure) => measure.name === name) ?? COUNT;

/** Counts, sums and medians with one decimal at most. */
export const figureText = (value: number) => number(Math.round(value * 10) / 10);

interface ChartFacet {
  /** of `POST /analytics/aggregate` */
  dimension: Dimension;
  /** after "Projects by" */
  title: string;
  /** of the table's first column */
  head: string;
  interval?: 'month' | 'week';
  limit: number;
  note?: string;
  /** shown if `limit` cut off groups */
  cut?: string;
}

type Filters = Readonly<Record<string, string>>;

export interface AskedChart {
  facet: ChartFacet;
  measure: ChartMeasure;
  filters: Filters;
}

/** One column or bar. */
export interface ChartPoint {
  /** value of the filter; null for projects without a value, and for several hidden groups */
  key: string | number | null;
  label: string;
  /** null if it is unknown or there is none */
  value: number | null;
  /** shown instead of a value */
  words?: string;
  isHidden: boolean;
}

/** A group of `POST /analytics/aggregate`. */
export interface AnalyticsGroup {
  keys: Record<string, string | number | null>;
  labels: Record<string, string>;
  count: number;
  metrics: Record<string, number | null>;
}

export const HIDDEN = 'fewer than 5, or hidden';
const UNSTATED = 'stated by fewer than 5, or hidden';
const NOT_STATED = 'Not stated';
const WEEKS_UP_TO_DAYS = 100;
/** most columns of a chart */
const SPAN_MAX_DAYS = 1_800;
const DAY_MS = 86_400_000;

const isSingle = (list: string | undefined) => Boolean(list && !list.includes(','));
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const isDay = (text: string | undefined) => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** Weeks if the window is short, otherwise months. */
function intervalOf({ meetingDateFrom = '', meetingDateTo = '' }: Filters): 'month' | 'week' {
  if (!isDay(meetingDateFrom) || !isDay(meetingDateTo)) return 'month';
  return timeOf(meetingDateTo) - timeOf(meetingDateFrom) <= WEEKS_UP_TO_DAYS * DAY_MS ? 'week' : 'month';
}

function useFacet({ propertyTypes, propertySubtypes }: Filters): ChartFacet {
  const note = 'A project of several uses counts in each.';
  const cut = 'The 10 largest are shown.';
  if (isSingle(propertySubtypes)) return { dimension: 'assetClass', title: 'asset class', head: 'Asset class', limit: 10, note, cut };
  if (isSingle(propertyTypes)) return { dimension: 'propertySubtype', title: 'subtype', head: 'Subtype', limit: 10, note, cut };
  return { dimension: 'propertyType', title: 'Building Type', head: 'Building Type', limit: 10, note, cut };
}

/** The charts by place: all states, the counties of one, the cities of a county. */
function placeFacets(filters: Filters): ChartFacet[] {
  const cut = 'The 15 largest are shown.';
  const state: ChartFacet = { dimension: 'state', title: 'state', head: 'State', limit: 15, cut };
  if (isSingle(filters.counties)) return [{ dimension: 'city', title: 'city', head: 'City', limit: 15, cut }];
  return [...(isSingle(filters.states) ? [] : [state]), { dimension: 'county', title: 'county', head: 'County', limit: 15, cut }];
}

/** The charts of days to decision. Not by month or status, of which each tells what was decided. */
const dayFacets = (filters: Filters): ChartFacet[] => [
  useFacet(filters),
  { dimension: 'decisionBody', title: 'decision body', head: 'Decision body', limit: 12 },
  { dimension: 'requestType', title: 'request type', head: 'Request type', limit: 12 },
  ...placeFacets(filters),
];

/** The charts of a selection: a single county is shown by its cities, a single Building Type by its subtypes. */
export function chartFacets(filters: Filters, measure: ChartMeasure): ChartFacet[] {
  if (measure === DAYS) return dayFacets(filters);
  const interval = intervalOf(filters);
  return [
    {
      dimension: 'meetingDate',
      interval,
      title: `${interval} of their meeting`,
      head: interval === 'week' ? 'Week' : 'Month',
      limit: 60,
      cut: `The latest 60 ${interval}s are shown.`,
    },
    useFacet(filters),
    {
      dimension: 'status',
      title: 'status',
      head: 'Status',
      limit: 12,
      note: 'Unknown: no decision is recorded. Not stated: the data does not say.',
    },
    { dimension: 'outcome', title: 'outcome', head: 'Outcome', limit: 12, note: 'What has become of them, as of today.' },
    ...placeFacets(filters),
  ];
}

export const requestOf = ({ facet: { dimension, interval, limit }, measure: { name, metric }, filters }: AskedChart): Query => ({
  filters: toFilters(filters),
  groupBy: [dimension],
  limit,
  ...(metric ? { metrics: [metric] } : {}),
  ...(interval ? { interval, order: { by: 'key', direction: 'desc' } } : { order: { by: name, direction: 'desc' } }),
});

const labelOf = (text: string, options: Intl.DateTimeFormatOptions) =>
  new Date(timeOf(text)).toLocaleDateString('en-US', { timeZone: 'UTC', ...options });
const intervalLabel = (first: string, interval: 'month' | 'week') =>
  interval === 'month' ? labelOf(first, { month: 'long', year: 'numeric' }) : `Week of ${labelOf(first, { dateStyle: 'long' })}`;
/** Short, for an axis. @param first day of a month or week */
export const axisLabel = (first: string, interval: 'month' | 'week') =>
  interval === 'month' ? labelOf(first, { month: 'short', year: '2-digit' }) : labelOf(first, { month: 'short', day: 'numeric' });

type Span = 'year' | 'month' | 'week';

/** The first day of the following year, month or week. */
function nextFirst(first: string, interval: Span): string {
  if (interval === 'year') return `${Number(first.slice(0, 4)) + 1}-01-01`;
  if (interval === 'week') return dayOf(timeOf(first) + 7 * DAY_MS);
  const [year = 0, month = 0] = first.split('-').map(Number);
  return dayOf(Date.UTC(year, month, 1));
}

/** The first day of the month or week, from Monday, that a day or month lies in. */
function firstOf(day: string, interval: 'month' | 'week'): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  const time = timeOf(day);
  return dayOf(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS);
}

/** The first and the last month or week of a chart, from the filters' window or otherwise from the groups. */
function spanOf(firsts: readonly string[], interval: 'month' | 'week', { meetingDateFrom = '', meetingDateTo = '' }: Filters) {
  const sorted = [...firsts].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  if (!first || !isDay(meetingDateFrom) || !isDay(meetingDateTo)) return { first, last };
  const earliest = firstOf(meetingDateFrom, interval);
  const latest = firstOf(meetingDateTo, interval);
  const isShort = timeOf(latest) - timeOf(earliest) <= SPAN_MAX_DAYS * DAY_MS;
  return isShort ? { first: earliest < first ? earliest : first, last: latest > last ? latest : last } : { first, last };
}

function pointOf(group: AnalyticsGroup, dimension: string, { name, metric }: ChartMeasure): ChartPoint {
  const value = metric ? (group.metrics[name] ?? null) : group.count;
  const key = group.keys[dimension] ?? null;
  const point = { key, label: (key !== null && group.labels[dimension]) || NOT_STATED, value, isHidden: value === null };
  return value === null ? { ...point, words: UNSTATED } : point;
}

/** A month or week without a group: hidden if any group is, otherwise without a project. */
function missingPoint(first: string, interval: 'month' | 'week', { metric }: ChartMeasure, hides: boolean): ChartPoint {
  const point = { key: first, label: intervalLabel(first, interval) };
  if (hides) return { ...point, value: null, words: HIDDEN, isHidden: true };
  return metric?.op === 'median'
    ? { ...point, value: null, words: 'no project', isHidden: false }
    : { ...point, value: 0, isHidden: false };
}

/**
 * Points in drawing order. A time axis has a point for each month or week from the first to the last.
 * @param asked the request's `facet`, `measure` and `filters` @param hides whether the answer hides any group (`meta.suppressedGroups`)
 */
export function chartPoints({ facet, measure, filters }: AskedChart, groups: readonly AnalyticsGroup[], hides: boolean): ChartPoint[] {
  const { dimension, interval } = facet;
  const points = groups.map((group) => pointOf(group, dimension, measure));
  if (!interval) return hides ? [...points, { key: null, label: 'Groups not shown', value: null, words: HIDDEN, isHidden: true }] : points;
  const known = new Map(points.flatMap((point) => (point.key === null ? [] : [[String(point.key), point] as const])));
  const { first, last } = spanOf([...known.keys()], interval, filters);
  const all: ChartPoint[] = [];
  for (let at = first; at && at <= last; at = nextFirst(at, interval))
    all.push(known.get(at) ?? missingPoint(at, interval, measure, hides));
  return [...all, ...points.filter(({ key }) => key === null)];
}

/** A group of `POST /analytics/odds`. */
export type OddsGroup = Pick<AnalyticsGroup, 'keys' | 'labels'> & { daysToDecision: { p50: number | null } | null };

export const oddsRequestOf = ({ facet: { dimension, limit }, filters }: AskedChart) => ({
  filters: toFilters(filters),
  by: [dimension as OddsDimension],
  limit,
});

/** Days of each group, the longest first, those without a number last. */
export const dayPoints = ({ facet: { dimension } }: AskedChart, groups: readonly OddsGroup[]): ChartPoint[] =>
  groups
    .map(({ keys, labels, daysToDecision }): ChartPoint => {
      const [key, value] = [keys[dimension] ?? null, daysToDecision?.p50 ?? null];
      const point = { key, label: (key !== null && labels[dimension]) || NOT_STATED, value, isHidden: !daysToDecision };
      return value === null ? { ...point, words: daysToDecision ? 'less than half decided' : 'too few dated decisions' } : point;
    })
    .sort((a, b) => (b.value ?? -1) - (a.value ?? -1));

/** Filters by dimension, with those that they replace. */
const FILTERS_OF: Readonly<Record<string, { filter: string; replaces: string[] }>> = {
  state: { filter: 'states', replaces: ['counties', 'cities'] },
  county: { filter: 'counties', replaces: ['cities'] },
  city: { filter: 'cities', replaces: [] },
  propertyType: { filter: 'propertyTypes', replaces: ['propertySubtypes', 'assetClasses'] },
  propertySubtype: { filter: 'propertySubtypes', replaces: ['assetClasses'] },
  assetClass: { filter: 'assetClasses', replaces: [] },
  status: { filter: 'status', replaces: [] },
  outcome: { filter: 'outcomes', replaces: [] },
  decisionBody: { filter: 'decisionBodies', replaces: [] },
  requestType: { filter: 'requestTypes', replaces: [] },
};

/** The named window that applies, which bounds of dates do not replace; null where every date counts but those bounds. */
function namedWindow(filters: Filters): string | null {
  const { dateRange, dateFrom, dateTo } = filters;
  if (dateRange) return dateRange === 'all' ? null : dateRange;
  return dateFrom || dateTo || MEETING_FILTERS.some((name) => filters[name]) ? null : DEFAULT_DATE_RANGE;
}

/**
 * The change of filters that selects a point's projects; null if there is none.
 * @param filters of the chart, whose window cuts its first and its last year, month or week
 */
export function drillChange(
  { dimension, interval }: { dimension: Dimension; interval?: Span },
  key: ChartPoint['key'],
  filters: Filters,
): FilterChange | null {
  if (key === null) return null;
  const { meetingDateFrom = '', meetingDateTo = '' } = filters;
  if (interval) {
    const [first, last] = [String(key), dayOf(timeOf(nextFirst(String(key), interval)) - DAY_MS)];
    return {
      meetingDateFrom: isDay(meetingDateFrom) && meetingDateFrom > first ? meetingDateFrom : first,
      meetingDateTo: isDay(meetingDateTo) && meetingDateTo < last ? meetingDateTo : last,
      dateFrom: null,
      dateTo: null,
      dateRange: namedWindow(filters),
    };
  }
  const known = FILTERS_OF[dimension];
  return known ? { [known.filter]: String(key), ...Object.fromEntries(known.replaces.map((name) => [name, null])) } : null;
}
