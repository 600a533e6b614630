/** The account of a caller, its preferences, and the keys of its team. */
import { LineageStore } from '../../core/store/postgres/lineageStore.ts';
import { findsContacts } from '../contacts/index.ts';
import type { Feature } from '../feature.ts';
import { makeVocabularies } from '../places/index.ts';
import { apiKeyRoutes } from './keyRoutes.ts';
import { accountRoutes } from './routes.ts';
import { startRoutes } from './startRoutes.ts';
import { PreferenceStore } from './store.ts';

/** Parts of the service that every installation has. */
const ALWAYS_OFFERED = ['search', 'sync', 'map', 'analytics', 'lists', 'alerts', 'exports', 'ai_search', 'webhooks', 'events', 'mcp'];

export const account: Feature = {
  routes: (platform) => {
    const { config, database, accounts, ledger, unlocks, places, now, once } = platform;
    const rateLimits = { paid: config.rateLimitPaid, trial: config.rateLimitTrial };
    return [
      ...accountRoutes({ ledger, unlocks, places, now, preferences: new PreferenceStore(database), rateLimits }),
      ...startRoutes({
        accounts,
        ledger,
        rateLimits,
        releases: new LineageStore(database, config.indexPrefix),
        vocabularies: once(makeVocabularies),
        features: [...ALWAYS_OFFERED, ...(findsContacts(platform) ? ['contacts'] : []), ...(config.smtpUrl ? ['mail'] : [])],
      }),
    ];
  },
  keyRoutes: ({ keys, idempotency, now }) => apiKeyRoutes({ keys, idempotency, now }),
};
