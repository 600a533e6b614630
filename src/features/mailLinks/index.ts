/** Where the links of mails lead: unsubscribe, and confirm an address. */
import { alertStore } from '../alerts/index.ts';
import type { Feature } from '../feature.ts';
import { mailLinkRoutes } from './routes.ts';

export const mailLinks: Feature = {
  openRoutes({ outbox, once }) {
    const alerts = once(alertStore);
    return mailLinkRoutes(outbox, { knows: (token) => alerts.asked(token), act: (token) => alerts.confirm(token) });
  },
};
