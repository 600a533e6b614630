/** Projects: search, count, read, evidence, changes. */
import { ChangeFeed } from '../../core/store/elastic/changeFeed.ts';
import { MeetingDocumentStore } from '../../core/store/elastic/documents.ts';
import { ProjectStore } from '../../core/store/elastic/projects.ts';
import { exportServices } from '../exports/index.ts';
import type { Feature } from '../feature.ts';
import { ReadAhead } from '../sync/index.ts';
import { projectRoutes } from './routes.ts';

export const projects: Feature = {
  routes({ config, elastic, names, synced, timeoutMs, once }) {
    const changes = new ChangeFeed(elastic, synced, timeoutMs);
    return projectRoutes({
      ...once(exportServices),
      changes,
      ahead: new ReadAhead(changes),
      syncStore: new ProjectStore(elastic, synced, timeoutMs),
      documents: new MeetingDocumentStore(elastic, names, timeoutMs),
      cursorSecret: config.cursorSecret,
      tieLimit: config.syncTieLimit,
    });
  },
};
