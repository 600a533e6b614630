/** Alerts: created, read, changed, archived. Free; only runs are metered. */

import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import { ApiError, refusalOf } from '../../core/domain/errors.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { findShareProblems, membersOf, mergeShare, PRIVATE } from '../../core/identity/share.ts';
import { type Actor, claimOf } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import { answerOnce, runOnce } from '../../core/search/idempotentRequests.ts';
import type { Selection } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { evidenceWarning, readEvidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import { scopeScreener } from '../aiSearch/index.ts';
import type { Platform } from '../feature.ts';
import { findCriteriaProblems, readStoredCriteria, selectByCriteria } from './criteria.ts';
import { listMailedMembers, type Mailable, writeAddedMail, writeConfirmationMail } from './mails.ts';
import { type AlertBody, listAlertWarnings, mergeSettings, type ReadAlert, type SentCriteria } from './request.ts';
import { type RequirementServices, readRequirementWarnings } from './requirement.ts';
import type { AlertRunStore } from './runStore.ts';
import { ACTIVE_ALERTS_MAX, type AlertMails, type AlertStore } from './store.ts';
import type { StoredAlert } from './types.ts';
import { type AlertView, type DeliveryView, viewAlert, viewDelivery } from './view.ts';

type Shared = Pick<Platform, 'awaitedJobs' | 'accounts' | 'outbox' | 'subscribers'>;

export interface AlertServices extends ProjectServices, RequirementServices, Shared {
  alerts: AlertStore;
  runs: AlertRunStore;
}

type Whose = Pick<Actor, 'principal'>;

const alertNotFound = (id: string, param = 'id') =>
  new ApiError('resource_not_found', `There is no alert '${id.slice(0, 80)}', or you are no member of it`, { param });

/**
 * The alert with an id.
 * @param param its name in the request
 * @throws ApiError `resource_not_found`, also for an alert of which the key's user is not a member
 */
export async function knownAlert(
  { alerts }: Pick<AlertServices, 'alerts'>,
  { principal }: Whose,
  id: string,
  param?: string,
): Promise<StoredAlert> {
  const found = await alerts.find(principal, id);
  if (!found) throw alertNotFound(id, param);
  return found;
}

/** The alert with an id, unless it was deleted. @throws ApiError `resource_not_found`, `invalid_request` */
export async function findUndeletedAlert(services: Pick<AlertServices, 'alerts'>, actor: Whose, id: string): Promise<StoredAlert> {
  return requireUndeleted(await knownAlert(services, actor, id));
}

/** @throws ApiError `invalid_request` for a deleted alert */
export function requireUndeleted(alert: StoredAlert): StoredAlert {
  if (alert.status !== 'archived') return alert;
  throw new ApiError('invalid_request', 'This alert was deleted; what it delivered stays readable', { param: 'id' });
}

/** Members added by a change, without the user who made it. */
function listAddedMembers(alert: StoredAlert, before: StoredAlert | null, roster: readonly Mailable[], userId: number): number[] {
  const earlier = new Set(before ? membersOf(before.share, before.createdBy, roster).map((member) => member.userId) : []);
  return membersOf(alert.share, alert.createdBy, roster).flatMap((member) =>
    member.userId === userId || earlier.has(member.userId) ? [] : [member.userId],
  );
}

/** Mails to added members, and requests for confirmation to addresses outside the team. */
function makeMails(
  { publicUrl }: AlertServices,
  { userId }: Actor['principal'],
  roster: readonly Mailable[],
  before: StoredAlert | null,
): AlertMails {
  const ours = new Set(roster.map(({ email }) => email?.toLowerCase()));
  return {
    mails: (alert) => {
      const added = new Set(listAddedMembers(alert, before, roster, userId));
      return listMailedMembers(alert, roster).flatMap((member) =>
        added.has(member.userId) ? [writeAddedMail(member.recipient, alert, publicUrl)] : [],
      );
    },
    confirmations: ({ notify, teamId }) =>
      notify.emailTo
        .filter((address) => !ours.has(address))
        .map((address) => ({ address, mail: (token) => writeConfirmationMail(address, teamId, token, publicUrl) })),
  };
}

/** @throws ApiError with every problem of the share */
function checkShare(body: AlertBody, before: StoredAlert | null, roster: readonly Mailable[], { principal }: Whose): void {
  if (!body.share) return;
  const problems = findShareProblems(body.share, before?.share ?? PRIVATE, roster, principal);
  if (problems.length) throw refusalOf(problems);
}

interface Shown {
  alert: StoredAlert;
  /** the parsed filters */
  criteria: ParameterReading;
  roster: readonly Mailable[];
  before: StoredAlert | null;
}

async function answerSaved(services: AlertServices, actor: Actor, shown: Shown): Promise<OperationAnswer<AlertView>> {
  const { alert, roster, before, criteria } = shown;
  const { principal, signal } = actor;
  const added = listAddedMembers(alert, before, roster, principal.userId);
  // The interpretation of the filters is shown only if all could be parsed.
  const selection = criteria.problems.length ? null : selectByCriteria(criteria, principal, environmentOf(services).today);
  const { appliedFilters, appliedDefaults, warnings } = selection ?? { appliedFilters: {}, appliedDefaults: {}, warnings: [] };
  const { teamId } = principal;
  const reading = scopeScreener(services, { subject: `requirements:${teamId}`, teamId });
  const unread = await readRequirementWarnings(reading, alert.specificRequirement, signal);
  const blank = selection ? await readUnconfirmedWarnings(services, actor, selection) : [];
  const all: Warning[] = [...warnings, ...listAlertWarnings(alert, principal), ...unread, ...blank];
  const echoes = { warnings: all, appliedFilters, appliedDefaults };
  return {
    data: await readViewWithRecipients(services, alert, roster),
    meta: { creditsUsed: 0, ...echoes, ...(added.length ? { addedMembers: added } : {}) },
  };
}

/** Warnings about matches that are found by evidence only. The alert is already saved, so an outage of the index only omits them. */
const readUnconfirmedWarnings = (
  { store }: AlertServices,
  actor: Pick<Actor, 'principal' | 'signal'>,
  selection: Selection,
): Promise<Warning[]> => readEvidenceWarning(store, selection, actor).catch(() => []);

/** `POST /alerts`. @throws ApiError `alert_limit_reached`, `sharing_requires_paid_plan` */
export async function createAlert(
  services: AlertServices,
  actor: Actor,
  { body, criteria }: ReadAlert,
): Promise<OperationAnswer<AlertView>> {
  const { principal } = actor;
  const roster = await services.accounts.mailableRoster(principal.teamId);
  const saved = await runOnce<{ id: string; criteria: SentCriteria }>(services, actor, canonicalJson([principal.userId, body]), {
    run: async (claiming) => {
      checkShare(body, null, roster, actor);
      const settings = mergeSettings(body, null, services.now());
      const id = await services.alerts.create(principal, settings, makeMails(services, principal, roster, null), claimOf(claiming));
      return { id, criteria };
    },
    // The alert may have been changed since.
    replay: async ({ kept }) => ({ id: (kept as { alertId: string }).alertId, criteria: undefined }),
  });
  const alert = await knownAlert(services, actor, saved.id);
  return answerSaved(services, actor, {
    alert,
    criteria: saved.criteria ?? readStoredCriteria(alert, services.places),
    roster,
    before: null,
  });
}

/** `GET /alerts`: the alerts of which the key's user is a member, newest first, or those deleted that can be restored. */
export async function listAlerts(
  { alerts, accounts }: AlertServices,
  { principal }: Whose,
  { limit = COLLECTION_LIMIT_MAX, offset = 0, deleted = false }: { limit?: number; offset?: number; deleted?: boolean },
): Promise<OperationAnswer<AlertView[]>> {
  const [page, roster] = await Promise.all([
    alerts.list(principal, { limit: Math.min(limit, COLLECTION_LIMIT_MAX), offset, deleted }),
    accounts.mailableRoster(principal.teamId),
  ]);
  const data = page.alerts.map((alert) => viewAlert(alert, roster));
  const meta = {
    ...makeCollectionMeta({ limit, offset }, data.length, page.total),
    activeAlerts: page.active,
    maxActiveAlerts: ACTIVE_ALERTS_MAX,
  };
  return { data, meta };
}

async function readViewWithRecipients({ alerts }: AlertServices, alert: StoredAlert, roster: readonly Mailable[]): Promise<AlertView> {
  const { email, emailTo } = alert.notify;
  const own = email ? listMailedMembers(alert, roster).map(({ recipient }) => recipient.toLowerCase()) : [];
  const ours = new Set(roster.flatMap((member) => (member.email === null ? [] : [member.email.toLowerCase()])));
  return viewAlert(alert, roster, await alerts.listRecipients(alert, [...new Set([...own, ...emailTo])], ours));
}

/** `GET /alerts/{id}`, also of an archived alert. @throws ApiError `resource_not_found` */
export async function readAlert(services: AlertServices, actor: Whose, id: string): Promise<OperationAnswer<AlertView>> {
  const [alert, roster] = await Promise.all([knownAlert(services, actor, id), services.accounts.mailableRoster(actor.principal.teamId)]);
  return { data: await readViewWithRecipients(services, alert, roster), meta: { creditsUsed: 0 } };
}

/** `PATCH /alerts/{id}`. @throws ApiError */
export async function changeAlert(
  services: AlertServices,
  actor: Actor,
  id: string,
  { body, criteria }: ReadAlert,
): Promise<OperationAnswer<AlertView>> {
  const { principal } = actor;
  const roster = await services.accounts.mailableRoster(principal.teamId);
  let before: StoredAlert | null = null;
  let kept = criteria;
  const alert = await services.alerts.change(principal, id, (stored) => {
    before = stored;
    checkShare(body, stored, roster, actor);
    const share = mergeShare(stored.share, body.share, { createdBy: stored.createdBy, changedBy: principal.userId });
    const settings = { ...mergeSettings(body, stored, services.now()), share };
    const saved = criteria ?? readStoredCriteria(settings, services.places);
    kept = saved;
    // A resumed alert is checked against the current licence and plan.
    const problems = settings.status === 'active' ? findCriteriaProblems(saved, principal, services.places) : [];
    if (problems.length) throw refusalOf(problems);
    const own = roster.find(({ userId }) => userId === principal.userId)?.email ?? null;
    return { settings, mails: makeMails(services, principal, roster, stored), resume: body.notify?.resume ? own : null };
  });
  if (!alert || !kept) {
    await findUndeletedAlert(services, actor, id);
    throw alertNotFound(id);
  }
  return answerSaved(services, actor, { alert, criteria: kept, roster, before });
}

/** `DELETE /alerts/{id}`: archives it for every member. @throws ApiError `resource_not_found` */
export async function archiveAlert(
  { alerts }: AlertServices,
  { principal }: Whose,
  id: string,
): Promise<OperationAnswer<{ id: string; status: 'archived' }>> {
  if (!(await alerts.archive(principal, id))) throw alertNotFound(id);
  return { data: { id, status: 'archived' }, meta: { creditsUsed: 0 } };
}

/**
 * `POST /alerts/{id}/restore`: a deleted alert with its list, active or paused as it was; one that is not deleted stays as it is.
 * @throws ApiError `resource_not_found` also 30 days after the deletion, `alert_limit_reached` when it was active and the team has the maximum
 */
export async function restoreAlert(services: AlertServices, actor: Actor, id: string): Promise<OperationAnswer<AlertView>> {
  await answerOnce<null>(services, actor, id, async (keep) => {
    if (!(await services.alerts.restore(actor.principal, id, keep))) throw alertNotFound(id);
    return null;
  });
  return readAlert(services, actor, id);
}

/** `GET /alerts/{id}/deliveries`, newest first. @throws ApiError `resource_not_found` */
export async function listDeliveries(
  services: AlertServices,
  actor: Whose,
  id: string,
  { limit = COLLECTION_LIMIT_MAX, offset = 0 }: { limit?: number; offset?: number },
): Promise<OperationAnswer<DeliveryView[]>> {
  await knownAlert(services, actor, id);
  const { deliveries, total } = await services.runs.listDeliveries(id, Math.min(limit, COLLECTION_LIMIT_MAX), offset);
  const data = deliveries.map((delivery) => viewDelivery(delivery, services.publicUrl));
  return { data, meta: makeCollectionMeta({ limit, offset }, data.length, total) };
}

/** `GET /alerts/{id}/deliveries/{deliveryId}`. @throws ApiError `resource_not_found` */
export async function readDelivery(
  services: AlertServices,
  actor: Whose,
  id: string,
  deliveryId: string,
): Promise<OperationAnswer<DeliveryView>> {
  await knownAlert(services, actor, id);
  const found = await services.runs.findDelivery(id, deliveryId);
  if (!found) throw new ApiError('resource_not_found', `The alert has no delivery '${deliveryId}'`, { param: 'deliveryId' });
  return {
    data: viewDelivery(found, services.publicUrl),
    meta: { creditsUsed: 0, warnings: evidenceWarning(found.unconfirmed) },
  };
}
