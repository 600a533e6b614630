import { Type } from 'typebox';
import { named, nullable, object, oneOf, id as positive } from '../../core/domain/record/field.ts';
import { json, onlyProblems, type Route, route } from '../../http/declaration.ts';
import { collectionMeta, collectionQuery } from '../../http/pageSchemas.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { moment, warnings, whole } from '../../http/schemas.ts';
import type { EventDeclaration } from '../feature.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listAttempts,
  listWebhooks,
  readWebhook,
  recoverWebhook,
  replayMessage,
  rotateWebhook,
  testWebhook,
  type WebhookServices,
} from './manage.ts';
import { findUrlProblems } from './request.ts';

const URL_CHARACTERS_MAX = 2_000;
const DESCRIPTION_CHARACTERS_MAX = 500;

const text = Type.String();
const status = named('WebhookStatus', oneOf('active', 'disabled'));
const description = Type.Optional(nullable(Type.String({ maxLength: DESCRIPTION_CHARACTERS_MAX })));

const secret = nullable(Type.String({ description: '`whsec_…`, in this answer only; null where an Idempotency-Key repeats it' }));
const free = object({ creditsUsed: whole });
const secretMeta = object({ creditsUsed: whole, warnings: warnings('secret_not_repeated') });

const id = opaqueId('webhook', 'Id of the webhook', 'whk');
const messageId = opaqueId('message', 'Id of a message, its `webhook-id`', 'msg');

function webhookSchemas(events: readonly EventDeclaration[]) {
  const names = events.map(({ type }) => type);
  const type = Type.Unsafe<string>({ type: 'string', enum: names, title: 'EventType' });
  const messageType = Type.Unsafe<string>({ type: 'string', enum: [...names, 'ping'], title: 'MessageType' });
  const fields = {
    id: text,
    url: text,
    types: Type.Array(type),
    description: nullable(text),
    status,
    createdBy: positive,
    createdAt: moment,
    lastDeliveredAt: nullable(moment),
    failingSince: nullable(moment),
  };
  return {
    types: Type.Array(type, { minItems: 1, maxItems: names.length, uniqueItems: true, description: 'Events that are sent' }),
    webhook: object(fields),
    withSecret: object({ ...fields, secret }),
    attempt: object({
      messageId: text,
      type: messageType,
      status: oneOf('delivered', 'failed'),
      httpStatus: nullable(whole),
      error: nullable(text),
      at: moment,
      nextAttemptAt: nullable(moment),
    }),
    message: object({
      messageId: text,
      type: messageType,
      status: named('MessageStatus', oneOf('waiting', 'sending')),
      nextAttemptAt: moment,
    }),
  };
}

type WebhookSchemas = ReturnType<typeof webhookSchemas>;

export function webhookRoutes(services: WebhookServices): Route[] {
  const schemas = webhookSchemas(services.events);
  return [...endpointRoutes(services, schemas), ...messageRoutes(services, schemas)];
}

