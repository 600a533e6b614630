/** Programs connected to `/mcp` by OAuth (src/docs/mcp.md). Each acts for one key within a monthly bound, and ends with its key. */
import { ApiError } from '../domain/errors.ts';
import { newId } from '../domain/ids.ts';
import type { Principal } from '../domain/principal.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import type { KeyScope } from './keys.ts';
import { lockKey } from './lockKey.ts';

const PER_KEY_MAX = 50;
/** Dead connections deleted by each new one: more than it adds, so that they never accumulate. */
const PURGED_AT_ONCE = 20;

/** SQL: whether key `k` of user `u` works at $1. */
export const KEY_WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > $1) and u.closed_at is null';
/** SQL: whether connection `c` can still be used, or its code exchanged. */
const IS_LIVE = 'exists (select from oauth_item i where i.connection_id = c.id and i.expires_at > now() and i.consumed_at is null)';
const MONTH = `date_trunc('month', service_now() at time zone 'UTC') at time zone 'UTC'`;

/** A program, as it presents itself. */
export interface ConnectedClient {
  clientId: string;
  clientName: string | null;
  /** an origin such as `https://claude.ai`, or a scheme such as `cursor:` */
  returnsTo: string;
}

export interface Connection extends ConnectedClient {
  /** `con_…` */
  id: string;
  keyId: string;
  userId: number;
  /** credits that it may spend in a calendar month (UTC) */
  monthlyCredits: number;
  /** of this month */
  creditsSpent: number;
  createdAt: Date;
  /** when it ends unless it is used before */
  expiresAt: Date;
}

type NewConnection = ConnectedClient & Pick<Connection, 'keyId' | 'monthlyCredits'>;

/** A call within a connection that may spend. */
interface Spending {
  connection: NonNullable<Principal['connection']>;
  teamId: number;
  quoteId: string;
  /** highest price */
  credits: number;
}

