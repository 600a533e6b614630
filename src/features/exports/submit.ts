/** Accepts an export: reserves its credits and queues its job, both or neither. */

import { submitFiles } from '../../core/billedJobs/submitFiles.ts';
import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import { lowestBound, throwIfAboveBound } from '../../core/domain/credits.ts';
import { ApiError, renameOutage } from '../../core/domain/errors.ts';
import type { Plan } from '../../core/domain/plans.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { UnlockStore } from '../../core/people/unlocks.ts';
import { sortClauses } from '../../core/query/sort.ts';
import { type Actor, payerOf } from '../../core/search/actor.ts';
import { noteByIds, pricedSelection, readPaidIds } from '../../core/search/byIds.ts';
import { contactParameters, countParameters, countUrlOf, isCounted } from '../../core/search/countUrl.ts';
import { unreservedError } from '../../core/search/delivery.ts';
import { affordableRecords, priceWithUnconfirmed } from '../../core/search/price.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import { type Withheld, withholdDelivered } from '../../core/search/withhold.ts';
import { type AlertStore, knownAlert } from '../alerts/index.ts';
import { noAllowance, type PricedContacts, priceContacts, switchedOff } from '../contacts/index.ts';
import type { Platform } from '../feature.ts';
import { criteriaOf, type ListStore } from '../lists/index.ts';
import { exportJob } from './job.ts';
import { type CsvSearch, type ExportBody, type ExportFilters, type ExportRequest, parseExport, type SourceList } from './request.ts';
import type { ExportStore } from './store.ts';
import type { StoredExport } from './types.ts';
import { type Export, exportView } from './view.ts';

export interface SubmitServices extends ProjectServices, Pick<Platform, 'sets' | 'lineage'> {
  exports: ExportStore;
  lists: ListStore;
  alerts: AlertStore;
  unlocks: UnlockStore;
  /** most records of a file */
  exportRowsMax: number;
  /** largest total size of a team's stored files, in bytes */
  teamExportBytes: number;
  /** whether the operator enabled contact finding */
  findsContacts: boolean;
}

/** The answer when nothing matches; nothing is queued. */
const NO_MATCHING_ROWS = { status: 'no_matching_rows', exportJobId: null, matchCount: 0 } as const;

const NO_HISTORY = 'The delivery history cannot be read right now; nothing was queued or reserved.';

export type SubmitOutcome = Export | typeof NO_MATCHING_ROWS;

/** `POST /exports`. @throws ApiError */
export async function submitExport(
  services: SubmitServices,
  actor: Actor,
  body: ExportBody,
  read: ExportFilters,
): Promise<OperationAnswer<SubmitOutcome>> {
  const named = await namedSource(services, actor, body);
  const parsed = parseExport({ body, read }, actor.principal, environmentOf(services), named?.source);
  const request =
    named && Array.isArray(named.source.holds) && named.listId !== null
      ? { ...parsed, priceUrl: `${services.publicUrl}/v1/lists/${named.listId}` }
      : parsed;
  return submit(services, actor, request, canonicalJson(body));
}

/** The list or alert that the body names, and the list whose price is quoted. */
async function namedSource(
  services: SubmitServices,
  actor: Actor,
  { alertId, listId }: ExportBody,
): Promise<{ source: SourceList; listId: string | null } | undefined> {
  if (listId !== undefined) return { source: await sourceList(services, actor, listId), listId };
  if (alertId === undefined) return undefined;
  const alert = await knownAlert(services, actor, alertId, 'alertId');
  const holds = await services.lists.idsOfAlert(alertId);
  // The list of a deleted alert was deleted too.
  const pricedBy = alert.status === 'archived' ? null : alert.listId;
  return { source: { param: 'alertId', id: alertId, holds }, listId: pricedBy };
}

/** @throws ApiError `resource_not_found`, also for a list that is not shared with the key's user */
async function sourceList({ lists }: SubmitServices, { principal }: Actor, id: string): Promise<SourceList> {
  const list = await lists.find(principal, id);
  if (!list)
    throw new ApiError('resource_not_found', `There is no list '${id.slice(0, 80)}', or it is not shared with you`, { param: 'listId' });
  const holds = list.filters || list.polygon ? { criteria: criteriaOf(list) } : (await lists.readProjects(id)).projectIds;
  return { param: 'listId', id, holds };
}

/** `GET /projects/search?format=csv`: everything that the search matches, as a file. @throws ApiError */
export const submitCsvSearch = (services: SubmitServices, actor: Actor, search: CsvSearch): Promise<OperationAnswer<SubmitOutcome>> =>
  submit(services, actor, search, search.same);

/** @param same text that is equal for equal requests, for the idempotency key */
async function submit(
  services: SubmitServices,
  actor: Actor,
  request: ExportRequest,
  same: string,
): Promise<OperationAnswer<SubmitOutcome>> {
  const { row, meta } = await submitFiles(services, actor, {
    jobs: services.exports,
    selection: request.selection,
    sendTheFlag: request.sendTheFlag,
    same,
    // Unlike a page, an export requires the delivery history, which determines its reservation.
    accept: (claiming) => renameOutage(accept(services, claiming, request), 'delivery_ledger_unavailable', NO_HISTORY),
    findWarnings: ({ unconfirmed }) => evidenceWarning(unconfirmed),
  });
  return { data: row ? exportView(row, services.publicUrl) : NO_MATCHING_ROWS, meta };
}

