/** What the next run of an alert would deliver and cost: only counts, free of charge. */

import { type RequestRefusal, refusalOf } from '../../core/domain/errors.ts';
import type { Plan } from '../../core/domain/plans.ts';
import type { FetchedProject } from '../../core/domain/record/represent.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { type Actor, payerOf } from '../../core/search/actor.ts';
import { findIdsAloneProblems } from '../../core/search/idsAlone.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { computePrice, type Price } from '../../core/search/price.ts';
import type { Selection } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { evidenceWarning, makeUnconfirmedLister, summarizeUnconfirmed } from '../../core/search/unconfirmedFilters.ts';
import type { ProjectHit } from '../../core/store/elastic/projects.ts';
import { scopeScreener } from '../aiSearch/index.ts';
import { type AlertWithCriteria, type Candidates, findCandidates, readFirstCandidates } from './candidates.ts';
import { findCriteriaProblems, readStoredCriteria } from './criteria.ts';
import { type AlertServices, findUndeletedAlert } from './manage.ts';
import { listAlertWarnings, mergeSettings, type ReadAlert } from './request.ts';
import { judgeCandidates, readOrElse, selectToJudge, UNREAD } from './requirement.ts';
import type { StoredAlert } from './types.ts';

/** Most candidates that a preview judges, since it is free and answers at once. */
const JUDGED_BY_PREVIEW_MAX = 50;

interface Preview extends Omit<Price, 'matchCountIsExact' | 'matchCountBasis'> {
  matchCountIsExact: boolean;
  wouldDeliver: number;
}

/**
 * `GET` and `POST /alerts/{id}/preview`.
 * @param read keys that replace stored ones
 * @throws ApiError `resource_not_found`, `search_unavailable`
 */
export async function previewAlert(
  services: AlertServices,
  actor: Actor,
  id: string,
  { body, criteria: sent }: ReadAlert = { body: {}, criteria: undefined },
): Promise<OperationAnswer<Preview>> {
  const stored = await findUndeletedAlert(services, actor, id);
  const alert: StoredAlert = { ...stored, ...mergeSettings(body, stored, services.now()) };
  const criteria = sent ?? readStoredCriteria(alert, services.places);
  const problems = [
    ...findCriteriaProblems(criteria, actor.principal, services.places),
    ...(actor.principal.plan.recordCredit ? countProblems(alert, criteria) : []),
  ];
  if (problems.length) throw refusalOf(problems);
  const unread: Warning[] = [];
  const expected = await readOrElse(
    () => estimateRecords(scopeScreener(services, { subject: alert.id, teamId: actor.principal.teamId }), actor, { alert, criteria }),
    () => {
      unread.push(UNREAD);
      return estimateByFilters(services, actor, { alert, criteria });
    },
  );
  const { appliedFilters, appliedDefaults, warnings } = expected.selection;
  const all = [...warnings, ...listAlertWarnings(alert, actor.principal), ...unread, ...makeUnconfirmedWarnings(expected)];
  services.counted?.(actor.principal.teamId, expected.total);
  return { data: await makePreview(services, actor, expected), meta: { creditsUsed: 0, appliedFilters, appliedDefaults, warnings: all } };
}

/**
 * On metered plans a preview refuses what a count refuses: filters on records named by id would reveal their values free of charge.
 * @param reading of its criteria
 */
export function countProblems({ specificRequirement }: StoredAlert, reading: ParameterReading): RequestRefusal[] {
  const found = findIdsAloneProblems(reading);
  if (specificRequirement === null || reading.filters.projectIds === undefined) return found;
  const message = 'A preview of projectIds takes no specificRequirement where records cost credits; run the alert';
  return [...found, contradiction('specificRequirement', message)];
}

interface Expected {
  selection: Selection;
  /** the records that the run would deliver; an upper bound when not all candidates are judged */
  projects: readonly FetchedProject[];
  /** the hits that contain them */
  hits: readonly ProjectHit[];
  total: number;
  isExact: boolean;
}

/** Judges a few candidates. With more, it returns an upper bound, as if all satisfied the requirement. */
async function estimateRecords(services: AlertServices, actor: Actor, asked: AlertWithCriteria): Promise<Expected> {
  const { alert } = asked;
  const { signal = new AbortController().signal } = actor;
  const candidates = await findCandidates(services, asked, actor.principal, environmentOf(services), signal);
  const { selection, plan } = candidates;
  if (!plan) return estimateByFilters(services, actor, asked, candidates);
  const size = Math.max(alert.maxRecordsPerRun, JUDGED_BY_PREVIEW_MAX);
  const { hits, total } = await selectToJudge(services, candidates, plan, size, signal);
  const projects = hits.map(({ project }) => project);
  const most = { selection, hits, projects: projects.slice(0, alert.maxRecordsPerRun), total, isExact: total === 0 };
  if (total > JUDGED_BY_PREVIEW_MAX) return most;
  const { confirmed, judged } = await judgeCandidates(services, plan, projects, JUDGED_BY_PREVIEW_MAX, signal);
  if (judged < total) return most;
  const found = confirmed.map(({ project }) => project).slice(0, alert.maxRecordsPerRun);
  return { selection, hits, projects: found, total: confirmed.length, isExact: true };
}

async function estimateByFilters(services: AlertServices, actor: Actor, asked: AlertWithCriteria, known?: Candidates): Promise<Expected> {
  const { alert } = asked;
  const candidates = known ?? (await findCandidates(services, asked, actor.principal, environmentOf(services), actor.signal, true));
  const { hits, total } = await readFirstCandidates(services, candidates, alert.maxRecordsPerRun, actor.signal);
  return { selection: candidates.selection, hits, projects: hits.map(({ project }) => project), total, isExact: true };
}

function makeUnconfirmedWarnings({ selection, projects, hits }: Expected): Warning[] {
  const ids = new Set(projects.map(({ id }) => id));
  const delivered = hits.filter(({ project }) => ids.has(project.id));
  return evidenceWarning(summarizeUnconfirmed(delivered.map(makeUnconfirmedLister(selection))));
}

async function makePreview(services: AlertServices, actor: Actor, { projects, total, isExact }: Expected): Promise<Preview> {
  const { plan, teamId } = actor.principal;
  const items = projects.map(({ id, contentRevision }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const metered = plan.recordCredit > 0;
  const [held, creditsRemaining] = await Promise.all([
    metered ? services.holdings.pageHoldings(teamId, items) : new Map<number, { paid: boolean }>(),
    services.ledger.balance(payerOf(actor)),
  ]);
  const isPaid = items.map(({ id }) => held.get(id)?.paid === true);
  const delivered = isPaid.slice(0, countServed(plan, isPaid, creditsRemaining));
  const unchangedCount = delivered.filter(Boolean).length;
  const {
    matchCountBasis: _,
    matchCount: wouldDeliver,
    ...price
  } = computePrice({
    matchCount: delivered.length,
    unchangedCount,
    creditRate: plan.recordCredit,
    creditsRemaining,
  });
  return { ...price, matchCount: total, matchCountIsExact: isExact, wouldDeliver };
}

/** The number of records that a run delivers: for a trial, those that its credits pay for. */
function countServed({ shortfall, recordCredit }: Plan, isPaid: readonly boolean[], credits: number): number {
  if (shortfall !== 'truncate' || credits === 0) return isPaid.length;
  let cost = 0;
  const beyond = isPaid.findIndex((paid) => {
    cost += paid ? 0 : recordCredit;
    return cost > credits;
  });
  return beyond < 0 ? isPaid.length : beyond;
}
