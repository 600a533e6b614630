/** The type of one entry of the filter table. */
import type { LandUseRole, ProjectStatement } from '../domain/record/statement.ts';
import type { Clause } from '../query/clauses.ts';
import type { ParameterKind } from './kinds.ts';

/** What the clauses of a filter may depend on in addition to its value. */
export interface CompileContext {
  /** roles in which a land use counts (src/docs/filters.md) */
  roles: readonly LandUseRole[];
  /** today's date of the service, `YYYY-MM-DD` */
  today: string;
  /** the lists of restrictions that count, as text; those that are served without it */
  restrictionLists?: string | undefined;
}

/** The attributes of the served record that `confirms` may use: those in `reads`, and all hearings of a merged development. */
export type Served = Partial<ProjectStatement> & { hearings?: readonly string[] | undefined };

export type TextFallback = 'never' | 'unstated' | 'always';

/** How features are compared with literals by a filter: by its values, as a bound, or as true and false. */
export interface FeatureComparison {
  /** properties of features */
  names: readonly string[];
  by: 'value' | 'gte' | 'lte' | 'flag';
}

export interface Filter<V> {
  /** other names that clients may send */
  aliases?: readonly string[];
  /** the aliases that are deprecated; answers report their use in headers */
  deprecated?: readonly string[];
  /** one line for the documentation */
  summary: string;
  /** what pages call it; both ends of a range share one. Made of the name by default */
  label?: string;
  /** a value as it appears in a query string */
  example: string;
  kind: ParameterKind<V>;
  /** filters, earlier in the table, whose values `kind` uses to tell places with the same name apart */
  narrowedBy?: readonly string[];
  /** clauses that a record must match */
  must?: (value: V, context: CompileContext) => Clause[];
  /** clauses that a record must not satisfy */
  mustNot?: (value: V, context: CompileContext) => Clause[];
  /** mapped fields that the clauses use, relative to `derived.` unless they name a field of the root */
  fields: readonly string[];
  /**
   * Makes a check, once a request, whether a record matches by a served value rather than by one of an earlier generation or of a merged
   * record. Absent for filters that match served values only. Text filters are confirmed by their named clause instead (`confirmedByName`).
   * The check gets the names of the clauses that the record matched.
   */
  confirms?: (value: V, context: CompileContext) => (served: Served, matched: readonly string[]) => boolean;
  /** the properties that CQL2 text compares by it (src/core/filter/cql.ts) */
  queryable?: FeatureComparison;
  /** served attributes that `confirms` uses */
  reads?: readonly (keyof ProjectStatement)[];
  confirmedByName?: boolean;
  /** for a filter confirmed by its named clause: the clause that finds matches that are not confirmed */
  unconfirmed?: (value: V) => Clause;
  /** error code of an unusable value; `invalid_filter` by default */
  refusal?: 'invalid_filter' | 'invalid_request';
  /** another parameter that must be sent as true with this one */
  needs?: string;
  /** the parts of the value that require `needs`; by default always */
  neededFor?: (value: V) => readonly string[];
  /** a mapped field: this entry changes how filters on that field are applied, and has no effect without one */
  qualifies?: string;
  /** a count of these projects accepts no other filter */
  countedAlone?: boolean;
  /** its values are places of the catalogue */
  ofPlaces?: boolean;
  /**
   * Whether a record that does not match may still say the requested value in its text: never, only when it states no value, or always.
   * Absent for filters that are never derived from the words of a question.
   */
  textFallback?: TextFallback | ((values: readonly string[]) => TextFallback);
  /**
   * Canonical meaning of a value, such that two spellings of the same meaning are equal: JSON in which the order of a list does not matter;
   * undefined when the value selects the same as no value. The echo by default.
   */
  meaning?: (value: V) => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: the table holds filters of every value type; `ValuesOf` gives each its own back
export type AnyFilter = Filter<any>;

/** The parsed values of a table of filters, by canonical name; a filter that was not sent is absent. */
export type ValuesOf<T extends Record<string, AnyFilter>> = { [K in keyof T]?: T[K] extends Filter<infer V> ? V : never };

export const filter = <V>(entry: Filter<V>): Filter<V> => entry;
