/** Makes the request of an operation from its input. */
import { MAX_CREDITS_HEADER } from './errors.ts';
import { type Operations, ROUTES } from './generated.ts';
import { type CallOptions, type Prepared, randomKey } from './transport.ts';

export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Operations[Id]['input'];
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** The text of a value in a query string. Lists and objects are sent as JSON, so that a name with a comma stays one value. */
export const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Whether all attempts need one Idempotency-Key. A repeated read is free, except under `deliveryMode=new`, where delivered records leave the match set. */
const needsKey = (method: string, input: Readonly<Record<string, unknown>>) => method !== 'get' || input.deliveryMode === 'new';

/** Makes the request of an operation from its input. */
export function prepare(id: OperationId, input: Readonly<Record<string, unknown>>, options: CallOptions = {}): Prepared {
  const [method, template, idempotency] = ROUTES[id];
  const { body, ...rest } = input;
  const query = new URLSearchParams();
  const ofPath = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  for (const [name, value] of Object.entries(rest)) if (value !== undefined && !ofPath.has(name)) query.append(name, asText(value));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(rest[name])));
  const key = idempotency && (options.idempotencyKey ?? (needsKey(method, input) ? randomKey() : undefined));
  return {
    method: method.toUpperCase(),
    path: query.size ? `${path}?${query}` : path,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key ? { 'Idempotency-Key': key } : {}),
      ...(options.maxCredits === undefined ? {} : { [MAX_CREDITS_HEADER]: String(options.maxCredits) }),
      ...(options.requestId ? { 'X-Request-Id': options.requestId } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  };
}
