/** API keys: minting, rotation, revocation (src/docs/keys.md). */
import { createHmac, randomBytes } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import type { KeyChanges } from '../domain/keyChanges.ts';
import { classifyKey, type KeyKind, mintKey, splitForDisplay } from '../domain/keyFormat.ts';
import type { Principal } from '../domain/principal.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { lockConnectedKeys } from './leakedKeys.ts';
import { lockKey } from './lockKey.ts';
import { KeyResolver, type KeyState, keyStateOf, type Resolution } from './resolvedKeys.ts';
import { type StoppedWithKeys, stopCreatedWith, type TeamSubscriber } from './teamChanges.ts';

/** Most active live keys a user; a predecessor in its grace window does not count. */
const LIVE_KEYS_PER_USER_MAX = 2;
/** Lengths of the grace window that a rotation may choose, in hours. */
export const GRACE_HOURS = [1, 24, 168] as const;
export type GraceHours = (typeof GRACE_HOURS)[number];
export const GRACE_HOURS_DEFAULT: GraceHours = 24;

const HOUR_MS = 3_600_000;

/** What is shown of a key, without its secret. */
export interface ApiKey {
  id: string;
  /** `svc_live_` or `legacy_` */
  prefix: string;
  lastFour: string;
  name: string | null;
  environment: 'live' | 'test';
  state: KeyState;
  teamId: number;
  /** the user for whom the key acts */
  userId: number;
  createdAt: Date;
  revokedAt: Date | null;
  /** end of the grace window of a rotated key */
  expiresAt: Date | null;
  /** id of the key that replaces it */
  replacedBy: string | null;
  /** when an operator recorded it as leaked */
  leakedAt: Date | null;
}

/** A new key with its secret, which is never stored or shown again. */
export interface NewKey {
  key: ApiKey;
  secret: string;
}

/** Whose keys an actor may see and revoke; null for no bound. An owner may see the whole team's, a member only their own. */
export interface KeyScope {
  teamId: number | null;
  userId: number | null;
}

export const EVERY_KEY: KeyScope = { teamId: null, userId: null };

export function makeKeyScope({ teamId, userId, role }: Pick<Principal, 'teamId' | 'userId' | 'role'>): KeyScope {
  return { teamId, userId: role === 'owner' ? null : userId };
}

type KeyRow = Omit<ApiKey, 'state'> & { firstKeyId: string | null };

const KEY_COLUMNS = `id, prefix, last_four as "lastFour", name, environment, team_id as "teamId", user_id as "userId", created_at as "createdAt",
  revoked_at as "revokedAt", expires_at as "expiresAt", replaced_by as "replacedBy", leaked_at as "leakedAt", first_key_id as "firstKeyId"`;

const IN_SCOPE = '($1::int is null or team_id = $1) and ($2::int is null or user_id = $2)';
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const NEVER_LOOKED_UP: Partial<Record<KeyKind, string>> = {
  malformed_live: 'This API key is malformed: a character is wrong, missing or too many. Copy the whole key again.',
  test: 'Sandbox keys (svc_test_) are refused today: the sandbox is not serving data. Use a svc_live_ key.',
};

const TOKEN_REFUSED = 'This access token is unknown or has expired, or its connection or key has ended. Refresh it, or connect again.';

const toKey = ({ firstKeyId, ...key }: KeyRow, now: Date): ApiKey => ({ ...key, state: keyStateOf(key, now) });

const keyNotFound = () => new ApiError('resource_not_found', 'There is no such API key, or it is not yours to manage.', { param: 'id' });

/** Work in the transaction that creates a key; gets the ids of the new key and of its predecessor. */
export type CommitWith = (tx: Queryable, made: { keyId: string; predecessorId?: string }) => Promise<void>;

export interface Making {
  /** the key of the request; absent for an operator */
  by?: string;
  commitWith?: CommitWith | undefined;
}

/** A leaked key, and everything that was stopped with it. */
export interface LeakedKeys extends StoppedWithKeys {
  key: ApiKey;
  /** the other keys of its lineage, and those minted with any of them */
  others: ApiKey[];
}

interface KeyStoreOptions {
  database: Database;
  pepper: string;
  now?: () => Date;
  /** reports revocations to processes that cannot reach Postgres */
  changes?: KeyChanges | undefined;
}