async function accept(services: SubmitServices, actor: Actor, request: ExportRequest): Promise<StoredExport | undefined> {
  const { exports, publicUrl } = services;
  const { principal } = actor;
  const { selection, deliveryMode, source, parameters, members, maxCredits } = request;
  if (principal.plan.recordCredit > 0) await services.lineage.throwUnlessRight();
  if (request.contacts && !services.findsContacts) throw switchedOff('include');
  const isByIds = noteByIds(services, actor, selection);
  const priced = pricedSelection(selection, principal.plan);
  const order = async () => sortClauses(request.sort, await readOrderCap(services, request, actor.signal));
  const wanted = { query: priced.query, order, max: services.exportRowsMax };
  const withheld = deliveryMode === 'new' ? await withholdDelivered(services, actor, wanted) : null;
  const query = withheld?.query ?? priced.query;
  const { matchCount, rows, reserve, unconfirmed } = await quoteExport(services, actor, { selection: priced, order, withheld });
  const payer = payerOf(actor);
  if (matchCount === 0) {
    await exports.acceptNothing(payer);
    return undefined;
  }
  throwIfAboveBound('The export costs', reserve, 'maxCredits', maxCredits);
  const heldCount = isByIds && !withheld ? (await readPaidIds(services, actor, selection)).length : 0;
  const { licence, plan } = principal;
  const { today } = selection.context;
  const payload = {
    parameters,
    members,
    today,
    licence,
    companyDetails: plan.paid,
    rate: plan.recordCredit,
    rowsMax: services.exportRowsMax,
    withDerived: request.withDerived,
  };
  const looked = request.contacts && (await priceContacts(services, actor, { ...request, query, options: request.contacts }));
  throwIfAboveBound('The contacts cost', looked?.credits ?? 0, 'maxContactCredits', request.maxContactCredits);
  const answer = await exports.accept(exportJob, payer, {
    payload: { ...payload, contacts: contactsOf(request, looked, plan), maxCredits: recordsBound(maxCredits, actor, looked?.credits) },
    source,
    matchCount: isByIds ? heldCount : matchCount,
    unconfirmed,
    credits: reserve,
    contacts: looked && { credits: looked.credits, allowance: plan.enrichment },
    keptBytesMax: services.teamExportBytes,
  });
  if (answer.outcome === 'accepted') return answer.row;
  if (answer.outcome === 'no_allowance') throw noAllowance(actor, looked?.lookUps ?? 0, answer.used, services.now());
  const creditsRequired = reserve + (looked?.credits ?? 0);
  throw unreservedError(answer, 'The export costs', 'Narrow the filters.', {
    matchCount,
    matchCountIsExact: true,
    creditRate: plan.recordCredit || (looked ? plan.contactCredit : 0),
    creditsRequired,
    affordableRecordCount: affordableRecords(rows, creditsRequired, answer.balance, looked),
    countUrl: rows === matchCount ? priceUrlOf(publicUrl, request) : null,
  });
}

const contactsOf = ({ contacts: options = {} }: ExportRequest, looked: PricedContacts | undefined, { contactCredit: rate }: Plan) =>
  looked && { projectIds: looked.projectIds, options, rate };

/** URL that prices a refused export of all matches; null if none does. A list's own price is that of all its records, without contacts. */
function priceUrlOf(publicUrl: string, { countedFilters, sort, deliveryMode, priceUrl, contacts }: ExportRequest): string | null {
  if (!countedFilters || !isCounted({ appliedFilters: countedFilters })) return null;
  if (priceUrl) return contacts || deliveryMode === 'new' ? null : priceUrl;
  const counted = countParameters({ appliedFilters: countedFilters }, deliveryMode);
  return countUrlOf(publicUrl, { ...counted, ...(contacts ? contactParameters(contacts, sort) : {}) });
}

/** The limit on credits for records: the lower of `maxCredits` and what the request's limit leaves after contacts. */
function recordsBound(maxCredits: number | null, actor: Actor, ofContacts = 0): number | null {
  return lowestBound(maxCredits, actor.maxCredits === undefined ? null : actor.maxCredits - ofContacts);
}

interface Quoted {
  /** all matches, including those beyond the file's limit */
  matchCount: number;
  /** matches within the file's limit */
  rows: number;
  /** credits for the new or changed records of the file */
  reserve: number;
  /** unconfirmed ones of all matches */
  unconfirmed: Unconfirmed | null;
}

async function quoteExport(
  services: SubmitServices,
  actor: Actor,
  {
    selection,
    order,
    withheld,
  }: { selection: ExportRequest['selection']; order: () => Promise<Record<string, unknown>[]>; withheld: Withheld | null },
): Promise<Quoted> {
  const { principal, signal } = actor;
  const { query } = selection;
  const { price: whole, unconfirmed } = await priceWithUnconfirmed(services, principal, { query, selection, withheld }, signal);
  const { matchCount, creditsRequired, creditRate } = whole;
  const rows = Math.min(matchCount, services.exportRowsMax);
  if (rows === matchCount || creditRate === 0) return { matchCount, rows, reserve: creditsRequired, unconfirmed };
  if (withheld) return { matchCount, rows, reserve: rows * creditRate, unconfirmed };
  const [first, held] = await Promise.all([
    services.sets.revisions({ query, sort: await order() }, services.exportRowsMax, signal),
    services.holdings.revisions(principal.teamId),
  ]);
  const billed = first.filter(({ id, contentRevision }) => !held.has(revisionHash(id, contentRevision))).length;
  return { matchCount, rows: first.length, reserve: billed * creditRate, unconfirmed };
}
