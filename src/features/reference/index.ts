/** Documentation served by the service itself: reference, guides, errors, probes, and the greeting with links to all open routes. */
import { API_ROOT } from '../../http/roots.ts';
import type { Feature } from '../feature.ts';
import { makeVocabularies } from '../places/index.ts';
import { discoveryRoutes } from './discoveryRoutes.ts';
import { docsRoutes } from './docsRoutes.ts';
import { greetingRoutes } from './greetingRoutes.ts';
import { probeRoutes } from './probeRoutes.ts';
import { readinessChecks } from './readinessChecks.ts';

export const reference: Feature = {
  openRoutes: (platform) => [
    ...probeRoutes(API_ROOT, readinessChecks(platform), platform.isStopping),
    ...docsRoutes({
      apiRoot: API_ROOT,
      publicUrl: platform.publicUrl,
      openApi: platform.openApi,
      allowances: { paid: platform.config.rateLimitPaid, trial: platform.config.rateLimitTrial },
    }),
  ],
};

/** Has to be the last feature, since it lists the open routes of the others. */
export const greeting: Feature = {
  openRoutes: ({ publicUrl, openRoutes, once }) => {
    const discovery = discoveryRoutes({ publicUrl, apiRoot: API_ROOT, vocabulariesUrl: once(makeVocabularies).url });
    return [...discovery, ...greetingRoutes(publicUrl, API_ROOT, [...openRoutes, ...discovery])];
  },
};
