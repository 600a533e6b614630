/** Projects: search, count, read, evidence, changes. */
import { MeetingDocumentStore } from '../../core/store/elastic/documents.ts';
import { exportServices } from '../exports/index.ts';
import type { Feature } from '../feature.ts';
import { projectRoutes } from './routes.ts';

export { readProject } from './read.ts';

export const projects: Feature = {
  routes: ({ elastic, names, timeoutMs, once }) =>
    projectRoutes({ ...once(exportServices), documents: new MeetingDocumentStore(elastic, names, timeoutMs) }),
};
