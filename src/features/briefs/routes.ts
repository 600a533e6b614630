import { Type } from 'typebox';
import { object } from '../../core/domain/record/field.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import { environmentOf } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { balance, CHARGE_ERRORS, collectionMeta, collectionQuery, METERED_RECORDS, SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { deliverySummary, whole } from '../../http/schemas.ts';
import { type BriefServices, createBrief, deleteBrief, listBriefs, priceBrief, readBriefById } from './create.ts';
import { readBrief } from './request.ts';
import { briefBody, briefEntry, briefPrice, briefSchema } from './schemas.ts';

const id = opaqueId('brief', 'Id of the brief', 'brf');
const free = object({ creditsUsed: whole });
const EXAMPLE = { place: { county: 'Boulder County, CO' }, use: { type: 'residential' } };

/** `POST /briefs`, `POST /briefs/price`, `GET /briefs`, `GET` and `DELETE /briefs/{id}`. */
export function briefRoutes(services: BriefServices): Route[] {
  const readBody = (body: Readonly<Record<string, unknown>>, principal: Parameters<typeof readBrief>[1]) =>
    readBrief(body, principal, environmentOf(services));
  const errors = [...SELECTION_ERRORS, 'resource_not_found', 'service_unavailable'] as const;
  return [
    route('Analytics', 'createBrief', 'POST /briefs', {
      summary: 'What is known of a place and a use: precedents, odds, restrictions, hearings, zoning, and what is not known',
      description:
        'Every statement has the words that prove it, or a call that repeats its number, or says what is not known. Free but for its precedents, which a page of them would bill; refused whole where they cannot be paid. Kept for 30 days as it is.',
      metered: METERED_RECORDS,
      idempotent: 'honoured',
      manySearches: true,
      body: briefBody,
      readBody,
      answers: [
        json(briefSchema, {
          status: 201,
          description: 'Made',
          meta: object({
            creditsUsed: whole,
            creditsRemaining: Type.Optional(balance),
            delivery: Type.Optional(deliverySummary),
          }),
        }),
      ],
      errors: [...errors, ...CHARGE_ERRORS],
      example: { body: EXAMPLE },
      handle: async ({ actor, body, read }) => ({ status: 201, ...(await createBrief(services, actor, body, read)) }),
    }),
    route('Analytics', 'priceBrief', 'POST /briefs/price', {
      summary: 'What a brief would cost now; free',
      manySearches: true,
      body: briefBody,
      readBody,
      answers: [json(briefPrice, { meta: free })],
      errors,
      example: { body: EXAMPLE },
      handle: ({ actor, body, read }) => priceBrief(services, actor, body, read),
    }),
    route('Analytics', 'listBriefs', 'GET /briefs', {
      summary: 'The briefs of your team without their statements, newest first',
      query: { own: collectionQuery('Briefs') },
      answers: [json(Type.Array(briefEntry), { meta: collectionMeta })],
      errors: ['service_unavailable'],
      handle: ({ actor, query: { limit = COLLECTION_LIMIT_MAX, offset = 0 } }) => listBriefs(services, actor, { limit, offset }),
    }),
    route('Analytics', 'getBrief', 'GET /briefs/{id}', {
      summary: 'A brief as it was made; free',
      params: { id },
      answers: [json(briefSchema, { meta: free })],
      errors: ['geographic_access_denied', 'service_unavailable'],
      handle: ({ actor, params }) => readBriefById(services, actor, params.id),
    }),
    route('Analytics', 'deleteBrief', 'DELETE /briefs/{id}', {
      summary: 'Delete a brief; its precedents stay held',
      params: { id },
      answers: [json(object({ id: Type.String(), deleted: Type.Literal(true) }), { meta: free })],
      errors: ['service_unavailable'],
      handle: ({ actor, params }) => deleteBrief(services, actor, params.id),
    }),
  ];
}
