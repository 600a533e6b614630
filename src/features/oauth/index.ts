/** OAuth for the tools at `/mcp` (src/docs/mcp.md): a person lets a program act for a key, within a monthly bound. */
import type { Feature } from '../feature.ts';
import { connectionRoutes, openOauthRoutes } from './routes.ts';

export const oauth: Feature = { routes: connectionRoutes, openRoutes: openOauthRoutes };
