/** Sync: a lossless walk in the order of change. */
export { ReadAhead } from './readAhead.ts';
export { type SyncRouteServices, syncRoute } from './routes.ts';
