import { Type } from 'typebox';
import { flag, nullable, object, id as positive } from '../../core/domain/record/field.ts';
import { boolean } from '../../core/filter/kinds.ts';
import { file, json, type Route, route } from '../../http/declaration.ts';
import { filtersField, includeField, projectIdsField } from '../../http/filterFields.ts';
import {
  CHARGE_ERRORS,
  collectionMeta,
  collectionQuery,
  ENRICHMENT_ERRORS,
  MATCH_WARNINGS,
  SELECTION_ERRORS,
} from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { anyObject, moment, nothing, warnings, whole } from '../../http/schemas.ts';
import { contactOptions } from '../contacts/index.ts';
import { type ExportServices, exportFile, listExports, readExport } from './read.ts';
import { readExportBody } from './request.ts';
import { type SubmitOutcome, type SubmitServices, submitExport } from './submit.ts';
import { EXPORT_STATUSES } from './view.ts';

const exportJob = object({
  id: Type.String(),
  exportJobId: Type.String(),
  status: Type.Unsafe<(typeof EXPORT_STATUSES)[number]>({ type: 'string', title: 'ExportStatus', enum: EXPORT_STATUSES }),
  source: object({
    alertId: nullable(Type.String()),
    listId: nullable(Type.String()),
    projectIds: nullable(Type.Array(positive)),
    filters: Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject),
  }),
  createdAt: moment,
  startedAt: nullable(moment),
  readyAt: nullable(moment),
  expiresAt: nullable(moment),
  progress: object({ processed: whole, total: whole }),
  matchCount: whole,
  truncated: flag,
  rowCount: nullable(whole),
  sizeBytes: nullable(whole),
  sha256: nullable(Type.String()),
  creditsReserved: whole,
  creditsCharged: nullable(whole),
  creditsRefunded: nullable(whole),
  contactCreditsReserved: whole,
  contactCreditsCharged: nullable(whole),
  pollUrl: Type.String({ format: 'uri' }),
  downloadUrl: Type.String({ format: 'uri' }),
  webExportsUrl: Type.String({ format: 'uri' }),
  error: nullable(object({ code: Type.String(), message: Type.String() })),
});

const noMatchingRows = object({
  status: Type.Literal('no_matching_rows'),
  exportJobId: nothing,
  matchCount: Type.Literal(0),
});

const submitMeta = object({
  creditsUsed: whole,
  warnings: warnings(...MATCH_WARNINGS),
  appliedDefaults: anyObject,
  appliedFilters: anyObject,
});
/** The answer of every route that accepts exports. */
export const accepted = json(exportJob, { status: 202, description: 'Queued: poll `pollUrl` until `status` is `ready`', meta: submitMeta });
export const nothingMatched = json(noMatchingRows, { description: 'Nothing matches; nothing was queued', meta: submitMeta });
export const replyOf = <M>({ data, meta }: { data: SubmitOutcome; meta: M }) =>
  data.exportJobId === null ? ({ data, meta, status: 200 } as const) : ({ data, meta, status: 202 } as const);

/** Errors of a route that accepts exports, in addition to those of its filters. */
export const SUBMIT_ERRORS = [...CHARGE_ERRORS, 'delivery_ledger_unavailable', ...ENRICHMENT_ERRORS] as const;

const body = object({
  alertId: Type.Optional(
    Type.String({ description: 'An alert of yours: what it has matched and nobody dismissed; filters stay inside it' }),
  ),
  listId: Type.Optional(Type.String({ description: 'A list that you may see; filters stay inside it' })),
  projectIds: Type.Optional(projectIdsField(1)),
  filters: Type.Optional(filtersField('ExportFilters', 'Filters, with `sort` and `order`; `{}` takes all of your licence', 'object')),
  maxCredits: Type.Optional(Type.Integer({ minimum: 1, description: 'Refuse when more credits would be reserved for records' })),
  maxContactCredits: Type.Optional(Type.Integer({ minimum: 0, description: 'Refuse when more credits would be reserved for contacts' })),
  include: Type.Optional(
    includeField(
      '`contacts` looks contacts up before the file is built; `derived` adds a column with what this service reads from the record',
    ),
  ),
  contactOptions: Type.Optional(contactOptions),
});

const id = opaqueId('export', 'Id of the export', 'exp');

const METERED = 'API Only and trial: 1 for each row that is new to the pool or changed since its last delivery; free on other plans';
const CSV = 'text/csv; charset=utf-8';

export function exportRoutes(services: ExportServices & SubmitServices): Route[] {
  const { places } = services;
  return [
    route('Exports', 'createExport', 'POST /exports', {
      summary: 'Queue a CSV of everything that matches, of named projects or of a list',
      metered: `${METERED}; reserved when the export is queued, settled when its file is ready`,
      idempotent: 'honoured',
      body,
      readBody: (sent, principal) => readExportBody(sent, principal, places),
      answers: [accepted, nothingMatched],
      errors: [...SELECTION_ERRORS, 'resource_not_found', ...SUBMIT_ERRORS],
      example: { body: { filters: { states: ['CO'], propertyTypes: ['residential'] }, maxCredits: 500 } },
      handle: async ({ actor, body: sent, read }) => replyOf(await submitExport(services, actor, sent, read)),
    }),
    route('Exports', 'listExports', 'GET /exports', {
      summary: 'Exports of the team, newest first',
      query: { own: collectionQuery('Exports') },
      answers: [json(Type.Array(exportJob), { meta: collectionMeta })],
      errors: ['invalid_filter'],
      handle: ({ actor, query }) => listExports(services, actor, query),
    }),
    route('Exports', 'getExport', 'GET /exports/{id}', {
      summary: 'Where an export stands',
      params: { id },
      answers: [
        json(exportJob, { meta: object({ creditsUsed: whole, warnings: warnings('filter_evidence_unconfirmed', 'cells_too_long') }) }),
      ],
      handle: ({ actor, params }) => readExport(services, actor, params.id),
    }),
    route('Exports', 'downloadExport', 'GET /exports/{id}/download', {
      answersHead: true,
      summary: 'The file of a ready export; again as often as you like, free',
      params: { id },
      query: {
        own: {
          bom: {
            summary: '1 is for Excel: a byte order mark in front, and cells of more than 32,767 characters cut with a mark',
            example: '1',
            kind: boolean,
          },
        },
      },
      answers: [
        file(CSV),
        file(CSV, { status: 206, description: 'The part that `Range` asks for' }),
        file(CSV, { status: 304, description: 'Yours, by `If-None-Match`, is the same' }),
      ],
      errors: ['invalid_filter', 'export_not_ready', 'export_expired', 'export_unavailable', 'range_not_satisfiable'],
      handle: ({ actor, params, query: { bom = false } }) => exportFile(services, actor, params.id, { bom }),
    }),
  ];
}
