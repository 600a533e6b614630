/** AI searches: submitted, polled and cancelled. What they do is in run.ts. */

import { throwIfAboveBound } from '../../core/domain/credits.ts';
import { isWithin, scopeOf } from '../../core/domain/principal.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { type Actor, payerOf } from '../../core/search/actor.ts';
import { unreservedError } from '../../core/search/delivery.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import { selectionOf } from '../../core/search/select.ts';
import { toPublicRecords } from '../../core/search/servePage.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { readPeopleView } from '../../core/search/shownPeople.ts';
import { noAllowance, switchedOff } from '../contacts/index.ts';
import type { Platform } from '../feature.ts';
import { asksOfIds } from './asksOfIds.ts';
import type { Feedback, FeedbackStore } from './feedbackStore.ts';
import { aiSearchJob } from './job.ts';
import { AI_LIMIT_DEFAULT } from './limits.ts';
import { parseReadFilters, parseSentFilters } from './questionPlan.ts';
import type { AiSearchBody } from './request.ts';
import { announceEnd } from './settle.ts';
import type { AiSearchStore } from './store.ts';
import type { AiSearchPayload, DeliveredMatch, StoredAiSearch } from './types.ts';
import { type AiResult, type AiSearchView, toAiSearchView, toShownEvidence } from './view.ts';

export interface AiSearchServices extends ProjectServices, Pick<Platform, 'accounts' | 'outbox'> {
  searches: AiSearchStore;
  feedback: FeedbackStore;
  /** false if the operator switched contact finding off */
  findsContacts: boolean;
}

type Requester = Pick<Actor, 'principal'>;

/** `POST /projects/ai-search/jobs`. @param body without problems of its own @throws ApiError */
export async function submitAiSearch(services: AiSearchServices, actor: Actor, body: AiSearchBody): Promise<OperationAnswer<AiSearchView>> {
  const { query, filters = {}, limit = AI_LIMIT_DEFAULT, offset = 0, include, maxContactCredits, notify } = body;
  const bound = maxContactCredits === undefined ? [] : [maxContactCredits];
  const same = JSON.stringify([
    query,
    Object.entries(filters).sort(),
    limit,
    offset,
    include !== undefined,
    notify?.email ?? true,
    ...bound,
  ]);
  const data = await runOnce(services, actor, same, {
    run: async (claiming): Promise<Shown> => ({
      search: toAiSearchView(await acceptSearch(services, claiming, body), [], services.publicUrl),
      warnings: [],
    }),
    replay: async ({ kept }) => viewSearch(services, actor, await services.searches.readKept(actor.principal, kept)),
  });
  return toAnswer(data);
}

interface Shown {
  search: AiSearchView;
  warnings: Warning[];
}

const toAnswer = ({ search, warnings }: Shown): OperationAnswer<AiSearchView> => ({ data: search, meta: { creditsUsed: 0, warnings } });

async function acceptSearch(services: AiSearchServices, actor: Actor, body: AiSearchBody): Promise<StoredAiSearch> {
  const { query, filters = {}, limit = AI_LIMIT_DEFAULT, offset = 0, include, maxContactCredits, notify } = body;
  const { plan } = actor.principal;
  if (include && !services.findsContacts) throw switchedOff('include');
  const { today } = environmentOf(services);
  const payload: AiSearchPayload = {
    query,
    filters,
    limit,
    offset,
    today,
    rate: plan.recordCredit,
    mails: notify?.email ?? true,
    ...(include ? { contacts: { rate: plan.contactCredit } } : {}),
  };
  if (asksOfIds(payload)) services.counted?.(actor.principal.teamId, 1);
  const credits = limit * plan.recordCredit;
  const contacts = include && { credits: limit * plan.contactCredit, attempts: limit, allowance: plan.enrichment };
  throwIfAboveBound('The contacts cost', contacts?.credits ?? 0, 'maxContactCredits', maxContactCredits);
  const accepted = await services.searches.accept(aiSearchJob, payerOf(actor), { payload, credits, contacts });
  if (accepted.outcome === 'accepted') return accepted.row;
  if (accepted.outcome === 'no_allowance') throw noAllowance(actor, limit, accepted.used, services.now());
  const creditsRequired = credits + (contacts?.credits ?? 0);
  const creditRate = creditsRequired / limit;
  // It reserves credits for `limit` records, so a smaller limit may be accepted.
  throw unreservedError(accepted, 'The search reserves', 'Send a smaller limit.', {
    matchCount: limit,
    matchCountIsExact: false,
    creditRate,
    creditsRequired,
    affordableRecordCount: Math.floor(accepted.balance / creditRate),
    countUrl: null, // what a search confirms is known when it has ended
  });
}

