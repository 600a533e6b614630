/** What one entry of the record table says, and the few shapes that entries are made of. */
import { type Static, type TSchema, Type } from 'typebox';
import type { Term, Vocabulary } from '../vocabulary.ts';
import type { RecordView } from './lists.ts';
import { flag, nullable } from './values.ts';

export * from './values.ts';

/** The smallest representation that carries a field; each representation holds those before it. */
export type Tier = 'compact' | 'standard' | 'full';

/**
 * A way in which analytics may look at a field: grouped by place, by what a use of the project is, by token, or by intervals of days or of
 * moments; or reckoned with as a measurement.
 */
export type FacetKind = 'place' | 'use' | 'token' | 'day' | 'moment' | 'measurement';

/**
 * How filters match what statements say of a field: as a token, flag or number that is matched whole, or by its words; those of a project's
 * names and of parties are searched on their own, too.
 */
export type EvidenceKind = 'keyword' | 'flag' | 'number' | 'words' | 'names' | 'parties';

type One<T> = T extends readonly (infer E)[] ? E : T;

export interface Field<S extends TSchema = TSchema> {
  tier: Tier;
  /** one line for the reference; units stand here */
  summary: string;
  /** what a generation file may state, null apart; absent where the service computes the value */
  stated?: S;
  /** what an answer holds, null included where it may be null */
  served: TSchema;
  /**
   * `identity`: kept when a new generation does not cover the record; `attribute`: null where the current generation is silent, and matched by
   * what earlier ones stated; `computed`: derived when it is served, no part of a revision.
   */
  kind: 'identity' | 'attribute' | 'computed';
  evidence?: EvidenceKind;
  /** true where stating it counts for `dataRichness` */
  rich?: true;
  /** tokens with labels; statements may use either */
  vocabulary?: Vocabulary<Term>;
  /** the field whose token this one labels */
  labels?: string;
  /** the field that is served in its place where it is not stated */
  fallback?: string;
  /** what is served where nothing is stated; null unless said otherwise */
  absent?: unknown;
  /** how an answer shows what is stated, of a list each object, where that is not the value itself */
  serve?(stated: One<Static<S>>, view: RecordView): unknown;
  /** what answers can show of it, of a list each object, where that is not all: a revision covers just this */
  content?(stated: One<Static<S>>): unknown;
  /** true for a list whose order is no content */
  unordered?: true;
  /** true where a change is no new revision */
  unrevised?: true;
  /** true where answers show it by who asks and what was asked for, besides what is stored */
  perRequest?: true;
  facet?: FacetKind;
  /** text of a served list or object, which is not null, in a CSV; other values need none */
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

/** An entry that tells the compiler its tier, what may be stated and how filters match it, so that types follow from the table. */
type Entry<T extends Tier, S extends TSchema, K extends Field['kind'], O> = Omit<Field<S>, 'tier' | 'stated' | 'kind'> & {
  tier: T;
  stated: S;
  kind: K;
} & Pick<O, keyof O & 'evidence'>;

/** Identity and classification: complete in every generation. */
export const identity = <T extends Tier, S extends TSchema, const O extends Options<S> = None>(
  tier: T,
  stated: S,
  summary: string,
  options?: O,
): Entry<T, S, 'identity', O> => ({ tier, summary, stated, served: nullable(stated), kind: 'identity', ...(options as O) });

/** What a generation may or may not cover. */
export const attribute = <T extends Tier, S extends TSchema, const O extends Options<S> = None>(
  tier: T,
  stated: S,
  summary: string,
  options?: O,
): Entry<T, S, 'attribute', O> => ({ ...identity(tier, stated, summary, options), kind: 'attribute' });

/** A number that filters bound and analytics reckon with. */
export const measurement = <S extends TSchema>(stated: S, summary: string) =>
  attribute('standard', stated, summary, { facet: 'measurement', evidence: 'number', rich: true });

/** True or false, and null where it was not established. */
export const yesOrNo = <T extends Tier>(tier: T, summary: string) => attribute(tier, flag, summary, { evidence: 'flag', rich: true });

type Computed<T extends Tier> = Omit<Field<never>, 'tier' | 'stated' | 'kind'> & { tier: T; kind: 'computed' };

/** What `represent` works out from the whole of a stored project. */
export const computed = <T extends Tier>(
  tier: T,
  served: TSchema,
  summary: string,
  options: Pick<Field, 'facet' | 'csv' | 'perRequest'> = {},
): Computed<T> => ({
  tier,
  summary,
  served,
  kind: 'computed',
  ...options,
});

/** The label that stands by a token. */
export const labelOf = <T extends Tier>(tier: T, field: string): Computed<T> & { labels: string } => ({
  ...computed(tier, nullable(Type.String()), `Label of ${field}`),
  labels: field,
});
