/** What one entry of the record table says, and the few shapes that entries are made of. */
import { type Static, type TSchema, Type } from 'typebox';
import type { Term, Vocabulary } from '../vocabulary.ts';

/** The smallest representation that carries a field; each representation holds those before it. */
export type Tier = 'compact' | 'standard' | 'full';

/** A way in which analytics may look at a field: as a dimension to group by, or as a measurement to reckon with. */
export type Facet = 'dimension' | 'date' | 'measurement';

export interface Field<S extends TSchema = TSchema> {
  tier: Tier;
  /** one line for the reference; units stand here */
  summary: string;
  /** what a generation file may state, null apart; absent where the service computes the value */
  stated?: S;
  /** what an answer holds, null included where it may be null */
  served: TSchema;
  /**
   * `identity`: kept when a new generation does not cover the record, and never a matter of evidence; `attribute`: null where the current
   * generation is silent, and matched by what earlier ones stated; `computed`: derived when it is served, no part of a revision.
   */
  kind: 'identity' | 'attribute' | 'computed';
  /** tokens with labels; statements may use either */
  vocabulary?: Vocabulary<Term>;
  /** the field whose token this one labels */
  labels?: string;
  /** true where a change is no new revision */
  unrevised?: boolean;
  facet?: Facet;
  /** text of a served list or object, which is not null, in a CSV; other values need none */
  csv?(served: unknown): string;
}

/** May be null: one more type of the same schema, so that a wrong value is one problem, not one for each alternative. */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({
    ...schema,
    ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
    ...('type' in schema ? { type: [schema.type, 'null'] } : {}),
  });

export const ID_MAX = Number.MAX_SAFE_INTEGER;
export const id = Type.Integer({ minimum: 1, maximum: ID_MAX });
export const place = Type.Integer();
export const text = (maxLength: number) => Type.String({ maxLength });
export const flag = Type.Boolean();
export const day = Type.String({ format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
export const moment = Type.String({ format: 'date-time' });
export const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
export const measure = Type.Number({ minimum: 0, maximum: 1_000_000_000_000 });
export const list = <S extends TSchema>(items: S, maxItems: number) => Type.Array(items, { maxItems });
/** One of a few words, as a JSON Schema `enum`. */
export const oneOf = <const T extends readonly string[]>(...values: T) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const object = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { additionalProperties: false });
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

type More = Partial<Pick<Field, 'vocabulary' | 'unrevised' | 'facet' | 'served' | 'csv'>>;

/** Identity and classification: complete in every generation. */
export const identity = <S extends TSchema>(tier: Tier, stated: S, summary: string, more: More = {}): Field<S> => ({
  tier,
  summary,
  stated,
  served: nullable(stated),
  kind: 'identity',
  ...more,
});

/** What a generation may or may not cover. */
export const attribute = <S extends TSchema>(tier: Tier, stated: S, summary: string, more: More = {}): Field<S> => ({
  ...identity(tier, stated, summary, more),
  kind: 'attribute',
});

export const computed = (tier: Tier, served: TSchema, summary: string, more: Pick<More, 'facet' | 'csv'> = {}): Field<never> => ({
  tier,
  summary,
  served,
  kind: 'computed',
  ...more,
});

/** The label that stands by a token. */
export const labelOf = (tier: Tier, field: string): Field<never> => ({
  ...computed(tier, nullable(Type.String()), `Label of ${field}`),
  labels: field,
});
