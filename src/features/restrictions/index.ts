/** Restrictions: moratoria, bans and interim ordinances that stop a use of land in a place. */
import type { Feature, Platform } from '../feature.ts';
import { freshnessStoreOf } from '../freshness/index.ts';
import { RestrictionCheckStore } from './checkStore.ts';
import { RESTRICTION_EVENTS } from './events.ts';
import { makeRestrictionFeeds, openRestrictionFeedRoutes, RESTRICTION_TEAM_CHANGES, restrictionFeedRoutes } from './feedRoutes.ts';
import { checkRestrictionsJob } from './job.ts';
import { restrictionRoutes } from './routes.ts';

export { checkRestrictions } from './checkRestrictions.ts';
export { listRestrictions, type RestrictionServices, readLicensed, showRestriction } from './listRestrictions.ts';
export { readUse } from './request.ts';

const restrictionServices = (platform: Platform) => ({
  ...platform,
  feeds: makeRestrictionFeeds(platform.database, platform.config.keyPepper),
});

export const restrictions: Feature = {
  routes: ({ once }) => {
    const services = once(restrictionServices);
    return [...restrictionFeedRoutes(services), ...restrictionRoutes(services)];
  },
  openRoutes: ({ once }) => openRestrictionFeedRoutes(once(restrictionServices)),
  team: RESTRICTION_TEAM_CHANGES,
  jobs: ({ once, restrictions, config, now }) => [
    checkRestrictionsJob.with({
      restrictions,
      checks: new RestrictionCheckStore(config.indexPrefix),
      freshness: once(freshnessStoreOf),
      now,
    }),
  ],
  events: RESTRICTION_EVENTS,
};
