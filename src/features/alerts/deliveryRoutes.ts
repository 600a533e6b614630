/** Routes of previews, runs, deliveries and matches of alerts. */
import { Type } from 'typebox';
import { flag, object, id as positive } from '../../core/domain/record/field.ts';
import { REPRESENTATIONS } from '../../core/domain/record/schemas.ts';
import { choice, word } from '../../core/filter/kinds.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { collectionMeta, collectionQuery, filterEchoSchemas, METERED_RECORDS, representation } from '../../http/pageSchemas.ts';
import { opaqueId, wholeNumber } from '../../http/pathParameters.ts';
import { moment, warnings, whole } from '../../http/schemas.ts';
import { type AlertServices, listDeliveries, readDelivery } from './manage.ts';
import { runManually } from './manualRun.ts';
import { dismiss, readMatches } from './matches.ts';
import { previewAlert } from './preview.ts';
import { readAlertBody } from './request.ts';
import { delivery, free, id, keys, match, name, preview, SAVED, SAVING } from './schemas.ts';

const deliveryId = opaqueId('delivery', 'Id of the delivery', 'del');
const projectId = wholeNumber('match', 'Project id of a match', 1001);

const dismissal = json(object({ projectId: positive, dismissed: flag }), { meta: object(free) });

export const deliveryRoutes = (services: AlertServices): Route[] => [
  route('Alerts', 'previewAlert', 'GET /alerts/{id}/preview', {
    summary: 'What the next run would deliver and cost',
    params: { id },
    answers: [json(preview, { meta: object({ ...free, ...filterEchoSchemas(...SAVED) }) })],
    errors: ['search_unavailable', ...SAVING],
    handle: ({ actor, params }) => previewAlert(services, actor, params.id),
  }),
  route('Alerts', 'previewAlertWith', 'POST /alerts/{id}/preview', {
    summary: 'The same with other keys in place of stored ones; nothing is saved',
    params: { id },
    body: object({ name: Type.Optional(name), ...keys }),
    readBody: (body, principal) => readAlertBody(body, principal, services.places),
    answers: [json(preview, { meta: object({ ...free, ...filterEchoSchemas(...SAVED) }) })],
    errors: ['search_unavailable', ...SAVING],
    example: { body: { maxRecordsPerRun: 500 } },
    handle: ({ actor, params, body, read }) => previewAlert(services, actor, params.id, { body, criteria: read }),
  }),
  route('Alerts', 'runAlert', 'POST /alerts/{id}/run', {
    summary: 'Run an alert now, three times a day',
    metered: METERED_RECORDS,
    idempotent: 'required',
    params: { id },
    body: object({}),
    answers: [
      json(delivery, {
        description: 'Completed, refused with its reason, or already running',
        meta: object({
          ...free,
          manualRuns: object({ limit: whole, used: whole, resetsAt: moment }),
          warnings: warnings('filter_evidence_unconfirmed'),
        }),
      }),
    ],
    errors: ['manual_runs_exhausted', 'search_unavailable'],
    handle: ({ actor, params }) => runManually(services, actor, params.id),
  }),
  route('Alerts', 'listAlertDeliveries', 'GET /alerts/{id}/deliveries', {
    summary: 'Runs of an alert with what each charged, newest first',
    params: { id },
    query: { own: collectionQuery('Deliveries') },
    answers: [json(Type.Array(delivery), { meta: collectionMeta })],
    errors: ['invalid_filter'],
    handle: ({ actor, params, query }) => listDeliveries(services, actor, params.id, query),
  }),
  route('Alerts', 'getAlertDelivery', 'GET /alerts/{id}/deliveries/{deliveryId}', {
    summary: 'One run',
    params: { id, deliveryId },
    answers: [json(delivery, { meta: object({ ...free, warnings: warnings('filter_evidence_unconfirmed') }) })],
    handle: ({ actor, params }) => readDelivery(services, actor, params.id, params.deliveryId),
  }),
  route('Alerts', 'listAlertMatches', 'GET /alerts/{id}/matches', {
    summary: 'Records that an alert has delivered, free; on metered plans as the pool holds them',
    params: { id },
    query: {
      own: {
        ...collectionQuery('Matches'),
        deliveryId: { summary: 'Only what this run delivered, dismissed or not', example: 'del_0000000000000000000000', kind: word },
        representation: {
          summary: 'compact, standard (default) or full',
          example: 'compact',
          kind: choice(...REPRESENTATIONS),
          refusal: 'invalid_request',
        },
      },
    },
    answers: [json(Type.Array(match), { meta: object({ ...collectionMeta.properties, representation }) })],
    errors: ['invalid_filter', 'search_unavailable'],
    handle: ({ actor, params, query }) => readMatches(services, actor, params.id, query),
  }),
  route('Alerts', 'dismissMatch', 'POST /alerts/{id}/dismissals/{projectId}', {
    summary: 'Dismiss a match for everyone; it comes back when it changes',
    params: { id, projectId },
    answers: [dismissal],
    errors: ['search_unavailable'],
    handle: ({ actor, params }) => dismiss(services, actor, params.id, { projectId: params.projectId, dismissed: true }),
  }),
  route('Alerts', 'undismissMatch', 'DELETE /alerts/{id}/dismissals/{projectId}', {
    summary: 'Take a dismissal back',
    params: { id, projectId },
    answers: [dismissal],
    errors: ['search_unavailable'],
    handle: ({ actor, params }) => dismiss(services, actor, params.id, { projectId: params.projectId, dismissed: false }),
  }),
];
