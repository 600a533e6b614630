import { Type } from 'typebox';
import { day, ID_MAX, nullable, object, oneOf, place } from '../../core/domain/record/field.ts';
import { restrictionSchema } from '../../core/domain/restriction/schemas.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import { environmentOf } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { collectionMeta, SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { wholeNumber } from '../../http/pathParameters.ts';
import { asInFilter, whole } from '../../http/schemas.ts';
import { checkRestrictions } from './checkRestrictions.ts';
import { listRestrictions, type RestrictionServices, readRestriction } from './listRestrictions.ts';
import { LIST_QUERY, readSharedFilters } from './request.ts';

const restriction = { ...restrictionSchema, title: 'Restriction' };
const on = { ...day, description: 'The day for which `status` is computed' };

const checkBody = object({
  projectId: Type.Optional(Type.Integer({ minimum: 1, maximum: ID_MAX, description: 'A project; its uses count unless `uses` are sent' })),
  point: Type.Optional(
    object({
      lat: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north (WGS 84)' }),
      lng: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east' }),
    }),
  ),
  county: Type.Optional(asInFilter('A county as `counties` takes it: name with state, such as `Boulder County, CO`, or FIPS number')),
  city: Type.Optional(asInFilter('A city as `cities` takes it: name with state, or number')),
  uses: Type.Optional(
    Type.Array(
      object({
        type: Type.String({ maxLength: 100, description: 'Building Type, by token or label' }),
        subtype: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'Subtype of it' }))),
        assetClass: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'Asset class of the subtype' }))),
      }),
      { minItems: 1, maxItems: 20, description: 'Uses asked about; any use without it' },
    ),
  ),
  on: Type.Optional({ ...day, description: 'The day; today without it' }),
});

const checkAnswer = object({
  binds: { ...oneOf('yes', 'no', 'unclear'), description: 'unclear: `because` says why' },
  on: day,
  because: Type.Array(
    object({
      restrictionId: place,
      binds: { ...oneOf('yes', 'unclear'), description: 'Of this one' },
      text: Type.String({ description: 'What binds, or why it is unclear' }),
      quote: nullable(Type.String({ description: 'Words of the document that its `evidence` names' })),
      quotedFrom: restrictionSchema.properties.evidenceFrom,
    }),
  ),
  restrictions: Type.Array(restriction, { description: 'Those that bind, and those of which it is unclear' }),
  ended: Type.Array(restriction, { description: 'Those that were in force there for the uses within the year before, and have ended' }),
});

/** `GET /restrictions`, `GET /restrictions/{id}`, `POST /restrictions/check`. */
export const restrictionRoutes = (services: RestrictionServices): Route[] => [
  route('Projects', 'listRestrictions', 'GET /restrictions', {
    summary: 'Moratoria, bans and interim ordinances: what may not be built where, and until when',
    description:
      'Of your licence. `status` is computed for the day asked, from dates and extensions; `endBasis` says where the end is from. A rectangle, circle or polygon selects by the point of the jurisdiction. Free.',
    query: { own: LIST_QUERY },
    answers: [json(Type.Array(restriction), { meta: object({ ...collectionMeta.properties, on }) })],
    errors: [...SELECTION_ERRORS.slice(0, 2), 'service_unavailable'],
    example: { path: '/v1/restrictions?states=CO&propertySubtypes=data_center' },
    handle: ({ actor, query }) => {
      const { statuses, kinds, inForceOn, endsFrom, endsTo, sort, limit = COLLECTION_LIMIT_MAX, offset = 0, ...shared } = query;
      const filters = readSharedFilters(shared, actor.principal, environmentOf(services));
      return listRestrictions(services, actor, { filters, statuses, kinds, inForceOn, endsFrom, endsTo, sort, limit, offset });
    },
  }),
  route('Projects', 'readRestriction', 'GET /restrictions/{id}', {
    summary: 'One restriction, with the words that prove it',
    params: { id: wholeNumber('restriction', 'Restriction id', 9001) },
    answers: [json(restriction, { meta: object({ creditsUsed: whole, on }) })],
    errors: ['service_unavailable'],
    handle: ({ actor, params }) => readRestriction(services, actor, params.id),
  }),
  route('Projects', 'checkRestrictions', 'POST /restrictions/check', {
    summary: 'Whether a restriction binds a project, point, county or city on a day: yes, no, or unclear with the reason',
    description:
      'Unclear where an end depends on an event or is not known, where an exemption or a size may apply, and where a boundary is not known: an ordinance of a county need not bind inside its cities. On metered plans a project is one that your pool holds. Free.',
    body: checkBody,
    answers: [json(checkAnswer, { meta: object({ creditsUsed: whole }) })],
    errors: ['resource_not_found', 'invalid_filter', 'geographic_access_denied', 'search_unavailable', 'service_unavailable'],
    example: { body: { county: 'Boulder County, CO', uses: [{ type: 'industrial', subtype: 'data_center' }], on: '2026-11-20' } },
    handle: ({ actor, body }) => checkRestrictions(services, actor, body),
  }),
];
