import { Type } from 'typebox';
import { FILE_STATUSES } from '../../core/billedJobs/fileViews.ts';
import { day, nullable, object } from '../../core/domain/record/field.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { bare, file, json, type PathParameter, type Route, route } from '../../http/declaration.ts';
import { filtersField, includeField } from '../../http/filterFields.ts';
import {
  CHARGE_ERRORS,
  collectionMeta,
  collectionQuery,
  MATCH_WARNINGS,
  representation,
  SELECTION_ERRORS,
} from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { anyObject, moment, nothing, warnings, whole } from '../../http/schemas.ts';
import { CONTENT_TYPES, FILE_NAME } from './files.ts';
import { COMPRESSIONS, GEOPARQUETS, SNAPSHOT_FORMATS } from './formats.ts';
import { endSnapshot, listSnapshots, readSnapshot, snapshotFile, snapshotManifest } from './read.ts';
import { readSnapshotBody, type SnapshotBody } from './request.ts';
import { type SnapshotServices, submitSnapshot } from './submit.ts';
import type { StoredSnapshot } from './types.ts';

const text = Type.String();
const uri = Type.String({ format: 'uri' });
const oneOf = <T extends string>(title: string, values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', title, enum: [...values], ...(description ? { description } : {}) });
const filters = Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject);
const representationOf = Type.Unsafe<StoredSnapshot['representation']>(representation);
const format = oneOf('SnapshotFormat', SNAPSHOT_FORMATS);

const include = Type.Array(Type.Literal('derived'), { description: 'What the records have besides the fields of the representation' });

const snapshot = object({
  id: text,
  status: oneOf('SnapshotStatus', FILE_STATUSES),
  source: object({ filters }),
  representation: representationOf,
  include,
  format,
  compression: nullable(oneOf('Compression', COMPRESSIONS)),
  geoparquet: nullable(oneOf('GeoParquet', GEOPARQUETS)),
  createdAt: moment,
  startedAt: nullable(moment),
  readyAt: nullable(moment),
  expiresAt: nullable(moment),
  progress: object({ processed: whole, total: whole }),
  matchCount: whole,
  recordCount: nullable(whole),
  fileCount: nullable(whole),
  sizeBytes: nullable(whole),
  creditsReserved: whole,
  creditsCharged: nullable(whole),
  creditsRefunded: nullable(whole),
  pollUrl: uri,
  manifestUrl: uri,
  error: nullable(object({ code: text, message: text })),
});

const noMatchingRecords = object({
  status: Type.Literal('no_matching_records'),
  snapshotId: nothing,
  matchCount: Type.Literal(0),
});

const manifestFile = { name: text, url: uri, sizeBytes: whole, sha256: text, recordCount: whole };
const manifest = object({
  snapshotId: text,
  schemaVersion: text,
  schemaUrl: Type.String({ format: 'uri', description: 'JSON Schema of a record' }),
  generation: whole,
  asOf: Type.String({ format: 'date-time', description: 'The newest change or removal that the files reflect' }),
  filters,
  representation: representationOf,
  include,
  format,
  recordCount: whole,
  files: Type.Array(object(manifestFile)),
  restrictions: {
    ...nullable(object({ ...manifestFile, recordCount: { ...whole, description: 'Of restrictions' }, on: day })),
    description: 'The restrictions of your licence, whatever the filters; `status` is that of the day `on`. Null where there are none',
  },
  sync: object({
    cursor: Type.String({ description: 'A walk with the same filters goes on from here' }),
    url: Type.String({ description: 'That walk' }),
  }),
});

const body = object({
  filters: Type.Optional(filtersField('Filters', 'Filters; without any, all of your licence', 'object')),
  representation: Type.Optional(representationOf),
  include: Type.Optional(includeField('`derived`, with representation `full`: what this service reads from the record')),
  format: Type.Optional(
    oneOf('SnapshotFormat', SNAPSHOT_FORMATS, '`ndjson`: a line a record, as a search serves it; `parquet`: GeoParquet, a column a field'),
  ),
  compression: Type.Optional(oneOf('Compression', COMPRESSIONS, 'Of NDJSON: gzip unless asked otherwise')),
  geoparquet: Type.Optional(
    oneOf('GeoParquet', GEOPARQUETS, 'Of Parquet: 1.1 unless asked otherwise; 2.0 has the native type of geometries'),
  ),
  maxCredits: Type.Optional(Type.Integer({ minimum: 1, description: 'Refuse when more credits would be reserved' })),
});

