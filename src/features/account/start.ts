/** `GET /start`: all that a page or a program needs to know at its start, in one request (src/docs/first-call.md). */
import { grantOf, resetsAt } from '../../core/domain/credits.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { AccountStore } from '../../core/identity/accounts.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import type { LineageStore } from '../../core/store/postgres/lineageStore.ts';

export const STARTS_PER_MINUTE = 60;

export interface StartServices {
  accounts: Pick<AccountStore, 'readTeam' | 'readUser'>;
  ledger: Ledger;
  releases: Pick<LineageStore, 'release'>;
  vocabularies: { version: string; url: string };
  /** requests per trailing 60 seconds by class of plan */
  rateLimits: { paid: number; trial: number };
  /** what this service offers */
  features: readonly string[];
}

/** Free. @throws ApiError `service_unavailable` */
export async function readStart({ accounts, ledger, releases, vocabularies, rateLimits, features }: StartServices, principal: Principal) {
  const { teamId, userId, role, plan, licence } = principal;
  const [team, user, { balance, at }, release] = await Promise.all([
    accounts.readTeam(teamId),
    accounts.readUser(userId),
    ledger.readStanding({ teamId, grant: grantOf(principal) }),
    releases.release(),
  ]);
  const { id, label, paid, geography } = plan;
  return {
    data: {
      account: {
        teamId,
        teamName: team.name,
        userName: user.name,
        role,
        plan: { id, label, paid, geography },
        licence: {
          nationwide: licence.nationwide,
          stateIds: licence.nationwide ? null : [...licence.stateIds],
          countyIds: licence.nationwide ? null : [...licence.countyIds],
        },
      },
      credits: {
        remaining: balance,
        resetsAt: resetsAt(principal, at),
        creditRate: plan.recordCredit,
        contactCreditRate: plan.contactCredit,
      },
      limits: { requestsPerMinute: rateLimits[plan.rateLimit], startsPerMinute: STARTS_PER_MINUTE },
      vocabularies: { version: vocabularies.version, url: vocabularies.url },
      release: release && { generation: release.generation, activatedAt: release.activatedAt.toISOString() },
      features: [...features],
    },
    meta: { creditsUsed: 0 },
  };
}
