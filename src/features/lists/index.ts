/** Saved lists of projects or of criteria. */
import type { Feature, Platform } from '../feature.ts';
import { listRoutes } from './routes.ts';
import { ListStore } from './store.ts';
import { LIST_TEAM_CHANGES } from './teamChanges.ts';

export { criteriaOf } from './request.ts';
export { shareBody, shareView } from './routes.ts';
export {
  type CollectionPart,
  insertCompanionList,
  isListMember,
  isSavedList,
  type ListStore,
  type Maker,
  removeCompanionLists,
  restoreCompanionList,
  shareCompanionList,
  type Viewer,
} from './store.ts';

export const listStore = ({ database, idempotency, ...services }: Platform) => new ListStore(database, idempotency, services);

export const lists: Feature = {
  routes: (platform) => listRoutes({ ...platform, lists: platform.once(listStore) }),
  team: LIST_TEAM_CHANGES,
};
