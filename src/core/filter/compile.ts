/** From resolved filters to one Elasticsearch query in filter context, and back from hits to the filters they do not confirm. Pure. */

import type { Scope } from '../domain/principal.ts';
import { type Clause, scopeClauses, terms } from '../query/clauses.ts';
import type { CompileContext, Served } from './entry.ts';
import { FILTER_NAMES, FILTERS, type FilterName, type FilterValues, filterOf, namesIn } from './table.ts';

type Bounds = Record<string, number | string>;

const tighter = {
  gte: (a: number | string, b: number | string) => (a > b ? a : b),
  lte: (a: number | string, b: number | string) => (a < b ? a : b),
};

/** Bounds on one field become one clause, so that one of its values has to satisfy them all. */
export function mergeRanges(clauses: readonly Clause[]): Clause[] {
  const byField = new Map<string, Bounds>();
  const rest: Clause[] = [];
  for (const clause of clauses) {
    if (!clause.range) {
      rest.push(clause);
      continue;
    }
    for (const [field, bounds] of Object.entries(clause.range as Record<string, Bounds>)) {
      const merged = byField.get(field) ?? {};
      for (const [end, value] of Object.entries(bounds)) {
        const known = merged[end];
        merged[end] = known === undefined ? value : end.startsWith('g') ? tighter.gte(known, value) : tighter.lte(known, value);
      }
      byField.set(field, merged);
    }
  }
  return [...[...byField].map(([field, bounds]) => ({ range: { [field]: bounds } })), ...rest];
}

/** Filters with what they are compiled by. */
export interface Compilable {
  filters: FilterValues;
  context: CompileContext;
}

/** The query whose matches are exactly the records that the filters mean, within the licence. */
export const compileFilters = (filters: FilterValues, scope: Scope, context: CompileContext): Clause =>
  compileTogether([{ filters, context }], scope);

/** The query of the records that each of these means: bounds of all of them on one field are one clause, too. */
export function compileTogether(each: readonly Compilable[], scope: Scope): Clause {
  const must: Clause[] = [...scopeClauses(scope)];
  const mustNot: Clause[] = [];
  for (const { filters, context } of each) {
    const sent = { includeGovernmentDecisions: false, ...filters };
    for (const name of namesIn(sent)) {
      const value = sent[name];
      const entry = filterOf(name);
      must.push(...(entry.must?.(value, context) ?? []));
      mustNot.push(...(entry.mustNot?.(value, context) ?? []));
    }
  }
  return { bool: { filter: mergeRanges(must), ...(mustNot.length ? { must_not: mustNot } : {}) } };
}

/** Filters of a request whose matches may rest on evidence that the served values do not confirm. */
export function evidenceFilters(filters: FilterValues): FilterName[] {
  return namesIn(filters).filter((name) => filterOf(name).confirms || filterOf(name).confirmedByName);
}

/** A hit as far as it can confirm filters. */
export interface Confirming {
  served: Served;
  /** named clauses that it matched */
  matched: readonly string[];
  /** attributes of which it has no value, but evidence; `served` says nothing then. Only of a record that the filters have just found */
  evidenceOnly?: readonly string[] | undefined;
}

const EVIDENCE = 'derived.evidence.';

/** One check a filter of `names`: whether a hit confirms it. */
export function confirmations(
  names: readonly FilterName[],
  filters: FilterValues,
  context: CompileContext,
): [FilterName, (hit: Confirming) => boolean][] {
  return names.map((name) => {
    const entry = filterOf(name);
    if (entry.confirmedByName) return [name, ({ matched }) => matched.includes(name)];
    const confirms = entry.confirms?.(filters[name], context);
    const attributes = entry.fields.map((field) => field.slice(EVIDENCE.length));
    // A value of its own that evidence was found by is the value that the filter asks for.
    const isOwn = ({ evidenceOnly }: Confirming) => evidenceOnly && !attributes.some((attribute) => evidenceOnly.includes(attribute));
    return [name, (hit) => isOwn(hit) || (confirms?.(hit.served, hit.matched) ?? true)];
  });
}

/** Attributes that a record is found by, and of which it has no value. */
export const EVIDENCE_ONLY = 'derived.evidenceOnly';

/** Of the matches of all of the filters, those that each does not confirm; what `confirmations` finds of a hit, for whole sets. */
export function unconfirmedClauses(filters: FilterValues, context: CompileContext): [FilterName, Clause][] {
  return evidenceFilters(filters).flatMap((name): [FilterName, Clause][] => {
    const { must, unconfirmed, fields } = filterOf(name);
    const value = filters[name];
    if (unconfirmed) return [[name, unconfirmed(value)]];
    if (!must?.(value, context).length) return [];
    const attributes = fields.map((field) => field.slice(EVIDENCE.length));
    return [[name, terms(EVIDENCE_ONLY, attributes)]];
  });
}

/** Mapped fields that each filter names; a unit test holds them against the mapping. */
export const fieldsOf = (name: FilterName): readonly string[] => FILTERS[name].fields;

/** Filters that look at any of these mapped fields. */
export const filtersOn = (fields: readonly string[]): FilterName[] =>
  FILTER_NAMES.filter((name) => fieldsOf(name).some((field) => fields.includes(field)));
