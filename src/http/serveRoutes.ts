/** How declared routes become a Koa router with the contract's 404 and 405. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { MAX_CREDITS_HEADER } from '../core/domain/credits.ts';
import { ApiError, type Refusal, refusalOf } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import { DEPRECATED } from '../core/filter/names.ts';
import { type RawParameters, valueRefusal } from '../core/filter/parse.ts';
import { FileStoreError } from '../core/store/files/fileStore.ts';
import { principalOf } from './authenticate.ts';
import { bodyCheck, readBody, refuseForeignBody } from './body.ts';
import { isHeld, keepFor } from './caching.ts';
import type { AnyReply, BytesReply, FileReply, Reply, Route } from './declaration.ts';
import { serveDownload } from './download.ts';
import type { RoutesBelow } from './openapi.ts';
import { readQuery, unknownParameters } from './query.ts';
import { recordBytes } from './recordBytes.ts';
import { ID_TEXT, keptRequestId } from './requestId.ts';
import { deprecationHeaders, SCHEMA_VERSION } from './versioning.ts';

/** Hears of every answer of a declared route, for the tests that hold answers against declarations. */
export type AnswerObserver = (route: Route, status: number, body: unknown) => void;

const KEY_HEADER = 'Idempotency-Key';

function idempotencyKeyProblems(key: string | string[] | undefined, { idempotent }: Route): Refusal[] {
  const form = `${KEY_HEADER} takes 1 to 255 characters of A-Z a-z 0-9 _ . : -`;
  const problem = (code: string, message: string): Refusal[] => [{ param: KEY_HEADER, code, message, answer: 'invalid_request' }];
  if (key === undefined)
    return idempotent === 'required' ? problem('missing', `${KEY_HEADER} is missing: send a new one with each new request. ${form}`) : [];
  return typeof key === 'string' && ID_TEXT.test(key) ? [] : problem('invalid_value', form);
}

/** Beyond it no balance goes. */
const CREDITS_TEXT = /^\d{1,9}$/;

function maxCreditsProblems(sent: string | string[] | undefined): Refusal[] {
  if (sent === undefined || (typeof sent === 'string' && CREDITS_TEXT.test(sent))) return [];
  const message = `${MAX_CREDITS_HEADER} takes a whole number of credits from 0 to 999999999`;
  return [{ param: MAX_CREDITS_HEADER, code: 'invalid_value', message, answer: 'invalid_request' }];
}

/** Values of the route's own parameters, and what is wrong with them. */
function ownValues(own: Extract<Route['query'], { own: unknown }>['own'], query: RawParameters) {
  const problems: Refusal[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(own)) {
    const raw = query.get(name);
    if (raw === undefined) continue;
    const parsed = parameter.kind.parse(raw);
    if ('value' in parsed) values[name] = parsed.value;
    else problems.push(...parsed.problems.map((problem) => valueRefusal(name, parameter, problem, false)));
  }
  return { values, problems };
}

/** What the handler gets of a query string, and what is wrong with it; parameters of the filter table are the operation's to judge. */
function queryOf({ query: spec }: Route, query: RawParameters): { value: unknown; problems: readonly Refusal[] } {
  if ('table' in spec) {
    const { filters, controls } = spec.table;
    return { value: query, problems: filters ? [] : unknownParameters(query, Object.keys(controls)) };
  }
  const { values, problems } = ownValues(spec.own, query);
  return { value: values, problems: [...unknownParameters(query, Object.keys(spec.own)), ...problems] };
}

function paramsOf({ params }: Route, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, { names, parse }]) => {
      const value = parse(texts[name] ?? '');
      if (value === undefined)
        throw new ApiError('resource_not_found', `There is no ${names} '${(texts[name] ?? '').slice(0, 80)}'`, { param: name });
      return [name, value];
    }),
  );
}

const isObject = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null && !Array.isArray(body);

function bodyProblems(route: Route, ofSchema: readonly Refusal[], body: unknown, principal: Principal): Refusal[] {
  const beyond = isObject(body) ? (route.problemsOf?.(body, principal) ?? []) : [];
  // What the route says of a list of ids, it says once for all of them.
  const isSaid = ({ answer, param }: Refusal) => answer === 'invalid_filter' && beyond.some((one) => param?.startsWith(`${one.param}.`));
  const kept = ofSchema.filter((problem) => !isSaid(problem));
  return [...kept, ...beyond.filter(({ param }) => !kept.some((problem) => problem.param === param))];
}

/** Method and path, as charges are noted with. The prefix is part of it outside the API root only. */
export const labelOf = ({ method, path }: Pick<Route, 'method' | 'path'>, prefix = '') =>
  `${method.toUpperCase()} ${prefix.startsWith('/api') ? prefix : ''}${path}`;

function send(ctx: Context, { data, meta, status, headers }: Reply<unknown>, { answers, lifetime }: Route): void {
  ctx.status = status ?? answers[0]?.status ?? 200;
  if (headers) ctx.set(headers);
  const envelope = { data, meta: { schemaVersion: SCHEMA_VERSION, requestId: ctx.state.requestId, ...meta } };
  const bytes = recordBytes(envelope);
  if (bytes) ctx.type = 'json';
  ctx.body = bytes ?? envelope;
  if (lifetime) keepFor(ctx, data, lifetime);
}

async function sendFile(ctx: Context, reply: FileReply, route: Route, observe: AnswerObserver | undefined): Promise<void> {
  const { store, file, lost, ...options } = reply;
  try {
    await serveDownload(ctx, store, file, options);
  } catch (error) {
    for (const header of ['ETag', 'Accept-Ranges']) ctx.remove(header); // of the file, not of the refusal
    throw error instanceof FileStoreError ? await lost(error) : error;
  }
  observe?.(route, ctx.status, undefined);
}

