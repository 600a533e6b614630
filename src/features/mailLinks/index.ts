/** The pages to which links in mails lead: unsubscribe, and confirm an address. */
import { alertStore, readAlertNames } from '../alerts/index.ts';
import type { Feature } from '../feature.ts';
import { mailLinkRoutes } from './routes.ts';

export const mailLinks: Feature = {
  openRoutes({ outbox, database, once }) {
    const alerts = once(alertStore);
    const subscriptions = {
      stop: (token: string, alertId?: string) => outbox.stop(token, alertId),
      resume: (token: string, alertId?: string) => outbox.resume(token, alertId),
      async subscription(token: string) {
        const found = await outbox.findSubscription(token);
        if (!found) return undefined;
        const stopped = new Set(found.alerts.flatMap((alert) => (alert.stopped ? alert.id : [])));
        const named = await readAlertNames(
          database,
          found.alerts.map(({ id }) => id),
        );
        return { ...found, alerts: named.map((alert) => ({ ...alert, stopped: stopped.has(alert.id) })) };
      },
    };
    return mailLinkRoutes(subscriptions, {
      tokenExists: (token) => alerts.confirmationExists(token),
      act: (token) => alerts.confirm(token),
    });
  },
};
