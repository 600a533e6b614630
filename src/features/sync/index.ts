/** Sync: a lossless walk in the order of change. */
import { ChangeFeed } from '../../core/store/elastic/changeFeed.ts';
import { ProjectStore } from '../../core/store/elastic/projects.ts';
import type { Feature } from '../feature.ts';
import { ReadAhead } from './readAhead.ts';
import { syncRoute } from './routes.ts';

export const sync: Feature = {
  routes(platform) {
    const { config, elastic, synced, timeoutMs } = platform;
    const changes = new ChangeFeed(elastic, synced, timeoutMs);
    const store = new ProjectStore(elastic, synced, timeoutMs);
    const { cursorSecret, syncTieLimit: tieLimit } = config;
    return [syncRoute({ ...platform, store, changes, ahead: new ReadAhead(changes), cursorSecret, tieLimit })];
  },
};
