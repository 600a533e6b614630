/** Key management, outside the API root: mint, list, revoke, rotate, reassign. */
import { Type } from 'typebox';
import { ApiError } from '../../core/domain/errors.ts';
import { nullable, object } from '../../core/domain/record/field.ts';
import { type ApiKey, GRACE_HOURS, type GraceHours, makeKeyScope } from '../../core/identity/keys.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { uuid } from '../../http/pathParameters.ts';
import { givenName, moment, warnings, whole } from '../../http/schemas.ts';
import { type KeyServices, type MadeKey, mintOnce, reassignOnce, rotateOnce } from './apiKeys.ts';

const publicKey = (key: ApiKey) => ({
  id: key.id,
  prefix: key.prefix,
  lastFour: key.lastFour,
  name: key.name,
  environment: key.environment,
  state: key.state,
  userId: key.userId,
  createdAt: key.createdAt.toISOString(),
  revokedAt: key.revokedAt?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  replacedBy: key.replacedBy,
});

/** The secret is only in the first answer, since it is not stored. */
const showMinted = ({ data: { key, secret }, meta }: OperationAnswer<MadeKey>) => ({ data: { ...publicKey(key), secret }, meta });

function showRotated(answer: OperationAnswer<MadeKey>) {
  const { data, meta } = showMinted(answer);
  const { predecessor } = answer.data;
  if (!predecessor) throw new Error('A rotation has no predecessor');
  return { data: { ...data, predecessor: publicKey(predecessor) }, meta };
}

const KEY = {
  id: Type.String({ format: 'uuid' }),
  prefix: Type.String(),
  lastFour: Type.String(),
  name: nullable(Type.String()),
  environment: Type.String(),
  state: Type.String(),
  userId: whole,
  createdAt: moment,
  revokedAt: nullable(moment),
  expiresAt: nullable(moment),
  replacedBy: nullable(Type.String()),
};
const apiKey = object(KEY);
const secret = nullable(Type.String({ description: 'In the first answer only; null where an Idempotency-Key repeats it' }));
const keyMeta = object({ warnings: warnings('secret_not_repeated') });
const newKey = object({ ...KEY, secret });

const id = uuid('key', 'Id of the key');
const graceHours = Type.Optional(Type.Unsafe<GraceHours>({ enum: [...GRACE_HOURS], default: 24 }));

export function apiKeyRoutes(services: KeyServices): Route[] {
  const { keys } = services;
  return [
    route('Keys', 'listKeys', 'GET', {
      summary: 'Keys: your own, or the whole team’s for its owner',
      answers: [json(Type.Array(apiKey))],
      handle: async ({ principal }) => ({ data: (await keys.list(makeKeyScope(principal))).map(publicKey) }),
    }),
    route('Keys', 'mintKey', 'POST', {
      summary: 'Mint a key; its secret is shown once',
      body: object({ name: Type.Optional(givenName('What you call the key')) }),
      idempotent: 'honoured',
      answers: [json(newKey, { status: 201, description: 'Minted', meta: keyMeta })],
      errors: ['forbidden'],
      example: { body: { name: 'nightly sync' } },
      handle: async ({ actor, body }) => showMinted(await mintOnce(services, actor, body.name ?? null)),
    }),
    route('Keys', 'revokeKey', 'DELETE /{id}', {
      summary: 'Revoke a key',
      params: { id },
      answers: [json(apiKey)],
      errors: ['forbidden'],
      handle: async ({ principal, params }) => ({ data: publicKey(await keys.revoke(params.id, makeKeyScope(principal))) }),
    }),
    route('Keys', 'rotateKey', 'POST /{id}/rotate', {
      summary: 'Replace a key; the old one works for graceHours more',
      params: { id },
      body: object({ graceHours }),
      idempotent: 'honoured',
      answers: [json(object({ ...KEY, secret, predecessor: apiKey }), { status: 201, description: 'Rotated', meta: keyMeta })],
      errors: ['forbidden'],
      example: { body: { graceHours: 24 } },
      handle: async ({ actor, params, body: { graceHours: hours = 24 } }) =>
        showRotated(await rotateOnce(services, actor, params.id, hours)),
    }),
    route('Keys', 'reassignKey', 'POST /{id}/reassign', {
      summary: 'Attribute a key to another member of the team (owner only)',
      params: { id },
      body: object({ userId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'The member who gets the key' }) }),
      idempotent: 'honoured',
      answers: [json(apiKey)],
      errors: ['forbidden'],
      example: { body: { userId: 1 } },
      handle: async ({ actor, principal, params, body }) => {
        if (principal.role !== 'owner') throw new ApiError('forbidden', 'Only an owner of the team reassigns keys');
        return { data: publicKey(await reassignOnce(services, actor, params.id, body.userId)) };
      },
    }),
  ];
}
