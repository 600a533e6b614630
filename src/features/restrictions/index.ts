/** Restrictions: moratoria, bans and interim ordinances that stop a use of land in a place. */
import { RestrictionStore } from '../../core/store/postgres/restrictions.ts';
import type { Feature, Platform } from '../feature.ts';
import { restrictionRoutes } from './routes.ts';

const servicesOf = (platform: Platform) => ({
  ...platform,
  restrictions: new RestrictionStore(platform.database, platform.config.indexPrefix),
});

export const restrictions: Feature = {
  routes: ({ once }) => restrictionRoutes(once(servicesOf)),
};
