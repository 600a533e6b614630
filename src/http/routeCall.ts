/** Turns a declared route into a function that parses a request and refuses all its problems at once. */
import { MAX_CREDITS_HEADER } from '../core/domain/credits.ts';
import { ApiError, type RequestRefusal, refusalOf } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import { type RawParameters, valueRefusal } from '../core/filter/parse.ts';
import { isObject, makeBodyCheck } from './body.ts';
import type { AnyReply, QuerySender, Route } from './declaration.ts';
import { findUnknownParameters } from './queryString.ts';
import { ID_TEXT, storableRequestId } from './requestId.ts';

const KEY_HEADER = 'Idempotency-Key';

function findIdempotencyKeyProblems(key: string | string[] | undefined, { idempotent }: Route): RequestRefusal[] {
  const form = `${KEY_HEADER} takes 1 to 255 characters of A-Z a-z 0-9 _ . : -`;
  const problem = (code: string, message: string): RequestRefusal[] => [{ param: KEY_HEADER, code, message, answer: 'invalid_request' }];
  if (key === undefined)
    return idempotent === 'required' ? problem('missing', `${KEY_HEADER} is missing: send a new one with each new request. ${form}`) : [];
  return typeof key === 'string' && ID_TEXT.test(key) ? [] : problem('invalid_value', form);
}

/** Nine digits, since no balance is larger. */
const CREDITS_TEXT = /^\d{1,9}$/;

function findMaxCreditsProblems(sent: string | string[] | undefined): RequestRefusal[] {
  if (sent === undefined || (typeof sent === 'string' && CREDITS_TEXT.test(sent))) return [];
  const message = `${MAX_CREDITS_HEADER} takes a whole number of credits from 0 to 999999999`;
  return [{ param: MAX_CREDITS_HEADER, code: 'invalid_value', message, answer: 'invalid_request' }];
}

/** Values of the route's own parameters, and their problems. */
function readOwnValues(own: Extract<Route['query'], { own: unknown }>['own'], query: RawParameters) {
  const problems: RequestRefusal[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(own)) {
    const raw = query.get(name);
    if (raw === undefined) {
      const message = `${name} is missing. ${parameter.summary}, such as ${name}=${parameter.example}`;
      if (parameter.required) problems.push({ param: name, code: 'missing', message, answer: 'invalid_request' });
      continue;
    }
    const parsed = parameter.kind.parse(raw);
    if ('value' in parsed) values[name] = parsed.value;
    else problems.push(...parsed.problems.map((problem) => valueRefusal(name, parameter, problem, false)));
  }
  return { values, problems };
}

interface QueryReading {
  problems: readonly RequestRefusal[];
  /** makes the handler's argument; called when nothing else is wrong with the request @throws ApiError */
  valueFor(sender: QuerySender): unknown;
}

function readRouteQuery({ query: spec }: Route, query: RawParameters): QueryReading {
  if ('table' in spec) {
    const { filters, controls, parse } = spec.table;
    return {
      problems: filters ? [] : findUnknownParameters(query, Object.keys(controls)),
      valueFor: (sender) => parse(query, sender),
    };
  }
  const { values, problems } = readOwnValues(spec.own, query);
  return { problems: [...findUnknownParameters(query, Object.keys(spec.own)), ...problems], valueFor: () => values };
}

function readParams({ params }: Route, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, { names, parse }]) => {
      const value = parse(texts[name] ?? '');
      if (value === undefined)
        throw new ApiError('resource_not_found', `There is no ${names} '${(texts[name] ?? '').slice(0, 80)}'`, { param: name });
      return [name, value];
    }),
  );
}

/** Problems of a body, from its schema and from `readBody`. */
function findBodyProblems(bySchema: readonly RequestRefusal[], beyond: readonly RequestRefusal[]): RequestRefusal[] {
  // A problem that the route reports for a whole list of ids is not repeated for each id.
  const isSaid = ({ answer, param }: RequestRefusal) =>
    answer === 'invalid_filter' && beyond.some((one) => param?.startsWith(`${one.param}.`));
  const kept = bySchema.filter((problem) => !isSaid(problem));
  // Nor is a shape refused whole where its part is.
  const isRefused = ({ code, param }: RequestRefusal) =>
    kept.some((one) => one.param === param || (code === 'invalid_geometry' && one.param?.startsWith(`${param}.`)));
  return [...kept, ...beyond.filter((problem) => !isRefused(problem))];
}

/** Method and path, as recorded with charges. The prefix is included only outside the API root. */
export const labelOf = ({ method, path }: Pick<Route, 'method' | 'path'>, prefix = '') =>
  `${method.toUpperCase()} ${prefix.startsWith('/api') ? prefix : ''}${path}`;

/** The raw parts of a request; the body is parsed JSON. */
export interface RouteCall {
  principal: Principal;
  requestId: string;
  /** aborts when the client no longer waits for the answer */
  signal: AbortSignal;
  /** resolves when the request is admitted, as in `Actor` */
  admitted?: Promise<void> | undefined;
  params: Readonly<Record<string, string>>;
  query: RawParameters;
  body: unknown;
  idempotencyKey: string | string[] | undefined;
  /** the header's value, in credits */
  maxCredits: string | string[] | undefined;
}

/**
 * Turns a route into a function that parses a call, refuses it with all its problems at once, and calls the handler.
 * @param label recorded with charges
 */
export function makeCaller(route: Route, label: string): (call: RouteCall) => Promise<AnyReply> {
  const check = route.body && makeBodyCheck(route.body, route.example?.body);
  return async ({ principal, requestId, signal, admitted, params, query: sent, body: sentBody, idempotencyKey, maxCredits }) => {
    const query = readRouteQuery(route, sent);
    const body: unknown = check && (sentBody ?? {});
    const bySchema = check?.(body) ?? [];
    const read = isObject(body) ? route.readBody?.(body, principal) : undefined;
    const wrong = findBodyProblems(bySchema, read?.problems ?? []);
    const ofHeaders = [...findIdempotencyKeyProblems(idempotencyKey, route), ...findMaxCreditsProblems(maxCredits)];
    const problems = [...query.problems, ...wrong, ...ofHeaders];
    if (problems.length) throw refusalOf(problems);
    const cause = {
      kind: 'request',
      requestId: storableRequestId(requestId),
      route: label,
      idempotencyKey: idempotencyKey as string | undefined,
    } as const;
    const values = readParams(route, params);
    return route.handle({
      principal,
      actor: { principal, cause, signal, admitted, maxCredits: maxCredits === undefined ? undefined : Number(maxCredits) },
      params: values,
      query: query.valueFor({ principal, params: values }),
      body,
      read: read?.value,
    });
  };
}
