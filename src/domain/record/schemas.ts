/** JSON Schemas that follow from the record table: the project line of a generation file, and the record of each representation. */
import { type Field, nullable, type Tier } from './field.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from './fields.ts';

export const REPRESENTATIONS = ['compact', 'standard', 'full'] as const satisfies readonly Tier[];
export type Representation = (typeof REPRESENTATIONS)[number];

const withTier = (tier: Tier) => FIELD_NAMES.filter((name) => fieldOf(name).tier === tier);

/** The fields of a representation, in order: its own after those of the smaller ones. */
export const FIELDS_OF: Readonly<Record<Representation, readonly FieldName[]>> = {
  compact: withTier('compact'),
  standard: [...withTier('compact'), ...withTier('standard')],
  full: FIELD_NAMES,
};

const isStated = (field: Field) => field.stated !== undefined;

/** Schema of a project line of a generation file. */
export function projectLineSchema(): Record<string, unknown> {
  const stated = FIELD_NAMES.filter((name) => name !== 'id' && isStated(fieldOf(name)));
  return {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'id'],
    properties: {
      kind: { const: 'project' },
      id: fieldOf('id').stated,
      deleted: { const: false },
      ...Object.fromEntries(stated.map((name) => [name, nullable(fieldOf(name).stated as NonNullable<Field['stated']>)])),
    },
  };
}

/** Schema of a record as an answer holds it: every field of the representation, and no other. */
export function recordSchema(representation: Representation): Record<string, unknown> {
  const fields = FIELDS_OF[representation];
  const property = (name: FieldName) => ({ description: fieldOf(name).summary, ...fieldOf(name).served });
  return {
    type: 'object',
    required: [...fields],
    properties: Object.fromEntries(fields.map((name) => [name, property(name)])),
  };
}
