/**
 * Resolves credentials. While Postgres does not answer, a key that it resolved in the last five minutes is still accepted, unless a change
 * to it has been reported since (src/docs/keys.md).
 */
import { ApiError } from '../domain/errors.ts';
import { type KeyChange, type KeyChanges, RECOGNISED_MS } from '../domain/keyChanges.ts';
import { monthlyCreditsOf, type Principal, type Role, type TeamStatus } from '../domain/principal.ts';
import type { Database } from '../store/postgres/pool.ts';
import { LICENCE_COLUMNS, makeLicence, planOf } from './accounts.ts';

/** Below a second, so that a key revoked by another process is refused within one. */
const CACHE_TTL_MS = 500;
/** From this age on a key that is used is read again meanwhile, so that the requests of a busy caller do not wait for that. */
const READ_AGAIN_MS = 350;
const ENTRIES_MAX = 10_000;
/** About a second together with the wait for a connection. */
const RESOLVE_TIMEOUT_MS = 700;
/** How long Postgres is not queried for a known key after it failed to answer, since a frozen server would delay every request. */
const ASK_AGAIN_MS = 500;

export type KeyState = 'active' | 'rotating' | 'expired' | 'revoked';

/**
 * What a credential resolves to. `digest` identifies it in logs and limits; `lineage` is the id of the first key in its chain of rotations.
 */
export type Resolution =
  | { kind: 'missing' }
  | { kind: 'unusable'; digest: string; code: 'unauthorized' | 'key_expired' | 'account_disabled'; message: string }
  | { kind: 'lapsed'; lineage: string; principal: Principal; message: string }
  | { kind: 'ok'; lineage: string; principal: Principal };

interface ResolvedRow {
  id: string;
  lineage: string;
  team_id: number;
  user_id: number;
  revoked_at: Date | null;
  expires_at: Date | null;
  role: Role;
  closed_at: Date | null;
  plan: string;
  status: TeamStatus;
  monthly_credits: number | null;
  state_ids: number[];
  county_ids: number[];
  /** of an access token */
  connection_id: string | null;
}

const COLUMNS = `k.id, coalesce(k.first_key_id, k.id) as lineage, k.team_id, k.user_id, k.revoked_at, k.expires_at, u.role, u.closed_at, t.plan, t.status,
    t.monthly_credits, ${LICENCE_COLUMNS}`;
const OF_KEY = 'join app_user u on u.id = k.user_id join team t on t.id = k.team_id';

const RESOLVE = {
  key: `select ${COLUMNS}, null as connection_id from api_key k ${OF_KEY} where k.digest = $1`,
  /** an access token of OAuth: the key of its connection */
  token: `select ${COLUMNS}, c.id as connection_id
    from oauth_item i join oauth_connection c on c.id = i.connection_id join api_key k on k.id = c.key_id ${OF_KEY}
    where i.digest = $1 and i.kind = 'AccessToken' and i.expires_at > now()`,
};
export type CredentialKind = keyof typeof RESOLVE;

export function keyStateOf({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }, now: Date): KeyState {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'active';
  return expiresAt > now ? 'rotating' : 'expired';
}

function toPrincipal(row: ResolvedRow): Principal {
  const plan = planOf(row.plan);
  return {
    keyId: row.id,
    teamId: row.team_id,
    userId: row.user_id,
    role: row.role,
    plan,
    monthlyCredits: monthlyCreditsOf(plan, row.monthly_credits),
    licence: makeLicence(plan, row),
    rotatingUntil: row.expires_at,
    ...(row.connection_id === null ? {} : { connection: { id: row.connection_id } }),
  };
}

/** Why a credential is refused, if it is; the first reason that applies counts. */
function judge(row: ResolvedRow | undefined, digest: string, now: Date): Resolution {
  const unusable = (code: 'unauthorized' | 'key_expired' | 'account_disabled', message: string) =>
    ({ kind: 'unusable', digest, code, message }) as const;
  if (!row) return unusable('unauthorized', 'This API key is not known.');
  const state = keyStateOf({ revokedAt: row.revoked_at, expiresAt: row.expires_at }, now);
  if (state === 'revoked') return unusable('unauthorized', 'This API key was revoked.');
  if (row.closed_at) return unusable('unauthorized', "This API key's user has closed their account; a team owner can reassign the key.");
  if (state === 'expired') return unusable('key_expired', 'This API key was rotated and its grace window is over; use its replacement.');
  if (row.status === 'disabled')
    return unusable('account_disabled', 'This account is disabled; another key will not help. Contact support.');
  const { lineage } = row;
  const principal = toPrincipal(row);
  if (row.status === 'active') return { kind: 'ok', lineage, principal };
  const message = 'This account has no active plan or trial. The key stays valid and works again once the plan is reactivated.';
  return { kind: 'lapsed', lineage, principal, message };
}

