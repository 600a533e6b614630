import { Type } from 'typebox';
import { nullable, object, id as positive } from '../../core/domain/record/field.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { projectIdsField } from '../../http/filterFields.ts';
import { CHARGE_ERRORS, ENRICHMENT_ERRORS } from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { moment, whole } from '../../http/schemas.ts';
import { type EnrichmentServices, readEnrichment, submitEnrichment } from './submit.ts';

const ids = Type.Array(positive);

const enrichment = object({
  id: Type.String(),
  enrichmentJobId: Type.String(),
  status: Type.Unsafe<'queued' | 'running' | 'completed' | 'failed'>({
    type: 'string',
    title: 'EnrichmentStatus',
    enum: ['queued', 'running', 'completed', 'failed'],
  }),
  accepted: ids,
  skipped: object({ alreadyEnriched: ids, notPurchased: ids, notFound: ids }),
  processed: whole,
  found: whole,
  pending: whole,
  notAttempted: ids,
  note: nullable(Type.String()),
  error: nullable(object({ code: Type.String(), message: Type.String() })),
  creditsReserved: whole,
  creditsCharged: whole,
  creditsRefunded: whole,
  estimatedCompletion: moment,
  createdAt: moment,
  settledAt: nullable(moment),
  pollUrl: Type.String({ format: 'uri' }),
});

const meta = object({ creditsUsed: whole });

export const contactOptions = object({
  minConfidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Withholds channels that are less certain' })),
  companyOnly: Type.Optional(Type.Boolean({ description: 'Looks companies up, and no people' })),
  maxProjects: Type.Optional(Type.Integer({ minimum: 1, description: 'Look-ups at most; the others are `notAttempted`' })),
});

const body = object({
  projectIds: projectIdsField(1),
  contactOptions: Type.Optional(contactOptions),
  notify: Type.Optional(object({ email: Type.Optional(Type.Boolean({ description: 'Taken; enrichments send no mail' })) })),
});

const id = opaqueId('enrichment', 'Id of the enrichment', 'enr');

export function enrichmentRoutes(services: EnrichmentServices): Route[] {
  return [
    route('Contacts', 'createEnrichment', 'POST /enrichments', {
      summary: 'Find contact info for projects',
      metered:
        'County, State, Multi-State and National: 1 for each project of which the pool receives an email or phone for the first time, reserved when the job is queued and charged when it delivers; included on API Only and trial, within the allowance',
      idempotent: 'required',
      body,
      answers: [json(enrichment, { status: 202, description: 'Queued, or completed at once where nothing was accepted', meta })],
      errors: ['search_unavailable', ...CHARGE_ERRORS, ...ENRICHMENT_ERRORS, 'enrichment_ledger_unavailable', 'resource_not_found'],
      example: { body: { projectIds: [3879, 2229], contactOptions: { minConfidence: 0.8 } } },
      handle: ({ actor, body: sent }) => submitEnrichment(services, actor, sent),
    }),
    route('Contacts', 'getEnrichment', 'GET /enrichments/{id}', {
      summary: 'Where an enrichment stands',
      params: { id },
      answers: [json(enrichment, { meta })],
      handle: ({ actor, params }) => readEnrichment(services, actor, params.id),
    }),
  ];
}
