/** Site briefs: what is known of a place and a use, each statement with its proof (src/docs/briefs.md). */
import type { TeamSubscriber } from '../../core/identity/teamChanges.ts';
import { Geocoder } from '../../core/providers/geocoder.ts';
import { LineageStore } from '../../core/store/postgres/lineageStore.ts';
import { answerableServices } from '../analytics/index.ts';
import type { Feature, Platform } from '../feature.ts';
import { hearingServices } from '../hearings/index.ts';
import { matchServices } from '../match/index.ts';
import { quoteServices } from '../projects/index.ts';
import { briefRoutes } from './routes.ts';
import { BriefStore } from './store.ts';

/** People wait for a brief: a geocoder that does not answer is not asked again. */
const GEOCODER_CALLS = { timeoutMs: 3_000, retries: 0, pauseMs: 0, patienceMs: 3_000, failures: 4, restMs: 30_000 };

const geocoderOf = ({ config: { geocoderUrl } }: Platform) =>
  geocoderUrl ? new Geocoder({ url: geocoderUrl, settings: GEOCODER_CALLS }) : undefined;

const briefServices = (platform: Platform) => {
  const { once, database, config } = platform;
  return {
    ...once(hearingServices),
    ...once(answerableServices),
    ...once(matchServices),
    ...once(quoteServices),
    ...platform,
    briefs: new BriefStore(database),
    releases: new LineageStore(database, config.indexPrefix),
    geocoder: once(geocoderOf),
  };
};

/** A closed team has no briefs. */
const BRIEF_TEAM_CHANGES: TeamSubscriber = {
  async closeTeam(tx, teamId) {
    const gone = await tx.query('delete from site_brief where team_id = $1 returning 1', [teamId]);
    return { briefs: gone.length };
  },
};

export const briefs: Feature = {
  routes: ({ once }) => briefRoutes(once(briefServices)),
  team: BRIEF_TEAM_CHANGES,
};
