/** What is announced of a restriction: that it was adopted, extended, ends soon, or ended. Pure. */
import { daysAfter } from '../process/hearings.ts';
import { isInForce } from './check.ts';
import type { RestrictionStatus, StoredRestriction } from './schemas.ts';
import { computeStatus, findEnd } from './status.ts';

export const RESTRICTION_CHANGES = ['adopted', 'extended', 'ending', 'ended'] as const;
export type RestrictionChange = (typeof RESTRICTION_CHANGES)[number];

/** How many days before its end it is announced. */
export const ENDING_DAYS = 30;

export interface AnnouncedRestriction {
  isInForce: boolean;
  /** last day, `YYYY-MM-DD` */
  end: string | null;
  extensions: number;
  /** the end that was announced ahead */
  ending: string | null;
}

const ENDED: ReadonlySet<RestrictionStatus> = new Set(['expired', 'replaced', 'rescinded']);

/**
 * What is new of a restriction on a day.
 * @param known what was announced before; undefined where nothing was
 * @param on `YYYY-MM-DD`
 * @returns the changes, and what has been announced with them
 */
export function findRestrictionChanges(
  restriction: StoredRestriction,
  known: AnnouncedRestriction | undefined,
  on: string,
): { changes: RestrictionChange[]; announced: AnnouncedRestriction } {
  const status = computeStatus(restriction, on);
  const isNow = isInForce(restriction, on);
  // Stated otherwise than before, such as by a release that was served before: no end was reported.
  if (known?.isInForce && !isNow && !ENDED.has(status)) return { changes: [], announced: known };
  const end = findEnd(restriction, on);
  const extensions = restriction.extensions.filter((one) => one.on <= on).length;
  const isLonger = known !== undefined && (extensions > known.extensions || (end ?? '') > (known.end ?? '9999'));
  const isEnding = isNow && end !== null && end <= daysAfter(on, ENDING_DAYS);
  const found: Record<RestrictionChange, boolean> = {
    adopted: isNow && !known?.isInForce,
    extended: isNow && known?.isInForce === true && isLonger,
    ending: isEnding && known?.ending !== end,
    ended: known?.isInForce === true && !isNow,
  };
  const ending = isEnding ? end : (known?.ending ?? null);
  return { changes: RESTRICTION_CHANGES.filter((change) => found[change]), announced: { isInForce: isNow, end, extensions, ending } };
}
