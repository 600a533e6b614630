/** JSON Schemas that follow from the record table: the project line of a generation file, and the record of each representation. */
import { type Field, nullable, type Tier } from './field.ts';
import { FIELD_NAMES, type FieldName, fieldOf, STATED_NAMES, type StatedName } from './fields.ts';
import { quotes } from './quotes.ts';

export const REPRESENTATIONS = ['compact', 'standard', 'full'] as const satisfies readonly Tier[];
export type Representation = (typeof REPRESENTATIONS)[number];

/** The tiers of a representation: its own and the smaller ones. A project is stored in the same parts. */
export const listParts = (representation: Representation): readonly Tier[] =>
  REPRESENTATIONS.slice(0, REPRESENTATIONS.indexOf(representation) + 1);

export const listFieldsOfParts = (parts: readonly Tier[]) =>
  parts.flatMap((tier) => FIELD_NAMES.filter((name) => fieldOf(name).tier === tier && !fieldOf(name).byInclude));

/** Fields that answers have only where `include` names them, beside the full representation. */
export const INCLUDED = FIELD_NAMES.filter((name) => fieldOf(name).byInclude);

/** The fields of a representation, in order: its own after those of the smaller ones. */
export const FIELDS_OF: Readonly<Record<Representation, readonly FieldName[]>> = {
  compact: listFieldsOfParts(listParts('compact')),
  standard: listFieldsOfParts(listParts('standard')),
  full: listFieldsOfParts(listParts('full')),
};

/** Path of a stated field in a stored project. */
export const sourcePath = (name: StatedName) => `${fieldOf(name).tier}.${name}`;

/** Schema of a project line of a generation file. */
export function projectLineSchema(): Record<string, unknown> {
  const stated = STATED_NAMES.filter((name) => name !== 'id');
  return {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'id'],
    properties: {
      kind: { const: 'project' },
      id: fieldOf('id').stated,
      deleted: { const: false },
      ...Object.fromEntries(stated.map((name) => [name, nullable(fieldOf(name).stated as NonNullable<Field['stated']>)])),
      evidence: nullable(quotes),
      unmerge: nullable(fieldOf('mergedFrom').stated as NonNullable<Field['stated']>),
    },
  };
}

/** Schema of a record as an answer holds it: every field of the representation, and those that `include` may add. */
export function recordSchema(representation: Representation, included: readonly FieldName[] = []): Record<string, unknown> {
  const fields = FIELDS_OF[representation];
  const property = (name: FieldName) => ({ description: fieldOf(name).summary, ...fieldOf(name).served });
  return {
    type: 'object',
    required: [...fields],
    properties: Object.fromEntries([...fields, ...included].map((name) => [name, property(name)])),
  };
}
