/** Alerts: standing searches, their runs, mails and feeds. */
import { ChangeFeed } from '../../core/store/elastic/changeFeed.ts';
import { ProjectSets } from '../../core/store/elastic/projectSets.ts';
import { jobScreener, RelevanceStore, requestJudgingMs, requestScreener, type Screener } from '../aiSearch/index.ts';
import type { Feature, Platform } from '../feature.ts';
import { listStore } from '../lists/index.ts';
import { ALERT_AUDIENCE } from './audience.ts';
import { ALERT_EVENTS } from './events.ts';
import { feedRoutes } from './feedRoutes.ts';
import { makeAlertFeeds } from './feedStore.ts';
import { runAlertJob, runAlertNowJob } from './job.ts';
import { AlertMatchStore } from './matchStore.ts';
import { ALERT_METRICS } from './metrics.ts';
import { alertRoutes } from './routes.ts';
import { AlertRunStore } from './runStore.ts';
import { AlertStore } from './store.ts';
import { ALERT_TEAM_CHANGES } from './teamChanges.ts';

export { readAlertNames } from './audience.ts';
export { isAlertMember } from './events.ts';
export { knownAlert } from './manage.ts';
export type { AlertStore } from './store.ts';
export type { AlertStatus } from './types.ts';
export { listWatchedAlerts, stopAlert, type WatchedAlert } from './watchedStore.ts';

/** Longest judging in a job, which holds its lease meanwhile. */
const JOB_JUDGING_MS = 20_000;

export const alertStore = ({ database, idempotency, ...services }: Platform) => new AlertStore(database, idempotency, services);

/** Services of alerts, with stores that read what sync shows, so that a run sees each change once. */
const alertServices = (platform: Platform, judging: { screener: Screener; judgingMs: number }) => {
  const { config, database, elastic, synced, timeoutMs, ledger, once } = platform;
  return {
    ...platform,
    ...judging,
    newlyReadDays: config.alertNewlyReadDays,
    alerts: once(alertStore),
    lists: once(listStore),
    runs: new AlertRunStore(database, ledger),
    matches: new AlertMatchStore(database),
    changes: new ChangeFeed(elastic, synced, timeoutMs),
    sets: new ProjectSets(elastic, synced, timeoutMs),
    relevance: new RelevanceStore(elastic, synced, timeoutMs),
  };
};

const requestServices = (platform: Platform) => {
  const { config, database, once } = platform;
  const judging = { screener: once(requestScreener), judgingMs: requestJudgingMs(config) };
  return { ...alertServices(platform, judging), feeds: makeAlertFeeds(database, config.keyPepper) };
};

export const alerts: Feature = {
  routes: ({ once }) => alertRoutes(once(requestServices)),
  openRoutes: ({ once }) => feedRoutes(once(requestServices)),
  metrics: ALERT_METRICS,
  events: ALERT_EVENTS,
  jobs: (platform) => {
    const services = alertServices(platform, { screener: platform.once(jobScreener), judgingMs: JOB_JUDGING_MS });
    return [runAlertJob.with(services), runAlertNowJob.with(services)];
  },
  team: ALERT_TEAM_CHANGES,
  mails: ALERT_AUDIENCE,
};
