/** The end of an AI search: its window is delivered through the one path that bills, in the transaction that settles the job. */

import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import { type FilterName, type FilterValues, namesIn } from '../../core/filter/table.ts';
import type { Job } from '../../core/jobs/store.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import { payFromReservation } from '../../core/ledger/reservations.ts';
import { isMailAddress } from '../../core/mail/mail.ts';
import type { ContactFinding } from '../../core/people/enrichment.ts';
import { terms } from '../../core/query/clauses.ts';
import { type Actor, payerOf } from '../../core/search/actor.ts';
import { type ServingServices, servePage } from '../../core/search/servePage.ts';
import { evidencePaths, makeUnconfirmedLister } from '../../core/search/unconfirmedFilters.ts';
import { fetchHits, type ProjectHit } from '../../core/store/elastic/projects.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { ContactFinder, EnrichmentStore } from '../contacts/index.ts';
import type { Platform } from '../feature.ts';
import { recordEvent } from '../webhooks/index.ts';
import { asksOfIds } from './asksOfIds.ts';
import { AI_SEARCH_EVENTS } from './events.ts';
import { judgeRecords } from './judge.ts';
import { type AiSearchEnd, aiSearchMail } from './mails.ts';
import { parseSentFilters, planQuery, type QuestionPlan } from './questionPlan.ts';
import { type AiJob, type ScreeningAttempt, type ScreeningServices, windowOf } from './screen.ts';
import type { PartialReason } from './statuses.ts';
import type { AiSearchStore } from './store.ts';
import type { AiSearchPayload, AssessedRecord, ConfirmedRecord, DeliveredMatch, RelatedRecords } from './types.ts';

type PlatformServices = 'ledger' | 'holdings' | 'suppressions' | 'unlocks' | 'accounts' | 'outbox';

export interface SettlingServices extends ScreeningServices, Omit<ServingServices, PlatformServices>, Pick<Platform, PlatformServices> {
  searches: AiSearchStore;
  enrichments: EnrichmentStore;
  /** null if contact finding is switched off */
  finder: ContactFinder | null;
}

/** Services that every end of a search needs, whether it delivers or not. */
type EndServices = Pick<SettlingServices, 'searches' | 'accounts' | 'outbox' | 'publicUrl'>;

/** A confirmed record with its current hit. */
export interface WindowEntry {
  match: ConfirmedRecord;
  hit: ProjectHit;
}

/** Rounds of judging again: records may change while a search runs, and each is delivered as it was judged. */
const JUDGED_AGAIN_MAX = 3;

/** The search's window, best first. @throws ApiError `search_unavailable` */
export async function readWindow(
  services: ScreeningServices,
  job: AiJob,
  { signal, write }: ScreeningAttempt,
  plan: QuestionPlan,
): Promise<WindowEntry[]> {
  const { screening, ceilings } = services;
  for (let round = 0; ; round++) {
    const confirmed = await screening.confirmed(job.id, windowOf(job.payload, ceilings));
    const hits = await fetchWindow(services, plan, confirmed, signal);
    const isCurrent = ({ projectId, revision }: ConfirmedRecord) => hits.get(projectId)?.project.contentRevision === revision;
    const stale = confirmed.filter((one) => !isCurrent(one)).map(({ projectId }) => projectId);
    if (!stale.length || round === JUDGED_AGAIN_MAX)
      return confirmed.flatMap((match) => {
        const hit = hits.get(match.projectId);
        return hit && isCurrent(match) ? [{ match, hit }] : [];
      });
    const judged = new Map((await judgeRecords(services, plan, stale, signal)).map((one) => [one.projectId, one]));
    const again = stale.map((projectId) => ({ projectId, now: judged.get(projectId) ?? null }));
    await write((tx) => screening.replaceConfirmed(tx, job.id, again));
  }
}

async function fetchWindow(
  { store }: ScreeningServices,
  plan: QuestionPlan,
  confirmed: readonly ConfirmedRecord[],
  signal: AbortSignal,
): Promise<Map<number, ProjectHit>> {
  const ids = confirmed.map(({ projectId }) => projectId);
  if (!ids.length) return new Map();
  const hits = await fetchHits(store, {
    query: planQuery(plan, terms('id', ids)),
    size: ids.length,
    representation: 'standard',
    toConfirm: evidencePaths(plan.selection.filters),
    signal,
  });
  return new Map(hits.map((hit) => [hit.project.id, hit]));
}

interface Ending {
  principal: Actor['principal'];
  /** null if the question was not read: nothing is delivered */
  plan: QuestionPlan | null;
  window: readonly WindowEntry[];
  /** null if it was not looked for */
  related: readonly AssessedRecord[] | null;
  partialReason: PartialReason | null;
  findings: ReadonlyMap<number, ContactFinding>;
}

