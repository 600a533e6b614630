/** Find Contact Info: enrichments, their job, and the finder of contacts. */
import type { Feature, Platform } from '../feature.ts';
import { ContactDirectory } from './directoryStore.ts';
import { CONTACT_EVENTS } from './events.ts';
import type { ContactFinder } from './finder.ts';
import { enrichmentJob } from './job.ts';
import { ContactProvider } from './provider.ts';
import { enrichmentRoutes } from './routes.ts';
import { EnrichmentStore } from './store.ts';

export { type ContactsPricing, type PricedContacts, priceContacts } from './contactsPrice.ts';
export { type ContactFinder, FinderUnavailable } from './finder.ts';
export { lookUps } from './lookUps.ts';
export { contactOptions } from './routes.ts';
export { type EnrichmentStore, opensSomething } from './store.ts';
export { noAllowance, switchedOff } from './submit.ts';

export const enrichmentStore = ({ jobs, idempotency, suppressions, unlocks, charged }: Platform) =>
  new EnrichmentStore(jobs, { idempotency, suppressions, unlocks, charged });

/** False if the operator switched contact finding off. */
export const findsContacts = ({ config }: Platform) => config.contactProviderUrl !== 'off';

/** null if contact finding is switched off */
export function contactFinder({ config, elastic, names, timeoutMs }: Platform): ContactFinder | null {
  const { contactProviderUrl: url, contactProviderKey: key } = config;
  if (url === 'off') return null;
  return url === 'builtin' ? new ContactDirectory(elastic, names, timeoutMs) : new ContactProvider({ url, key });
}

export const contacts: Feature = {
  routes: (platform) =>
    enrichmentRoutes({ ...platform, enrichments: platform.once(enrichmentStore), findsContacts: findsContacts(platform) }),
  jobs: (platform) => [
    enrichmentJob.with({ ...platform, enrichments: platform.once(enrichmentStore), finder: platform.once(contactFinder) }),
  ],
  events: CONTACT_EVENTS,
};
