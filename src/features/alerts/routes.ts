/** Routes that create, read, change and delete alerts. */
import { Type } from 'typebox';
import { object } from '../../core/domain/record/field.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { collectionMeta, collectionQuery, deletedQuery } from '../../http/pageSchemas.ts';
import { whole } from '../../http/schemas.ts';
import { deliveryRoutes } from './deliveryRoutes.ts';
import { feedManagementRoutes } from './feedManagementRoutes.ts';
import type { FeedServices } from './feeds.ts';
import { type AlertServices, archiveAlert, changeAlert, createAlert, listAlerts, readAlert, restoreAlert } from './manage.ts';
import { readAlertBody, readNewAlert } from './request.ts';
import { alert, free, id, keys, name, notifyKeys, resume, SAVING, savedMeta, text } from './schemas.ts';

export const alertRoutes = (services: FeedServices): Route[] => [
  ...managementRoutes(services),
  ...deliveryRoutes(services),
  ...feedManagementRoutes(services),
];

const managementRoutes = (services: AlertServices): Route[] => [
  route('Alerts', 'listAlerts', 'GET /alerts', {
    summary: 'Alerts that you are a member of, newest first',
    query: { own: { ...collectionQuery('Alerts'), deleted: deletedQuery } },
    answers: [json(Type.Array(alert), { meta: object({ ...collectionMeta.properties, activeAlerts: whole, maxActiveAlerts: whole }) })],
    errors: ['invalid_filter'],
    handle: ({ actor, query }) => listAlerts(services, actor, query),
  }),
  route('Alerts', 'createAlert', 'POST /alerts', {
    summary: 'Leave a search running: daily, weekly or monthly at 06:00 US Mountain Time',
    idempotent: 'honoured',
    body: object({ name, ...keys }),
    readBody: (body, principal) => readNewAlert(body, principal, services.places),
    answers: [json(alert, { status: 201, description: 'Saved', meta: savedMeta })],
    errors: [...SAVING, 'forbidden'],
    example: { body: { name: 'Two sites', filters: { projectIds: [1001, 1002] }, cadence: { frequency: 'weekly' } } },
    handle: ({ actor, body, read }) => createAlert(services, actor, { body, criteria: read }),
  }),
  route('Alerts', 'getAlert', 'GET /alerts/{id}', {
    summary: 'One alert, deleted ones too',
    params: { id },
    answers: [json(alert, { meta: object(free) })],
    handle: ({ actor, params }) => readAlert(services, actor, params.id),
  }),
  route('Alerts', 'changeAlert', 'PATCH /alerts/{id}', {
    summary: 'Change an alert; filters and lists are replaced, the rest is merged',
    params: { id },
    body: object({ name: Type.Optional(name), ...keys, notify: Type.Optional(object({ ...notifyKeys, resume })) }),
    readBody: (body, principal) => readAlertBody(body, principal, services.places),
    answers: [json(alert, { meta: savedMeta })],
    errors: ['forbidden', ...SAVING],
    example: { body: { status: 'paused' } },
    handle: ({ actor, params, body, read }) => changeAlert(services, actor, params.id, { body, criteria: read }),
  }),
  route('Alerts', 'deleteAlert', 'DELETE /alerts/{id}', {
    summary: 'Delete an alert for all of its members; it can be restored for 30 days, and what it delivered stays readable',
    params: { id },
    answers: [json(object({ id: text, status: Type.Literal('archived') }), { meta: object(free) })],
    handle: ({ actor, params }) => archiveAlert(services, actor, params.id),
  }),
  route('Alerts', 'restoreAlert', 'POST /alerts/{id}/restore', {
    summary: 'Restore an alert and its list within 30 days of its deletion, active or paused as it was',
    idempotent: 'honoured',
    params: { id },
    answers: [json(alert, { meta: object(free) })],
    errors: ['alert_limit_reached'],
    handle: ({ actor, params }) => restoreAlert(services, actor, params.id),
  }),
];
