/** Client packages that can be installed from the service itself, and the page that explains it. */
import type { Feature } from '../feature.ts';
import { clientRoutes } from './routes.ts';

export const clients: Feature = {
  openRoutes: ({ publicUrl }) => clientRoutes(publicUrl),
};
