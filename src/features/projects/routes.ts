import { Type } from 'typebox';
import { flag, nullable, object, place } from '../../core/domain/record/field.ts';
import * as nested from '../../core/domain/record/nested.ts';
import { documentVersion, QUOTED_NAMES } from '../../core/domain/record/quotes.ts';
import type { RawParameters } from '../../core/filter/parse.ts';
import { searchProjects } from '../../core/search/searchProjects.ts';
import { asksForCsv, parseSearch, SEARCH_CONTROLS } from '../../core/search/searchRequest.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { CountObserver } from '../../core/store/callWatch.ts';
import { geoJson, json, type QuerySender, type Route, route } from '../../http/declaration.ts';
import {
  balance,
  CONTACT_ERRORS,
  filterEchoSchemas,
  MATCH_WARNINGS,
  METERED_RECORDS,
  NULL_OF_REPEATED,
  pageMeta,
  record,
  recordOrNull,
  representation,
  SELECTION_ERRORS,
} from '../../http/pageSchemas.ts';
import { wholeNumber } from '../../http/pathParameters.ts';
import { deliverySummary, moment, warnings, whole } from '../../http/schemas.ts';
import {
  accepted,
  nothingMatched,
  parseCsvSearch,
  replyOf,
  SUBMIT_ERRORS,
  type SubmitServices,
  submitCsvSearch,
} from '../exports/index.ts';
import { explainChanges } from './changes.ts';
import { countProjects } from './count.ts';
import { COUNT_CONTROLS, parseCount } from './countRequest.ts';
import { readProject } from './read.ts';
import { type EvidenceServices, readEvidence } from './readEvidence.ts';
import { parseRead, READ_CONTROLS } from './readRequest.ts';

/** `meta.delivery` under `deliveryMode=new`. */
const withheld = object({ mode: Type.String(), excludedPreviouslyDelivered: whole });

const count = object({
  matchCount: whole,
  matchCountIsExact: flag,
  matchCountBasis: Type.String(),
  billableRecordCount: whole,
  creditRate: whole,
  creditsRequired: whole,
  creditsRemaining: balance,
  affordability: object({ affordable: flag, maxAffordableRecords: whole }),
  contacts: Type.Optional(object({ lookUps: whole, creditsRequired: whole, creditsRemaining: balance })),
});

const revision = Type.String();
const anyValue = Type.Unsafe<unknown>({ description: 'As `GET /projects/{id}` shows it' });
const fieldChange = object({
  name: Type.String(),
  before: Type.Optional(anyValue),
  after: Type.Optional(anyValue),
});
const changes = object({
  id: place,
  current: object({ contentRevision: revision, lastUpdated: moment }),
  owned: nullable(object({ contentRevision: revision, firstDeliveredAt: moment, lastDeliveredAt: moment })),
  changed: nullable(flag),
  fields: nullable(Type.Array(Type.String())),
  changes: Type.Array(
    object({
      at: moment,
      fromRevision: Type.String({ description: '`contentRevision` that was replaced' }),
      toRevision: revision,
      fields: Type.Array(fieldChange, {
        description: 'With `before` and `after` where your pool holds both revisions, or records are free; else the name alone',
      }),
    }),
    { description: 'Since the oldest remembered revision that your pool holds; where records are free, all that are remembered' },
  ),
  nextRead: object({ billed: flag, credits: whole }),
});

const proven = object({
  field: Type.Unsafe<string>({ type: 'string', enum: [...QUOTED_NAMES], title: 'QuotedField' }),
  value: anyValue,
  quote: Type.String({ description: 'Words of the document, letter for letter' }),
  page: nullable(Type.Integer({ minimum: 1 })),
  document: nested.meetingDocument.served,
  documentVersion: { ...documentVersion, description: 'Whether that document is a draft or adopted; null where the source does not say' },
});
const evidence = object({ id: place, contentRevision: revision, evidence: Type.Array(proven) });

const id = wholeNumber('project', 'Project id, or the id of a record merged into it', 2229);

/** Services of the routes of projects. */
type Services = SubmitServices & EvidenceServices & { counted?: CountObserver | undefined };

