/** Sync: a lossless walk in the order of change. */
import { ChangeFeed } from '../../core/store/elastic/changeFeed.ts';
import { ProjectStore } from '../../core/store/elastic/projects.ts';
import type { Feature, Platform } from '../feature.ts';
import { ReadAhead } from './readAhead.ts';
import { syncRoute } from './routes.ts';

export { cursorAfterCopy } from './copied.ts';
export { type SyncRequest, walkRequest } from './request.ts';
export { syncProjects } from './syncProjects.ts';
export type { SyncServices } from './walk.ts';

/** The services of every route that walks. */
export function syncServices(platform: Platform) {
  const { config, elastic, synced, timeoutMs } = platform;
  const changes = new ChangeFeed(elastic, synced, timeoutMs);
  const store = new ProjectStore(elastic, synced, timeoutMs);
  const { cursorSecret, syncTieLimit: tieLimit } = config;
  return { ...platform, store, changes, ahead: new ReadAhead(changes), cursorSecret, tieLimit };
}

export const sync: Feature = {
  routes: ({ once }) => [syncRoute(once(syncServices))],
};
