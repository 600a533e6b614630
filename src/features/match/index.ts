/** Matches the rows of a client's list with records. */
import { MANY_SEARCHES_DEADLINE } from '../../http/admission.ts';
import type { Feature } from '../feature.ts';
import { matchRoutes } from './routes.ts';
import { MatchStore } from './store.ts';

export const match: Feature = {
  routes: ({ elastic, names, timeoutMs, holdings, places }) =>
    matchRoutes({ matches: new MatchStore(elastic, names, timeoutMs * MANY_SEARCHES_DEADLINE), holdings, places }),
};
