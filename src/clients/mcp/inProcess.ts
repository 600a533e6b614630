/** Calls operations in this process, without HTTP. A tool's call counts as the request that brought it. */

import { ApiError } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Route } from '../../http/declaration.ts';
import type { RoutesBelow } from '../../http/openapi.ts';
import { labelOf, makeCaller, type RouteCall } from '../../http/routeCall.ts';
import { type ErrorBody, Refusal } from '../client/errors.ts';
import { asText } from '../client/prepare.ts';
import type { Arguments, Operator } from './tool.ts';

/** The caller of a tool; `signal` aborts when it no longer waits. */
export interface ToolCaller {
  principal: Principal;
  requestId: string;
  signal: AbortSignal;
  /** called with the credits of each call */
  charged?(credits: number): void;
}

export const asRefusal = ({ status, code, message, param, details }: ApiError, requestId: string) =>
  new Refusal(status, { code, message, param, details, docsUrl: '', requestId } satisfies ErrorBody, null);

/** Splits an operation's input into the parts of a request. Query values become the same texts as in a query string. */
function requestParts({ params }: Pick<Route, 'params'>, input: Arguments): Pick<RouteCall, 'params' | 'query' | 'body'> {
  const { body, ...named } = input;
  const values = Object.entries(named).filter(([, value]) => value !== undefined);
  const ofPath = Object.keys(params).map((name) => [name, String(named[name])]);
  const ofQuery = values
    .filter(([name]) => !Object.hasOwn(params, name))
    .map(([name, value]) => [name, [asText(value).toWellFormed()]] as const);
  return { params: Object.fromEntries(ofPath), query: new Map(ofQuery), body: structuredClone(body) };
}

/** Makes operators, which call operations for a caller. */
export function makeOperator(routes: RoutesBelow): (caller: ToolCaller) => Operator {
  const calls = new Map(
    Object.entries(routes).flatMap(([prefix, below]) =>
      below.map((route) => [route.id, { route, call: makeCaller(route, labelOf(route, prefix)) }] as const),
    ),
  );
  return (caller) => ({
    async ask(id, input, { idempotencyKey, maxCredits }) {
      const known = calls.get(id);
      if (!known) throw new Error(`There is no operation ${id}`);
      const sent = requestParts(known.route, input);
      const reply = await known.call({ ...caller, ...sent, idempotencyKey, maxCredits: String(maxCredits) }).catch((error: unknown) => {
        throw error instanceof ApiError ? asRefusal(error, caller.requestId) : error;
      });
      if ('meta' in reply && typeof reply.meta?.creditsUsed === 'number') caller.charged?.(reply.meta.creditsUsed);
      return JSON.parse(JSON.stringify(reply));
    },
  });
}
