/** What the tab of odds asks, and how answers become words and lengths. Pure. */
import type { Input } from '../../../clients/client/prepare.ts';
import type { DataOf } from '../shared/answers.ts';
import { type FilterChange, toFilters } from '../shared/state.ts';
import { number } from '../shared/words.ts';

type OddsAnswer = DataOf<'getOdds'>;
/** The figures of a group, or of everything. */
export type OddsFigures = NonNullable<OddsAnswer['totals']>;

/** What groups are made by, each with the filter that selects one. */
export const ODDS_BY = [
  { dimension: 'decisionBody', label: 'Decision body', filter: 'decisionBodies' },
  { dimension: 'propertyType', label: 'Building Type', filter: 'propertyTypes' },
  { dimension: 'requestType', label: 'Request type', filter: 'requestTypes' },
  { dimension: 'staffRecommendation', label: 'What staff recommend', filter: 'staffRecommendations' },
  { dimension: 'state', label: 'State', filter: 'states' },
  { dimension: 'county', label: 'County', filter: 'counties' },
] as const;
export type OddsBy = (typeof ODDS_BY)[number];

/** The dimension that the address names; the first where it names none, or an unknown one. */
export const oddsBy = (name: string | null): OddsBy => ODDS_BY.find(({ dimension }) => dimension === name) ?? ODDS_BY[0];

/** More rows are no picture any more. */
const GROUPS_SHOWN = 12;

export const oddsRequest = ({ dimension }: OddsBy, filters: Readonly<Record<string, string>>): Input<'getOdds'>['body'] => ({
  filters: toFilters(filters),
  by: [dimension],
  limit: GROUPS_SHOWN,
});

/** One row of every chart: everything that matches, or a group. */
export interface OddsRow {
  label: string;
  figures: OddsFigures;
  /** the change of filters that selects it; null if none does */
  change: FilterChange | null;
}

export function oddsRows({ groups, totals }: OddsAnswer, { dimension, filter }: OddsBy): OddsRow[] {
  const all: OddsRow[] = totals ? [{ label: 'All that match', figures: totals, change: null }] : [];
  const rows = groups.map((group): OddsRow => {
    const key = group.keys[dimension] as string | number | null;
    const label = String(group.labels[dimension] ?? key);
    return { label, figures: group, change: key === null ? null : { [filter]: String(key) } };
  });
  return [...all, ...rows];
}

export const OUTCOMES = [
  { token: 'approved', label: 'Approved' },
  { token: 'denied', label: 'Denied' },
  { token: 'withdrawn', label: 'Withdrawn' },
  { token: 'stalled', label: 'Stalled' },
  { token: 'soft_denial', label: 'Soft denial' },
] as const;

/** A part of a bar. */
interface Segment {
  token: (typeof OUTCOMES)[number]['token'] | 'other';
  label: string;
  share: number;
}

/** The shown shares, and that of the joined outcomes. */
export function segmentsOf({ outcomes, other }: OddsFigures): Segment[] {
  const shown = OUTCOMES.flatMap(({ token, label }): Segment[] => {
    const share = outcomes[token];
    return share === null || share === 0 ? [] : [{ token, label, share }];
  });
  return other === null ? shown : [...shown, { token: 'other', label: 'Other', share: other }];
}

export const percentText = (share: number) => `${(100 * share).toFixed(1)} %`;
export const NOT_SHOWN = 'not shown';

/** `75.3 % (65–83)`; what is joined with others is not shown by itself */
export function shareText({ outcomes, other, intervals }: OddsFigures, outcome: keyof OddsFigures['intervals']): string {
  const share = outcome === 'other' ? other : outcomes[outcome];
  const bounds = intervals[outcome]?.map((bound) => Math.round(100 * bound)).join('–');
  if (share !== null) return `${percentText(share)} (${bounds})`;
  return outcome === 'other' ? '' : NOT_SHOWN;
}

export const countText = (count: number | null) => (count === null ? NOT_SHOWN : number(count));
/** Of how many a row's shares are. */
export const sizeText = ({ n, givenUp }: OddsFigures) => `${number(n)} decided${givenUp === 0 ? '' : ' or given up'}`;
/** `75.3 % approved, of 89 decided`; the number alone where the share is not shown */
export const shareOfApproved = (figures: OddsFigures) =>
  figures.outcomes.approved === null ? sizeText(figures) : `${percentText(figures.outcomes.approved)} approved, of ${sizeText(figures)}`;

const dayText = (days: number | null) => (days === null ? 'not reached' : number(days));

/** The days, hidden, or not there since half was never decided. */
export const halfText = ({ daysToDecision }: OddsFigures) => (daysToDecision ? dayText(daysToDecision.p50) : NOT_SHOWN);

/** `120 days; a quarter by 60, three quarters by 240`, up to what is reached */
export function daysText({ daysToDecision }: OddsFigures): string {
  if (!daysToDecision) return 'too few decisions to show';
  const { p25, p50, p75 } = daysToDecision;
  if (p25 === null) return 'less than a quarter decided';
  if (p50 === null) return `less than half decided; a quarter by ${number(p25)}`;
  return `${number(p50)} days; a quarter by ${number(p25)}, three quarters ${p75 === null ? 'not reached' : `by ${number(p75)}`}`;
}

/** A point where the curve turns: the share undecided from that day on. */
export interface CurveStep {
  days: number;
  share: number;
}

/** The curve from the first day on; null if it is not shown. */
export const stepsOf = ({ curve }: OddsFigures): CurveStep[] | null =>
  curve && [{ days: 0, share: 1 }, ...curve.map(({ days, undecidedShare }) => ({ days, share: undecidedShare }))];

const AXIS_STEPS = [7, 14, 30, 60, 90, 180, 365, 730, 1_460, 3_650];
const TICKS_MAX = 6;

/** Days at which an axis is labelled, from 0 to no less than `most`. */
export function dayTicks(most: number): number[] {
  const step = AXIS_STEPS.find((days) => most / days <= TICKS_MAX) ?? most;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, i) => i * step);
}