const endpointRoutes = (services: WebhookServices, { types, webhook, withSecret }: WebhookSchemas): Route[] => [
  route('Webhooks', 'listWebhooks', 'GET /webhooks', {
    summary: 'Your webhooks, or the whole team’s for its owners, newest first',
    query: { own: collectionQuery('Webhooks') },
    answers: [json(Type.Array(webhook), { meta: collectionMeta })],
    errors: ['invalid_filter'],
    handle: ({ actor, query }) => listWebhooks(services, actor, query),
  }),
  route('Webhooks', 'createWebhook', 'POST /webhooks', {
    summary: 'Have events sent to an address; the secret that signs them is shown once',
    idempotent: 'honoured',
    body: object({
      url: Type.String({ minLength: 1, maxLength: URL_CHARACTERS_MAX, description: 'Where the events are sent' }),
      types,
      description,
    }),
    readBody: (body) => onlyProblems(findUrlProblems(body, services.targets)),
    answers: [json(withSecret, { status: 201, description: 'Saved', meta: secretMeta })],
    // When a request is repeated after its webhook was deleted.
    errors: ['forbidden', 'resource_not_found'],
    example: { body: { url: 'https://hooks.example.com/land-use', types: ['alert.delivery.completed', 'export.ready'] } },
    handle: ({ actor, body }) => createWebhook(services, actor, body),
  }),
  route('Webhooks', 'getWebhook', 'GET /webhooks/{id}', {
    summary: 'One webhook',
    params: { id },
    answers: [json(webhook, { meta: free })],
    handle: ({ actor, params }) => readWebhook(services, actor, params.id),
  }),
  route('Webhooks', 'changeWebhook', 'PATCH /webhooks/{id}', {
    summary: 'Change what a webhook gets, or switch it off and on',
    params: { id },
    body: object({ types: Type.Optional(types), description, status: Type.Optional(status) }),
    answers: [json(webhook, { meta: free })],
    example: { body: { types: ['alert.delivery.completed'] } },
    handle: ({ actor, params, body }) => changeWebhook(services, actor, params.id, body),
  }),
  route('Webhooks', 'deleteWebhook', 'DELETE /webhooks/{id}', {
    summary: 'Delete a webhook with its log',
    params: { id },
    answers: [json(object({ id: text, deleted: Type.Literal(true) }), { meta: free })],
    handle: ({ actor, params }) => deleteWebhook(services, actor, params.id),
  }),
  route('Webhooks', 'rotateWebhook', 'POST /webhooks/{id}/rotate', {
    summary: 'Replace the secret; the old one signs too for 24 hours',
    idempotent: 'honoured',
    params: { id },
    body: object({}),
    answers: [json(withSecret, { meta: secretMeta })],
    handle: ({ actor, params }) => rotateWebhook(services, actor, params.id),
  }),
];

const messageRoutes = (services: WebhookServices, { attempt, message }: WebhookSchemas): Route[] => [
  route('Webhooks', 'testWebhook', 'POST /webhooks/{id}/test', {
    summary: 'Send a `ping`, once',
    idempotent: 'honoured',
    params: { id },
    body: object({}),
    answers: [json(message, { status: 202, description: 'Queued', meta: free })],
    handle: ({ actor, params }) => testWebhook(services, actor, params.id),
  }),
  route('Webhooks', 'recoverWebhook', 'POST /webhooks/{id}/recover', {
    summary: 'Send again what failed or was missed in a range of the last 30 days',
    idempotent: 'honoured',
    params: { id },
    body: object({
      since: Type.String({ format: 'date-time', description: 'From when messages are sent again' }),
      until: Type.Optional(Type.String({ format: 'date-time', description: 'Not included; now unless given' })),
    }),
    answers: [json(object({ since: moment, until: moment, messages: whole }), { status: 202, description: 'Queued', meta: free })],
    example: { body: { since: '2026-11-01T00:00:00Z' } },
    handle: ({ actor, params, body }) => recoverWebhook(services, actor, params.id, body),
  }),
  route('Webhooks', 'listWebhookAttempts', 'GET /webhooks/{id}/attempts', {
    summary: 'The last 100 attempts, newest first, an attempt a row',
    params: { id },
    answers: [json(Type.Array(attempt), { meta: object({ creditsUsed: whole, pageCount: whole }) })],
    handle: ({ actor, params }) => listAttempts(services, actor, params.id),
  }),
  route('Webhooks', 'replayWebhookMessage', 'POST /webhooks/{id}/attempts/{messageId}/replay', {
    summary: 'Send one message again, under its `webhook-id`',
    idempotent: 'honoured',
    params: { id, messageId },
    body: object({}),
    answers: [json(message, { status: 202, description: 'Queued', meta: free })],
    handle: ({ actor, params }) => replayMessage(services, actor, params.id, params.messageId),
  }),
];
