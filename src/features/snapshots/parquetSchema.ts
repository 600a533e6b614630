/**
 * The columns of a Parquet file of records, derived from the record table: a column for each field, of the type of its schema; lists and objects
 * are nested columns. In addition `geometry`, a point as WKB (GeoParquet 1.1). Pure.
 */
import type { ParquetWriter } from 'hyparquet-writer';
import { columnKind, type ValueSchema, withoutNull } from '../../core/domain/record/columnKind.ts';
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import { INCLUDED, recordSchema } from '../../core/domain/record/schemas.ts';
import { restrictionSchema } from '../../core/domain/restriction/schemas.ts';
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

/** Value of the key `geo` of a file (GeoParquet 1.1). Coordinates are longitude and latitude of WGS 84, its default. */
export const GEO_METADATA = JSON.stringify({
  version: '1.1.0',
  primary_column: GEOMETRY,
  columns: { [GEOMETRY]: { encoding: 'WKB', geometry_types: ['Point'] } },
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

/** The location as WKB; null if there is none, or the record is not to be drawn. */
function pointOf({ longitude, latitude, [GEOMETRY]: drawn }: PublicRecord): Uint8Array | null {
  if (drawn === null || typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  const bytes = Buffer.alloc(WKB_POINT_BYTES);
  bytes.writeUInt8(LITTLE_ENDIAN, 0);
  bytes.writeUInt32LE(WKB_POINT, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes;
}

export type RecordShape = Pick<SnapshotForm, 'representation' | 'withDerived'>;

/** The columns of records, in the order of their fields. */
export const recordColumns = ({ representation, withDerived }: RecordShape): ParquetColumn[] =>
  columnsOf(recordSchema(representation, withDerived ? INCLUDED : []));

/** The columns of restrictions that have `latitude` and `longitude` beside their fields. */
export const restrictionColumns = (): ParquetColumn[] => columnsOf(restrictionSchema);

function columnsOf(schema: object): ParquetColumn[] {
  const { properties } = schema as { properties: Record<string, ValueSchema> };
  const fields = Object.entries(properties).map(([name, schema]): ParquetColumn => {
    const { elements, convert } = shapeOf(name, schema);
    return { name, elements, read: (record) => convert(record[name]) };
  });
  const geometry = { name: GEOMETRY, elements: [{ name: GEOMETRY, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }], read: pointOf };
  return [...fields, geometry as ParquetColumn];
}

/** The schema of a file. */
export const parquetSchema = (columns: readonly ParquetColumn[]): SchemaElement[] => [
  { name: 'record', num_children: columns.length },
  ...columns.flatMap(({ elements }) => elements),
];
