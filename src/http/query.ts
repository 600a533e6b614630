/** Query strings: every parameter as it was sent, and the problems of those that a route does not take. */
import type { Refusal } from '../core/domain/errors.ts';
import { nearest } from '../core/filter/kinds.ts';
import { CANONICAL, notTaken, type RawParameters } from '../core/filter/parse.ts';

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

export function unknownParameters(query: RawParameters, known: readonly string[]): Refusal[] {
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
