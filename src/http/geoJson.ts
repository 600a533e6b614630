/** Records as GeoJSON (RFC 7946): the properties of a feature are the fields of the record in JSON. Pure. */
import type { TSchema } from 'typebox';
import { joinPieces, type Piece, RecordText } from '../core/domain/record/rendered.ts';
import { takeBuffer } from './answerBuffers.ts';
import type { AnswerLink } from './declaration.ts';

export const GEOJSON = 'application/geo+json';

/** A point, longitude first (RFC 7946 section 4); null for a record without a location. */
const pointOf = (latitude: unknown, longitude: unknown) =>
  typeof latitude === 'number' && typeof longitude === 'number' ? `{"type":"Point","coordinates":[${longitude},${latitude}]}` : 'null';

/**
 * The fields of a record with its id at the end. Where the first field is `id`, GDAL takes its type from the first page, whatever the schema says:
 * larger ids of later pages would be cut to 2147483647.
 */
function propertiesPieces(pieces: readonly Piece[], id: string): readonly Piece[] {
  const bytes = joinPieces(pieces);
  const opening = `{"id":${id},`;
  if (bytes.toString('latin1', 0, opening.length) !== opening) return pieces;
  return ['{', { bytes, from: opening.length, to: bytes.length - 1 }, `,"id":${id}}`];
}

/** The beginning of a feature, without its closing brace. */
function featurePieces(record: unknown): Piece[] {
  const isText = record instanceof RecordText;
  const numberOf = (name: 'id' | 'latitude' | 'longitude') =>
    isText ? record.readNumber(name) : (record as Readonly<Record<string, unknown>>)[name];
  const isDoubtful = isText && record.locationDoubtful;
  const geometry = isDoubtful ? 'null' : pointOf(numberOf('latitude'), numberOf('longitude'));
  const id = JSON.stringify(numberOf('id'));
  const head = `{"type":"Feature","id":${id},"geometry":${geometry},"properties":`;
  return [head, ...propertiesPieces(isText ? record.pieces : [JSON.stringify(record)], id)];
}

export interface Envelope {
  /** records as objects, or as text */
  data: unknown;
  meta: Readonly<Record<string, unknown>>;
}

/** The feature of a record that a repeated request does not show again, with the id that `meta` names. */
const emptyFeature = ({ delivery }: Envelope['meta']) =>
  `{"type":"Feature","id":${(delivery as { changedSince: number[] }).changedSince[0]},"geometry":null,"properties":null`;

/** Foreign members of GeoJSON answers (RFC 7946 section 6.1). */
const membersOf = ({ meta }: Envelope, links: readonly AnswerLink[]) => `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}`;

/**
 * Serialises a list of records as a FeatureCollection, with the members of OGC API - Features (17-069r4, 7.16), and one record as a
 * Feature.
 */
export function geoJsonBytes(envelope: Envelope, links: readonly AnswerLink[]): Buffer {
  const { data, meta } = envelope;
  if (data === null) return joinPieces([`${emptyFeature(meta)},${membersOf(envelope, links)}}`], takeBuffer);
  if (!Array.isArray(data)) return joinPieces([...featurePieces(data), `,${membersOf(envelope, links)}}`], takeBuffer);
  const matched = meta.matchCountIsExact === true ? `"numberMatched":${Number(meta.matchCount)},` : '';
  const counted = `${matched}"numberReturned":${data.length},"timeStamp":"${new Date().toISOString()}"`;
  const pieces: Piece[] = [`{"type":"FeatureCollection",${counted},${membersOf(envelope, links)},"features":[`];
  for (const [i, record] of data.entries()) {
    if (i) pieces.push(',');
    for (const piece of featurePieces(record)) pieces.push(piece);
    pieces.push('}');
  }
  pieces.push(']}');
  return joinPieces(pieces, takeBuffer);
}

const TEXT = { type: 'string' };
const LINK = {
  type: 'object',
  required: ['rel', 'href'],
  properties: { rel: TEXT, href: { ...TEXT, format: 'uri' }, type: TEXT, title: TEXT },
};
const POINT = {
  type: ['object', 'null'],
  description: 'A Point, longitude first (WGS 84); null where the record states none, or one outside its county',
  required: ['type', 'coordinates'],
  properties: {
    type: { type: 'string', const: 'Point' },
    coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  },
};
const LINKS = { type: 'array', items: LINK };
const META = { type: 'object', description: 'What `meta` of the JSON answer says: credits, delivery, warnings' };

/** Whether a schema describes a list. */
export const isListOf = (schema: TSchema): schema is TSchema & { items: unknown } => 'type' in schema && schema.type === 'array';

/**
 * JSON Schema of a GeoJSON answer.
 * @param data schema of one record, or of a list of records
 */
export function geoJsonSchema(data: TSchema): Record<string, unknown> {
  const featureOf = (record: unknown) => ({
    required: ['type', 'id', 'geometry', 'properties'],
    properties: { type: { type: 'string', const: 'Feature' }, id: { type: 'integer' }, geometry: POINT, properties: record },
  });
  const members = { links: LINKS, meta: META };
  if (!isListOf(data)) {
    const { required, properties } = featureOf(data);
    return { type: 'object', required: [...required, 'links', 'meta'], properties: { ...properties, ...members } };
  }
  const count = { type: 'integer', minimum: 0 };
  return {
    type: 'object',
    required: ['type', 'numberReturned', 'timeStamp', 'links', 'meta', 'features'],
    properties: {
      type: { type: 'string', const: 'FeatureCollection' },
      numberMatched: { ...count, description: 'Where it is known exactly' },
      numberReturned: count,
      timeStamp: { type: 'string', format: 'date-time' },
      ...members,
      features: { type: 'array', items: { type: 'object', ...featureOf(data.items) } },
    },
  };
}
