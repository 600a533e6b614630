import { Type } from 'typebox';
import { flag, named, nullable, object, oneOf, id as positive } from '../../core/domain/record/field.ts';
import { FIELD_NAMES } from '../../core/domain/record/fields.ts';
import { PARTY_COLUMNS } from '../../core/domain/record/nested.ts';
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import { INCLUDED } from '../../core/domain/record/schemas.ts';
import { SHARE_MODES, type ShareMode } from '../../core/identity/share.ts';
import { geoJson, json, type Route, route } from '../../http/declaration.ts';
import { filtersField, projectIdsField } from '../../http/filterFields.ts';
import {
  CHARGE_ERRORS,
  CONTACT_ERRORS,
  collectionMeta,
  collectionQuery,
  deletedQuery,
  METERED_RECORDS,
  pageMeta,
  record,
  recordsWith,
} from '../../http/pageSchemas.ts';
import { opaqueId, wholeNumber } from '../../http/pathParameters.ts';
import { anyObject, givenName, moment, restorableUntil, whole } from '../../http/schemas.ts';
import {
  addProjects,
  changeList,
  createList,
  deleteList,
  type ListServices,
  listLists,
  noteProject,
  readList,
  removeProject,
  restoreList,
} from './manage.ts';
import { parseResults, RESULT_CONTROLS, readChangedList, readNewList } from './request.ts';
import { type ListCriteria, listResults } from './results.ts';
import type { ListKind } from './types.ts';

const LIST_KINDS: readonly ListKind[] = ['membership', 'filter', 'polygon', 'alert'];
const text = Type.String();
const criteria = nullable(Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject));
const ring = nullable(Type.Unsafe<readonly (readonly number[])[]>({ type: 'array', items: { type: 'array', items: { type: 'number' } } }));
const mode = Type.Unsafe<ShareMode>({ type: 'string', enum: [...SHARE_MODES], title: 'ShareMode' });
const userIds = Type.Array(positive, { maxItems: 1_000 });
const fieldName = named('RecordField', oneOf(...FIELD_NAMES, ...PARTY_COLUMNS));

/** Body: how a list or an alert is shared. */
export const shareBody = object({ mode: Type.Optional(mode), userIds: Type.Optional(userIds), optOutUserIds: Type.Optional(userIds) });
/** Answer: how it is shared, with its current members. */
export const shareView = object({
  mode,
  userIds: Type.Array(positive),
  optOutUserIds: Type.Array(positive),
  members: Type.Array(object({ userId: positive, name: text })),
});

const list = object({
  id: text,
  name: text,
  description: nullable(text),
  kind: Type.Unsafe<ListKind>({ type: 'string', enum: LIST_KINDS, title: 'ListKind' }),
  alertId: nullable(text),
  filters: criteria,
  polygon: ring,
  columns: nullable(Type.Array(fieldName)),
  searchUrl: nullable(Type.String({ format: 'uri' })),
  projectCount: nullable(whole),
  share: shareView,
  createdBy: positive,
  createdAt: moment,
  updatedAt: moment,
  restorableUntil,
  results: nullable(object({ billable: object({ records: whole, credits: whole }) })),
});

const name = givenName('What you call the list');
const description = Type.Optional(nullable(Type.String({ maxLength: 2000 })));
const share = Type.Optional(shareBody);
const columns = Type.Optional(
  nullable(
    Type.Array(fieldName, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Names of fields of the record, or parties of one role (parties.developer), in the order of a table that shows the list',
    }),
  ),
);
const filters = Type.Optional(filtersField('OrderedFilters', 'Filters, with `sort` and `order`'));
const polygon = Type.Optional(Type.Unsafe<unknown>({ description: 'A linear ring [[lng,lat],…] of 4 to 1000 vertices' }));

const newList = object({
  name,
  description,
  kind: Type.Optional(
    Type.Unsafe<ListKind>({ type: 'string', description: 'membership, filter or polygon; follows from what is sent where it is left out' }),
  ),
  filters,
  polygon,
  columns,
  projectIds: Type.Optional(projectIdsField(0)),
  share,
});

const NOTE_CHARACTERS_MAX = 500;
const note = { ...nullable(text), description: 'Why the project is in the list; there is none in the records of a list without notes' };

/** All fields are optional, since a list of criteria has no page. */
const resultsMeta = Type.Partial(pageMeta);
const free = object({ creditsUsed: whole });
const results = Type.Unsafe<ServedRecord[] | ListCriteria>({
  anyOf: [
    { type: 'array', items: { anyOf: recordsWith({}, { note }, INCLUDED) } },
    object({
      kind: Type.String({ enum: ['filter', 'polygon'] }),
      filters: criteria,
      polygon: ring,
      searchUrl: Type.String({ format: 'uri' }),
    }),
  ],
});

