/**
 * The one way from hits to billed public records: for a page of a search, of a walk, for a single read, for a repetition of any of them, and
 * for a job.
 */
import { setImmediate } from 'node:timers/promises';
import type { Principal } from '../domain/principal.ts';
import { unmatched } from '../domain/record/lists.ts';
import type { PeopleView } from '../domain/record/people.ts';
import { RecordText, type ServedRecord } from '../domain/record/rendered.ts';
import { type Delivery, type PublicRecord, represent, type TaxonomyLevel, type ViewOptions } from '../domain/record/represent.ts';
import type { Representation } from '../domain/record/schemas.ts';
import type { LandUse } from '../domain/record/statement.ts';
import type { Warning } from '../domain/warnings.ts';
import type { CommittedOutcome } from '../ledger/idempotency.ts';
import { scopeClauses, terms } from '../query/clauses.ts';
import type { ProjectHit, ProjectStore } from '../store/elastic/projects.ts';
import type { Actor } from './actor.ts';
import { type Billing, deliver, type QuoteOf, redeliver } from './charge.ts';
import type { PageDelivery } from './delivery.ts';
import { evidencePaths, evidenceWarning, unconfirmedAmong, unconfirmedBy } from './evidence.ts';
import { type PeopleServices, peopleOf, peopleWarning } from './people.ts';
import type { Selection } from './select.ts';

export interface ServingServices extends Billing, PeopleServices {
  publicUrl: string;
}

/** Hits, and how they are shown. */
export interface FoundRecords {
  hits: readonly ProjectHit[];
  /** by which filters they were found */
  selection: Pick<Selection, 'filters' | 'roles' | 'context' | 'meetingCap'>;
  representation: Representation;
  /** `include=contacts` */
  withContacts?: boolean | undefined;
}

interface FirstPage extends FoundRecords {
  /** the answer is read and not kept: where records are free, they go without people rather than not at all */
  mayWithholdPeople?: boolean;
  /** what a refusal says about the match set */
  quoteOf: QuoteOf;
  /** what repeating the answer under its idempotency key needs besides its records */
  keep?: unknown;
}

export interface ServedPage extends Omit<PageDelivery, 'meta'> {
  /** the delivered records, each with how it was delivered, which `deliveries` says again; fewer than the hits on a trial's page that its credits did not pay for */
  records: ServedRecord[];
  /** how the pool stood to them, in numbers */
  delivery: PageDelivery['meta'];
  /** about filters that a delivered record does not confirm by a value of its own, and people that are left out */
  warnings: Warning[];
}

/**
 * Delivers hits and shows them; the records are made ready while the ledger answers.
 * @throws ApiError `insufficient_credits` with its quote, `credits_exhausted`, `service_unavailable` when a metered page cannot be charged
 */
export async function servePage(services: ServingServices, actor: Actor, page: FirstPage): Promise<ServedPage> {
  const projects = page.hits.map((hit) => hit.project);
  // Before anything is charged: an answer that could not be shown must cost nothing.
  const { teamId, plan } = actor.principal;
  const mayWithhold = page.mayWithholdPeople && plan.recordCredit === 0;
  const people = await peopleOf(services, { teamId, projects, ...page, mayWithhold });
  const [delivery, records] = await Promise.all([
    deliver(services, actor, projects, page.quoteOf, page.keep),
    meanwhile(() => servedRecords(page, actor.principal, services.publicUrl, people)),
  ]);
  const { warnings, ...rest } = served(page, records, delivery);
  return { ...rest, warnings: [...warnings, ...peopleWarning(people)] };
}

/** Shows records that were delivered before under the same idempotency key, as they are now; nothing is charged. @throws ApiError */
export async function serveAgain(
  services: ServingServices,
  actor: Actor,
  page: FoundRecords,
  outcome: CommittedOutcome,
): Promise<ServedPage> {
  const projects = page.hits.map((hit) => hit.project);
  const people = await peopleOf(services, { teamId: actor.principal.teamId, projects, ...page });
  const delivery = await redeliver(services, actor, projects, outcome);
  return served(page, servedRecords(page, actor.principal, services.publicUrl, people), delivery);
}