const id = opaqueId('snapshot', 'Id of the snapshot', 'snp');
const name: PathParameter<string> = {
  schema: { type: 'string' },
  summary: 'Name of a file, from the manifest',
  example: 'part-00001.ndjson.gz',
  names: 'file',
  parse: (sent) => (FILE_NAME.test(sent) ? sent : undefined),
};

const GONE = ['export_not_ready', 'export_expired', 'export_unavailable'] as const;
/** The answers of a file, by its kind. */
const files = (status: 200 | 206 | 304, description: string) =>
  CONTENT_TYPES.map(([form, contentType]) => file(contentType, { status, description: `${description} (${form})` }));
const statusMeta = object({ creditsUsed: whole, warnings: warnings('filter_evidence_unconfirmed', 'trial_truncated') });
const submitMeta = object({
  creditsUsed: whole,
  warnings: warnings(...MATCH_WARNINGS, 'trial_truncated'),
  appliedDefaults: anyObject,
  appliedFilters: anyObject,
});

export function snapshotRoutes(services: SnapshotServices): Route[] {
  const { places } = services;
  return [
    route('Snapshots', 'createSnapshot', 'POST /snapshots', {
      summary: 'Queue everything that matches as files, with the cursor from which sync goes on',
      metered:
        'API Only and trial: 1 for each record that is new to the pool or changed since its last delivery; free on other plans; reserved when the snapshot is queued, settled when its files are ready',
      idempotent: 'honoured',
      body,
      readBody: (sent, principal) => readSnapshotBody(sent, principal, places),
      answers: [
        json(snapshot, { status: 202, description: 'Queued: poll `pollUrl` until `status` is `ready`', meta: submitMeta }),
        json(noMatchingRecords, { description: 'Nothing matches; nothing was queued', meta: submitMeta }),
      ],
      errors: [...SELECTION_ERRORS, ...CHARGE_ERRORS, 'snapshot_in_progress'],
      example: { body: { filters: { states: ['CO'], dateRange: 'all' }, representation: 'compact' } },
      handle: async ({ actor, body: sent, read }) => {
        const { data, meta } = await submitSnapshot(services, actor, sent as SnapshotBody, read as ParameterReading);
        return 'snapshotId' in data ? { data, meta, status: 200 } : { data, meta, status: 202 };
      },
    }),
    route('Snapshots', 'listSnapshots', 'GET /snapshots', {
      summary: 'Snapshots of the team, newest first',
      query: { own: collectionQuery('Snapshots') },
      answers: [json(Type.Array(snapshot), { meta: collectionMeta })],
      errors: ['invalid_filter'],
      handle: ({ actor, query }) => listSnapshots(services, actor, query),
    }),
    route('Snapshots', 'getSnapshot', 'GET /snapshots/{id}', {
      summary: 'Where a snapshot stands',
      params: { id },
      answers: [json(snapshot, { meta: statusMeta })],
      handle: ({ actor, params }) => readSnapshot(services, actor, params.id),
    }),
    route('Snapshots', 'deleteSnapshot', 'DELETE /snapshots/{id}', {
      summary: 'Cancel a snapshot, all credits back; of a ready one delete the files, nothing back',
      params: { id },
      answers: [json(snapshot, { meta: statusMeta })],
      handle: ({ actor, params }) => endSnapshot(services, actor, params.id),
    }),
    route('Snapshots', 'getSnapshotManifest', 'GET /snapshots/{id}/manifest', {
      answersHead: true,
      summary: 'The files of a ready snapshot, and the cursor from which sync goes on',
      params: { id },
      answers: [bare(manifest)],
      errors: [...GONE],
      handle: ({ actor, params }) => snapshotManifest(services, actor, params.id),
    }),
    route('Snapshots', 'downloadSnapshotFile', 'GET /snapshots/{id}/files/{name}', {
      answersHead: true,
      summary: 'A file of a ready snapshot; again as often as you like, free',
      params: { id, name },
      answers: [
        ...files(200, 'The file'),
        ...files(206, 'The part that `Range` asks for'),
        ...files(304, 'Yours, by `If-None-Match`, is the same'),
      ],
      errors: [...GONE, 'range_not_satisfiable'],
      handle: ({ actor, params }) => snapshotFile(services, actor, params.id, params.name),
    }),
  ];
}
