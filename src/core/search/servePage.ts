/** The one way from hits to billed public records: for a page of a search or of a walk, a single read, a repeated request, and a job. */

import type { Plan } from '../domain/plans.ts';
import type { PeopleView } from '../domain/record/people.ts';
import { unmatched } from '../domain/record/publicParts.ts';
import { RecordText, type ServedRecord } from '../domain/record/rendered.ts';
import { type Delivery, type PublicRecord, representRecord, type TaxonomyLevel, type ViewOptions } from '../domain/record/represent.ts';
import { revisionHash } from '../domain/record/revisionHash.ts';
import type { Representation } from '../domain/record/schemas.ts';
import type { LandUse } from '../domain/record/statement.ts';
import type { Warning } from '../domain/warnings.ts';
import type { FilterName } from '../filter/table.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import type { CommittedOutcome } from '../ledger/idempotencyStore.ts';
import { scopeClauses, terms } from '../query/clauses.ts';
import { fetchHits, type ProjectHit, type ProjectStore } from '../store/elastic/projects.ts';
import { waitForLoopTurn } from '../store/loopTurn.ts';
import type { Actor } from './actor.ts';
import { type Billing, deliverPage, type QuoteOf, repeatDelivery } from './charge.ts';
import type { PageDelivery } from './delivery.ts';
import type { Includes } from './includeProblems.ts';
import type { Selection } from './select.ts';
import { makePeopleWarnings, type PeopleServices, readPeopleView } from './shownPeople.ts';
import { evidencePaths, evidenceWarning, makeUnconfirmedLister, summarizeUnconfirmed } from './unconfirmedFilters.ts';

export interface ServingServices extends Billing, PeopleServices {
  publicUrl: string;
}

/** Hits, and how they are to be shown. */
export interface FoundRecords extends Includes {
  hits: readonly ProjectHit[];
  /** the selection that found them */
  selection: Pick<Selection, 'filters' | 'roles' | 'context' | 'meetingCap'>;
  representation: Representation;
  /** lists the filters that a hit does not confirm; of all filters of the selection, if absent */
  listUnconfirmed?: (hit: ProjectHit) => FilterName[];
}

interface FirstPage extends FoundRecords {
  /** whether free records may be served without people when suppressions cannot be read; false for an answer that is stored */
  mayWithholdPeople?: boolean;
  /** makes what a refusal says about the match set */
  quoteOf: QuoteOf;
  /** data needed to repeat the answer under its idempotency key, apart from its records */
  keep?: unknown;
}

export interface ServedPage extends Omit<PageDelivery, 'meta'> {
  /** the delivered records, each with its delivery (as in `deliveries`); fewer than the hits on a truncated trial page */
  records: ServedRecord[];
  /** the numbers of new, changed and held records */
  delivery: PageDelivery['meta'];
  /** about filters that a delivered record does not confirm, and about withheld people */
  warnings: Warning[];
}

/**
 * Delivers hits and renders them; they are rendered while the ledger answers.
 * @throws ApiError `insufficient_credits` with its quote, `credits_exhausted`, `service_unavailable` when a metered page cannot be charged
 */
export async function servePage(services: ServingServices, actor: Actor, page: FirstPage): Promise<ServedPage> {
  const projects = page.hits.map((hit) => hit.project);
  // Before the charge: an answer that cannot be shown must cost nothing.
  const { teamId, plan } = actor.principal;
  const mayWithhold = page.mayWithholdPeople && plan.recordCredit === 0;
  const people = await readPeopleView(services, { teamId, projects, ...page, mayWithhold });
  const [delivery, records] = await Promise.all([
    deliverPage(services, actor, projects, page.quoteOf, page.keep),
    meanwhile(() => renderRecords(page, actor.principal, services.publicUrl, people)),
  ]);
  const { warnings, ...rest } = joinDeliveries(page, records, delivery);
  return { ...rest, warnings: [...warnings, ...makePeopleWarnings(people)] };
}

export interface RepeatingServices extends ServingServices {
  holdings: Pick<HoldingStore, 'pageHoldings'>;
}

/**
 * Renders records that were delivered before under the same idempotency key; nothing is charged. Where records are paid, those that changed
 * since are left out and named, unless the pool has paid for their current version.
 * @throws ApiError
 */
export async function serveAgain(
  services: RepeatingServices,
  actor: Actor,
  page: FoundRecords,
  outcome: CommittedOutcome,
): Promise<ServedPage> {
  const hits = await selectPaidHits(services, actor, page.hits);
  const shown = { ...page, hits };
  const projects = hits.map((hit) => hit.project);
  const changedSince = page.hits.filter((hit) => !hits.includes(hit)).map(({ project }) => project.id);
  const people = await readPeopleView(services, { teamId: actor.principal.teamId, projects, ...page });
  const delivery = await repeatDelivery(services, actor, projects, outcome, changedSince);
  return joinDeliveries(shown, renderRecords(shown, actor.principal, services.publicUrl, people), delivery);
}

