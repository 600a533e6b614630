/** API keys: minting, rotation, revocation (src/docs/keys.md). */
import { createHmac, randomBytes } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import type { KeyChanges } from '../domain/keyChanges.ts';
import { classifyKey, displayParts, type KeyKind, mintKey } from '../domain/keyFormat.ts';
import type { Principal } from '../domain/principal.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { holdKey } from './holdKey.ts';
import { holdReached } from './leakedKeys.ts';
import { KeyResolver, type KeyState, keyStateOf, type Resolution } from './resolvedKeys.ts';
import { type StoppedWithKeys, stopMadeWith, type TeamSubscriber } from './teamChanges.ts';

/** Active live keys a user may hold; a rotated predecessor does not count. */
const LIVE_KEYS_PER_USER_MAX = 2;
/** Hours of a rotation's grace. */
export const GRACE_HOURS = [1, 24, 168] as const;
export type GraceHours = (typeof GRACE_HOURS)[number];
export const GRACE_HOURS_DEFAULT: GraceHours = 24;

const HOUR_MS = 3_600_000;

/** What is shown of a key: never its secret. */
export interface ApiKey {
  id: string;
  /** `svc_live_` or `legacy_` */
  prefix: string;
  lastFour: string;
  name: string | null;
  environment: 'live' | 'test';
  state: KeyState;
  teamId: number;
  /** the actor that the key is attributed to */
  userId: number;
  createdAt: Date;
  revokedAt: Date | null;
  /** the end of the grace window of a rotated key */
  expiresAt: Date | null;
  /** id of the key that replaced it */
  replacedBy: string | null;
  /** when an operator learned that somebody else has it */
  leakedAt: Date | null;
}

/** The one moment at which a key's secret exists outside its owner's hands. */
export interface NewKey {
  key: ApiKey;
  secret: string;
}

/** Whose keys an actor may see and stop: null is no bound. A team owner has the whole team's, a member only their own. */
export interface KeyScope {
  teamId: number | null;
  userId: number | null;
}

export const EVERY_KEY: KeyScope = { teamId: null, userId: null };

export function keyScopeOf({ teamId, userId, role }: Pick<Principal, 'teamId' | 'userId' | 'role'>): KeyScope {
  return { teamId, userId: role === 'owner' ? null : userId };
}

interface KeyRow {
  id: string;
  team_id: number;
  user_id: number;
  prefix: string;
  last_four: string;
  name: string | null;
  environment: 'live' | 'test';
  created_at: Date;
  revoked_at: Date | null;
  expires_at: Date | null;
  replaced_by: string | null;
  first_key_id: string | null;
  leaked_at: Date | null;
}

const KEY_COLUMNS =
  'id, team_id, user_id, prefix, last_four, name, environment, created_at, revoked_at, expires_at, replaced_by, first_key_id, leaked_at';

const IN_SCOPE = '($1::int is null or team_id = $1) and ($2::int is null or user_id = $2)';
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const NEVER_LOOKED_UP: Partial<Record<KeyKind, string>> = {
  malformed_live: 'This API key is malformed: a character is wrong, missing or too many. Copy the whole key again.',
  test: 'Sandbox keys (svc_test_) are refused today: the sandbox is not serving data. Use a svc_live_ key.',
};

function toKey(row: KeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    prefix: row.prefix,
    lastFour: row.last_four,
    name: row.name,
    environment: row.environment,
    state: keyStateOf(row, now),
    teamId: row.team_id,
    userId: row.user_id,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    replacedBy: row.replaced_by,
    leakedAt: row.leaked_at,
  };
}

const noKey = () => new ApiError('resource_not_found', 'There is no such API key, or it is not yours to manage.', { param: 'id' });

/** Work that is committed with a new key, or not at all; it gets the ids that say what was made. */
export type CommitWith = (tx: Queryable, made: { keyId: string; predecessorId?: string }) => Promise<void>;

export interface Making {
  /** the key whose request makes it; an operator does where it is left out */
  by?: string;
  commitWith?: CommitWith | undefined;
}

/** A leaked key with everything that was stopped with it. */
export interface LeakedKeys extends StoppedWithKeys {
  key: ApiKey;
  /** the other keys of its lineage, and those that were minted with any of them */
  others: ApiKey[];
}

interface KeyStoreOptions {
  database: Database;
  pepper: string;
  now?: () => Date;
  /** where a stop is reported for processes that cannot reach Postgres */
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
   * Who a credential is. At most half a second old while Postgres answers; throws `service_unavailable` where nothing can say.
   * @param known its digest, where that was made already
   */
  async resolve(credential: string | undefined, known?: Buffer): Promise<Resolution> {
    const kind = credential === undefined ? 'foreign' : classifyKey(credential);
    if (credential === undefined || kind === 'foreign') return { kind: 'missing' };
    const digest = known ?? this.digest(credential);
    const message = NEVER_LOOKED_UP[kind];
    if (message) return { kind: 'unusable', digest: digest.toString('hex'), code: 'unauthorized', message };
    return this.#resolver.resolve(digest);
  }

