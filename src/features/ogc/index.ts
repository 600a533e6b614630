/** OGC API - Features, which desktop GIS and geographic libraries read. */
import type { Feature } from '../feature.ts';
import { mapServices } from '../map/index.ts';
import { syncServices } from '../sync/index.ts';
import { ogcRoutes } from './routes.ts';

export const ogc: Feature = {
  rootRoutes: ({ once }) => ogcRoutes(once(mapServices), once(syncServices)),
};
