/** The operations of this very process, without HTTP: a tool's call counts as the one request that brought it. */

import { ApiError } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { RoutesBelow } from '../../http/openapi.ts';
import { readQuery } from '../../http/query.ts';
import { callerOf, labelOf } from '../../http/serveRoutes.ts';
import { prepare } from '../client/client.ts';
import { type ErrorBody, Refusal } from '../client/errors.ts';
import { type Operations, ROUTES } from '../client/generated.ts';
import type { Operator } from './tool.ts';

/** Who asks, and until when anybody waits for the answer. */
export interface Caller {
  principal: Principal;
  requestId: string;
  signal: AbortSignal;
  /** hears of the credits of each call */
  charged?(credits: number): void;
}

type Call = ReturnType<typeof callerOf>;

const asRefusal = ({ status, code, message, param, details }: ApiError, requestId: string) =>
  new Refusal(status, { code, message, param, details, docsUrl: '', requestId } satisfies ErrorBody, null);

/** Values of the path of an operation. */
function paramsOf(id: keyof Operations, path: string): Record<string, string> {
  const form = ROUTES[id][1].replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)');
  const { groups = {} } = new RegExp(`^${form}$`).exec(path) ?? {};
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

export function inProcessOperator(routes: RoutesBelow): (caller: Caller) => Operator {
  const calls = new Map<string, Call>(
    Object.entries(routes).flatMap(([prefix, below]) => below.map((route) => [route.id, callerOf(route, labelOf(route, prefix))] as const)),
  );
  return (caller) => ({
    async ask(id, input, agreed) {
      const call = calls.get(id);
      if (!call) throw new Error(`There is no operation ${id}`);
      const { path, body } = prepare(id, input);
      const [place = '', query = ''] = path.split('?');
      const { idempotencyKey, maxCredits } = agreed;
      const sent = { params: paramsOf(id, place), query: readQuery(query), body: body && JSON.parse(body) };
      const reply = await call({ ...caller, ...sent, idempotencyKey, maxCredits: String(maxCredits) }).catch((error: unknown) => {
        throw error instanceof ApiError ? asRefusal(error, caller.requestId) : error;
      });
      if ('meta' in reply && typeof reply.meta?.creditsUsed === 'number') caller.charged?.(reply.meta.creditsUsed);
      return JSON.parse(JSON.stringify(reply));
    },
  });
}
