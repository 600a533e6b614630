/** Clients to install from the service itself: the packages, and the page that says how. */
import type { Feature } from '../feature.ts';
import { clientRoutes } from './routes.ts';

export const clients: Feature = {
  openRoutes: ({ publicUrl }) => clientRoutes(publicUrl),
};