async function sendBytes(ctx: Context, { version, make }: BytesReply, route: Route, observe: AnswerObserver | undefined): Promise<void> {
  const [answer] = route.answers;
  if (!isHeld(ctx, version)) {
    ctx.body = Buffer.from(await make());
    if (answer?.kind === 'file') ctx.type = answer.contentType;
  }
  if (route.lifetime) keepFor(ctx, version, route.lifetime);
  observe?.(route, answer?.status ?? 200, undefined);
}

/** What a request brings, as texts; a body is parsed JSON. */
export interface RouteCall {
  principal: Principal;
  requestId: string;
  /** is aborted when nobody waits for the answer */
  signal: AbortSignal;
  params: Readonly<Record<string, string>>;
  query: RawParameters;
  body: unknown;
  idempotencyKey: string | string[] | undefined;
  /** credits, as the header has them */
  maxCredits: string | string[] | undefined;
}

/** A route as a function: parses, refuses with every problem at once, and hands over to the route. @param label what charges are noted with */
export function callerOf(route: Route, label: string): (call: RouteCall) => Promise<AnyReply> {
  const check = route.body && bodyCheck(route.body);
  return async ({ principal, requestId, signal, params, query: sent, body: sentBody, idempotencyKey, maxCredits }) => {
    const query = queryOf(route, sent);
    const body: unknown = check && (sentBody ?? {});
    const wrong = bodyProblems(route, check?.(body) ?? [], body, principal);
    const ofHeaders = [...idempotencyKeyProblems(idempotencyKey, route), ...maxCreditsProblems(maxCredits)];
    const problems = [...query.problems, ...wrong, ...ofHeaders];
    if (problems.length) throw refusalOf(problems);
    const cause = {
      kind: 'request',
      requestId: keptRequestId(requestId),
      route: label,
      idempotencyKey: idempotencyKey as string | undefined,
    } as const;
    return route.handle({
      principal,
      actor: { principal, cause, signal, maxCredits: maxCredits === undefined ? undefined : Number(maxCredits) },
      params: paramsOf(route, params),
      query: query.value,
      body,
    });
  };
}

/** Names of parameters as they were sent: in the query, and as the filters of a body. */
function namesSent(route: Route, query: RawParameters, body: unknown): string[] {
  const filters = route.body && isObject(body) ? body.filters : undefined;
  return [...('table' in route.query ? query.keys() : []), ...(isObject(filters) ? Object.keys(filters) : [])];
}

function toMiddleware(route: Route, label: string, observe: AnswerObserver | undefined): Middleware {
  const call = callerOf(route, label);
  return async (ctx: Context) => {
    const query = readQuery(ctx.querystring);
    const { requestId, signal } = ctx.state;
    const { body } = ctx.request;
    ctx.set(deprecationHeaders(namesSent(route, query, body), DEPRECATED, '/changelog.json'));
    const idempotencyKey = ctx.req.headers['idempotency-key'];
    const maxCredits = ctx.req.headers[MAX_CREDITS_HEADER.toLowerCase()];
    const principal = principalOf(ctx.state);
    const reply = await call({ principal, requestId, signal, params: ctx.params, query, body, idempotencyKey, maxCredits });
    if ('file' in reply) return sendFile(ctx, reply, route, observe);
    if ('make' in reply) return sendBytes(ctx, reply, route, observe);
    ctx.state.credits = reply.meta?.creditsUsed;
    observe?.(route, reply.status ?? route.answers[0]?.status ?? 200, reply);
    send(ctx, reply, route);
  };
}

/** `/projects/{id}` as the router has it. */
const routerPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Serves declared routes; other paths are 404 and other methods of a known path 405 with `Allow`. HEAD is among those: it would be charged
 * for records that it does not deliver.
 */
export function serveRoutes(routesBelow: RoutesBelow, observe?: AnswerObserver): Middleware[] {
  const router = new Router({ sensitive: true });
  for (const [prefix, routes] of Object.entries(routesBelow))
    for (const route of routes) {
      const handle = toMiddleware(route, labelOf(route, prefix), observe);
      router[route.method](`${prefix}${routerPath(route.path)}`, ...(route.body ? [refuseForeignBody, ...readBody] : []), handle);
    }
  for (const layer of router.stack) layer.methods = layer.methods.filter((method) => method !== 'HEAD');
  return [ofFixedPaths(router), router.routes() as Middleware, unserved(router)];
}

/** A path without parameters is not the id of another one: `GET /projects/ai-search` asks for no project. */
function ofFixedPaths(router: Router): Middleware {
  const fixed = router.stack.map(({ path }) => String(path)).filter((path) => !path.includes(':'));
  const methods = new Map(
    fixed.map((path) => [path, router.stack.filter((layer) => layer.path === path).flatMap((layer) => layer.methods)]),
  );
  return (ctx, next) => {
    const taken = methods.get(ctx.path);
    if (taken && !taken.includes(ctx.method)) throw methodNotAllowed(ctx, new Set(taken));
    return next();
  };
}

function methodNotAllowed({ path, method }: Context, methods: ReadonlySet<string>): ApiError {
  const allow = [...methods].sort().join(', ');
  return new ApiError('method_not_allowed', `${path.slice(0, 200)} takes ${allow}, not ${method}`, { headers: { Allow: allow } });
}

function unserved(router: Router): Middleware {
  return (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (!methods.size) throw new ApiError('resource_not_found', `There is no ${ctx.path.slice(0, 200)} in this API`);
    throw methodNotAllowed(ctx, methods);
  };
}
