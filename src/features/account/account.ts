/** Balance, plan, limits and receipts of the caller's account. */

import { grantOf, nextMonth, resetsAt } from '../../core/domain/credits.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Ledger, Receipt } from '../../core/ledger/ledger.ts';
import { allowanceView } from '../../core/people/enrichment.ts';
import type { UnlockStore } from '../../core/people/unlocks.ts';

export interface AccountServices {
  ledger: Ledger;
  unlocks: Pick<UnlockStore, 'used'>;
  /** requests per trailing 60 seconds by class of plan */
  rateLimits: { paid: number; trial: number };
}

/** `GET /account/credits`. @throws ApiError `service_unavailable` */
export async function readCredits({ ledger, unlocks, rateLimits }: AccountServices, principal: Principal) {
  const { plan, teamId } = principal;
  const grant = grantOf(principal);
  const { limit, period } = plan.enrichment;
  const [{ balance, at }, used] = await Promise.all([ledger.readStanding({ teamId, grant }), unlocks.used(teamId, period === 'lifetime')]);
  const reset = resetsAt(principal, at);
  return {
    data: {
      balance,
      plan: { id: plan.id, label: plan.label, paid: plan.paid, geography: plan.geography },
      creditRate: plan.recordCredit,
      contactCreditRate: plan.contactCredit,
      grantedCredits: grant.credits,
      rateLimit: { limit: rateLimits[plan.rateLimit], windowSeconds: 60 },
      enrichment: allowanceView({ used, limit, resetsAt: period === 'month' ? nextMonth(at) : null }),
    },
    meta: { creditsUsed: 0, creditsRemaining: balance, credits: { periodEnd: reset, resetsAt: reset } },
  };
}

export const RECEIPTS_MAX = 100;

const publicReceipt = ({ id, at, kind, subject, amount, balance, items, ...cause }: Receipt) => ({
  id: Number(id),
  at: at.toISOString(),
  kind,
  subject,
  amount,
  balance,
  items,
  cause,
});

/** `GET /account/ledger`: every change of the balance with its cause, newest first. @param before id of the last receipt read */
export async function listReceipts({ ledger }: AccountServices, { teamId }: Principal, limit: number, before: number | null) {
  const receipts = await ledger.listReceipts(teamId, limit + 1, before);
  const page = receipts.slice(0, limit);
  const hasMore = receipts.length > limit;
  return {
    data: page.map(publicReceipt),
    meta: { limit, pageCount: page.length, hasMore, nextBefore: hasMore ? Number(page.at(-1)?.id) : null, creditsUsed: 0 },
  };
}
