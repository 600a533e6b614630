/** The type of an entry of the record table, and functions that make entries. */
import { type Static, type TSchema, Type } from 'typebox';
import type { Term, Vocabulary } from '../vocabulary.ts';
import type { RecordView } from './publicParts.ts';
import { flag, nullable } from './valueSchemas.ts';

export * from './valueSchemas.ts';

/** The smallest representation that carries a field; each representation holds those before it. */
export type Tier = 'compact' | 'standard' | 'full';

/**
 * How analytics may use a field: group by place, by land use, by token, or by intervals of days or of times; or aggregate it as a measurement.
 */
export type FacetKind = 'place' | 'use' | 'token' | 'day' | 'moment' | 'measurement';

/**
 * How filters match the stated values of a field: whole (token, flag or number) or by words. Words of project names and of parties can also be
 * searched on their own.
 */
export type EvidenceKind = 'keyword' | 'flag' | 'number' | 'words' | 'names' | 'parties';

type One<T> = T extends readonly (infer E)[] ? E : T;

export interface Field<S extends TSchema = TSchema> {
  tier: Tier;
  /** one line for the reference, with the unit */
  summary: string;
  /** schema of the value in a generation file, without null; absent if the service computes the value */
  stated?: S;
  /** schema of the value in an answer, with null if it may be null */
  served: TSchema;
  /**
   * `identity`: kept when a new generation does not cover the record; `attribute`: null if the current generation is silent, and matched by
   * the values of earlier ones; `computed`: derived when it is served, no part of a revision.
   */
  kind: 'identity' | 'attribute' | 'computed';
  evidence?: EvidenceKind;
  /** true if a stated value counts for `dataRichness` */
  rich?: true;
  /** its tokens and labels; a generation file may use either */
  vocabulary?: Vocabulary<Term>;
  /** name of the field whose label this is */
  labels?: string;
  /** name of the field that is served instead if this one is not stated */
  fallback?: string;
  /** served if nothing is stated; null if left out */
  absent?: unknown;
  /** converts the stated value (each object of a list) to its form in answers; the value itself if left out */
  serve?(stated: One<Static<S>>, view: RecordView): unknown;
  /** the part of the stated value (of each object of a list) that answers can show, which alone counts for a revision; all of it if left out */
  content?(stated: One<Static<S>>): unknown;
  /** true for a list whose order does not count for a revision */
  unordered?: true;
  /** true if a change makes no new revision */
  unrevised?: true;
  /** true if its form in an answer depends on the request, not only on what is stored */
  perRequest?: true;
  /** true if answers have it only where `include` names it, beside the representation of its tier */
  byInclude?: true;
  facet?: FacetKind;
  /** text of a served list or object in a CSV; not called for null, and not needed for other values */
  csv?(served: unknown): string;
}

type Option =
  | 'served'
  | 'evidence'
  | 'rich'
  | 'vocabulary'
  | 'fallback'
  | 'absent'
  | 'serve'
  | 'content'
  | 'unordered'
  | 'unrevised'
  | 'perRequest'
  | 'facet'
  | 'csv';
type Options<S extends TSchema> = Partial<Pick<Field<S>, Option>>;
type None = Record<never, never>;

/** An entry whose type keeps tier, stated schema and kind of evidence, so that types can be derived from the table. */
type Entry<T extends Tier, S extends TSchema, K extends Field['kind'], O> = Omit<Field<S>, 'tier' | 'stated' | 'kind'> & {
  tier: T;
  stated: S;
  kind: K;
} & Pick<O, keyof O & 'evidence'>;

/** An entry of identity or classification, which is complete in every generation. */
export const identity = <T extends Tier, S extends TSchema, const O extends Options<S> = None>(
  tier: T,
  stated: S,
  summary: string,
  options?: O,
): Entry<T, S, 'identity', O> => ({ tier, summary, stated, served: nullable(stated), kind: 'identity', ...(options as O) });

/** An entry that a generation may leave uncovered. */
export const attribute = <T extends Tier, S extends TSchema, const O extends Options<S> = None>(
  tier: T,
  stated: S,
  summary: string,
  options?: O,
): Entry<T, S, 'attribute', O> => ({ ...identity(tier, stated, summary, options), kind: 'attribute' });

/** A number with filters for its bounds, which analytics can aggregate. */
export const measurement = <S extends TSchema>(stated: S, summary: string) =>
  attribute('standard', stated, summary, { facet: 'measurement', evidence: 'number', rich: true });

/** True or false, and null if it is not known. */
export const yesOrNo = <T extends Tier>(tier: T, summary: string) => attribute(tier, flag, summary, { evidence: 'flag', rich: true });

type Computed<T extends Tier> = Omit<Field<never>, 'tier' | 'stated' | 'kind'> & { tier: T; kind: 'computed' };

/** A value that `representRecord` computes from the stored project. */
export const computed = <T extends Tier>(
  tier: T,
  served: TSchema,
  summary: string,
  options: Pick<Field, 'facet' | 'csv' | 'perRequest' | 'byInclude'> = {},
): Computed<T> => ({
  tier,
  summary,
  served,
  kind: 'computed',
  ...options,
});

/** The label of a token field. */
export const labelOf = <T extends Tier>(tier: T, field: string): Computed<T> & { labels: string } => ({
  ...computed(tier, nullable(Type.String()), `Label of ${field}`),
  labels: field,
});
