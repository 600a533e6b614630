/** Matches the rows of a client's list with records. */
import { MANY_SEARCHES_DEADLINE } from '../../http/admission.ts';
import type { Feature, Platform } from '../feature.ts';
import { matchRoutes } from './routes.ts';
import { MatchStore } from './store.ts';

export { type MatchServices, matchRows } from './matchRows.ts';
export { readRows } from './request.ts';

export const matchServices = ({ elastic, names, timeoutMs, holdings, places }: Platform) => ({
  matches: new MatchStore(elastic, names, timeoutMs * MANY_SEARCHES_DEADLINE),
  holdings,
  places,
});

export const match: Feature = { routes: ({ once }) => matchRoutes(once(matchServices)) };
