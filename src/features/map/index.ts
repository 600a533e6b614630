/** The map: its page, counts by tile, and vector tiles. */
import { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import { ServedVersion } from '../../core/store/elastic/servedVersion.ts';
import type { Feature, Platform } from '../feature.ts';
import { mapRoutes } from './pageRoutes.ts';
import { projectMapRoutes } from './routes.ts';
import { tileJsonRoutes, tileRoutes } from './tileRoutes.ts';

export { findExtent, type MapSelection, type MapServices, selectForMap } from './mapProjects.ts';

/** Services of every route that shows where matches are. */
export const mapServices = (platform: Platform) => {
  const { elastic, names, timeoutMs } = platform;
  return {
    ...platform,
    aggregations: new AggregationStore(elastic, names, timeoutMs),
    served: new ServedVersion(elastic, names, timeoutMs),
  };
};

export const map: Feature = {
  routes: ({ once }) => [...projectMapRoutes(once(mapServices)), ...tileRoutes(once(mapServices))],
  rootRoutes: ({ once }) => tileJsonRoutes(once(mapServices)),
  openRoutes: ({ publicUrl, config, places }) => mapRoutes(publicUrl, config, places),
};
