/** OGC API - Features, Part 1: Core (17-069r4), with its GeoJSON, from the root of the service. */
import { Type } from 'typebox';
import { nullable, object } from '../../core/domain/record/field.ts';
import type { RawParameters } from '../../core/filter/parse.ts';
import { environmentOf } from '../../core/search/services.ts';
import { bare, geoJson, type QuerySender, type Route, route } from '../../http/declaration.ts';
import { CHARGE_ERRORS, METERED_RECORDS, record, recordOrNull, SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { wholeNumber } from '../../http/pathParameters.ts';
import { OGC_ROOT } from '../../http/roots.ts';
import { moment } from '../../http/schemas.ts';
import {
  CONFORMANCE,
  describeCollection,
  listCollections,
  makeLandingPage,
  type OgcServices,
  queryablesUrl,
  SCHEMA_TYPE,
  schemaUrl,
} from './collections.ts';
import { featureSchema, queryablesSchema } from './featureSchema.ts';
import { type ItemServices, listItems, readItem } from './items.ts';
import { ITEM_CONTROLS, parseItems } from './request.ts';

const text = Type.String();
const uri = Type.String({ format: 'uri' });
const links = Type.Array(object({ rel: text, href: uri, type: text, title: text }));
const collection = object({
  id: text,
  title: text,
  description: text,
  itemType: text,
  crs: Type.Array(uri),
  extent: Type.Optional(
    object({
      spatial: object({ bbox: Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), { minItems: 1 }), crs: uri }),
      temporal: object({ interval: Type.Array(Type.Array(nullable(moment), { minItems: 2, maxItems: 2 }), { minItems: 1 }), trs: uri }),
    }),
  ),
  links,
});

const FILTERED = ['invalid_filter', 'geographic_access_denied'] as const;
const LOOKS = ['search_unavailable', 'service_unavailable'] as const;

/** @param looks what the documents read, @param items what the features are read with */
export function ogcRoutes(looks: OgcServices, items: ItemServices): Route[] {
  const { publicUrl } = looks;
  // Programs send what stands behind the address that they were given along with every request.
  const query = {
    table: {
      filters: true,
      controls: ITEM_CONTROLS,
      parse: (sent: RawParameters, { principal }: QuerySender) => parseItems(sent, principal, environmentOf(items)),
    },
  };
  const billed = { query, metered: METERED_RECORDS, idempotent: 'honoured' } as const;
  return [
    route('GIS', 'getOgcLandingPage', `GET ${OGC_ROOT}`, {
      query,
      summary: 'The landing page of OGC API - Features',
      answers: [bare(object({ title: text, description: text, links }))],
      errors: FILTERED,
      handle: () => ({ data: makeLandingPage(publicUrl) }),
    }),
    route('GIS', 'getOgcConformance', `GET ${OGC_ROOT}/conformance`, {
      query,
      summary: 'The classes of the standard that are conformed to',
      answers: [bare(object({ conformsTo: Type.Array(uri) }))],
      errors: FILTERED,
      handle: () => ({ data: CONFORMANCE }),
    }),
    route('GIS', 'listOgcCollections', `GET ${OGC_ROOT}/collections`, {
      query,
      summary: 'The collections',
      answers: [bare(object({ links, collections: Type.Array(collection) }))],
      errors: [...FILTERED, ...LOOKS],
      handle: async (request) => ({ data: await listCollections(looks, request.actor, request.query) }),
    }),
    route('GIS', 'getOgcCollection', `GET ${OGC_ROOT}/collections/projects`, {
      query,
      summary: 'The collection of projects, and where and when those lie that the filters find',
      answers: [bare(collection)],
      errors: [...FILTERED, ...LOOKS],
      handle: async (request) => ({ data: await describeCollection(looks, request.actor, request.query) }),
    }),
    route('GIS', 'getOgcSchema', `GET ${OGC_ROOT}/collections/projects/schema`, {
      query,
      summary: 'JSON Schema of a feature: the types of its properties',
      answers: [bare(Type.Record(text, Type.Unknown()), SCHEMA_TYPE)],
      errors: FILTERED,
      handle: ({ query }) => ({ data: featureSchema(query, schemaUrl(publicUrl, query)) }),
    }),
    route('GIS', 'getOgcQueryables', `GET ${OGC_ROOT}/collections/projects/queryables`, {
      query,
      summary: 'JSON Schema of the properties that `filter` compares',
      answers: [bare(Type.Record(text, Type.Unknown()), SCHEMA_TYPE)],
      errors: FILTERED,
      handle: () => ({ data: queryablesSchema(queryablesUrl(publicUrl)) }),
    }),
    route('GIS', 'listOgcItems', `GET ${OGC_ROOT}/collections/projects/items`, {
      ...billed,
      summary: 'A page of projects as features, in the order of change',
      description:
        'Every filter of a search, but `bbox` and `datetime` as the standard has them, and `filter` in CQL2 text. All hearings count unless a request says otherwise. Projects without a place or a hearing are not in the collection. The link `next` leads through all pages.',
      answers: [geoJson(Type.Array(record))],
      errors: [...SELECTION_ERRORS, ...CHARGE_ERRORS, 'invalid_cursor', 'sync_tie_unresolved'],
      example: { path: `${OGC_ROOT}/collections/projects/items?bbox=-105.7,39.9,-105,40.3&limit=10` },
      handle: (request) => listItems(items, request.actor, request.query),
    }),
    route('GIS', 'getOgcItem', `GET ${OGC_ROOT}/collections/projects/items/{id}`, {
      ...billed,
      summary: 'One project as a feature, whatever the filters',
      params: { id: wholeNumber('project', 'Project id, or the id of a record merged into it', 2229) },
      answers: [geoJson(recordOrNull)],
      errors: [...FILTERED, 'search_unavailable', 'credits_exhausted'],
      handle: ({ actor, params, query: walk }) => readItem(items, actor, params.id, walk),
    }),
  ];
}
