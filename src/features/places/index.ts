/** Looking up places, and the words that records carry and filters take. */
import type { Feature } from '../feature.ts';
import { locationRoutes } from './routes.ts';
import { vocabularyRoutes } from './vocabularyRoutes.ts';

export const places: Feature = {
  routes: (platform) => [...locationRoutes(platform.places), ...vocabularyRoutes()],
};
