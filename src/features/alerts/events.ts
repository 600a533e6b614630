/** What webhooks are sent of alerts. */
import type { EventDeclaration } from '../../core/events/events.ts';
import { matchesUrlOf } from './mails.ts';

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
    place: 1,
    data({ id, alertId }, apiUrl) {
      const alert = knownAlertId(id, alertId);
      return { id, alertId: alert, matchesUrl: matchesUrlOf(apiUrl, alert, id) };
    },
  },
  { type: 'alert.delivery.refused', place: 2, data: pollDelivery },
  { type: 'alert.delivery.failed', place: 3, data: pollDelivery },
  { type: 'alert.paused', place: 4, data: ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/alerts/${id}` }) },
];
