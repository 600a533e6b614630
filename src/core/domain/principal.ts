/** Who a request acts for: the key, its user and team, the team's plan and licence (src/docs/keys.md). Pure. */
import type { Plan } from './plans.ts';

/** Where a team may look. A licence that is not nationwide names whole states, counties, or both. */
export type Licence = { nationwide: true } | { nationwide: false; stateIds: readonly number[]; countyIds: readonly number[] };

export type Role = 'owner' | 'member';
export type TeamStatus = 'active' | 'lapsed' | 'disabled';

export interface Principal {
  /** uuid */
  keyId: string;
  /** the credit pool belongs to the team */
  teamId: number;
  /** the actor to whom the key is attributed */
  userId: number;
  role: Role;
  plan: Readonly<Plan>;
  /** the team's own monthly figure, else the plan's; null if the plan's credits are for life */
  monthlyCredits: number | null;
  licence: Licence;
  /** the moment a rotated key stops, else null */
  rotatingUntil: Date | null;
  /** the OAuth connection that acts for the key; absent where the key itself was sent */
  connection?: { id: string };
}

/** The states, and the single counties, to which every answer is narrowed; null is the whole country. A record inside either list is inside. */
export type Scope = { stateIds: readonly number[]; countyIds: readonly number[] } | null;

export function scopeOf({ licence }: Pick<Principal, 'licence'>): Scope {
  return licence.nationwide ? null : { stateIds: licence.stateIds, countyIds: licence.countyIds };
}

/** True of a record that a search of the scope may find. */
export function isWithin(scope: Scope, { stateId, countyId }: { stateId?: number | null; countyId?: number | null }): boolean {
  return !scope || scope.stateIds.some((id) => id === stateId) || scope.countyIds.some((id) => id === countyId);
}

/** The team's own monthly grant if it has one; null on a plan whose credits are for life. */
export function monthlyCreditsOf(plan: Pick<Plan, 'monthlyCredits'>, override: number | null): number | null {
  return plan.monthlyCredits === null ? null : (override ?? plan.monthlyCredits);
}
