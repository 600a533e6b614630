/** Compiles resolved filters to one Elasticsearch query in filter context, and determines which filters a hit does not confirm. Pure. */

import type { Scope } from '../domain/principal.ts';
import { type Clause, scopeClauses, terms } from '../query/clauses.ts';
import type { CompileContext, Served } from './entry.ts';
import { FILTER_NAMES, FILTERS, type FilterName, type FilterValues, filterOf, namesIn } from './table.ts';

type Bounds = Record<string, number | string>;

const tighter = {
  gte: (a: number | string, b: number | string) => (a > b ? a : b),
  lte: (a: number | string, b: number | string) => (a < b ? a : b),
};

/** Merges the bounds on one field into one clause, so that a single value of the field has to satisfy them all. */
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

/** Filters, and the context in which they are compiled. */
export interface Compilable {
  filters: FilterValues;
  context: CompileContext;
}

/** The query that matches exactly the records selected by the filters within the licence. */
export const compileFilters = (filters: FilterValues, scope: Scope, context: CompileContext): Clause =>
  compileTogether([{ filters, context }], scope);

/** The query of the records that every entry selects. Bounds on one field are merged across entries. */
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

/** The filters that a record can match by evidence alone, without being confirmed by its served values. */
export function listEvidenceFilters(filters: FilterValues): FilterName[] {
  return namesIn(filters).filter((name) => filterOf(name).confirms || filterOf(name).confirmedByName);
}

/** The parts of a hit that confirm filters. */
export interface Confirming {
  served: Served;
  /** names of the named clauses that it matched */
  matched: readonly string[];
  /** attributes that the record matches by evidence, having no value; known only for a record that these filters have just found */
  evidenceOnly?: readonly string[] | undefined;
}

const EVIDENCE = 'derived.evidence.';

/** For each of the named filters, a check whether a hit confirms it. */
export function makeConfirmations(
  names: readonly FilterName[],
  filters: FilterValues,
  context: CompileContext,
): [FilterName, (hit: Confirming) => boolean][] {
  return names.map((name) => {
    const entry = filterOf(name);
    if (entry.confirmedByName) return [name, ({ matched }) => matched.includes(name)];
    const confirms = entry.confirms?.(filters[name], context);
    const attributes = entry.fields.map((field) => field.slice(EVIDENCE.length));
    // A value that is not only evidence is the one that the filter matched.
    const isOwn = ({ evidenceOnly }: Confirming) => evidenceOnly && !attributes.some((attribute) => evidenceOnly.includes(attribute));
    return [name, (hit) => isOwn(hit) || (confirms?.(hit.served, hit.matched) ?? true)];
  });
}

/** The mapped field with the attributes for which a record has evidence but no value. */
export const EVIDENCE_ONLY = 'derived.evidenceOnly';

/**
 * For each filter that evidence can match, the clause that finds the matches that it does not confirm. The same rule as `makeConfirmations`,
 * for whole sets.
 */
export function makeUnconfirmedClauses(filters: FilterValues, context: CompileContext): [FilterName, Clause][] {
  return listEvidenceFilters(filters).flatMap((name): [FilterName, Clause][] => {
    const { must, unconfirmed, fields } = filterOf(name);
    const value = filters[name];
    if (unconfirmed) return [[name, unconfirmed(value)]];
    if (!must?.(value, context).length) return [];
    const attributes = fields.map((field) => field.slice(EVIDENCE.length));
    return [[name, terms(EVIDENCE_ONLY, attributes)]];
  });
}

/** The mapped fields that a filter uses; a unit test compares them with the mapping. */
export const fieldsOf = (name: FilterName): readonly string[] => FILTERS[name].fields;

/** The filters that use any of these mapped fields. */
export const filtersOn = (fields: readonly string[]): FilterName[] =>
  FILTER_NAMES.filter((name) => fieldsOf(name).some((field) => fields.includes(field)));