/** `GET /projects/ai-search/jobs/{id}`. @throws ApiError `resource_not_found`, `service_unavailable` */
export async function readAiSearch(services: AiSearchServices, actor: Requester, id: string): Promise<OperationAnswer<AiSearchView>> {
  return toAnswer(await viewSearch(services, actor, await services.searches.read(actor.principal, id)));
}

/** `DELETE /projects/ai-search/jobs/{id}`; of an ended search nothing changes. @throws ApiError `resource_not_found`, `service_unavailable` */
export async function cancelAiSearch(services: AiSearchServices, actor: Requester, id: string): Promise<OperationAnswer<AiSearchView>> {
  await services.searches.cancel(actor.principal.teamId, id, (tx, job) =>
    announceEnd(services, tx, job, { status: 'cancelled', partialReason: null, delivered: 0, reviewed: 0, related: 0 }),
  );
  return toAnswer(await viewSearch(services, actor, await services.searches.read(actor.principal, id)));
}

async function viewSearch(services: AiSearchServices, actor: Requester, found: StoredAiSearch): Promise<Shown> {
  const delivered = found.settledAt ? await services.searches.delivered(found.id) : [];
  const scope = scopeOf(actor.principal);
  // A licence that has become narrower hides records, as it hides matches of alerts.
  const matches = delivered.filter(({ project }) => isWithin(scope, project.standard ?? {}));
  const warnings = [...found.warnings, ...licenceWarnings(delivered.length - matches.length)];
  const search = toAiSearchView(found, await resultsOf(services, actor, found, matches), services.publicUrl, scope);
  return { search, warnings };
}

function licenceWarnings(records: number): Warning[] {
  if (!records) return [];
  const message = `${records} ${records === 1 ? 'result lies' : 'results lie'} outside of your licence by now and ${records === 1 ? 'is' : 'are'} not shown`;
  return [{ code: 'results_outside_licence', message, params: { records } }];
}

/** The records as they were delivered, with the people that may be shown today. */
async function resultsOf(
  services: AiSearchServices,
  { principal }: Requester,
  search: StoredAiSearch,
  matches: readonly DeliveredMatch[],
): Promise<AiResult[]> {
  if (!matches.length) return [];
  const { teamId } = principal;
  const projects = matches.map(({ project }) => project);
  const withContacts = search.payload.contacts !== undefined;
  const people = await readPeopleView(services, { teamId, projects, representation: 'standard', withContacts });
  const hits = matches.map(({ project, matched }) => ({ project, matched, sort: [] }));
  const selection = selectionOf(filtersShown(services, search), principal, search.payload.today);
  const records = toPublicRecords({ hits, selection, representation: 'standard' }, principal, services.publicUrl, people);
  const said = await services.feedback.read(teamId, search.payload.query);
  return records.map((record, i) => Object.assign(record, matchFields(matches[i] as DeliveredMatch, said)));
}

/** The filters by which `matchedOn` of a record is computed. */
function filtersShown({ places }: AiSearchServices, { payload, interpretation }: StoredAiSearch) {
  const read = interpretation ? parseReadFilters(interpretation, places) : {};
  return { dateRange: 'all', ...read, ...parseSentFilters(payload.filters, places) } as const;
}

const matchFields = ({ project: { id }, delivery, whyThisMatched, evidence }: DeliveredMatch, { confirmed, dismissed }: Feedback) => ({
  delivery,
  whyThisMatched,
  matchEvidence: toShownEvidence(evidence),
  feedback: confirmed.includes(id) ? ('confirmed' as const) : dismissed.includes(id) ? ('dismissed' as const) : null,
});
