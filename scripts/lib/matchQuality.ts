/** Precision and recall of matched rows. Whether a match is right follows from what the records state, not from the matcher. Pure. */
import { metersBetween } from '../../src/core/domain/distance.ts';
import type { TypedFrom } from './typedRows.ts';

/** Records at most this far apart are of one site. */
const SAME_SITE_METERS = 30;

const folded = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();

const shares = (some: readonly string[] | null | undefined, others: readonly string[] | null | undefined) =>
  (some ?? []).some((one) => (others ?? []).some((other) => folded(one) === folded(other)));

/** Whether a record is the one that the row was typed from, or states the same parcel, case, address or point. */
export function isRightMatch(wanted: TypedFrom, found: TypedFrom): boolean {
  if (wanted.id === found.id) return true;
  if (wanted.state !== found.state || (wanted.county && found.county && wanted.county !== found.county)) return false;
  if (shares(wanted.parcelNumbers, found.parcelNumbers) || shares(wanted.caseNumbers, found.caseNumbers)) return true;
  if (wanted.city === found.city && wanted.address && found.address && folded(wanted.address) === folded(found.address)) return true;
  const [a, b] = [pointOf(wanted), pointOf(found)];
  return a !== undefined && b !== undefined && metersBetween(a, b) <= SAME_SITE_METERS;
}

const pointOf = ({ latitude, longitude }: TypedFrom) =>
  typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;

export interface RowOutcome {
  /** whether the record that it was typed from is in the index */
  present: boolean;
  /** whether the matched record is right; null if none was matched */
  right: boolean | null;
  /** of the matched record */
  score?: number;
}

export interface MatchQuality {
  rows: number;
  named: number;
  /** share of right matches among the rows with a match */
  precision: number;
  /** share of right matches among the rows whose record is in the index */
  recall: number;
}

/** @param least matches of a lower score do not count */
export function qualityOf(all: readonly RowOutcome[], least = 0): MatchQuality {
  const outcomes = all.map((one) => ((one.score ?? 1) >= least ? one : { ...one, right: null }));
  const named = outcomes.filter(({ right }) => right !== null);
  const present = outcomes.filter((one) => one.present);
  const right = (some: readonly RowOutcome[]) => some.filter((one) => one.right).length;
  return {
    rows: outcomes.length,
    named: named.length,
    precision: named.length ? right(named) / named.length : 1,
    recall: present.length ? right(present) / present.length : 1,
  };
}