export function projectRoutes(services: Services): Route[] {
  const parseSearchQuery = (sent: RawParameters, { principal }: QuerySender) =>
    asksForCsv(sent)
      ? { csv: parseCsvSearch(sent, principal, environmentOf(services)) }
      : { page: parseSearch(sent, principal, environmentOf(services)) };
  return [
    route('Projects', 'searchProjects', 'GET /projects/search', {
      summary: 'Search projects; one page, or every match as a CSV',
      description: 'With `format=csv` a file of up to 10,000 matches is queued; `limit`, `offset` and `page` do not matter then.',
      metered: METERED_RECORDS,
      idempotent: 'honoured',
      query: { table: { filters: true, controls: SEARCH_CONTROLS, parse: parseSearchQuery } },
      answers: [
        json(Type.Array(record), { description: 'One page', meta: pageMeta }),
        geoJson(Type.Array(record)),
        accepted,
        nothingMatched,
      ],
      errors: ['not_acceptable', ...SELECTION_ERRORS, ...CONTACT_ERRORS, ...SUBMIT_ERRORS],
      example: { path: '/v1/projects/search?states=CO&propertyTypes=residential&limit=5' },
      readsAhead: true,
      handle: async ({ actor, query }) => {
        if (!('csv' in query)) return searchProjects(services, actor, query.page);
        await actor.admitted;
        return replyOf(await submitCsvSearch(services, actor, query.csv));
      },
    }),
    route('Projects', 'countProjects', 'GET /projects/count', {
      summary: 'Size and price of a whole match set',
      query: {
        table: {
          filters: true,
          controls: COUNT_CONTROLS,
          parse: (sent, { principal }) => parseCount(sent, principal, environmentOf(services)),
        },
      },
      answers: [
        json(count, { meta: object({ creditsUsed: whole, delivery: Type.Optional(withheld), ...filterEchoSchemas(...MATCH_WARNINGS) }) }),
      ],
      errors: [...SELECTION_ERRORS, 'enrichment_unavailable', 'enrichment_ledger_unavailable'],
      example: { path: '/v1/projects/count?states=CO&propertyTypes=residential' },
      readsAhead: true,
      handle: ({ actor, query }) => countProjects(services, actor, query),
    }),
    route('Projects', 'getProject', 'GET /projects/{id}', {
      summary: 'One project, by its id or the id of a record merged into it',
      metered: METERED_RECORDS,
      idempotent: 'honoured',
      params: { id },
      query: {
        table: { filters: false, controls: READ_CONTROLS, parse: (sent, { principal }) => parseRead(sent, principal, services) },
      },
      answers: [
        json(recordOrNull, {
          description: NULL_OF_REPEATED,
          meta: object({
            representation,
            creditsUsed: whole,
            creditsRemaining: balance,
            delivery: deliverySummary,
            warnings: warnings('people_withheld'),
          }),
        }),
        geoJson(recordOrNull),
      ],
      errors: ['not_acceptable', 'invalid_filter', 'search_unavailable', 'credits_exhausted', ...CONTACT_ERRORS],
      readsAhead: true,
      handle: ({ actor, params, query }) => readProject(services, actor, params.id, query),
    }),
    route('Projects', 'getProjectEvidence', 'GET /projects/{id}/evidence', {
      summary: 'The words of documents from which the values of a project were read',
      description:
        'A read of the record, delivered and billed like `GET /projects/{id}`: free where your pool holds it as it is, and where the generation gives no quote.',
      metered: METERED_RECORDS,
      idempotent: 'honoured',
      params: { id },
      answers: [
        json(nullable(evidence), {
          description: NULL_OF_REPEATED,
          meta: object({
            creditsUsed: whole,
            creditsRemaining: balance,
            delivery: deliverySummary,
            warnings: warnings('documents_unread'),
          }),
        }),
      ],
      errors: ['search_unavailable', 'credits_exhausted'],
      handle: ({ actor, params }) => readEvidence(services, actor, params.id),
    }),
    route('Projects', 'getProjectChanges', 'GET /projects/{id}/changes', {
      summary: 'Which fields changed since your pool was last delivered the record, and what they were and are',
      params: { id },
      answers: [json(changes, { meta: object({ creditsUsed: whole, warnings: warnings('people_withheld') }) })],
      errors: ['search_unavailable'],
      handle: ({ actor, params }) => explainChanges(services, actor, params.id),
    }),
  ];
}
