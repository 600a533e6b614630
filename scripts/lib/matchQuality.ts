/** How well matched rows name the records that they were typed from. Right is what the records state themselves, not what the matcher makes of it. Pure. */
import { metersBetween } from '../../src/core/domain/distance.ts';
import type { TypedFrom } from './typedRows.ts';

/** Records that stand this near to each other are of one site. */
const SAME_SITE_METERS = 30;

const folded = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();

const shares = (some: readonly string[] | null | undefined, others: readonly string[] | null | undefined) =>
  (some ?? []).some((one) => (others ?? []).some((other) => folded(one) === folded(other)));

/** Whether a record is the one of which the row was typed, or states the same parcel, case, address or point. */
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

/** What became of a row. */
export interface RowOutcome {
  /** whether what it was typed from is among the records */
  present: boolean;
  /** null where no record was named */
  right: boolean | null;
}

export interface MatchQuality {
  rows: number;
  named: number;
  /** of the rows that were given a record, those that were given a right one */
  precision: number;
  /** of the rows whose record is there, those that were given it */
  recall: number;
}

export function qualityOf(outcomes: readonly RowOutcome[]): MatchQuality {
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
