/** The canonical meaning of filters, independent of aliases and spelling. Pure. */
import { fieldsOf } from './compile.ts';
import { type FilterValues, filterOf, namesIn } from './table.ts';

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Sorts keys, and the values of lists of scalars; the vertices of a polygon keep their order. */
function sortValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isScalar) ? [...value].sort((a, b) => (String(a) < String(b) ? -1 : 1)) : value;
  if (isScalar(value)) return value;
  return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Canonical JSON of what filters select: equal for any order of values, for any alias, and whether or not a default was sent.
 * @param filters resolved: without superseded filters, with the default date window
 */
export function meaningOf(filters: FilterValues): Record<string, unknown> {
  const names = namesIn(filters);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = filters[name];
      const { meaning, kind, qualifies } = filterOf(name);
      if (qualifies && !names.some((other) => fieldsOf(other).includes(qualifies))) return [];
      const means = meaning ? meaning(value) : kind.echo(value);
      return means === undefined ? [] : [[name, sortValues(means)]];
    }),
  );
}
