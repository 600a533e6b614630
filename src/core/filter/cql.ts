/** The parameter `filter` of OGC API - Features, Part 3 (19-079r2): CQL2 text over the filters of the table that name a `queryable`. Pure. */
import { findNearestName } from '../domain/nearestNames.ts';
import type { Places } from '../domain/places.ts';
import { allOf, anyOf, type Clause, range, terms } from '../query/clauses.ts';
import { mergeRanges } from './compile.ts';
import { type CqlComparison, CqlError, type CqlNode, readCql } from './cqlText.ts';
import type { CompileContext, FeatureComparison } from './entry.ts';
import { type ParameterKind, type ParseContext, textUpTo } from './kinds.ts';
import { andThen, invalidValue } from './raw.ts';
import { FILTER_NAMES, type FilterName, filterOf } from './table.ts';

const CQL_LENGTH_MAX = 4000;

/** The filters by which each property is compared. */
export const QUERYABLES: ReadonlyMap<string, { readonly [K in FeatureComparison['by']]?: FilterName }> = (() => {
  const found = new Map<string, { [K in FeatureComparison['by']]?: FilterName }>();
  for (const name of FILTER_NAMES)
    for (const property of filterOf(name).queryable?.names ?? [])
      found.set(property, { ...found.get(property), [filterOf(name).queryable?.by as FeatureComparison['by']]: name });
  return found;
})();

const NEVER: Clause = { match_none: {} };
const ALWAYS: Clause = { match_all: {} };
const not = (clause: Clause, ...must: Clause[]): Clause => ({ bool: { must_not: [clause], filter: must } });

interface Compiling extends ParseContext {
  context: CompileContext;
}

/** @throws CqlError */
function queryableOf({ property, at }: { property: string; at: number }) {
  const queryable = QUERYABLES.get(property);
  if (queryable) return queryable;
  const names = [...QUERYABLES.keys()];
  const nearest = findNearestName(property, names);
  throw new CqlError(
    at,
    `'${property.slice(0, 80)}' cannot be filtered by; ${nearest ? `did you mean '${nearest}'?` : `send one of ${names.join(', ')}`}`,
  );
}

/** Matches the records that state the property: one of its tokens, if it has a vocabulary. */
function statedClause(node: { property: string; at: number }, { context }: Compiling): Clause {
  const { value, gte, flag } = queryableOf(node);
  const { kind, must, fields } = filterOf((value ?? gte ?? flag) as FilterName);
  const tokens = (kind.schema.items as { enum?: readonly string[] } | undefined)?.enum;
  return tokens && must ? allOf(must(tokens, context)) : { exists: { field: fields[0] } };
}

/** The clauses of a filter whose value was compared with. @throws CqlError if it takes no such value */
function clausesOf(name: FilterName, { property, value, at }: CqlComparison, { context, ...parsing }: Compiling): Clause[] {
  const { kind, must } = filterOf(name);
  const parsed = kind.parse([kind.schema.type === 'array' ? [value] : value], parsing);
  if ('value' in parsed) return must?.(parsed.value, context) ?? [];
  const [problem] = parsed.problems;
  const { didYouMean } = problem?.suggest?.() ?? {};
  throw new CqlError(at, `${property} ${problem?.message}${didYouMean ? `; did you mean '${didYouMean}'?` : ''}`);
}

/** A bound that the value itself does not satisfy, made of the opposite one. */
function strictly(clauses: readonly Clause[], end: 'gt' | 'lt'): Clause {
  const [[field, bounds]] = Object.entries((clauses[0] as Clause).range as Clause) as [[string, object]];
  return { bool: { filter: [range(field, { [end]: Object.values(bounds)[0] })] } };
}

/** @throws CqlError */
function compileComparison(node: CqlComparison, compiling: Compiling): Clause {
  const { property, operator, value, at } = node;
  const { value: byValue, flag, gte, lte } = queryableOf(node);
  if (!gte || !lte) {
    if (operator !== '=') throw new CqlError(at, `${property} has no order; compare it by = or <>`);
    if (byValue) return allOf(clausesOf(byValue, node, compiling));
    if (typeof value !== 'boolean') throw new CqlError(at, `${property} is TRUE or FALSE, without quotes`);
    return terms(filterOf(flag as FilterName).fields[0] as string, [value]);
  }
  const from = clausesOf(gte, node, compiling);
  const to = clausesOf(lte, node, compiling);
  if (operator === '>') return strictly(to, 'gt');
  if (operator === '<') return strictly(from, 'lt');
  return allOf(mergeRanges([...(operator === '<=' ? [] : from), ...(operator === '>=' ? [] : to)]));
}

/** Places that stand beside others tell those with the same name apart, as the filters do. */
function narrow(parts: readonly CqlNode[], { narrowing, places, ...rest }: Compiling): Compiling {
  const narrower: Record<string, ParseContext['narrowing'][string]> = { ...narrowing };
  for (const name of ['states', 'counties'] as const)
    for (const part of parts)
      if (part.kind === 'comparison' && part.operator === '=' && QUERYABLES.get(part.property)?.value === name)
        narrower[name] = filterOf(name).kind.parse([[part.value]], { places, narrowing: narrower });
  return { ...rest, places, narrowing: narrower };
}

/** What a record without a value states is unknown: neither a comparison nor its denial matches it. @throws CqlError */
function compile(node: CqlNode, compiling: Compiling, isDenied = false): Clause {
  switch (node.kind) {
    case 'not':
      return compile(node.part, compiling, !isDenied);
    case 'constant':
      return node.value === isDenied ? NEVER : ALWAYS;
    case 'null':
      return isDenied ? statedClause(node, compiling) : not(statedClause(node, compiling));
    case 'and':
    case 'or': {
      const isAll = (node.kind === 'and') !== isDenied;
      const inside = node.kind === 'and' ? narrow(node.parts, compiling) : compiling;
      const clauses = node.parts.map((part) => compile(part, inside, isDenied));
      return isAll ? allOf(mergeRanges(clauses)) : anyOf(clauses);
    }
    case 'comparison': {
      if (node.operator === '<>') return compile({ ...node, operator: '=' }, compiling, !isDenied);
      const clause = compileComparison(node, compiling);
      return isDenied ? not(clause, statedClause(node, compiling)) : clause;
    }
  }
}

export class CqlFilter {
  readonly text: string;
  readonly #tree: CqlNode;
  readonly #places: Places;

  /** @throws CqlError */
  constructor(text: string, places: Places) {
    this.text = text;
    this.#tree = readCql(text);
    this.#places = places;
    this.toClause({ roles: [], today: '' }); // whether it can be read depends on no context
  }

  /** What selects the matching records. */
  toClause(context: CompileContext): Clause {
    return compile(this.#tree, { places: this.#places, narrowing: {}, context });
  }
}

export const cqlFilter: ParameterKind<CqlFilter> = {
  schema: { type: 'string', minLength: 1, maxLength: CQL_LENGTH_MAX },
  parse: (raw, { places }) =>
    andThen(textUpTo(CQL_LENGTH_MAX).parse(raw), (text) => {
      try {
        return { value: new CqlFilter(text, places) };
      } catch (problem) {
        if (!(problem instanceof CqlError)) throw problem;
        return invalidValue('invalid_value', problem.message);
      }
    }),
  echo: ({ text }) => text,
};
