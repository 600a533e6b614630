/** Serves declared routes by a Koa router, with the contract's 404 and 405. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { MAX_CREDITS_HEADER } from '../core/domain/credits.ts';
import { ApiError } from '../core/domain/errors.ts';
import { DEPRECATED } from '../core/filter/names.ts';
import type { RawParameters } from '../core/filter/parse.ts';
import type { Admission, AdmissionQueue } from './admission.ts';
import { principalOf } from './authenticate.ts';
import { isObject, readBody, refuseNonJsonBody } from './body.ts';
import type { Route, Section } from './declaration.ts';
import type { RefusalObserver } from './errorEnvelope.ts';
import { makePathHint } from './nearestPath.ts';
import { negotiateFormat } from './negotiate.ts';
import type { RoutesBelow } from './openapi.ts';
import { readQuery } from './queryString.ts';
import { removeEndSlash } from './roots.ts';
import { labelOf, makeCaller } from './routeCall.ts';
import { sendReply } from './sendReply.ts';
import { makeDeprecationHeaders } from './versioning.ts';

/** Called with every answer and refusal of a declared route, by the tests that compare them with declarations. */
export interface AnswerObserver {
  answered(route: Route, status: number, body: unknown): void;
  refused: RefusalObserver;
}

interface ServingOptions {
  /** root of the service, as clients reach it */
  publicUrl: string;
  admission: Admission;
  observe?: AnswerObserver | undefined;
}

/** Sections whose routes do not query Elasticsearch. */
const WITHOUT_SEARCH: ReadonlySet<Section> = new Set(['Account', 'Keys', 'Webhooks', 'Places', 'Words', 'Service']);

function queueOf({ section, manySearches }: Route): AdmissionQueue {
  if (manySearches) return 'manySearches';
  return WITHOUT_SEARCH.has(section) ? 'other' : 'search';
}

/** Names of the parameters that were sent, in the query and in the filters of a body. */
function listNamesSent(route: Route, query: RawParameters, body: unknown): string[] {
  const filters = route.body && isObject(body) ? body.filters : undefined;
  return [...('table' in route.query ? query.keys() : []), ...(isObject(filters) ? Object.keys(filters) : [])];
}

function toMiddleware(route: Route, label: string, { publicUrl, observe }: Omit<ServingOptions, 'admission'>): Middleware {
  const call = makeCaller(route, label);
  return async (ctx: Context) => {
    const query = readQuery(ctx.querystring);
    const { requestId, signal, admitted } = ctx.state;
    const { body } = ctx.request;
    ctx.set(makeDeprecationHeaders(listNamesSent(route, query, body), DEPRECATED, '/changelog.json'));
    const idempotencyKey = ctx.req.headers['idempotency-key'];
    const maxCredits = ctx.req.headers[MAX_CREDITS_HEADER.toLowerCase()];
    const principal = principalOf(ctx.state);
    const form = negotiateFormat(ctx, route);
    if (!route.readsAhead || idempotencyKey !== undefined) await admitted;
    const reply = await call({ principal, requestId, signal, admitted, params: ctx.params, query, body, idempotencyKey, maxCredits });
    await admitted;
    const status = await sendReply(ctx, reply, route, { publicUrl, form });
    observe?.answered(route, status, 'data' in reply ? reply : undefined);
  };
}

/** A declared path such as `/projects/{id}` in the router's notation. */
const toRouterPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Serves declared routes; other paths get 404, and other methods of a known path 405 with `Allow`. HEAD is refused
 * too where a route does not answer it, since it would be charged for records that it does not deliver. A slash at the end of a path changes nothing, as OGC clients expect.
 */
export function serveRoutes(routesBelow: RoutesBelow, options: ServingOptions): Middleware[] {
  const router = new Router({ sensitive: true });
  for (const [prefix, routes] of Object.entries(routesBelow))
    for (const route of sortFixedFirst(routes)) {
      const handle = toMiddleware(route, labelOf(route, prefix), options);
      const reading = route.body ? [refuseNonJsonBody, ...readBody(route.bodyLimitBytes)] : [];
      router[route.method](`${prefix}${toRouterPath(route.path)}`, ...reading, options.admission[queueOf(route)], handle);
      const layer = router.stack.at(-1);
      if (layer && !route.answersHead) layer.methods = layer.methods.filter((method) => method !== 'HEAD');
    }
  return [refuseOtherMethods(router), router.routes() as Middleware, refuseUnknownPaths(router, routesBelow)];
}

/** Sorts paths without parameters first, so that `GET /projects/sync` is never read as the project 'sync'. */
const sortFixedFirst = (routes: readonly Route[]): Route[] =>
  routes.toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** Refuses other methods of a path, so that `GET /projects/ai-search` is not read as a project either. */
function refuseOtherMethods(router: Router): Middleware {
  const fixed = router.stack.map(({ path }) => String(path)).filter((path) => !path.includes(':'));
  const methods = new Map(
    fixed.map((path) => [path, router.stack.filter((layer) => layer.path === path).flatMap((layer) => layer.methods)]),
  );
  return (ctx, next) => {
    const taken = methods.get(removeEndSlash(ctx.path));
    if (taken && !taken.includes(ctx.method)) throw methodNotAllowedError(ctx, new Set(taken));
    return next();
  };
}

function methodNotAllowedError({ path, method }: Context, methods: ReadonlySet<string>): ApiError {
  const allow = [...methods].sort().join(', ');
  return new ApiError('method_not_allowed', `${path.slice(0, 200)} takes ${allow}, not ${method}`, { headers: { Allow: allow } });
}

function refuseUnknownPaths(router: Router, routes: RoutesBelow): Middleware {
  return (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (!methods.size) {
      const hint = makePathHint(ctx.path.slice(0, 200), routes);
      throw new ApiError('resource_not_found', `There is no ${ctx.path.slice(0, 200)} in this API${hint}`);
    }
    throw methodNotAllowedError(ctx, methods);
  };
}
