/** What one row of the filter table says (design: one table of filters). */
import type { LandUseRole, ProjectStatement } from '../domain/record/statement.ts';
import type { Clause } from '../query/clauses.ts';
import type { ParameterKind } from './kinds.ts';

/** What clauses may depend on besides their own value. */
export interface CompileContext {
  /** roles in which a land use counts (src/docs/filters.md) */
  roles: readonly LandUseRole[];
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
}

/** The served record, as far as `confirms` may look at it: what the filter `reads`. */
export type Served = Partial<ProjectStatement>;

export type TextFallback = 'never' | 'unstated' | 'always';

export interface Filter<V> {
  /** other names under which clients may send it */
  aliases?: readonly string[];
  /** those of the aliases that are on their way out: answers say so in headers */
  deprecated?: readonly string[];
  /** one line for the documentation */
  summary: string;
  /** a value as a query string has it */
  example: string;
  kind: ParameterKind<V>;
  /** filters, earlier in the table, whose values `kind` looks at to tell places of one name apart */
  narrowedBy?: readonly string[];
  /** clauses that a record must satisfy; the value is one that `kind` parsed */
  must?: (value: V, context: CompileContext) => Clause[];
  /** clauses that a record must not satisfy */
  mustNot?: (value: V, context: CompileContext) => Clause[];
  /** mapped fields that the clauses name, below `derived.` unless they begin with a capital-free root field */
  fields: readonly string[];
  /**
   * Makes the check, once a request, whether a record matched by a value that it serves, not by one of an earlier generation or of an
   * absorbed record. Absent where only served values count; text filters are confirmed by their named clause instead (`confirmedByName`).
   * The check gets the names of the clauses that the record matched.
   */
  confirms?: (value: V, context: CompileContext) => (served: Served, matched: readonly string[]) => boolean;
  /** served attributes that `confirms` reads */
  reads?: readonly (keyof ProjectStatement)[];
  confirmedByName?: boolean;
  /** of a filter that is confirmed by its named clause: what matches it and this is not confirmed */
  unconfirmed?: (value: V) => Clause;
  /** error code of a bad value; `invalid_filter` unless said otherwise */
  refusal?: 'invalid_filter' | 'invalid_request';
  /** a parameter that must be sent as true beside this one */
  needs?: string;
  /** the parts of a value that need it; always, unless said otherwise */
  neededFor?: (value: V) => readonly string[];
  /** a mapped field: the entry says how filters on it are meant, and means nothing where none is sent */
  qualifies?: string;
  /** a count of these projects takes no filter besides */
  countedAlone?: boolean;
  /** its values are places of the catalogue */
  ofPlaces?: boolean;
  /**
   * Whether a record that does not match may say in its text what is asked for: never, where it states nothing, or always. Absent where words
   * of a question do not become this filter.
   */
  textFallback?: TextFallback | ((values: readonly string[]) => TextFallback);
  /**
   * What a value means, so that two spellings of one meaning are equal: JSON in which the order of a list does not count, undefined where it
   * selects what its absence selects. The echo unless said otherwise.
   */
  meaning?: (value: V) => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: the table holds filters of every value type; `ValuesOf` gives each its own back
export type AnyFilter = Filter<any>;

/** The parsed values of a table of filters, by canonical name; a filter that was not sent is absent. */
export type ValuesOf<T extends Record<string, AnyFilter>> = { [K in keyof T]?: T[K] extends Filter<infer V> ? V : never };

export const filter = <V>(entry: Filter<V>): Filter<V> => entry;
