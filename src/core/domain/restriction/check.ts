/** Whether a restriction binds a use at a place on a day: yes, no, or unclear with the reason (src/docs/restrictions.md). Pure. */

import { daysAfter } from '../process/hearings.ts';
import type { RestrictedUse, StoredRestriction } from './schemas.ts';
import { computeStatus, findDoubtOfDates, findEnd } from './status.ts';

export type Binding = 'yes' | 'no' | 'unclear';

/** Where the question lies. A level that is null is not known, or is not asked about. */
export interface AskedPlace {
  stateId: number | null;
  countyId: number | null;
  cityId: number | null;
  /** of a whole city: other counties that it reaches into */
  furtherCountyIds?: readonly number[];
  /** whether the whole county or city is asked about, not a site in it */
  isArea: boolean;
  /** whether it may lie in a city that is not named, as a point may */
  mayBeInCity?: boolean;
}

/** The uses asked about: none for any use, null where they are not known. */
export type AskedUses = readonly RestrictedUse[] | null;

export interface AskedBinding {
  place: AskedPlace;
  uses: AskedUses;
  /** `YYYY-MM-DD` */
  on: string;
}

export interface BindingFinding {
  binds: Binding;
  /** why it is unclear, or what binds; null for no */
  reason: string | null;
}

const NO: BindingFinding = { binds: 'no', reason: null };
const unclear = (reason: string): BindingFinding => ({ binds: 'unclear', reason });

/** Every county in which a restriction may bind; none where its county is not known. */
export const countiesOf = ({
  place: { countyId },
  furtherCountyIds = [],
}: Pick<StoredRestriction, 'place' | 'furtherCountyIds'>): number[] => (countyId === null ? [] : [countyId, ...furtherCountyIds]);

/** Whether the asked place lies in the restricted one. */
function findPlaceBinding(restriction: StoredRestriction, asked: AskedPlace): BindingFinding {
  const { place } = restriction;
  const { jurisdiction, jurisdictionType, stateId, countyId, cityId } = place;
  if (asked.stateId !== null && asked.stateId !== stateId) return NO;
  if (asked.stateId === null) return unclear('the state of the place is not known');
  if (jurisdictionType === 'state') return { binds: 'yes', reason: null };
  const counties = countiesOf(restriction);
  const askedCounties = asked.countyId === null ? [] : [asked.countyId, ...(asked.furtherCountyIds ?? [])];
  const isElsewhere = counties.length > 0 && askedCounties.length > 0 && !askedCounties.some((id) => counties.includes(id));
  if (jurisdictionType === 'county') {
    if (countyId === null || asked.countyId === null) return unclear(`whether the place lies in ${jurisdiction} is not known`);
    if (isElsewhere) return NO;
    if (asked.cityId !== null) return unclear(`an ordinance of ${jurisdiction} need not bind inside a city`);
    if (asked.mayBeInCity)
      return unclear(`an ordinance of ${jurisdiction} need not bind inside a city, and whether the place lies in one is not known`);
    return { binds: 'yes', reason: null };
  }
  if (cityId !== null && asked.cityId !== null) return asked.cityId === cityId ? { binds: 'yes', reason: null } : NO;
  if (isElsewhere) return NO;
  if (cityId === null && countyId === null) return unclear(`where ${jurisdiction} lies is not known`);
  if (asked.isArea) return unclear(`${jurisdiction} is only a part of the place`);
  return unclear(`the boundary of ${jurisdiction} is not known`);
}

const covers = (restricted: RestrictedUse, asked: RestrictedUse): boolean =>
  restricted.type === asked.type &&
  (restricted.subtype === null || restricted.subtype === asked.subtype) &&
  (restricted.assetClass === null || restricted.assetClass === asked.assetClass);

/** Whether one of two uses covers the other. */
export const overlap = (a: RestrictedUse, b: RestrictedUse): boolean => covers(a, b) || covers(b, a);

function findUseBinding({ uses, usesText }: StoredRestriction, asked: AskedUses): BindingFinding {
  if (asked === null) return unclear('the use is not known');
  if (!asked.length || uses.some((one) => asked.some((other) => covers(one, other)))) return { binds: 'yes', reason: null };
  if (uses.some((one) => asked.some((other) => covers(other, one)))) return unclear(`only a part of the use is restricted: ${usesText}`);
  return uses.length ? NO : unclear(`the words of the uses have no place in the Building Type tree: ${usesText}`);
}

/** Whether its dates put it in force on a day. @param on `YYYY-MM-DD` */
export const isInForce = (restriction: StoredRestriction, on: string): boolean =>
  ['in_force', 'extended'].includes(computeStatus(restriction, on));

/** Why it is not certain that a restriction in force binds who is in its place with its use. */
export const listDoubts = (restriction: StoredRestriction, on: string): string[] =>
  [
    findDoubtOfDates(restriction, on),
    restriction.threshold && `it applies from a size: ${restriction.threshold}`,
    restriction.exempts && `it exempts: ${restriction.exempts}`,
  ].flatMap((reason) => reason || []);

/** Whether a restriction binds. `underRestrictionClause` (src/core/query) finds the records of which this is so. */
export function findBinding(restriction: StoredRestriction, { place, uses, on }: AskedBinding): BindingFinding {
  if (!isInForce(restriction, on)) return NO;
  const found = [findPlaceBinding(restriction, place), findUseBinding(restriction, uses)];
  if (found.some(({ binds }) => binds === 'no')) return NO;
  const reasons = [...found.flatMap(({ reason }) => reason ?? []), ...listDoubts(restriction, on)];
  return reasons.length ? unclear(reasons.join('; ')) : { binds: 'yes', reason: null };
}

export interface FoundRestriction extends BindingFinding {
  binds: Exclude<Binding, 'no'>;
  restriction: StoredRestriction;
}

/** What binds or may bind at a place: first what binds, by id. */
export const findRestrictions = (all: readonly StoredRestriction[], question: AskedBinding): FoundRestriction[] =>
  all
    .flatMap((restriction): FoundRestriction[] => {
      const { binds, reason } = findBinding(restriction, question);
      return binds === 'no' ? [] : [{ restriction, binds, reason }];
    })
    .sort((a, b) => (a.binds === b.binds ? a.restriction.id - b.restriction.id : a.binds === 'yes' ? -1 : 1));

/** How long after its end a restriction is still told of. */
const ENDED_DAYS = 365;

/** What was in force at a place within the year before and has ended, newest end first. */
export const findEnded = (all: readonly StoredRestriction[], question: AskedBinding): StoredRestriction[] =>
  all
    .flatMap((restriction) => {
      const { on } = question;
      const end = findEnd(restriction, on);
      const isNews = end !== null && end < on && daysAfter(end, ENDED_DAYS) >= on && !isInForce(restriction, on);
      return isNews && findBinding(restriction, { ...question, on: end }).binds !== 'no' ? [{ restriction, end }] : [];
    })
    .sort((a, b) => (a.end < b.end ? 1 : a.end > b.end ? -1 : a.restriction.id - b.restriction.id))
    .map(({ restriction }) => restriction);

/** The answer of several restrictions: one that binds decides. */
export const combineBindings = (findings: readonly Binding[]): Binding =>
  findings.includes('yes') ? 'yes' : findings.includes('unclear') ? 'unclear' : 'no';