const id = opaqueId('list', 'Id of the list', 'lst');
export function listRoutes(services: ListServices): Route[] {
  const { places } = services;
  return [
    route('Lists', 'listLists', 'GET /lists', {
      summary: 'Your lists and those shared with you, newest first',
      query: { own: { ...collectionQuery('Lists'), deleted: deletedQuery } },
      answers: [json(Type.Array(list), { meta: collectionMeta })],
      errors: ['invalid_filter'],
      handle: ({ actor, query }) => listLists(services, actor, query),
    }),
    route('Lists', 'createList', 'POST /lists', {
      summary: 'Save a list of projects, of filters, or of a polygon',
      idempotent: 'honoured',
      body: newList,
      readBody: (body, principal) => readNewList(body, principal, places),
      answers: [json(list, { status: 201, description: 'Saved', meta: free })],
      errors: [
        ...(['invalid_filter', 'geographic_access_denied', 'sharing_requires_paid_plan', 'search_unavailable'] as const),
        // When a request is repeated after its list was deleted.
        'resource_not_found',
      ],
      example: { body: { name: 'Boulder pipeline', projectIds: [1001, 1002] } },
      handle: ({ actor, body, read }) => createList(services, actor, { body, parts: read }),
    }),
    route('Lists', 'getList', 'GET /lists/{id}', {
      summary: 'One list, with what its results would charge now',
      params: { id },
      answers: [json(list, { meta: free })],
      errors: ['search_unavailable'],
      handle: ({ actor, params }) => readList(services, actor, params.id),
    }),
    route('Lists', 'changeList', 'PATCH /lists/{id}', {
      summary: 'Rename a list, describe it, share it, change its columns or criteria',
      params: { id },
      body: object({ name: Type.Optional(name), description, filters, polygon, columns, share }),
      readBody: (body, principal) => readChangedList(body, principal, places),
      answers: [json(list, { meta: free })],
      errors: ['invalid_filter', 'geographic_access_denied', 'sharing_requires_paid_plan', 'search_unavailable'],
      example: { body: { share: { mode: 'team' } } },
      handle: ({ actor, params, body, read }) => changeList(services, actor, params.id, { body, parts: read }),
    }),
    route('Lists', 'deleteList', 'DELETE /lists/{id}', {
      summary: 'Delete a list for everyone who sees it; it can be restored for 30 days',
      params: { id },
      answers: [json(object({ id: text, deleted: Type.Literal(true) }), { meta: free })],
      handle: ({ actor, params }) => deleteList(services, actor, params.id),
    }),
    route('Lists', 'restoreList', 'POST /lists/{id}/restore', {
      summary: 'Restore a list within 30 days of its deletion, as it was',
      idempotent: 'honoured',
      params: { id },
      answers: [json(list, { meta: free })],
      errors: ['search_unavailable'],
      handle: ({ actor, params }) => restoreList(services, actor, params.id),
    }),
    route('Lists', 'addListProjects', 'POST /lists/{id}/projects', {
      summary: 'Add projects to a membership list; what is there already stays',
      idempotent: 'honoured',
      params: { id },
      body: object({ projectIds: projectIdsField(1) }),
      answers: [
        json(object({ added: Type.Array(positive), alreadyPresent: Type.Array(positive), notFound: Type.Array(positive) }), { meta: free }),
      ],
      errors: ['search_unavailable'],
      example: { body: { projectIds: [1003, 1004] } },
      handle: ({ actor, params, body }) => addProjects(services, actor, params.id, body.projectIds),
    }),
    route('Lists', 'removeListProject', 'DELETE /lists/{id}/projects/{projectId}', {
      summary: 'Remove a project from a membership list',
      params: { id, projectId: wholeNumber('project', 'Project id, or the id of a record merged into it', 1003) },
      answers: [json(object({ projectId: positive, removed: flag }), { meta: free })],
      errors: ['search_unavailable'],
      handle: ({ actor, params }) => removeProject(services, actor, params.id, params.projectId),
    }),
    route('Lists', 'noteListProject', 'PATCH /lists/{id}/projects/{projectId}', {
      summary: 'Note why a project is in a membership list; everyone who sees the list reads the note',
      params: { id, projectId: wholeNumber('project', 'Project id, or the id of a record merged into it', 1003) },
      body: object({ note: nullable(Type.String({ maxLength: NOTE_CHARACTERS_MAX, description: 'Null or blank removes it' })) }),
      answers: [json(object({ projectId: positive, note }), { meta: free })],
      errors: ['search_unavailable'],
      example: { body: { note: 'Same developer as the site in Erie' } },
      handle: ({ actor, params, body }) => noteProject(services, actor, params, body.note),
    }),
    route('Lists', 'getListResults', 'GET /lists/{id}/results', {
      summary: 'Records of a membership list; of a filter or polygon list its criteria and where to search them',
      metered: METERED_RECORDS,
      idempotent: 'honoured',
      params: { id },
      query: {
        table: {
          filters: false,
          controls: RESULT_CONTROLS,
          parse: (sent, { principal, params }) => parseResults(sent, params.id as string, principal, services.places),
        },
      },
      answers: [json(results, { description: 'One page', meta: resultsMeta }), geoJson(Type.Array(record))],
      errors: ['invalid_filter', 'search_unavailable', ...CHARGE_ERRORS, ...CONTACT_ERRORS, 'not_acceptable'],
      handle: ({ actor, params, query }) => listResults(services, actor, params.id, query),
    }),
  ];
}
