/** What charts measure: projects, or a statistic of a field, as `POST /analytics/aggregate` takes it. Pure. */
import type { Measurement, Metric } from '../../../clients/client/generated.ts';
import { number } from '../shared/words.ts';

export interface ChartMeasure {
  /** in the address, and in an answer's `metrics`: `count`, `sum_acreage` */
  name: string;
  label: string;
  /** absent for a count of projects */
  metric?: Metric;
}

/** Fields with their labels; a sum of storeys or heights means nothing. */
const FIELDS: { field: Measurement; label: string; adds: boolean }[] = [
  { field: 'totalUnitCount', label: 'Dwelling units', adds: true },
  { field: 'acreage', label: 'Acres', adds: true },
  { field: 'squareFootage', label: 'Square feet', adds: true },
  { field: 'lotCount', label: 'Lots', adds: true },
  { field: 'parkingSpaces', label: 'Parking spaces', adds: true },
  { field: 'buildingStories', label: 'Storeys', adds: false },
  { field: 'buildingHeightFeet', label: 'Height in feet', adds: false },
];

const COUNT: ChartMeasure = { name: 'count', label: 'Projects' };

export const MEASURES: readonly ChartMeasure[] = [
  COUNT,
  ...FIELDS.flatMap(({ field, label, adds }): ChartMeasure[] => [
    ...(adds ? [{ name: `sum_${field}`, label: `${label} in total`, metric: { op: 'sum' as const, field } }] : []),
    { name: `median_${field}`, label: `${label}, median project`, metric: { op: 'median', field } },
  ]),
];

/** The measure that the address names; projects where it names none, or an unknown one. */
export const measureOf = (name: string | null): ChartMeasure => MEASURES.find((measure) => measure.name === name) ?? COUNT;

/** Counts, sums and medians with one decimal at most. */
export const figureText = (value: number) => number(Math.round(value * 10) / 10);