/** Delivers and charges the window, and announces the end. @returns the final status of the job */
export async function settleSearch(
  services: SettlingServices,
  tx: Queryable,
  job: AiJob,
  { principal, plan, window, related: found, partialReason, findings }: Ending,
): Promise<{ status: 'completed' | 'partial' }> {
  const { searches, screening, enrichments } = services;
  const actor: Actor = { principal, cause: { kind: 'job', jobId: job.id, attempt: job.attempt } };
  const delivered = new Map<number, Omit<DeliveredMatch, 'whyThisMatched' | 'evidence'>>();
  let warnings: Awaited<ReturnType<typeof servePage>>['warnings'] = [];
  const paid = await payFromReservation(tx, job.id, payerOf(actor), async () => {
    if (!plan || !window.length) return 0;
    const hits = window.map(({ hit }) => hit);
    const { selection } = plan;
    const listUnconfirmed = makePlanLister(plan, parseSentFilters(job.payload.filters, services.places));
    const unlocks: ServingServices['unlocks'] = { pageUnlocks: (teamId, ids) => services.unlocks.pageUnlocks(teamId, ids, tx) };
    const served = await servePage({ ...services, ledger: ledgerInTransaction(services.ledger, tx), unlocks }, actor, {
      ...({ hits, selection, representation: 'standard', listUnconfirmed } as const),
      quoteOf: () => {
        throw new Error(`The reservation of ${job.id} does not pay for its window`);
      },
    });
    for (const [i, delivery] of served.deliveries.entries()) {
      const { project, matched } = hits[i] as ProjectHit;
      delivered.set(project.id, { project, matched, delivery });
    }
    warnings = served.warnings;
    return served.creditsUsed;
  });
  const before = await searches.readInTransaction(tx, job.id);
  const matchCountIsExact = before.candidates !== null && before.reviewed === before.candidates;
  const { confirmed: matchCount, reviewed } = before;
  const related = found && (await relatedShown(services, tx, job, principal.plan.recordCredit > 0, found));
  await screening.end(tx, job.id, { partialReason, matchCount, matchCountIsExact, warnings, delivered, related, ...paid });
  if (job.payload.contacts) {
    const ofWindow = new Map([...findings].filter(([id]) => delivered.has(id)));
    await screening.keepContactCredits(tx, job.id, await enrichments.deliverLookedUp(tx, job, ofWindow, job.payload.contacts.rate));
  }
  const status = partialReason ? 'partial' : 'completed';
  await announceEnd(services, tx, job, { status, partialReason, delivered: delivered.size, reviewed, related: related?.count ?? 0 });
  return { status };
}

/** Where records cost credits, those that the pool has paid for as they are; among ids of records they alone are counted. */
async function relatedShown(
  { holdings }: Pick<SettlingServices, 'holdings'>,
  tx: Queryable,
  { teamId, payload }: AiJob,
  isMetered: boolean,
  found: readonly AssessedRecord[],
): Promise<RelatedRecords> {
  if (!isMetered) return { count: found.length, records: found };
  const held = await holdings.pageHoldings(
    teamId,
    found.map(({ id, revision }) => ({ id, revisionHash: revisionHash(id, revision) })),
    tx,
  );
  const records = found.filter(({ id }) => held.get(id)?.paid);
  return { count: asksOfIds(payload) ? records.length : found.length, records };
}

/** Lists the filters that a hit does not confirm, without those that it satisfies in its text alone. */
function makePlanLister({ selection, readings }: QuestionPlan, sent: FilterValues): (hit: ProjectHit) => FilterName[] {
  const listUnconfirmed = makeUnconfirmedLister(selection);
  return (hit) => {
    const inText = readings.filter(({ name }) => !hit.matched.includes(name)).flatMap(({ filters }) => namesIn(filters));
    return listUnconfirmed(hit).filter((name) => !inText.includes(name) || name in sent);
  };
}

/** The ledger, charging in a transaction. */
const ledgerInTransaction = (ledger: Ledger, tx: Queryable): ServingServices['ledger'] => ({
  deliverPage: (payer, items, terms_) => ledger.deliverPage(payer, items, terms_, tx),
  deliverDocument: (payer, documentId, rate) => ledger.deliverDocument(payer, documentId, rate),
  balance: (payer) => ledger.balance(payer),
});

/** Records the event, and mails the person who asked unless they declined. */
export async function announceEnd(
  { searches, accounts, outbox, publicUrl }: EndServices,
  tx: Queryable,
  job: Job,
  end: Pick<AiSearchEnd, 'status' | 'partialReason' | 'delivered' | 'reviewed' | 'related'>,
): Promise<void> {
  if (job.teamId === null) return;
  await recordEvent(tx, AI_SEARCH_EVENTS, { teamId: job.teamId, type: 'ai_search.settled', subjectId: job.id });
  if (!(job.payload as AiSearchPayload).mails || job.userId === null) return;
  const roster = await accounts.mailableRoster(job.teamId, tx);
  const email = roster.find(({ userId }) => userId === job.userId)?.email;
  if (!email || !isMailAddress(email)) return;
  const { creditsReserved, creditsCharged, contactCreditsReserved, contactCreditsCharged } = await searches.readInTransaction(tx, job.id);
  const charged = (creditsCharged ?? 0) + (contactCreditsCharged ?? 0);
  const refunded = creditsReserved + contactCreditsReserved - charged;
  const reviewed = asksOfIds(job.payload as AiSearchPayload) ? end.delivered : end.reviewed;
  await outbox.put(tx, aiSearchMail(email, { id: job.id, charged, refunded, ...end, reviewed }, publicUrl));
}

/** Gives back everything that a search reserved, in the transaction that ends it without a delivery. */
export async function refundSearch(services: EndServices, tx: Queryable, job: Job, status: 'failed' | 'cancelled'): Promise<void> {
  const { reviewed } = await services.searches.readInTransaction(tx, job.id);
  await services.searches.giveBack(tx, job);
  await announceEnd(services, tx, job, { status, partialReason: null, delivered: 0, reviewed, related: 0 });
}