  /** HMAC-SHA256 under the pepper: a stolen table neither shows a key nor lets one be tried. */
  digest(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(secret).digest();
  }

  /** Throws `forbidden` at the ceiling of two, `resource_not_found` for a user who is not there or has closed. */
  mint(userId: number, name: string | null = null, making: Making = {}): Promise<NewKey> {
    return this.#issue(userId, name, mintKey(randomBytes), making);
  }

  /** Takes in a key that was issued before the service rename. Throws `invalid_request` where it is none. */
  async importLegacy(userId: number, secret: string, name: string | null = null): Promise<NewKey> {
    if (classifyKey(secret) === 'legacy') return this.#issue(userId, name, secret);
    throw new ApiError('invalid_request', 'A legacy key begins with legacy_ and has at most 255 printable characters.', {
      param: 'secret',
    });
  }

  async #issue(userId: number, name: string | null, secret: string, { by, commitWith }: Making = {}): Promise<NewKey> {
    const issued = await this.#database.transaction(async (tx) => {
      // Keys are locked before their users, as by a rotation.
      if (by !== undefined) await holdKey(tx, by);
      const teamId = await this.#makeRoom(tx, userId);
      const made = await this.#insert(tx, { teamId, userId, name, secret, firstKeyId: null, by });
      await commitWith?.(tx, { keyId: made.key.id });
      return made;
    });
    this.#resolver.forget();
    return issued;
  }

  /** Locks the user, so that two mints at once see each other, and answers their team. */
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
    const { prefix, lastFour } = displayParts(key.secret);
    const now = this.#now();
    const [row] = await tx.query<KeyRow>(
      `insert into api_key (team_id, user_id, digest, prefix, last_four, name, created_at, first_key_id, minted_by, minter)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $9::uuid is null then 'operator' else 'key' end) returning ${KEY_COLUMNS}`,
      [key.teamId, key.userId, this.digest(key.secret), prefix, lastFour, key.name, now, key.firstKeyId, key.by ?? null],
    );
    if (!row) throw new Error('Postgres returned no key');
    return { key: toKey(row, now), secret: key.secret };
  }

  /** Newest first, stopped ones included. */
  async list(scope: KeyScope): Promise<ApiKey[]> {
    const sql = `select ${KEY_COLUMNS} from api_key where ${IN_SCOPE} order by created_at desc, id`;
    const rows = await this.#database.query<KeyRow>(sql, [scope.teamId, scope.userId]);
    return rows.map((row) => toKey(row, this.#now()));
  }

  /** Throws `resource_not_found`. */
  async find(id: string, scope: KeyScope): Promise<ApiKey> {
    const sql = `select ${KEY_COLUMNS} from api_key where ${IN_SCOPE} and id = $3`;
    const [row] = await this.#database.query<KeyRow>(sql, [scope.teamId, scope.userId, id]);
    if (!row) throw noKey();
    return toKey(row, this.#now());
  }

  /** Stops a key at once. Doing it twice, or to an expired key, changes nothing. Throws `resource_not_found`. */
  async revoke(id: string, scope: KeyScope): Promise<ApiKey> {
    const key = await this.#change(id, scope, async (tx, row) => {
      if (['revoked', 'expired'].includes(keyStateOf(row, this.#now()))) return row;
      return update(tx, 'revoked_at = $2', [id, this.#now()]);
    });
    await this.#reportRevoked([key]);
    return key;
  }

  /**
   * Stops a key that somebody else has, with its lineage and all that was made with any key of it, and marks those keys as leaked.
   * @param subscribers of features @param commitWith work that is committed with it, or not at all
   * @throws ApiError `resource_not_found`
   */
  async revokeLeaked(
    id: string,
    subscribers: readonly TeamSubscriber[],
    commitWith?: (tx: Queryable, leaked: LeakedKeys) => Promise<void>,
  ): Promise<LeakedKeys> {
    if (!UUID.test(id)) throw noKey();
    const leaked = await this.#database.transaction(async (tx) => {
      const [known] = await tx.query<{ team_id: number }>('select team_id from api_key where id = $1', [id]);
      if (!known) throw noKey();
      // Endpoints and alerts are made under the same lock.
      await tx.query('select from team where id = $1 for no key update', [known.team_id]);
      const reached = await holdReached(tx, id, known.team_id);
      const now = this.#now();
      const rows = await tx.query<KeyRow>(
        `update api_key set leaked_at = coalesce(leaked_at, $2), revoked_at = coalesce(revoked_at, $2) where id = any ($1)
         returning ${KEY_COLUMNS}`,
        [reached.keyIds, now],
      );
      const keys = rows.map((row) => toKey(row, now)).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
      const key = keys.find((one) => one.id === id.toLowerCase());
      if (!key) throw new Error('Postgres lost a locked key');
      const stopped = await stopMadeWith(tx, subscribers, reached);
      const result = { key, others: keys.filter((one) => one !== key), ...stopped };
      await commitWith?.(tx, result);
      return result;
    });
    await this.#reportRevoked([leaked.key, ...leaked.others]);
    return leaked;
  }

  async #reportRevoked(keys: readonly ApiKey[]): Promise<void> {
    this.#resolver.forget();
    for (const { id, revokedAt } of keys) if (revokedAt) await this.#resolver.changed(id, { revoked_at: revokedAt });
  }

  /** Issues the replacement at once and lets the predecessor work for the grace window. Only an active key of an open user rotates. */
  async rotate(
    id: string,
    scope: KeyScope,
    graceHours: GraceHours = GRACE_HOURS_DEFAULT,
    { by, commitWith }: Making = {},
  ): Promise<NewKey & { predecessor: ApiKey }> {
    let issued: NewKey | undefined;
    const rotation = async (tx: Queryable, row: KeyRow) => {
      requireActive(row, this.#now(), 'rotated');
      await requireOpenUser(tx, row.user_id);
      const { team_id: teamId, user_id: userId, name } = row;
      if (by !== undefined) await holdKey(tx, by);
      issued = await this.#insert(tx, { teamId, userId, name, secret: mintKey(randomBytes), firstKeyId: row.first_key_id ?? row.id, by });
      const expiresAt = new Date(this.#now().getTime() + graceHours * HOUR_MS);
      const replaced = await update(tx, 'expires_at = $2, replaced_by = $3', [id, expiresAt, issued.key.id]);
      await commitWith?.(tx, { keyId: issued.key.id, predecessorId: row.id });
      return replaced;
    };
    const predecessor = await this.#change(id, scope, rotation, by);
    if (!issued) throw new Error('A rotation issued no key');
    return { ...issued, predecessor };
  }

  /** Keeps secret, id and configuration, changes only the actor; the new one needs room under the ceiling. */
  async reassign(id: string, scope: KeyScope, userId: number): Promise<ApiKey> {
    return this.#change(id, scope, async (tx, row) => {
      requireActive(row, this.#now(), 'reassigned');
      if (row.user_id === userId) return row;
      const [user] = await tx.query<{ team_id: number }>('select team_id from app_user where id = $1', [userId]);
      if (user?.team_id !== row.team_id)
        throw new ApiError('resource_not_found', `There is no user ${userId} in the team.`, { param: 'userId' });
      await this.#makeRoom(tx, userId);
      return update(tx, 'user_id = $2, last_reassigned_at = $3', [id, userId, this.#now()]);
    });
  }

  /** Locks the key for one change, and forgets what this process knew of it. @param by the key whose request changes it, where `work` holds that */
  async #change(id: string, scope: KeyScope, work: (tx: Queryable, row: KeyRow) => Promise<KeyRow>, by = id): Promise<ApiKey> {
    if (!UUID.test(id)) throw noKey();
    const changed = await this.#database.transaction(async (tx) => {
      // Both in one order: two owners may rotate each other's keys.
      const sql = `select ${KEY_COLUMNS} from api_key where ${IN_SCOPE} and id = any ($3) order by id for update`;
      const rows = await tx.query<KeyRow>(sql, [scope.teamId, scope.userId, [id, by]]);
      const row = rows.find((one) => one.id === id.toLowerCase());
      if (!row) throw noKey();
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
  const replacement = row.replaced_by ? ` Its replacement is ${row.replaced_by}.` : '';
  throw new ApiError('invalid_request', `Only an active key can be ${verb}; this one is ${state}.${replacement}`, {
    param: 'id',
    details: { state, replacedBy: row.replaced_by },
  });
}

/** A replacement would belong to the closed account as its predecessor does, and work for nobody. */
async function requireOpenUser(tx: Queryable, userId: number): Promise<void> {
  const [user] = await tx.query<{ closed_at: Date | null }>('select closed_at from app_user where id = $1', [userId]);
  if (!user?.closed_at) return;
  const message = `This key belongs to user ${userId}, who has closed their account. Reassign it to an open user first, then rotate it.`;
  throw new ApiError('invalid_request', message, { param: 'id', details: { userId, closedAt: user.closed_at.toISOString() } });
}
