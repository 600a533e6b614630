/** What the next run of an alert would deliver and cost: numbers alone, free. */
import type { StoredAlert } from '../../domain/alerts.ts';
import { refusalOf } from '../../domain/errors.ts';
import { revisionHash } from '../../domain/record/revision.ts';
import type { Actor } from '../../search/actor.ts';
import { payerOf } from '../../search/actor.ts';
import { priceOf } from '../../search/price.ts';
import { type Answer, environmentOf } from '../../search/services.ts';
import { type AlertBody, alertWarnings, settingsOf } from './alertRequest.ts';
import { type AlertServices, livingAlert } from './alerts.ts';
import { candidatesOf, firstCandidates } from './candidates.ts';
import { criteriaProblems } from './criteria.ts';

export interface Preview {
  matchCount: number;
  matchCountIsExact: boolean;
  wouldDeliver: number;
  billableRecordCount: number;
  creditRate: number;
  creditsRequired: number;
  creditsRemaining: number | null;
  affordability: { affordable: boolean; maxAffordableRecords: number };
}

/**
 * `GET` and `POST /alerts/{id}/preview`. @param body keys in place of stored ones, without problems of its own
 * @throws ApiError `resource_not_found`, `search_unavailable`
 */
export async function previewAlert(services: AlertServices, actor: Actor, id: string, body: AlertBody = {}): Promise<Answer<Preview>> {
  const stored = await livingAlert(services, actor, id);
  const alert: StoredAlert = { ...stored, ...settingsOf(body, stored, services.now()) };
  const problems = criteriaProblems(alert.filters, actor.principal, services.places);
  if (problems.length) throw refusalOf(problems);
  const candidates = await candidatesOf(services, alert, actor.principal, environmentOf(services), actor.signal);
  const { appliedFilters, appliedDefaults, warnings } = candidates.selection;
  const meta = { creditsUsed: 0, appliedFilters, appliedDefaults, warnings: [...warnings, ...alertWarnings(alert, actor.principal)] };
  return { data: await numbersOf(services, actor, alert, candidates), meta };
}

async function numbersOf(
  services: AlertServices,
  actor: Actor,
  { maxRecordsPerRun }: StoredAlert,
  candidates: Awaited<ReturnType<typeof candidatesOf>>,
): Promise<Preview> {
  const { plan, teamId } = actor.principal;
  const { hits, total } = await firstCandidates(services, candidates, maxRecordsPerRun, actor.signal);
  const items = hits.map(({ project: { id, contentRevision } }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const metered = plan.recordCredit > 0;
  const [held, creditsRemaining] = await Promise.all([
    metered ? services.holdings.ofPage(teamId, items) : new Map<number, { paid: boolean }>(),
    services.ledger.balance(payerOf(actor)),
  ]);
  const unchangedCount = items.filter(({ id }) => held.get(id)?.paid).length;
  const {
    matchCountBasis: _,
    matchCount: wouldDeliver,
    ...price
  } = priceOf({
    ...{ matchCount: items.length, unchangedCount, creditRate: plan.recordCredit, creditsRemaining },
  });
  return { ...price, matchCount: total, wouldDeliver };
}
