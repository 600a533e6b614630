/** Everything that a request passes, in order. */
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import { makeAdmission } from './admission.ts';
import { authenticate } from './authenticate.ts';
import { noStore } from './caching.ts';
import { clientSignal } from './clientSignal.ts';
import { compress } from './compression.ts';
import { answerPreflight, cors } from './cors.ts';
import { errorEnvelope } from './errorEnvelope.ts';
import { type AnswerMcp, connectingBucket, mcpChallenge, mcpEndpoint, mcpRefusals } from './mcpEndpoint.ts';
import type { RoutesBelow } from './openapi.ts';
import { type OpenRoute, OpenRoutes } from './openRoutes.ts';
import { type Bucket, type RateLimitOptions, rateLimit } from './rateLimit.ts';
import { checkRequestId, requestId } from './requestId.ts';
import { makePathTemplates, type RequestObservers, requestLog } from './requestLog.ts';
import { removeEndSlash } from './roots.ts';
import { securityHeaders } from './securityHeaders.ts';
import { type AnswerObserver, serveRoutes } from './serveRoutes.ts';
import { refuseUnreadable } from './unreadableRequests.ts';
import { checkVersion, versioning } from './versioning.ts';

export interface AppOptions {
  publicUrl: string;
  environment: string;
  /** origins whose pages may call the API, in addition to its own */
  corsOrigins: readonly string[];
  /** longest time of all Elasticsearch queries of a request together */
  searchTimeoutMs: number;
  log: Logger;
  rateLimit: Omit<RateLimitOptions, 'openRate' | 'ownBucket' | 'spareBucket'>;
  openRoutes: readonly OpenRoute[];
  routes: RoutesBelow;
  mcp: AnswerMcp;
  observe?: AnswerObserver | undefined;
  /** called for every request */
  observers: RequestObservers;
}

/** The bucket of paths whose requests are counted apart, named after the last part of the path. */
function ownBuckets(routesBelow: RoutesBelow): (path: string) => Bucket | undefined {
  const byPath = new Map<string, Bucket>();
  for (const [prefix, routes] of Object.entries(routesBelow))
    for (const { path, ownAllowance: limit } of routes)
      if (limit !== undefined) byPath.set(`${prefix}${path}`, { name: path.slice(path.lastIndexOf('/') + 1), limit });
  return (path) => byPath.get(removeEndSlash(path));
}

export function makeApp({
  publicUrl,
  environment,
  corsOrigins,
  searchTimeoutMs,
  log,
  rateLimit: limits,
  openRoutes,
  routes,
  mcp,
  observe,
  observers,
}: AppOptions): Koa {
  const app = new Koa();
  const open = new OpenRoutes(openRoutes);
  const origins = [new URL(publicUrl).origin, ...corsOrigins];
  const admission = makeAdmission(searchTimeoutMs);
  const order: Middleware[] = [
    requestId,
    requestLog(makePathTemplates(open, routes), log, observers) as Middleware,
    securityHeaders(publicUrl),
    versioning(environment),
    noStore,
    cors(origins, (path) => open.allowsAnyOrigin(path)),
    compress,
    errorEnvelope(`${publicUrl}/docs/errors`, log, observe?.refused),
    mcpRefusals,
    clientSignal(searchTimeoutMs) as Middleware,
    rateLimit({
      ...limits,
      openRate: (path) => open.findRate(path),
      ownBucket: ownBuckets(routes),
      spareBucket: connectingBucket,
    }) as Middleware,
    refuseUnreadable,
    answerPreflight,
    checkRequestId,
    checkVersion,
    open.serve(),
    authenticate(mcpChallenge(publicUrl)) as Middleware,
    ...mcpEndpoint(mcp, admission.search, origins),
    ...serveRoutes(routes, { publicUrl, admission, observe }),
  ];
  for (const middleware of order) app.use(middleware);
  app.on('error', (error) => log.error({ err: error }, 'The answer could not be written'));
  return app;
}