/** The hits whose current version the pool has paid for; all of them where records are free. */
async function selectPaidHits(
  { holdings }: Pick<RepeatingServices, 'holdings'>,
  { principal: { plan, teamId } }: Actor,
  hits: readonly ProjectHit[],
): Promise<readonly ProjectHit[]> {
  if (plan.recordCredit === 0) return hits;
  const items = hits.map(({ project: { id, contentRevision } }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const held = await holdings.pageHoldings(teamId, items);
  return hits.filter(({ project }) => held.get(project.id)?.paid);
}

/**
 * The records of a page that was delivered before, in the order of `ids`, without those that no longer exist or that the licence no longer
 * covers.
 * @throws ApiError `search_unavailable`
 */
export async function fetchDeliveredHits(
  { store }: { store: ProjectStore },
  { signal }: Pick<Actor, 'signal'>,
  { selection, representation }: { selection: Selection; representation: Representation },
  ids: readonly number[],
): Promise<ProjectHit[]> {
  if (!ids.length) return [];
  const hits = await fetchHits(store, {
    // The filters go into `should`: they select nothing, but their named clauses report by which evidence a record matches.
    query: { bool: { filter: [terms('id', ids), ...scopeClauses(selection.scope)], should: [selection.query] } },
    size: ids.length,
    representation,
    toConfirm: evidencePaths(selection.filters),
    signal,
  });
  const place = new Map(ids.map((id, i) => [id, i]));
  return [...hits].sort((a, b) => (place.get(a.project.id) ?? 0) - (place.get(b.project.id) ?? 0));
}

/** Joins the delivered records with their deliveries. Pure, except that it completes the records. */
export function joinDeliveries(
  { hits, selection, listUnconfirmed = makeUnconfirmedLister(selection) }: Pick<FoundRecords, 'hits' | 'selection' | 'listUnconfirmed'>,
  records: readonly ServedRecord[],
  { deliveries, meta, ...credits }: PageDelivery,
): ServedPage {
  return {
    records: deliveries.map((delivery, i) => withDelivery(records[i] as ServedRecord, delivery)),
    deliveries,
    ...credits,
    delivery: meta,
    warnings: evidenceWarning(summarizeUnconfirmed(hits.slice(0, deliveries.length).map(listUnconfirmed))),
  };
}

export const withDelivery = (record: ServedRecord, delivery: Delivery): ServedRecord =>
  record instanceof RecordText ? record.deliver(delivery) : Object.assign(record, { delivery });

const makeViewOptions = (
  { selection, representation, withDerived }: Pick<FoundRecords, 'selection' | 'representation' | 'withDerived'>,
  { plan }: { plan: Pick<Plan, 'paid'> },
  publicUrl: string,
  people: PeopleView,
): ViewOptions => ({
  representation,
  withDerived,
  publicUrl,
  meetingCap: selection.meetingCap,
  today: selection.context.today,
  matchedOn: makeMatcher(selection),
  companyDetails: plan.paid,
  people,
});

/** The records of a page, before their deliveries are known. Pure. */
export function renderRecords(
  found: FoundRecords,
  principal: { plan: Pick<Plan, 'paid'> },
  publicUrl: string,
  people: PeopleView,
): ServedRecord[] {
  const view = makeViewOptions(found, principal, publicUrl, people);
  return found.hits.map(({ project, rendered }) => rendered?.show(view) ?? representRecord(project, view));
}

/** The records of a page as objects, for callers that read their fields. Pure. */
export function toPublicRecords(
  found: FoundRecords,
  principal: { plan: Pick<Plan, 'paid'> },
  publicUrl: string,
  people: PeopleView,
): PublicRecord[] {
  const view = makeViewOptions(found, principal, publicUrl, people);
  return found.hits.map(({ project }) => representRecord(project, view));
}

/** Makes the function that computes `matchedOn` of a land use: the levels that satisfy the request's taxonomy filter. */
export function makeMatcher({ filters, roles }: Pick<Selection, 'filters' | 'roles'>): (use: LandUse) => TaxonomyLevel[] {
  const wanted: [TaxonomyLevel, ReadonlySet<string>][] = [
    ['type', new Set(filters.propertyTypes)],
    ['subtype', new Set([...(filters.propertySubtypes ?? []), ...(filters.governmentDecisionSubtypes ?? [])])],
    ['assetClass', new Set([...(filters.assetClasses ?? []), ...(filters.governmentDecisionAssetClasses ?? [])])],
  ];
  if (wanted.every(([, values]) => !values.size)) return unmatched;
  return (use) => (roles.includes(use.role) ? wanted.flatMap(([level, values]) => (values.has(use[level] ?? '') ? [level] : [])) : []);
}

/** Does synchronous work while a request that was just made is on its way. */
async function meanwhile<T>(work: () => T): Promise<T> {
  await waitForLoopTurn(); // lets the request be sent first
  return work();
}
