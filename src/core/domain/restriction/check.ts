/** Whether a restriction binds a use at a place on a day: yes, no, or unclear with the reason (src/docs/restrictions.md). Pure. */

import type { RestrictedUse, StoredRestriction } from './schemas.ts';
import { computeStatus, findDoubtOfDates } from './status.ts';

export type Binding = 'yes' | 'no' | 'unclear';

/** Where the question lies. A level that is null is not known, or is not asked about. */
export interface AskedPlace {
  stateId: number | null;
  countyId: number | null;
  cityId: number | null;
  /** whether the whole county or city is asked about, not a site in it */
  isArea: boolean;
}

export interface BindingFinding {
  binds: Binding;
  /** why it is unclear, or what binds; null for no */
  reason: string | null;
}

const NO: BindingFinding = { binds: 'no', reason: null };
const unclear = (reason: string): BindingFinding => ({ binds: 'unclear', reason });

/** Whether the asked place lies in the restricted one. */
function findPlaceBinding({ place }: StoredRestriction, asked: AskedPlace): BindingFinding {
  const { jurisdiction, jurisdictionType, stateId, countyId, cityId } = place;
  if (asked.stateId !== null && asked.stateId !== stateId) return NO;
  if (asked.stateId === null) return unclear('the state of the place is not known');
  if (jurisdictionType === 'state') return { binds: 'yes', reason: null };
  const isElsewhere = countyId !== null && asked.countyId !== null && asked.countyId !== countyId;
  if (jurisdictionType === 'county') {
    if (countyId === null || asked.countyId === null) return unclear(`whether the place lies in ${jurisdiction} is not known`);
    if (isElsewhere) return NO;
    if (asked.cityId !== null) return unclear(`an ordinance of ${jurisdiction} need not bind inside a city`);
    return { binds: 'yes', reason: null };
  }
  if (cityId !== null && asked.cityId !== null) return asked.cityId === cityId ? { binds: 'yes', reason: null } : NO;
  if (isElsewhere) return NO;
  if (asked.isArea) return unclear(`${jurisdiction} is only a part of the place`);
  return unclear(`the boundary of ${jurisdiction} is not known`);
}

const covers = (restricted: RestrictedUse, asked: RestrictedUse): boolean =>
  restricted.type === asked.type &&
  (restricted.subtype === null || restricted.subtype === asked.subtype) &&
  (restricted.assetClass === null || restricted.assetClass === asked.assetClass);

/** Whether one of two uses covers the other. */
export const overlap = (a: RestrictedUse, b: RestrictedUse): boolean => covers(a, b) || covers(b, a);

/** Whether the asked uses are restricted; without asked uses every restriction counts. */
function findUseBinding({ uses, usesText }: StoredRestriction, asked: readonly RestrictedUse[]): BindingFinding {
  if (!asked.length || uses.some((one) => asked.some((other) => covers(one, other)))) return { binds: 'yes', reason: null };
  if (uses.some((one) => asked.some((other) => covers(other, one)))) return unclear(`only a part of the use is restricted: ${usesText}`);
  return uses.length ? NO : unclear(`the words of the uses have no place in the Building Type tree: ${usesText}`);
}

/**
 * Whether a restriction binds.
 * @param uses those asked about; empty for any
 * @param on `YYYY-MM-DD`
 */
export function findBinding(
  restriction: StoredRestriction,
  { place, uses, on }: { place: AskedPlace; uses: readonly RestrictedUse[]; on: string },
): BindingFinding {
  const status = computeStatus(restriction, on);
  if (status !== 'in_force' && status !== 'extended') return NO;
  const doubts = [findPlaceBinding(restriction, place), findUseBinding(restriction, uses)];
  if (doubts.some(({ binds }) => binds === 'no')) return NO;
  const { exempts, threshold } = restriction;
  const reasons = [
    ...doubts.map(({ reason }) => reason),
    findDoubtOfDates(restriction, on),
    threshold && `it applies from a size: ${threshold}`,
    exempts && `it exempts: ${exempts}`,
  ].filter((reason) => reason !== null && reason !== '');
  return reasons.length ? unclear(reasons.join('; ')) : { binds: 'yes', reason: null };
}

/** The answer of several restrictions: one that binds decides. */
export const combineBindings = (findings: readonly Binding[]): Binding =>
  findings.includes('yes') ? 'yes' : findings.includes('unclear') ? 'unclear' : 'no';