export class KeyStore {
  readonly #database: Database;
  readonly #pepper: string;
  readonly #now: () => Date;
  readonly #resolver: KeyResolver;

  constructor({ database, pepper, now = () => new Date(), changes }: KeyStoreOptions) {
    this.#database = database;
    this.#pepper = pepper;
    this.#now = now;
    this.#resolver = new KeyResolver({ database, now, changes });
  }

  /**
   * Resolves a credential. The result is at most half a second old while Postgres answers.
   * @param known the credential's digest, if already computed
   * @throws ApiError `service_unavailable` when it can be resolved neither by Postgres nor from memory
   */
  async resolve(credential: string | undefined, known?: Buffer): Promise<Resolution> {
    const kind = credential === undefined ? 'foreign' : classifyKey(credential);
    if (credential === undefined || kind === 'foreign') return { kind: 'missing' };
    const digest = known ?? this.hashSecret(credential);
    const message = NEVER_LOOKED_UP[kind];
    if (message) return { kind: 'unusable', digest: digest.toString('hex'), code: 'unauthorized', message };
    return this.#resolver.resolve(digest);
  }

  /**
   * Resolves an access token of OAuth to the key of its connection.
   * @param digest of the token, by `hashSecret`
   * @throws ApiError `service_unavailable`
   */
  async resolveToken(digest: Buffer): Promise<Resolution> {
    const found = await this.#resolver.resolve(digest, 'token');
    return found.kind === 'unusable' ? { ...found, code: 'unauthorized', message: TOKEN_REFUSED } : found;
  }

  /** Reads every credential from Postgres again, such as after the end of a connection. */
  forgetResolved(): void {
    this.#resolver.forget();
  }

  /** HMAC-SHA256 with the pepper: a stolen table neither reveals keys nor lets them be guessed offline. */
  hashSecret(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(secret).digest();
  }

  /**
   * Mints a key.
   * @throws ApiError `forbidden` when the user has the maximum, `resource_not_found` when the user does not exist or is closed
   */
  mint(userId: number, name: string | null = null, making: Making = {}): Promise<NewKey> {
    return this.#issue(userId, name, mintKey(randomBytes), making);
  }

  /**
   * Imports a key that was issued before the service was renamed.
   * @throws ApiError `invalid_request` for any other text
   */
  async importLegacy(userId: number, secret: string, name: string | null = null): Promise<NewKey> {
    if (classifyKey(secret) === 'legacy') return this.#issue(userId, name, secret);
    throw new ApiError('invalid_request', 'A legacy key begins with legacy_ and has at most 255 printable characters.', {
      param: 'secret',
    });
  }

