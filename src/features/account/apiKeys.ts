/** Minting and rotating keys by request: once for an Idempotency-Key, however often the request is repeated. */

import {
  type ApiKey,
  type CommitWith,
  type GraceHours,
  type KeyScope,
  type KeyStore,
  type Making,
  makeKeyScope,
} from '../../core/identity/keys.ts';
import { type Actor, claimOf } from '../../core/search/actor.ts';
import { runFreeOnce, runOnce } from '../../core/search/idempotentRequests.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';

export interface KeyServices extends Pick<ProjectServices, 'idempotency' | 'now'> {
  keys: KeyStore;
}

/** A new key. The secret is null if the request is repeated, since it is not stored. */
export interface MadeKey {
  key: ApiKey;
  secret: string | null;
  /** the key that a rotation replaces */
  predecessor?: ApiKey;
}

/** What is stored for a repeated request. */
interface KeptIds {
  keyId: string;
  predecessorId?: string;
}

const answerFirst = (data: MadeKey): OperationAnswer<MadeKey> => ({ data, meta: { warnings: [] } });

function answerRepeated(data: MadeKey): OperationAnswer<MadeKey> {
  const message = `This Idempotency-Key made the key before; its secret was in that answer only. If it is lost, revoke or rotate the key.`;
  return { data, meta: { warnings: [{ code: 'secret_not_repeated', message, params: { keyId: data.key.id } }] } };
}

/** Mints a key for the user of the calling key. @throws ApiError `forbidden` when the user has the maximum of live keys, `idempotency_*` */
export function mintOnce(services: KeyServices, actor: Actor, name: string | null): Promise<OperationAnswer<MadeKey>> {
  const { teamId, userId } = actor.principal;
  return makeOnce(services, actor, JSON.stringify([userId, name]), { teamId, userId: null }, (making) =>
    services.keys.mint(userId, name, making),
  );
}

/** Replaces a key. @throws ApiError `resource_not_found`, `invalid_request` for a key that is not active, `idempotency_*` */
export function rotateOnce(services: KeyServices, actor: Actor, id: string, graceHours: GraceHours): Promise<OperationAnswer<MadeKey>> {
  const scope = makeKeyScope(actor.principal);
  return makeOnce(services, actor, JSON.stringify([actor.principal.userId, id, graceHours]), scope, (making) =>
    services.keys.rotate(id, scope, graceHours, making),
  );
}

/** Attributes a key to another member. @throws ApiError `resource_not_found`, `forbidden`, `idempotency_*` */
export function reassignOnce(services: KeyServices, actor: Actor, id: string, userId: number): Promise<ApiKey> {
  const scope = makeKeyScope(actor.principal);
  return runFreeOnce<ApiKey, KeptIds>(services, actor, [id, userId], {
    run: (keep) => services.keys.reassign(id, scope, userId, keep),
    replay: ({ keyId }) => services.keys.find(keyId, scope),
  });
}

function makeOnce(
  { keys, idempotency, now }: KeyServices,
  actor: Actor,
  request: string,
  scope: KeyScope,
  make: (making: Making) => Promise<MadeKey>,
): Promise<OperationAnswer<MadeKey>> {
  return runOnce({ idempotency }, actor, request, {
    run: async (claiming) => {
      const claim = claimOf(claiming);
      const { teamId, keyId } = claiming.principal;
      const commitWith: CommitWith | undefined =
        claim && ((tx, ids) => idempotency.settle(tx, teamId, claim, { ids: [], cost: 0, at: now().toISOString(), kept: ids }));
      return answerFirst(await make({ by: keyId, commitWith }));
    },
    replay: async ({ kept }) => {
      const { keyId, predecessorId } = kept as KeptIds;
      const predecessor = predecessorId === undefined ? {} : { predecessor: await keys.find(predecessorId, scope) };
      return answerRepeated({ key: await keys.find(keyId, scope), secret: null, ...predecessor });
    },
  });
}
