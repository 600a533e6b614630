/** Alerts and their deliveries as answers show them. Pure. */

import { restorableUntil } from '../../core/domain/restoring.ts';
import { membersOf } from '../../core/identity/share.ts';
import { type Mailable, makeMatchesUrl } from './mails.ts';
import type { AlertRecipient, StoredAlert, StoredDelivery } from './types.ts';

export type AlertView = ReturnType<typeof viewAlert>;
export type DeliveryView = ReturnType<typeof viewDelivery>;

/** The alert as answers show it. @param recipients only for a single alert */
export function viewAlert(alert: StoredAlert, roster: readonly Mailable[], recipients?: readonly AlertRecipient[]) {
  const { id, name, status, filters, specificRequirement, cadence, share, notify, maxRecordsPerRun, maxCredits, listId, problems } = alert;
  const { includeNewlyRead } = alert;
  const members = membersOf(share, alert.createdBy, roster) as Mailable[];
  return {
    id,
    name,
    status,
    filters,
    specificRequirement,
    cadence,
    maxRecordsPerRun,
    maxCredits,
    includeNewlyRead,
    listId,
    problems,
    notify: { ...notify, ...(recipients ? { recipients: recipients.map((one) => ({ ...one, since: one.since.toISOString() })) } : {}) },
    nextRunAt: alert.nextRunAt?.toISOString() ?? null,
    lastRunAt: alert.lastRunAt?.toISOString() ?? null,
    share: { ...share, members: members.map(({ userId, name: called, email }) => ({ userId, name: called, email })) },
    createdBy: alert.createdBy,
    createdAt: alert.createdAt.toISOString(),
    updatedAt: alert.updatedAt.toISOString(),
    ...restorableUntil(alert.status === 'archived' ? alert.archivedAt : null),
  };
}

export function viewDelivery(delivery: StoredDelivery, publicUrl: string) {
  const { id, alertId, trigger, status, newRecords, changedRecords, newlyReadRecords, changedFields } = delivery;
  const { moreMatched, creditsCharged, reason, unconfirmed } = delivery;
  return {
    deliveryId: id,
    alertId,
    trigger,
    status: status as StoredDelivery['status'] | 'already_running',
    records: newRecords + changedRecords + newlyReadRecords,
    newRecords,
    changedRecords,
    newlyReadRecords,
    changedFields,
    moreMatched,
    creditsCharged,
    reason,
    unconfirmed,
    startedAt: delivery.startedAt.toISOString(),
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
    matchesUrl: makeMatchesUrl(`${publicUrl}/v1`, alertId, id),
  };
}