  async #issue(userId: number, name: string | null, secret: string, { by, commitWith }: Making = {}): Promise<NewKey> {
    const issued = await this.#database.transaction(async (tx) => {
      // Locks keys before their users, in the same order as a rotation.
      if (by !== undefined) await lockKey(tx, by);
      const teamId = await this.#makeRoom(tx, userId);
      const made = await this.#insert(tx, { teamId, userId, name, secret, firstKeyId: null, by });
      await commitWith?.(tx, { keyId: made.key.id });
      return made;
    });
    this.#resolver.forget();
    return issued;
  }

  /** Locks the user, so that concurrent mints are serialised, and returns the user's team. */
  async #makeRoom(tx: Queryable, userId: number): Promise<number> {
    const sql = 'select team_id from app_user where id = $1 and closed_at is null for update';
    const [user] = await tx.query<{ team_id: number }>(sql, [userId]);
    if (!user) throw new ApiError('resource_not_found', `There is no open user ${userId}.`, { param: 'userId' });
    const count =
      "select count(*)::int as n from api_key where user_id = $1 and environment = 'live' and revoked_at is null and expires_at is null";
    const [held] = await tx.query<{ n: number }>(count, [userId]);
    if ((held?.n ?? 0) < LIVE_KEYS_PER_USER_MAX) return user.team_id;
    throw new ApiError('forbidden', `A user may hold ${LIVE_KEYS_PER_USER_MAX} active live keys. Revoke one, or rotate it.`, {
      details: { maxActiveLiveKeys: LIVE_KEYS_PER_USER_MAX },
    });
  }

  async #insert(
    tx: Queryable,
    key: { teamId: number; userId: number; name: string | null; secret: string; firstKeyId: string | null; by: string | undefined },
  ): Promise<NewKey> {
    const { prefix, lastFour } = splitForDisplay(key.secret);
    const now = this.#now();
    const [row] = await tx.query<KeyRow>(
      `insert into api_key (team_id, user_id, digest, prefix, last_four, name, created_at, first_key_id, minted_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${KEY_COLUMNS}`,
      [key.teamId, key.userId, this.hashSecret(key.secret), prefix, lastFour, key.name, now, key.firstKeyId, key.by ?? null],
    );
    if (!row) throw new Error('Postgres returned no key');
    return { key: toKey(row, now), secret: key.secret };
  }

  /** Newest first, including revoked and expired keys. */
  async list(scope: KeyScope): Promise<ApiKey[]> {
    const sql = `select ${KEY_COLUMNS} from api_key where ${IN_SCOPE} order by created_at desc, id`;
    const rows = await this.#database.query<KeyRow>(sql, [scope.teamId, scope.userId]);
    return rows.map((row) => toKey(row, this.#now()));
  }

  /** @throws ApiError `resource_not_found` */
  async find(id: string, scope: KeyScope): Promise<ApiKey> {
    const sql = `select ${KEY_COLUMNS} from api_key where ${IN_SCOPE} and id = $3`;
    const [row] = await this.#database.query<KeyRow>(sql, [scope.teamId, scope.userId, id]);
    if (!row) throw keyNotFound();
    return toKey(row, this.#now());
  }

  /** Revokes a key at once. Has no effect on a revoked or expired key. @throws ApiError `resource_not_found` */
  async revoke(id: string, scope: KeyScope): Promise<ApiKey> {
    const key = await this.#change(id, scope, async (tx, row) => {
      if (['revoked', 'expired'].includes(keyStateOf(row, this.#now()))) return row;
      return update(tx, 'revoked_at = $2', [id, this.#now()]);
    });
    await this.#reportRevoked([key]);
    return key;
  }

  /**
   * Revokes a leaked key with its lineage, stops everything that was created with any of these keys, and marks them as leaked.
   * @param subscribers of features
   * @param commitWith work in the same transaction
   * @throws ApiError `resource_not_found`
   */
  async revokeLeaked(
    id: string,
    subscribers: readonly TeamSubscriber[],
    commitWith?: (tx: Queryable, leaked: LeakedKeys) => Promise<void>,
  ): Promise<LeakedKeys> {
    if (!UUID.test(id)) throw keyNotFound();
    const leaked = await this.#database.transaction(async (tx) => {
      const [known] = await tx.query<{ team_id: number }>('select team_id from api_key where id = $1', [id]);
      if (!known) throw keyNotFound();
      // Webhook endpoints and alerts are created under the same lock.
      await tx.query('select from team where id = $1 for no key update', [known.team_id]);
      const connected = await lockConnectedKeys(tx, id, known.team_id);
      const now = this.#now();
      const rows = await tx.query<KeyRow>(
        `update api_key set leaked_at = coalesce(leaked_at, $2), revoked_at = coalesce(revoked_at, $2) where id = any ($1)
         returning ${KEY_COLUMNS}`,
        [connected.keyIds, now],
      );
      const keys = rows.map((row) => toKey(row, now)).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
      const key = keys.find((one) => one.id === id.toLowerCase());
      if (!key) throw new Error('Postgres lost a locked key');
      const stopped = await stopCreatedWith(tx, subscribers, connected);
      const result = { key, others: keys.filter((one) => one !== key), ...stopped };
      await commitWith?.(tx, result);
      return result;
    });
    await this.#reportRevoked([leaked.key, ...leaked.others]);
    return leaked;
  }

  async #reportRevoked(keys: readonly ApiKey[]): Promise<void> {
    this.#resolver.forget();
    for (const { id, revokedAt } of keys) if (revokedAt) await this.#resolver.applyChange(id, { revoked_at: revokedAt });
  }

  /** Creates the replacement; the old key keeps working for the grace window. Only an active key of an open account can be rotated. */
  async rotate(
    id: string,
    scope: KeyScope,
    graceHours: GraceHours = GRACE_HOURS_DEFAULT,
    { by, commitWith }: Making = {},
  ): Promise<NewKey & { predecessor: ApiKey }> {
    let issued: NewKey | undefined;
    const rotation = async (tx: Queryable, row: KeyRow) => {
      requireActive(row, this.#now(), 'rotated');
      await requireOpenUser(tx, row.userId);
      const { teamId, userId, name } = row;
      if (by !== undefined) await lockKey(tx, by);
      issued = await this.#insert(tx, { teamId, userId, name, secret: mintKey(randomBytes), firstKeyId: row.firstKeyId ?? row.id, by });
      const expiresAt = new Date(this.#now().getTime() + graceHours * HOUR_MS);
      const replaced = await update(tx, 'expires_at = $2, replaced_by = $3', [id, expiresAt, issued.key.id]);
      await commitWith?.(tx, { keyId: issued.key.id, predecessorId: row.id });
      return replaced;
    };
    const predecessor = await this.#change(id, scope, rotation, by);
    if (!issued) throw new Error('A rotation issued no key');
    return { ...issued, predecessor };
  }

  /** Changes only the user of a key; secret, id and configuration stay. The new user must have fewer than the maximum of keys. */
  async reassign(id: string, scope: KeyScope, userId: number, commitWith?: CommitWith): Promise<ApiKey> {
    return this.#change(id, scope, async (tx, row) => {
      requireActive(row, this.#now(), 'reassigned');
      await commitWith?.(tx, { keyId: id });
      if (row.userId === userId) return row;
      const [user] = await tx.query<{ team_id: number }>('select team_id from app_user where id = $1', [userId]);
      if (user?.team_id !== row.teamId)
        throw new ApiError('resource_not_found', `There is no user ${userId} in the team.`, { param: 'userId' });
      await this.#makeRoom(tx, userId);
      return update(tx, 'user_id = $2, last_reassigned_at = $3', [id, userId, this.#now()]);
    });
  }

  /**
   * Locks a key, changes it, and drops it from this process's cache.
   * @param by the key of the request, if `work` locks that one
   */
  async #change(id: string, scope: KeyScope, work: (tx: Queryable, row: KeyRow) => Promise<KeyRow>, by = id): Promise<ApiKey> {
    if (!UUID.test(id)) throw keyNotFound();
    const changed = await this.#database.transaction(async (tx) => {
      // Locks both in order of id, since two owners may rotate each other's keys at once.
      const sql = `select ${KEY_COLUMNS} from api_key where ${IN_SCOPE} and id = any ($3) order by id for update`;
      const rows = await tx.query<KeyRow>(sql, [scope.teamId, scope.userId, [id, by]]);
      const row = rows.find((one) => one.id === id.toLowerCase());
      if (!row) throw keyNotFound();
      return work(tx, row);
    });
    this.#resolver.forget();
    return toKey(changed, this.#now());
  }
}

async function update(tx: Queryable, assignments: string, values: unknown[]): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(`update api_key set ${assignments} where id = $1 returning ${KEY_COLUMNS}`, values);
  if (!row) throw new Error('Postgres lost a locked key');
  return row;
}

function requireActive(row: KeyRow, now: Date, verb: string): void {
  const state = keyStateOf(row, now);
  if (state === 'active') return;
  const replacement = row.replacedBy ? ` Its replacement is ${row.replacedBy}.` : '';
  throw new ApiError('invalid_request', `Only an active key can be ${verb}; this one is ${state}.${replacement}`, {
    param: 'id',
    details: { state, replacedBy: row.replacedBy },
  });
}

/** Refuses to rotate a key of a closed account, since the replacement would not authenticate either. */
async function requireOpenUser(tx: Queryable, userId: number): Promise<void> {
  const [user] = await tx.query<{ closed_at: Date | null }>('select closed_at from app_user where id = $1', [userId]);
  if (!user?.closed_at) return;
  const message = `This key belongs to user ${userId}, who has closed their account. Reassign it to an open user first, then rotate it.`;
  throw new ApiError('invalid_request', message, { param: 'id', details: { userId, closedAt: user.closed_at.toISOString() } });
}
