/** Key management, outside the API root: mint, list, revoke, rotate, reassign (decisions §6). */
import { ApiError } from '../domain/errors.ts';
import type { Route, RouteAnswer } from '../http/route.ts';
import { type KeyServices, type MadeKey, mintOnce, rotateOnce } from '../operations/account/apiKeys.ts';
import type { Answer } from '../search/caller.ts';
import { type ApiKey, GRACE_HOURS, type GraceHours, keyScopeOf } from '../store/postgres/keys.ts';
import { callerOf } from './projects.ts';

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

/** The secret is in the first answer only; it is kept nowhere. */
const created = ({ data: { key, secret, predecessor }, meta }: Answer<MadeKey>): RouteAnswer => ({
  status: 201,
  data: { ...publicKey(key), secret, ...(predecessor ? { predecessor: publicKey(predecessor) } : {}) },
  meta,
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function keyId(text: string | undefined): string {
  if (text && UUID.test(text)) return text.toLowerCase();
  throw new ApiError('resource_not_found', `There is no key '${text?.slice(0, 80)}', or you may not see it`, { param: 'id' });
}

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

export function apiKeyRoutes(services: KeyServices): Route[] {
  const { keys } = services;
  return [
    {
      method: 'get',
      path: '',
      summary: 'Keys: your own, or the whole team’s for its owner',
      query: [],
      handle: async ({ principal }) => ({ data: (await keys.list(keyScopeOf(principal))).map(publicKey) }),
    },
    {
      method: 'post',
      path: '',
      summary: 'Mint a key; its secret is shown once',
      query: [],
      body: object({ name: { type: 'string', minLength: 1, maxLength: 200 } }),
      handle: async (request) =>
        created(await mintOnce(services, callerOf(request, 'POST /api/user/api-keys'), (request.body as { name?: string }).name ?? null)),
    },
    {
      method: 'delete',
      path: '/:id',
      summary: 'Revoke a key',
      query: [],
      handle: async ({ principal, path }) => ({ data: publicKey(await keys.revoke(keyId(path.id), keyScopeOf(principal))) }),
    },
    {
      method: 'post',
      path: '/:id/rotate',
      summary: 'Replace a key; the old one works for graceHours more',
      query: [],
      body: object({ graceHours: { enum: [...GRACE_HOURS], default: 24 } }),
      handle: async (request) => {
        const { graceHours } = request.body as { graceHours: GraceHours };
        const caller = callerOf(request, 'POST /api/user/api-keys/{id}/rotate');
        return created(await rotateOnce(services, caller, keyId(request.path.id), graceHours));
      },
    },
    {
      method: 'post',
      path: '/:id/reassign',
      summary: 'Attribute a key to another member of the team (owner only)',
      query: [],
      body: object({ userId: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 } }, ['userId']),
      handle: async ({ principal, path, body }) => {
        if (principal.role !== 'owner') throw new ApiError('forbidden', 'Only an owner of the team reassigns keys');
        return { data: publicKey(await keys.reassign(keyId(path.id), keyScopeOf(principal), (body as { userId: number }).userId)) };
      },
    },
  ];
}
