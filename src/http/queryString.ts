/** Query strings: every parameter as it was sent, and the refusals of unknown ones. */
import type { RequestRefusal } from '../core/domain/errors.ts';
import { CANONICAL, misplacedParameterRefusal, unknownParameterRefusal } from '../core/filter/names.ts';
import type { RawParameters } from '../core/filter/parse.ts';

/** Every parameter with every repetition; Koa's own parser drops those beyond a thousand. */
export function readQuery(querystring: string): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/**
 * Refusals of parameters that a route does not accept.
 * @param known those that it accepts
 */
export const findUnknownParameters = (query: RawParameters, known: readonly string[]): RequestRefusal[] =>
  [...query.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => (CANONICAL.has(name) ? misplacedParameterRefusal(name) : unknownParameterRefusal(name, known, { where: ' here' })));