/** A bounded map by digest; the oldest entry is dropped first. */
class NewestEntries<T> extends Map<string, T> {
  put(name: string, entry: T): void {
    this.delete(name);
    this.set(name, entry);
    const [oldest] = this.keys();
    if (this.size > ENTRIES_MAX && oldest !== undefined) this.delete(oldest);
  }
}

interface KeyResolverOptions {
  database: Pick<Database, 'query'>;
  now: () => Date;
  changes?: KeyChanges | undefined;
}

interface CachedRow {
  /** when Postgres was asked */
  startedAt: number;
  row: Promise<ResolvedRow | undefined>;
  isReadAgain?: boolean;
}

/** Resolves keys by their digests, never by their secrets. */
export class KeyResolver {
  readonly #options: KeyResolverOptions;
  /** Caches promises, so that concurrent requests with one key share a query. */
  readonly #cache = new NewestEntries<CachedRow>();
  /** The last answer of Postgres about each existing key, and when it was asked. */
  readonly #known = new NewestEntries<{ askedAt: number; row: ResolvedRow }>();
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: KeyResolverOptions) {
    this.#options = options;
  }

  /**
   * At most half a second old while Postgres answers, five minutes otherwise; a token is refused then, since the end of its connection is not reported.
   * @throws ApiError `service_unavailable` when it can be resolved neither by Postgres nor from memory
   */
  async resolve(digest: Buffer, kind: CredentialKind = 'key'): Promise<Resolution> {
    const name = digest.toString('hex');
    return judge(await this.#readRow(name, digest, kind), name, this.#options.now());
  }

  /** Drops the cache, so that every key is read from Postgres again. */
  forget(): void {
    this.#cache.clear();
  }

  /** Applies a change by this process to its cache, and reports it to the other processes. */
  async applyChange(keyId: string, change: KeyChange): Promise<void> {
    for (const { row } of this.#known.values()) if (row.id === keyId) Object.assign(row, change);
    this.#cache.clear();
    await this.#options.changes?.report(`key:${keyId}`, change);
  }

  #readRow(name: string, digest: Buffer, kind: CredentialKind): Promise<ResolvedRow | undefined> {
    const now = this.#time();
    const cached = this.#cache.get(name);
    const age = cached ? now - cached.startedAt : Number.POSITIVE_INFINITY;
    if (cached && age >= 0 && age < CACHE_TTL_MS) {
      if (age >= READ_AGAIN_MS && kind === 'key') this.#readAgain(name, digest, cached, now);
      return cached.row;
    }
    const entry = { startedAt: now, row: this.#look(name, digest, kind, now) };
    this.#cache.put(name, entry);
    entry.row.catch(() => {
      if (this.#cache.get(name) === entry) this.#cache.delete(name);
    });
    return entry.row;
  }

  /** Replaces the cached row of an existing key, unless it was dropped meanwhile: the answer could be of the moment before a change. */
  #readAgain(name: string, digest: Buffer, cached: CachedRow, now: number): void {
    if (cached.isReadAgain || !this.#known.has(name)) return;
    cached.isReadAgain = true;
    const row = this.#look(name, digest, 'key', now);
    row.then(
      () => {
        if (this.#cache.get(name) === cached) this.#cache.put(name, { startedAt: now, row });
      },
      () => undefined, // the request that comes after the cached row's time asks again, and is answered why it fails
    );
  }

  async #look(name: string, digest: Buffer, kind: CredentialKind, askedAt: number): Promise<ResolvedRow | undefined> {
    const sinceFailure = askedAt - this.#failedAt;
    if (this.#findRecognised(name) && sinceFailure >= 0 && sinceFailure < ASK_AGAIN_MS) return this.#withoutPostgres(name);
    try {
      const { database } = this.#options;
      const [row] = await database.query<ResolvedRow>(RESOLVE[kind], [digest], { timeoutMs: RESOLVE_TIMEOUT_MS });
      if (row && kind === 'key') this.#known.put(name, { askedAt, row });
      else this.#known.delete(name);
      return row;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#failedAt = this.#time();
      const row = await this.#withoutPostgres(name);
      if (!row) throw error;
      return row;
    }
  }

  async #withoutPostgres(name: string): Promise<ResolvedRow | undefined> {
    const row = this.#findRecognised(name);
    return row && { ...row, ...(await this.#options.changes?.readChange(row)) };
  }

  #findRecognised(name: string): ResolvedRow | undefined {
    const known = this.#known.get(name);
    const age = known ? this.#time() - known.askedAt : Number.POSITIVE_INFINITY;
    return age >= 0 && age < RECOGNISED_MS ? known?.row : undefined;
  }

  #time(): number {
    return this.#options.now().getTime();
  }
}
