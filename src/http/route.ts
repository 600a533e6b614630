/** How a route is declared, and how declared routes become a Koa router with the contract's 404 and 405. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { ApiError, type Refusal, refusalOf } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import { nearest } from '../filter/kinds.ts';
import { CANONICAL, DEPRECATED, notTaken, type RawParameters } from '../filter/parse.ts';
import { principalOf } from './authenticate.ts';
import { bodyCheck, readBody, refuseForeignBody } from './body.ts';
import { keepFor, type Lifetime } from './caching.ts';
import { ID_TEXT } from './requestId.ts';
import { deprecationHeaders, SCHEMA_VERSION } from './versioning.ts';

/** Everything a handler gets: past this point there is no `ctx`. */
export interface RouteRequest {
  principal: Principal;
  /** values of the path's parameters, decoded */
  path: Readonly<Record<string, string>>;
  query: RawParameters;
  /** checked against the route's schema; undefined where it has none */
  body: unknown;
  requestId: string;
  /** the Idempotency-Key header, where one was sent */
  idempotencyKey: string | undefined;
  /** aborts when the client goes away */
  signal: AbortSignal;
}

export interface RouteAnswer {
  data: unknown;
  meta?: Record<string, unknown>;
  status?: number;
}

export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** path below the API root, with `:name` parameters */
  path: string;
  summary: string;
  /** query parameters that the handler reads itself; `any` hands all of them to the filter table */
  query: readonly string[] | 'any';
  /** JSON Schema of the body; a route without one takes none */
  body?: object;
  /** what is wrong with a body beyond its schema; asked also where the schema found something, so that fields may be of any type */
  problemsOf?(body: Readonly<Record<string, unknown>>, principal: Principal): readonly Refusal[];
  /** how long a client may keep the answer; not at all without one */
  lifetime?: Lifetime;
  handle(request: RouteRequest): Promise<RouteAnswer> | RouteAnswer;
}

/** Every parameter with every repetition; Koa's own parser would drop those beyond a thousand. */
export function readQuery(querystring: string): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

function unknownParameters(query: RawParameters, known: readonly string[]): Refusal[] {
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  return unknown.map((name): Refusal => {
    if (CANONICAL.has(name)) return notTaken(name);
    const didYouMean = nearest(name, known);
    const shown = name.slice(0, 80);
    return {
      param: shown,
      code: 'unknown_parameter',
      message: `There is no parameter '${shown}' here${didYouMean ? `; did you mean '${didYouMean}'?` : ''}`,
      ...(didYouMean ? { didYouMean } : {}),
      answer: 'invalid_filter',
    };
  });
}

const KEY_HEADER = 'Idempotency-Key';

function idempotencyKeyProblems(key: string | string[] | undefined): Refusal[] {
  if (key === undefined || (typeof key === 'string' && ID_TEXT.test(key))) return [];
  const message = `${KEY_HEADER} takes 1 to 255 characters of A-Z a-z 0-9 _ . : -`;
  return [{ param: KEY_HEADER, code: 'invalid_value', message, answer: 'invalid_request' }];
}

const isObject = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null && !Array.isArray(body);

function toMiddleware(route: Route): Middleware {
  const check = route.body && bodyCheck(route.body);
  return async (ctx: Context) => {
    const query = readQuery(ctx.querystring);
    if (route.query === 'any') ctx.set(deprecationHeaders(query.keys(), DEPRECATED, '/changelog.json'));
    const principal = principalOf(ctx.state);
    const body: unknown = check && (ctx.request.body ?? {});
    const key = ctx.req.headers['idempotency-key'];
    const ofSchema = check?.(body) ?? [];
    const beyond = isObject(body) ? (route.problemsOf?.(body, principal) ?? []) : [];
    const problems = [
      ...(route.query === 'any' ? [] : unknownParameters(query, route.query)),
      ...ofSchema,
      ...beyond.filter(({ param }) => !ofSchema.some((problem) => problem.param === param)),
      ...idempotencyKeyProblems(key),
    ];
    if (problems.length) throw refusalOf(problems);
    const answer = await route.handle({
      principal,
      path: ctx.params,
      query,
      body,
      requestId: ctx.state.requestId,
      idempotencyKey: key as string | undefined,
      signal: ctx.state.signal,
    });
    ctx.status = answer.status ?? 200;
    ctx.body = { data: answer.data, meta: { schemaVersion: SCHEMA_VERSION, requestId: ctx.state.requestId, ...answer.meta } };
    if (route.lifetime) keepFor(ctx, answer.data, route.lifetime);
  };
}

/** Routes by the prefix that their paths lie below. */
export type RoutesBelow = Readonly<Record<string, readonly Route[]>>;

/**
 * Serves declared routes; other paths are 404 and other methods of a known path 405 with `Allow`. HEAD is among those: it would be charged
 * for records that it does not deliver.
 */
export function serveRoutes(routesBelow: RoutesBelow): Middleware[] {
  const router = new Router({ sensitive: true });
  for (const [prefix, routes] of Object.entries(routesBelow))
    for (const route of routes)
      router[route.method](`${prefix}${route.path}`, ...(route.body ? [refuseForeignBody, ...readBody] : []), toMiddleware(route));
  for (const layer of router.stack) layer.methods = layer.methods.filter((method) => method !== 'HEAD');
  return [router.routes() as Middleware, unserved(router)];
}

function unserved(router: Router): Middleware {
  return (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (!methods.size) throw new ApiError('resource_not_found', `There is no ${ctx.path.slice(0, 200)} in this API`);
    const allow = [...methods].sort().join(', ');
    throw new ApiError('method_not_allowed', `${ctx.path.slice(0, 200)} takes ${allow}, not ${ctx.method}`, { headers: { Allow: allow } });
  };
}
