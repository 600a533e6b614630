/** Finding places, and the vocabularies of records and filters. */
import { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { Feature } from '../feature.ts';
import { locationRoutes } from './routes.ts';
import { makePlaceSearch } from './search.ts';
import { placeSearchRoutes } from './searchRoutes.ts';
import { PlaceCounts } from './store.ts';
import { taxonomyRoutes } from './taxonomyRoutes.ts';
import { makeVocabularies, vocabularyFileRoute } from './vocabularyFileRoute.ts';

export { makeVocabularies } from './vocabularyFileRoute.ts';

export const places: Feature = {
  routes: ({ places, now, elastic, names, timeoutMs }) => [
    ...locationRoutes(places),
    ...placeSearchRoutes({
      places,
      now,
      counts: new PlaceCounts(new AggregationStore(elastic, names, timeoutMs)),
      search: makePlaceSearch(places),
    }),
    ...taxonomyRoutes(),
  ],
  openRoutes: ({ once }) => [vocabularyFileRoute(once(makeVocabularies))],
};
