/** The status of a restriction on a day, from its dates and extensions (src/docs/restrictions.md). Pure. */
import type { RestrictionStatus, StoredRestriction } from './schemas.ts';

type Dated = Pick<
  StoredRestriction,
  'adoptedOn' | 'adoptedOnPrecision' | 'effectiveFrom' | 'effectiveTo' | 'endBasis' | 'extensions' | 'statedStatus' | 'statedOn'
>;

/** First and last possible day of a date that is known to the day, month or year, `YYYY-MM-DD`. */
function listPossibleDays(date: string, precision: StoredRestriction['adoptedOnPrecision']): [first: string, last: string] {
  if (precision === 'day') return [date, date];
  const [year = 0, month = 0] = date.split('-').map(Number);
  const last = Date.UTC(year, precision === 'month' ? month : 12, 0);
  return [date, new Date(last).toISOString().slice(0, 10)];
}

/** The first and the last day on which it may have begun; null where no day is stated. */
export function findBeginning({ adoptedOn, adoptedOnPrecision, effectiveFrom }: Dated): [first: string, last: string] | null {
  if (effectiveFrom) return [effectiveFrom, effectiveFrom];
  return adoptedOn ? listPossibleDays(adoptedOn, adoptedOnPrecision) : null;
}

const extensionsBy = ({ extensions }: Pick<Dated, 'extensions'>, day: string) => extensions.filter(({ on }) => on <= day);

/** The last day as of a day, with the extensions decided by then; null where it has none or its end is not known. */
export function findEnd(restriction: Pick<Dated, 'effectiveTo' | 'extensions'>, day: string): string | null {
  const extended = extensionsBy(restriction, day);
  if (extended.some(({ to }) => to === null)) return null;
  return [restriction.effectiveTo, ...extended.map(({ to }) => to)].reduce((end, to) => (to && (!end || to > end) ? to : end), null);
}

/** What the source says has become of it: from the day of the source it is over, whatever its dates say. */
const ENDINGS: ReadonlySet<RestrictionStatus> = new Set(['expired', 'replaced', 'rescinded']);

/** The status on a day. @param day `YYYY-MM-DD` */
export function computeStatus(restriction: Dated, day: string): RestrictionStatus {
  const { statedStatus, statedOn } = restriction;
  if (statedStatus === 'proposed' || statedStatus === 'rejected') return statedStatus;
  const beginning = findBeginning(restriction);
  if (beginning && day < beginning[0]) return 'proposed';
  const end = findEnd(restriction, day);
  const isPast = end !== null && day > end;
  if (ENDINGS.has(statedStatus) && (isPast || day >= statedOn)) return statedStatus;
  if (isPast) return 'expired';
  const isExtended = extensionsBy(restriction, day).length > 0 || (statedStatus === 'extended' && day >= statedOn);
  return isExtended ? 'extended' : 'in_force';
}

/** Why it is not certain that a restriction that its dates put in force on a day was so; null where it is certain. */
export function findDoubtOfDates(restriction: Dated & Pick<StoredRestriction, 'endEvent'>, day: string): string | null {
  const { statedStatus, statedOn, endBasis, endEvent } = restriction;
  const beginning = findBeginning(restriction);
  const end = findEnd(restriction, day);
  const hasEnded = ENDINGS.has(statedStatus);
  if (!beginning && (hasEnded || day < statedOn)) return 'the day on which it began is not known';
  const begun = beginning && (hasEnded || beginning[1] < statedOn ? beginning[1] : statedOn);
  if (beginning && begun && day < begun) return `it began between ${beginning[0]} and ${begun}`;
  // Its source says that it was in force later.
  if (!hasEnded && day <= statedOn) return null;
  if (hasEnded && !(end && (statedStatus === 'expired' || endBasis === 'stated')))
    return `it has ${statedStatus === 'expired' ? '' : 'been '}${statedStatus} since, on a day that is not known`;
  if (endEvent) return `an event that ends it may have come: ${endEvent}`;
  if (endBasis === 'none' || end) return null;
  return 'its end is not known';
}