export class ConnectionStore {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Creates a connection, which dies unless a code or token of it is stored.
   * @returns its id
   * @throws ApiError `unauthorized` for a key that was revoked meanwhile, `forbidden` for one with the most there can be
   */
  create({ keyId, clientId, clientName, returnsTo, monthlyCredits }: NewConnection): Promise<string> {
    const id = newId('con');
    return this.#database.transaction(async (tx) => {
      await lockKey(tx, keyId);
      const dead = `select id from oauth_connection c where created_at < service_now() - interval '1 day' and not ${IS_LIVE} limit ${PURGED_AT_ONCE} for update skip locked`;
      await tx.query(`delete from oauth_connection where id in (${dead})`);
      const [held] = await tx.query<{ n: number }>('select count(*)::integer as n from oauth_connection where key_id = $1', [keyId]);
      if ((held?.n ?? 0) >= PER_KEY_MAX)
        throw new ApiError('forbidden', `This key has ${PER_KEY_MAX} connections, the most there can be; end one first`);
      await tx.query(
        `insert into oauth_connection (id, key_id, client_id, client_name, returns_to, monthly_credits, created_at)
           values ($1, $2, $3, $4, $5, $6, service_now())`,
        [id, keyId, clientId, clientName, returnsTo, monthlyCredits],
      );
      return id;
    });
  }

  /** Whether a key works, so that its connections do. */
  async keyWorks(keyId: string): Promise<boolean> {
    const sql = `select from api_key k join app_user u on u.id = k.user_id where ${KEY_WORKS} and k.id = $2`;
    return (await this.#database.query(sql, [this.#now(), keyId])).length > 0;
  }

  /** Those of keys that work, newest first. */
  list({ teamId, userId }: KeyScope): Promise<Connection[]> {
    return this.#database.query<Connection>(
      `select c.id, c.client_id as "clientId", c.client_name as "clientName", c.returns_to as "returnsTo", c.key_id as "keyId",
           k.user_id as "userId", c.monthly_credits as "monthlyCredits", c.created_at as "createdAt",
           (select coalesce(sum(s.credits), 0)::integer from oauth_spending s where s.connection_id = c.id and s.at >= ${MONTH}) as "creditsSpent",
           (select max(i.expires_at) from oauth_item i where i.connection_id = c.id) as "expiresAt"
         from oauth_connection c join api_key k on k.id = c.key_id join app_user u on u.id = k.user_id
         where ${KEY_WORKS} and ($2::int is null or k.team_id = $2) and ($3::int is null or k.user_id = $3) and ${IS_LIVE}
         order by c.created_at desc, c.id`,
      [this.#now(), teamId, userId],
    );
  }

  /** Ends a connection: its tokens are unknown from then on. @throws ApiError `resource_not_found` */
  async end(id: string, { teamId, userId }: KeyScope): Promise<void> {
    const sql = `delete from oauth_connection c using api_key k
      where c.id = $1 and k.id = c.key_id and ($2::int is null or k.team_id = $2) and ($3::int is null or k.user_id = $3) returning c.id`;
    if ((await this.#database.query(sql, [id, teamId, userId])).length) return;
    throw new ApiError('resource_not_found', 'There is no such connection, or it is not yours to end', { param: 'id' });
  }

  /**
   * Makes a call that may spend, unless its price and what the connection spent in this month exceed its bound. A call that is killed counts in full.
   * @throws ApiError `forbidden`
   */
  async spend<T>(spending: Spending, work: () => Promise<T>): Promise<T> {
    await this.#database.transaction((tx) => reserve(tx, spending));
    let code: unknown;
    try {
      return await work();
    } catch (error) {
      code = (error as { code?: unknown }).code;
      throw error;
    } finally {
      // Where another call of the same quote is in flight, that one settles it.
      if (code !== 'idempotency_in_flight') await this.#settle(spending);
    }
  }

  /** Replaces the highest price by what the ledger says: what a job reserved counts, whatever comes back later. */
  async #settle({ connection, teamId, quoteId }: Spending): Promise<void> {
    const sql = `update oauth_spending s set credits = (
        select coalesce(greatest(-sum(amount), 0), 0) from ledger_entry
        where team_id = $3 and id > s.ledger_from and idempotency_key = $2
      ) where s.connection_id = $1 and s.quote_id = $2`;
    await this.#database.query(sql, [connection.id, quoteId, teamId]);
  }
}

async function reserve(tx: Queryable, { connection, teamId, quoteId, credits }: Spending): Promise<void> {
  const [found] = await tx.query<{ bound: number }>('select monthly_credits as bound from oauth_connection where id = $1 for update', [
    connection.id,
  ]);
  if (!found) throw new ApiError('unauthorized', 'This connection has ended');
  await tx.query(`delete from oauth_spending where connection_id = $1 and at < ${MONTH}`, [connection.id]);
  const [spent] = await tx.query<{ credits: number; next: string }>(
    `select coalesce(sum(credits), 0)::integer as credits, to_char(${MONTH} at time zone 'UTC' + interval '1 month', 'YYYY-MM-DD') as next
     from oauth_spending where connection_id = $1 and quote_id <> $2`,
    [connection.id, quoteId],
  );
  const left = Math.max(0, found.bound - (spent?.credits ?? 0));
  if (credits > left) {
    const message = `This connection may spend ${found.bound} credits a month, and ${left} are left until ${spent?.next}; this costs up to ${credits}. The person can connect again with a higher bound.`;
    throw new ApiError('forbidden', message, { details: { monthlyCredits: found.bound, creditsLeft: left, creditsRequired: credits } });
  }
  await tx.query(
    `insert into oauth_spending as s (connection_id, quote_id, credits, ledger_from, at)
     values ($1, $2, $3, (select coalesce(max(id), 0) from ledger_entry where team_id = $4), service_now())
     on conflict (connection_id, quote_id) do update set credits = greatest(s.credits, excluded.credits)`,
    [connection.id, quoteId, credits, teamId],
  );
}
