/** Figures of several places: values, shares, and differences from the first place. Pure. */
import type { Metric } from '../../../clients/client/generated.ts';
import { figureText } from '../shared/facets.ts';

/** The figures of a place from `POST /analytics/aggregate`. */
export interface PlaceFigures {
  place: string;
  name: string;
  /** null if too few projects match */
  totals: { count: number; metrics: Record<string, number | null> } | null;
  /** projects by status; a status with too few is absent */
  statuses: Map<string, { token: string | null; count: number }>;
  hides: boolean;
}

/** `states:8` → `{states: '8'}`. */
export function placeFilter(place: string): Record<string, string> {
  const [name = '', id = ''] = place.split(':');
  return { [name]: id };
}

export function withoutPlaces({ states: _s, counties: _c, cities: _t, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
  return rest;
}

export const COMPARED_METRICS: Metric[] = [
  { op: 'sum', field: 'totalUnitCount' },
  { op: 'median', field: 'totalUnitCount' },
  { op: 'sum', field: 'acreage' },
  { op: 'median', field: 'acreage' },
];

/** Figures with their labels; those that add up have a share of all places. */
const FIGURES = [
  { name: 'count', label: 'Projects', adds: true },
  { name: 'sum_totalUnitCount', label: 'Dwelling units in total', adds: true },
  { name: 'median_totalUnitCount', label: 'Dwelling units, median project', adds: false },
  { name: 'sum_acreage', label: 'Acres in total', adds: true },
  { name: 'median_acreage', label: 'Acres, median project', adds: false },
];

/** One figure of one place, in words. */
export interface ComparedCell {
  value: string;
  /** `12.5 % of all` */
  share: string;
  /** difference from the first place; empty in its own column */
  difference: string;
}
export interface ComparedRow {
  label: string;
  cells: ComparedCell[];
}

const percent = (part: number) => `${figureText(part * 100)} %`;
const signed = (value: number, text: string) => `${value < 0 ? '−' : value > 0 ? '+' : '±'}${text}`;

/** `+37 (+12 %)`; empty if a figure is missing. */
function differenceOf(value: number | null, first: number | null): string {
  if (value === null || first === null) return '';
  const apart = value - first;
  const text = signed(apart, figureText(Math.abs(apart)));
  return first > 0 ? `${text} (${signed(apart, percent(Math.abs(apart) / first))})` : text;
}

type Totals = PlaceFigures['totals'];
const figureOf = (totals: Totals, name: string): number | null => (name === 'count' ? totals?.count : totals?.metrics[name]) ?? null;

function totalsRow({ name, label, adds }: (typeof FIGURES)[number], places: readonly PlaceFigures[], all: Totals): ComparedRow {
  const [first, ...others] = places.map(({ totals }) => figureOf(totals, name));
  const whole = figureOf(all, name);
  const cellOf = (value: number | null, difference: string): ComparedCell => ({
    value: value === null ? (name === 'count' ? 'fewer than 5' : 'too few') : figureText(value),
    share: adds && value !== null && whole ? `${percent(value / whole)} of all` : '',
    difference,
  });
  return { label, cells: [cellOf(first ?? null, ''), ...others.map((value) => cellOf(value, differenceOf(value, first ?? null)))] };
}

function statusRow(status: string, places: readonly PlaceFigures[]): ComparedRow {
  const shares = places.map(({ statuses, totals }) => {
    const count = statuses.get(status)?.count;
    return count !== undefined && totals ? count / totals.count : null;
  });
  const [first = null] = shares;
  const cells = places.map(({ statuses, hides }, i): ComparedCell => {
    const count = statuses.get(status)?.count;
    const share = shares[i] ?? null;
    const apart = i > 0 && share !== null && first !== null ? (share - first) * 100 : null;
    return {
      value: count === undefined ? (hides ? 'fewer than 5, or hidden' : '0') : figureText(count),
      share: share === null ? '' : `${percent(share)} of its projects`,
      difference: apart === null ? '' : `${signed(Math.round(apart * 10), figureText(Math.abs(apart)))} points`,
    };
  });
  return { label: `Projects: ${status}`, cells };
}

/** Statuses of all places in one order, so that the rows of all charts correspond. */
export function comparedStatuses(places: readonly PlaceFigures[]): string[] {
  const counts = new Map<string, number>();
  for (const { statuses } of places) for (const [status, { count }] of statuses) counts.set(status, (counts.get(status) ?? 0) + count);
  return [...counts].sort(([, one], [, other]) => other - one).map(([status]) => status);
}

/** The rows of the comparison. @param all the figures of all matches, regardless of place */
export function comparedRows(places: readonly PlaceFigures[], all: Totals): ComparedRow[] {
  const [projects, ...others] = FIGURES.map((figure) => totalsRow(figure, places, all));
  return [...(projects ? [projects] : []), ...comparedStatuses(places).map((status) => statusRow(status, places)), ...others];
}
