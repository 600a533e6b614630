/** JSON Schema of a feature, from which GIS programs take the types of their columns. Pure. */
import { INCLUDED, recordSchema } from '../../core/domain/record/schemas.ts';
import type { FeatureFields } from './collections.ts';

interface FieldSchema {
  type?: string | string[];
  format?: string;
  maximum?: number;
  description?: string;
  items?: FieldSchema;
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
