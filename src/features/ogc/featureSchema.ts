/** JSON Schema of a feature, from which GIS programs take the types of their columns. Pure. */
import { INCLUDED, recordSchema } from '../../core/domain/record/schemas.ts';
import { QUERYABLES } from '../../core/filter/cql.ts';
import type { AnyFilter } from '../../core/filter/entry.ts';
import { type FilterName, filterOf } from '../../core/filter/table.ts';
import type { FeatureFields } from './collections.ts';

interface FieldSchema {
  type?: string | string[];
  format?: string;
  maximum?: number;
  description?: string;
  items?: FieldSchema;
  enum?: readonly string[];
  title?: string;
}

const INT32_MAX = 2 ** 31 - 1;

/**
 * The type of a column: one JSON type, since GDAL reads no list of types. It takes every `integer` as one of 32 bits, so larger ones are numbers
 * of the format `int64`, which it keeps exactly.
 */
function columnSchema({ type, format, maximum = Number.POSITIVE_INFINITY, items, description }: FieldSchema): FieldSchema {
  const [only = 'string'] = [type].flat().filter((one) => one !== 'null') as string[];
  const stated = { ...(description ? { description } : {}), type: only };
  if (only === 'array') return { ...stated, items: columnSchema(items ?? {}) };
  if (only === 'integer' && maximum > INT32_MAX) return { ...stated, type: 'number', format: 'int64' };
  return { ...stated, ...(format ? { format } : {}) };
}

const PROPERTIES = recordSchema('full', INCLUDED).properties as Record<string, FieldSchema>;

/** The type that a value of a filter has in CQL2 text. */
function queryableSchema(name: string, { kind, label }: AnyFilter): FieldSchema {
  const { type = kind.schema.type === 'number' ? 'number' : 'string', format, maximum, description } = PROPERTIES[name] ?? {};
  const values = (kind.schema.items as FieldSchema | undefined)?.enum;
  const column = columnSchema({
    type,
    ...(format ? { format } : {}),
    ...(maximum ? { maximum } : {}),
    ...(description ? { description } : {}),
  });
  return { ...(label ? { title: label } : {}), ...column, ...(values ? { enum: values } : {}) };
}

/** The properties that the parameter `filter` compares, as in Part 3 of the standard. */
export const queryablesSchema = (url: string): Record<string, unknown> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: url,
  title: 'Projects',
  type: 'object',
  properties: Object.fromEntries(
    [...QUERYABLES].map(([name, by]) => [name, queryableSchema(name, filterOf(Object.values(by)[0] as FilterName))]),
  ),
  additionalProperties: false,
});

/** A feature whose properties are the fields of a representation. Every property may be null. */
export function featureSchema({ representation, withDerived }: FeatureFields, url: string): Record<string, unknown> {
  const { properties } = recordSchema(representation, withDerived ? INCLUDED : []) as { properties: Record<string, FieldSchema> };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: url,
    title: 'Project',
    description: `A project in its ${representation} representation. A property without a value is null.`,
    type: 'object',
    properties: {
      type: { type: 'string' },
      id: { type: 'integer', format: 'int64' },
      geometry: { type: 'object', description: 'A point (GeoJSON), longitude first' },
      properties: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, columnSchema(schema)])),
      },
    },
  };
}
