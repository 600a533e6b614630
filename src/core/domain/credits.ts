/** What a pool is granted, what a request may cost at most, and how the answer of the ledger reads on a record. Pure. */
import { ApiError } from './errors.ts';
import type { PlanId } from './plans.ts';
import type { Principal } from './principal.ts';
import type { Delivery } from './record/represent.ts';

export interface Grant {
  /** plan, and `month` or `lifetime`: a pool is granted once for each. Which month it is, in UTC, the database says, never this process. */
  grantedFor: `${PlanId} ${'month' | 'lifetime'}`;
  credits: number;
}

/** The grant that is in force (src/docs/credits.md). */
export function grantOf({ plan, monthlyCredits }: Pick<Principal, 'plan' | 'monthlyCredits'>): Grant {
  if (plan.lifetimeCredits !== null) return { grantedFor: `${plan.id} lifetime`, credits: plan.lifetimeCredits };
  return { grantedFor: `${plan.id} month`, credits: monthlyCredits ?? plan.monthlyCredits ?? 0 };
}

/** First moment of the next month in UTC, when paid credits reset; null if they never do. */
export function resetsAt({ plan }: Pick<Principal, 'plan'>, now: Date): string | null {
  return plan.lifetimeCredits === null ? nextMonth(now) : null;
}

/** First moment of the next month in UTC, ISO 8601. */
export const nextMonth = (now: Date): string => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();

/** By which a request says what it may cost at most. */
export const MAX_CREDITS_HEADER = 'X-Service-Max-Credits';

/** @param maxCredits undefined if no bound was sent @throws ApiError `invalid_request` with the price if it is above the bound */
export function throwIfAboveMax(creditsRequired: number, maxCredits: number | undefined): void {
  if (maxCredits === undefined || creditsRequired <= maxCredits) return;
  const message = `This costs ${creditsRequired} credits, more than ${MAX_CREDITS_HEADER}: ${maxCredits} allows; nothing was charged.`;
  throw new ApiError('invalid_request', message, { param: MAX_CREDITS_HEADER, details: { creditsRequired, maxCredits } });
}

/**
 * Refuses a job that would cost more than a parameter of its request allows, before anything is reserved.
 * @param cost what costs so much, such as 'The export costs'
 * @param bound null or undefined if none was sent
 * @throws ApiError `invalid_request`
 */
export function throwIfAboveBound(
  cost: string,
  creditsRequired: number,
  param: 'maxCredits' | 'maxContactCredits',
  bound: number | null | undefined,
): void {
  if (bound === null || bound === undefined || creditsRequired <= bound) return;
  const message = `${cost} ${creditsRequired} credits, more than ${param}=${bound}; nothing was reserved`;
  throw new ApiError('invalid_request', message, { param, details: { creditsRequired, [param]: bound } });
}

/** The lowest of the bounds that were sent; null if none was. */
export function lowestBound(...bounds: (number | null | undefined)[]): number | null {
  const sent = bounds.filter((bound) => bound !== null && bound !== undefined);
  return sent.length ? Math.min(...sent) : null;
}

/** What the pool held of a record before this delivery. */
interface HeldRevision {
  revision: string | null;
  lastDelivered: string | null;
}

/** How the pool stands to one record of a page (src/docs/credits.md). */
export function deliveryOf(holding: HeldRevision, revision: string, billed: boolean): Delivery {
  const known = holding.revision !== null;
  const changed = known && holding.revision !== revision;
  return {
    alreadyExported: known,
    updatedSinceExport: known ? changed : null,
    lastExportedAt: holding.lastDelivered,
    billed,
  };
}

/** A record that no delivery history could be read for. */
export const UNKNOWN_DELIVERY: Delivery = { alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: false };
