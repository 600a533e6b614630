/** Keys that are made by a request: once for its Idempotency-Key, however often it is repeated. */

import type { Answer, Caller } from '../../search/caller.ts';
import { once } from '../../search/idempotency.ts';
import type { IdempotencyStore } from '../../store/postgres/idempotency.ts';
import type { ApiKey, GraceHours, KeyScope, KeyStore } from '../../store/postgres/keys.ts';
import { keyScopeOf } from '../../store/postgres/keys.ts';

export interface KeyServices {
  keys: KeyStore;
  idempotency: IdempotencyStore;
  now: () => Date;
}

/** A key that was made; the secret is null in an answer that was given before, since it is kept nowhere. */
export interface MadeKey {
  key: ApiKey;
  secret: string | null;
  /** of a rotation: the key that it replaces */
  predecessor?: ApiKey;
}

/** What is kept of a rotation or a mint. */
interface KeptIds {
  keyId: string;
  predecessorId?: string;
}

const firstAnswer = (data: MadeKey): Answer<MadeKey> => ({ data, meta: { warnings: [] } });

function repeatedAnswer(data: MadeKey): Answer<MadeKey> {
  const message = `This Idempotency-Key made the key before; its secret was in that answer only. If it is lost, revoke or rotate the key.`;
  return { data, meta: { warnings: [{ code: 'secret_not_repeated', message, params: { keyId: data.key.id } }] } };
}

/** A new key for the caller. @throws ApiError `forbidden` at the ceiling of live keys, `idempotency_*` */
export function mintOnce(services: KeyServices, caller: Caller, name: string | null): Promise<Answer<MadeKey>> {
  const { teamId, userId } = caller.principal;
  return makeOnce(services, caller, JSON.stringify([userId, name]), { teamId, userId: null }, (settle) =>
    services.keys.mint(userId, name, settle),
  );
}

/** Replaces a key. @throws ApiError `resource_not_found`, `invalid_request` for a key that is not active, `idempotency_*` */
export function rotateOnce(services: KeyServices, caller: Caller, id: string, graceHours: GraceHours): Promise<Answer<MadeKey>> {
  const scope = keyScopeOf(caller.principal);
  return makeOnce(services, caller, JSON.stringify([caller.principal.userId, id, graceHours]), scope, (settle) =>
    services.keys.rotate(id, scope, graceHours, settle),
  );
}

function makeOnce(
  { keys, idempotency, now }: KeyServices,
  caller: Caller,
  request: string,
  scope: KeyScope,
  make: (settle: Parameters<KeyStore['mint']>[2]) => Promise<MadeKey>,
): Promise<Answer<MadeKey>> {
  return once({ idempotency }, caller, request, {
    run: async ({ claim, principal }) =>
      firstAnswer(
        await make(
          claim && ((tx, ids) => idempotency.settle(tx, principal.teamId, claim, { ids: [], cost: 0, at: now().toISOString(), kept: ids })),
        ),
      ),
    replay: async ({ kept }) => {
      const { keyId, predecessorId } = kept as KeptIds;
      const predecessor = predecessorId === undefined ? {} : { predecessor: await keys.find(predecessorId, scope) };
      return repeatedAnswer({ key: await keys.find(keyId, scope), secret: null, ...predecessor });
    },
  });
}
