/**
 * The columns of a Parquet file of records, derived from the record table: a column for each field, of the type of its schema; lists and objects
 * are nested columns. In addition `geometry`, a point as WKB (GeoParquet), and `bbox`, its box, by whose statistics readers skip row groups. Pure.
 */
import type { ParquetWriter } from 'hyparquet-writer';
import { columnKind, type ValueSchema, withoutNull } from '../../core/domain/record/columnKind.ts';
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import { INCLUDED, recordSchema } from '../../core/domain/record/schemas.ts';
import { restrictionSchema } from '../../core/domain/restriction/schemas.ts';
import type { GeoParquet } from './formats.ts';
import type { SnapshotForm } from './types.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** A column: its schema elements, and the conversion of its values. */
export interface ParquetColumn {
  name: string;
  elements: SchemaElement[];
  read(record: PublicRecord): unknown;
}

type Convert = (value: unknown) => unknown;

export const GEOMETRY = 'geometry';

const BOX = 'bbox';
const BOX_ENDS = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

/** Value of the key `geo` of a file. Coordinates are longitude and latitude of WGS 84, the default of GeoParquet. */
export const geoMetadata = (version: GeoParquet): string =>
  JSON.stringify({
    version: `${version}.0`,
    primary_column: GEOMETRY,
    columns: {
      [GEOMETRY]: {
        encoding: 'WKB',
        geometry_types: ['Point'],
        covering: { bbox: Object.fromEntries(BOX_ENDS.map((end) => [end, [BOX, end]])) },
      },
    },
  });

const presentOnly =
  (convert: Convert): Convert =>
  (value) =>
    value === null || value === undefined ? null : convert(value);

/** A time in UTC. */
const INSTANT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const leaf = (name: string, element: Omit<SchemaElement, 'name' | 'repetition_type'>, convert: Convert) => ({
  elements: [{ name, repetition_type: 'OPTIONAL' as const, ...element }],
  convert: presentOnly(convert),
});

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

/** The schema elements of a value and of those nested in it, and its conversion; a value of any type becomes JSON. */
function shapeOf(name: string, schema: ValueSchema): { elements: SchemaElement[]; convert: Convert } {
  const { items = {}, properties = {} } = withoutNull(schema);
  switch (columnKind(schema)) {
    case 'boolean':
      return leaf(name, { type: 'BOOLEAN' }, (value) => value);
    case 'integer':
      return leaf(name, { type: 'INT64' }, (value) => BigInt(value as number));
    case 'number':
      return leaf(name, { type: 'DOUBLE' }, (value) => value);
    case 'date':
      return leaf(name, { type: 'INT32', converted_type: 'DATE' }, (value) => new Date(value as string));
    case 'instant':
      return leaf(name, INSTANT, (value) => new Date(value as string));
    case 'text':
      return leaf(name, TEXT, (value) => value);
    case 'list':
      return listOf(name, items);
    case 'object':
      return structOf(name, properties);
    case 'json':
      return leaf(name, TEXT, (value) => JSON.stringify(value));
  }
}

function listOf(name: string, items: ValueSchema) {
  const { elements, convert } = shapeOf('element', items);
  return {
    elements: [
      { name, repetition_type: 'OPTIONAL' as const, converted_type: 'LIST' as const, num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED' as const, num_children: 1 },
      ...elements,
    ],
    convert: presentOnly((value) => (value as unknown[]).map(convert)),
  };
}

function structOf(name: string, properties: Readonly<Record<string, ValueSchema>>) {
  const fields = Object.entries(properties).map(([field, schema]) => ({ field, ...shapeOf(field, schema) }));
  return {
    elements: [{ name, repetition_type: 'OPTIONAL' as const, num_children: fields.length }, ...fields.flatMap(({ elements }) => elements)],
    convert: presentOnly((value) =>
      Object.fromEntries(fields.map(({ field, convert }) => [field, convert((value as Record<string, unknown>)[field])])),
    ),
  };
}

const WKB_POINT_BYTES = 21;
const LITTLE_ENDIAN = 1;
const WKB_POINT = 1;

/** Longitude and latitude; null if there is no location, or the record is not to be drawn. */
const pointOf = ({ longitude, latitude, [GEOMETRY]: drawn }: PublicRecord): [number, number] | null =>
  drawn === null || typeof longitude !== 'number' || typeof latitude !== 'number' ? null : [longitude, latitude];

function toWkb([x, y]: readonly [number, number]): Uint8Array {
  const bytes = Buffer.alloc(WKB_POINT_BYTES);
  bytes.writeUInt8(LITTLE_ENDIAN, 0);
  bytes.writeUInt32LE(WKB_POINT, 1);
  bytes.writeDoubleLE(x, 5);
  bytes.writeDoubleLE(y, 13);
  return bytes;
}

/** The writer makes WKB of GeoJSON itself where the column has the native type of geometries (GeoParquet 2.0). */
function geometryColumn(version: GeoParquet): ParquetColumn {
  const isNative = version === '2.0';
  const element = { name: GEOMETRY, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' } as const;
  const toValue = isNative ? (coordinates: [number, number]) => ({ type: 'Point', coordinates }) : toWkb;
  return {
    name: GEOMETRY,
    elements: [isNative ? { ...element, logical_type: { type: 'GEOMETRY' } } : element],
    read: (record) => presentOnly(toValue as Convert)(pointOf(record)),
  };
}

const BOX_COLUMN: ParquetColumn = {
  name: BOX,
  elements: [
    { name: BOX, repetition_type: 'OPTIONAL', num_children: BOX_ENDS.length },
    ...BOX_ENDS.map((name) => ({ name, type: 'DOUBLE' as const, repetition_type: 'REQUIRED' as const })),
  ],
  read: (record) => {
    const point = pointOf(record);
    return point && { xmin: point[0], ymin: point[1], xmax: point[0], ymax: point[1] };
  },
};

export type RecordShape = Pick<SnapshotForm, 'representation' | 'withDerived' | 'geoparquet'>;

export const recordColumns = ({ representation, withDerived, geoparquet }: RecordShape): ParquetColumn[] =>
  columnsOf(recordSchema(representation, withDerived ? INCLUDED : []), geoparquet ?? '1.1');

/** The columns of restrictions that have `latitude` and `longitude` beside their fields. */
export const restrictionColumns = (): ParquetColumn[] => columnsOf(restrictionSchema, '1.1');

function columnsOf(schema: object, geoparquet: GeoParquet): ParquetColumn[] {
  const { properties } = schema as { properties: Record<string, ValueSchema> };
  const fields = Object.entries(properties).map(([name, schema]): ParquetColumn => {
    const { elements, convert } = shapeOf(name, schema);
    return { name, elements, read: (record) => convert(record[name]) };
  });
  return [...fields, geometryColumn(geoparquet), BOX_COLUMN];
}

export const parquetSchema = (columns: readonly ParquetColumn[]): SchemaElement[] => [
  { name: 'record', num_children: columns.length },
  ...columns.flatMap(({ elements }) => elements),
];
