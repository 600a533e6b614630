/** Saved lists of projects or of criteria. */
import type { Feature, Platform } from '../feature.ts';
import { listRoutes } from './routes.ts';
import { ListStore } from './store.ts';

export { criteriaOf } from './request.ts';
export { shareBody, shareView } from './routes.ts';
export { insertCompanionList, type ListStore, type Maker, shareCompanionList, type Viewer } from './store.ts';

export const listStore = ({ database, idempotency, outbox }: Platform) => new ListStore(database, idempotency, outbox);

export const lists: Feature = {
  routes: (platform) => listRoutes({ ...platform, lists: platform.once(listStore) }),
};