/**
 * The records of a page that was delivered before, in the order of `ids`, without those that are gone or that the licence no longer shows.
 * @throws ApiError `search_unavailable`
 */
export async function deliveredHits(
  { store }: { store: ProjectStore },
  { signal }: Pick<Actor, 'signal'>,
  { selection, representation }: { selection: Selection; representation: Representation },
  ids: readonly number[],
): Promise<ProjectHit[]> {
  if (!ids.length) return [];
  const { hits } = await store.page({
    // The filters select nothing here; their named clauses still say by which evidence a record matches.
    query: { bool: { filter: [terms('id', ids), ...scopeClauses(selection.scope)], should: [selection.query] } },
    sort: [{ id: 'asc' }],
    size: ids.length,
    representation,
    toConfirm: evidencePaths(selection.filters),
    count: false,
    signal,
  });
  const place = new Map(ids.map((id, i) => [id, i]));
  return [...hits].sort((a, b) => (place.get(a.project.id) ?? 0) - (place.get(b.project.id) ?? 0));
}

/** Those records that were delivered, each with how. Pure but for the records, which it completes. */
export function served(
  { hits, selection }: Pick<FoundRecords, 'hits' | 'selection'>,
  records: readonly ServedRecord[],
  { deliveries, meta, ...credits }: PageDelivery,
): ServedPage {
  return {
    records: deliveries.map((delivery, i) => delivered(records[i] as ServedRecord, delivery)),
    deliveries,
    ...credits,
    delivery: meta,
    warnings: evidenceWarning(unconfirmedAmong(hits.slice(0, deliveries.length).map(unconfirmedBy(selection)))),
  };
}

const delivered = (record: ServedRecord, delivery: Delivery): ServedRecord =>
  record instanceof RecordText ? record.deliver(delivery) : Object.assign(record, { delivery });

const viewOf = (
  { selection, representation }: Pick<FoundRecords, 'selection' | 'representation'>,
  { plan }: Principal,
  publicUrl: string,
  people: PeopleView,
): ViewOptions => ({
  representation,
  publicUrl,
  meetingCap: selection.meetingCap,
  matchedOn: matcher(selection),
  companyDetails: plan.paid,
  people,
});

/** The records of a page, before it is known how they were delivered. Pure. */
function servedRecords(found: FoundRecords, principal: Principal, publicUrl: string, people: PeopleView): ServedRecord[] {
  const view = viewOf(found, principal, publicUrl, people);
  return found.hits.map(({ project, rendered }) => rendered?.show(view) ?? represent(project, view));
}

/** The same of hits that are looked into. Pure. */
export function publicRecords(found: FoundRecords, principal: Principal, publicUrl: string, people: PeopleView): PublicRecord[] {
  const view = viewOf(found, principal, publicUrl, people);
  return found.hits.map(({ project }) => represent(project, view));
}

/** Which levels of a use satisfied the request's taxonomy filter: `matchedOn` of a land use. */
export function matcher({ filters, roles }: Pick<Selection, 'filters' | 'roles'>): (use: LandUse) => TaxonomyLevel[] {
  const wanted: [TaxonomyLevel, ReadonlySet<string>][] = [
    ['type', new Set(filters.propertyTypes)],
    ['subtype', new Set([...(filters.propertySubtypes ?? []), ...(filters.governmentDecisionSubtypes ?? [])])],
    ['assetClass', new Set([...(filters.assetClasses ?? []), ...(filters.governmentDecisionAssetClasses ?? [])])],
  ];
  if (wanted.every(([, values]) => !values.size)) return unmatched;
  return (use) => (roles.includes(use.role) ? wanted.flatMap(([level, values]) => (values.has(use[level] ?? '') ? [level] : [])) : []);
}

/** Does work of this process's own while an answer is on its way that was asked for just before. */
async function meanwhile<T>(work: () => T): Promise<T> {
  await setImmediate(); // until then the question has not been sent
  return work();
}
