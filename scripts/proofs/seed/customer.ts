/** The customers of a proof. */
import { PLANS, type PlanId } from '../../../src/core/domain/plans.ts';
import type { Actor } from '../../../src/core/search/actor.ts';

interface Customer {
  teamId: number;
  userId: number;
  plan: PlanId;
  monthlyCredits: number;
}

interface Asked {
  route: string;
  idempotencyKey?: string | undefined;
  maxCredits?: number | undefined;
}

/** The actor of a request by the owner of a team whose licence covers everything. */
export const makeActor = ({ plan, ...team }: Customer, { route, idempotencyKey, maxCredits }: Asked): Actor => ({
  principal: {
    ...team,
    keyId: '00000000-0000-4000-8000-000000000000',
    role: 'owner',
    plan: PLANS[plan],
    licence: { nationwide: true },
    rotatingUntil: null,
  },
  cause: { kind: 'request', requestId: 'proof', route, idempotencyKey },
  maxCredits,
});
