/** Figures of the columns with numbers: of all that matches, as analytics has them, or of rows that are all there are. Pure. */
import type { Dimension, Measurement, Metric, Query } from '../../../clients/client/generated.ts';
import { type AnalyticsGroup, drillChange } from '../shared/facets.ts';
import { type FilterChange, toFilters } from '../shared/state.ts';
import { cellValue, isMeasure, type RecordField, shownText, type TableRecord } from './recordFields.ts';

type Filters = Readonly<Record<string, string>>;

/** Figures of a column; null where too few records state it, or none does. */
export interface ColumnFigures {
  /** null for what adds up to nothing, such as heights */
  sum: number | null;
  median: number | null;
}

/** Figures by the names of columns. */
export type TableFigures = Readonly<Record<string, ColumnFigures>>;

const NOT_ADDED = new Set(['buildingStories', 'buildingHeightFeet', 'floorCount']);
const METRICS_MAX = 5;

const metricsOf = (columns: readonly RecordField[], ops: readonly Metric['op'][]): Metric[] =>
  columns
    .filter(isMeasure)
    .flatMap(({ name }) => ops.flatMap((op) => (op === 'sum' && NOT_ADDED.has(name) ? [] : [{ op, field: name as Measurement }])));

/** The requests for the figures of all that matches; none where no column has numbers. */
export function figureQueries(columns: readonly RecordField[], filters: Filters): Query[] {
  const metrics = metricsOf(columns, ['sum', 'median']);
  return Array.from({ length: Math.ceil(metrics.length / METRICS_MAX) }, (_, i) => ({
    filters: toFilters(filters),
    metrics: metrics.slice(i * METRICS_MAX, (i + 1) * METRICS_MAX),
  }));
}

/** @param metrics of all answers, by their names, such as `sum_acreage` */
export const readFigures = (columns: readonly RecordField[], metrics: Readonly<Record<string, number | null>>): TableFigures =>
  Object.fromEntries(
    columns.filter(isMeasure).map(({ name }) => [name, { sum: metrics[`sum_${name}`] ?? null, median: metrics[`median_${name}`] ?? null }]),
  );

function medianOf(sorted: readonly number[]): number | null {
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function figuresOfColumn(records: readonly TableRecord[], field: RecordField): ColumnFigures {
  const values = records.map((record) => cellValue(record, field)).filter((value) => typeof value === 'number');
  const isAdded = values.length > 0 && !NOT_ADDED.has(field.name);
  return { sum: isAdded ? values.reduce((sum, value) => sum + value, 0) : null, median: medianOf(values.sort((a, b) => a - b)) };
}

export const figuresOfRows = (records: readonly TableRecord[], columns: readonly RecordField[]): TableFigures =>
  Object.fromEntries(columns.filter(isMeasure).map((field) => [field.name, figuresOfColumn(records, field)]));

/** What rows can be grouped by: dimensions of analytics, which count all that matches, by the fields that they are called like. */
export const DIMENSIONS: Readonly<Partial<Record<Dimension, string>>> = {
  state: 'state',
  county: 'county',
  city: 'city',
  status: 'status',
  meetingDate: 'meetingDate',
  propertyType: 'propertyType',
  propertySubtype: 'propertySubtype',
  assetClass: 'assetClass',
  requestType: 'requestType',
  decisionBody: 'decisionBody',
};
export const isDimension = (name: string): name is Dimension => name in DIMENSIONS;

/** Groups that are shown at most. */
export const GROUPS_MAX = 200;

export interface RowGroup {
  label: string;
  count: number;
  /** sums by the names of columns */
  sums: Readonly<Record<string, number | null>>;
  /** the filters that select it; null if none do */
  change: FilterChange | null;
}

const intervalOf = (by: Dimension) => (by === 'meetingDate' ? { interval: 'year' as const } : {});

export const groupQuery = (by: Dimension, columns: readonly RecordField[], filters: Filters): Query => {
  const metrics = metricsOf(columns, ['sum']).slice(0, METRICS_MAX);
  return {
    filters: toFilters(filters),
    groupBy: [by],
    limit: GROUPS_MAX,
    order: by === 'meetingDate' ? { by: 'key', direction: 'desc' } : { by: 'count', direction: 'desc' },
    ...intervalOf(by),
    ...(metrics.length ? { metrics } : {}),
  };
};

const NOT_STATED = 'Not stated';

export const groupsOf = (by: Dimension, groups: readonly AnalyticsGroup[], filters: Filters): RowGroup[] =>
  groups.map(({ keys, labels, count, metrics }) => {
    const key = keys[by] ?? null;
    const sums = Object.fromEntries(Object.entries(metrics).map(([name, sum]) => [name.replace('sum_', ''), sum]));
    return {
      label: (key !== null && labels[by]) || NOT_STATED,
      count,
      sums,
      change: drillChange({ dimension: by, ...intervalOf(by) }, key, filters),
    };
  });

/** What a row is grouped under: each of several names, a year, a label. */
function groupNames(record: TableRecord, by: RecordField): string[] {
  if (by.name === 'meetingDate') return [String(record.meetingDate ?? '').slice(0, 4)];
  const label = record[`${by.name}Label`];
  return typeof label === 'string' ? [label] : [...new Set(shownText(record, by).split('; '))];
}

/** Groups of the rows that were read; a row of several names counts in each. */
export function groupsOfRows(by: RecordField, records: readonly TableRecord[], columns: readonly RecordField[]): RowGroup[] {
  const groups = new Map<string, TableRecord[]>();
  for (const record of records)
    for (const label of groupNames(record, by)) {
      const group = groups.get(label || NOT_STATED);
      if (group) group.push(record);
      else groups.set(label || NOT_STATED, [record]);
    }
  return [...groups]
    .map(([label, rows]) => {
      const figures = figuresOfRows(rows, columns);
      const sums = Object.fromEntries(Object.entries(figures).map(([name, { sum }]) => [name, sum]));
      return { label, count: rows.length, sums, change: null };
    })
    .sort((a, b) => b.count - a.count);
}
