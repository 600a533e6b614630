/** Events of alerts, and who may see them. */
import { isMemberSql } from '../../core/store/postgres/membership.ts';
import type { EventDeclaration } from '../feature.ts';
import { makeMatchesUrl } from './mails.ts';

/**
 * SQL: whether a user is a member of the alert with this id.
 * @param id an SQL expression
 * @param user an SQL expression
 */
export const isAlertMember = (id: string, user: string) => `exists (select from alert a where a.id = ${id} and ${isMemberSql(user, 'a')})`;

/** SQL: whether a user is a member of the alert or an owner of the team. */
const seenBy = `(e.alert_id is null or u.role = 'owner' or ${isAlertMember('e.alert_id', 'u.id')})`;

const pollDelivery: EventDeclaration['data'] = ({ id, alertId }, apiUrl) => {
  const alert = knownAlertId(id, alertId);
  return { id, pollUrl: `${apiUrl}/alerts/${alert}/deliveries/${id}`, alertId: alert };
};

function knownAlertId(deliveryId: string, alertId: string | null): string {
  if (alertId === null) throw new Error(`The delivery ${deliveryId} is of no alert`);
  return alertId;
}

export const ALERT_EVENTS: readonly EventDeclaration[] = [
  {
    type: 'alert.delivery.completed',
    summary: 'an alert has run, also without news',
    example: 'del_04Qe8IbZUyMr9Ln1tTQbRk',
    place: 1,
    seenBy,
    data({ id, alertId }, apiUrl) {
      const alert = knownAlertId(id, alertId);
      return { id, alertId: alert, matchesUrl: makeMatchesUrl(apiUrl, alert, id) };
    },
  },
  {
    type: 'alert.delivery.refused',
    summary: 'a run could not be paid, or may not be made: it delivered and charged nothing, and the next one tries again',
    example: 'del_04Qe8IbZUyMr9Ln1tTQbRk',
    place: 2,
    data: pollDelivery,
    seenBy,
  },
  {
    type: 'alert.delivery.failed',
    summary: 'a run has failed; the delivery says why',
    example: 'del_04Qe8IbZUyMr9Ln1tTQbRk',
    place: 3,
    data: pollDelivery,
    seenBy,
  },
  {
    type: 'alert.paused',
    summary: 'an alert that was active is paused, by a person or because it cannot run',
    example: 'alr_6DgkSdWpLLJ1c43Cx0AQpR',
    place: 4,
    data: ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/alerts/${id}` }),
    seenBy,
  },
];
