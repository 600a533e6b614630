/** The account of a caller, its preferences, and the keys of its team. */
import type { Feature } from '../feature.ts';
import { apiKeyRoutes } from './keyRoutes.ts';
import { accountRoutes } from './routes.ts';
import { PreferenceStore } from './store.ts';

export const account: Feature = {
  routes: ({ config, database, ledger, unlocks, places, now }) =>
    accountRoutes({
      ledger,
      unlocks,
      places,
      now,
      preferences: new PreferenceStore(database),
      rateLimits: { paid: config.rateLimitPaid, trial: config.rateLimitTrial },
    }),
  keyRoutes: ({ keys, idempotency, now }) => apiKeyRoutes({ keys, idempotency, now }),
};
