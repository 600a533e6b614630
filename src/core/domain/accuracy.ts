/** How right values are that people compared with the words of the minutes (src/docs/minutes-to-records.md). Pure. */
import { type Static, Type } from 'typebox';
import { count, moment, nullable, object } from './record/valueSchemas.ts';
import { computeInterval, toFourDecimals } from './shares.ts';

const share = Type.Number({ minimum: 0, maximum: 1 });

const fieldAccuracy = object({
  checked: { ...count, description: 'Values that were compared with the words of their minutes' },
  right: { ...count, description: 'Those of them that the words say' },
  low: { ...share, description: 'Lower bound of the share that is right: Wilson, 95 %' },
  high: { ...share, description: 'Upper bound' },
});
export type FieldAccuracy = Static<typeof fieldAccuracy>;

/** By the names of fields, which are data. */
export const fieldAccuracies = Type.Unsafe<Record<string, FieldAccuracy>>({ type: 'object', additionalProperties: fieldAccuracy });

export const bodyAccuracy = object({ checked: count, fields: fieldAccuracies, checkedAt: moment });
export type BodyAccuracy = Static<typeof bodyAccuracy>;

export const nullableBodyAccuracy = nullable(bodyAccuracy);
export const nullableFieldAccuracies = nullable(fieldAccuracies);

/** How many values of a field were checked. */
export interface FieldCount {
  field: string;
  checked: number;
  right: number;
}

/** The accuracy of each field, by name. */
export function computeAccuracies(counts: readonly FieldCount[]): Record<string, FieldAccuracy> {
  const inOrder = counts.toSorted((a, b) => (a.field < b.field ? -1 : 1));
  return Object.fromEntries(
    inOrder.map(({ field, checked, right }) => {
      const [low, high] = computeInterval(right, checked, toFourDecimals(right / checked));
      return [field, { checked, right, low, high }];
    }),
  );
}
