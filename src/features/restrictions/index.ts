/** Restrictions: moratoria, bans and interim ordinances that stop a use of land in a place. */
import type { Feature } from '../feature.ts';
import { restrictionRoutes } from './routes.ts';

export { checkRestrictions } from './checkRestrictions.ts';
export type { RestrictionServices } from './listRestrictions.ts';
export { readUse } from './request.ts';

export const restrictions: Feature = {
  routes: restrictionRoutes,
};
