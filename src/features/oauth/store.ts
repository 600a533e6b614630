/** What oidc-provider stores, in Postgres: requests for consent, codes and tokens by keyed hashes of their ids. A grant is a connection. */
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { isStorableJson } from '../../core/domain/storableText.ts';
import { type Database, sqlState } from '../../core/store/postgres/pool.ts';

const STORED: ReadonlySet<string> = new Set(['Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken']);
/** Outlived items deleted by each new one: more than it adds, so that they never accumulate. */
const PURGED_AT_ONCE = 20;
const FOREIGN_KEY_VIOLATION = '23503';
/** A connection has no end of its own. */
const GRANT_SECONDS = 100 * 365 * 86_400;

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

interface AdapterOptions {
  database: Database;
  /** the keyed hash under which a secret is stored */
  hash(secret: string): Buffer;
  /** the metadata in the id of a client */
  openClient(id: string): object | undefined;
  /** address of what a token opens, and what it allows there */
  resource: string;
  scope: string;
}

const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  // The items of a grant end with its connection.
  revokeByGrantId: async () => undefined,
};

/** The adapter of each model. Sessions are not stored, so that every request asks a person for a key. @throws ApiError `service_unavailable` */
export function makeAdapters(options: AdapterOptions): (model: string) => Adapter {
  return (model) => {
    if (model === 'Client') return { ...NOTHING, find: async (id) => options.openClient(id) as AdapterPayload | undefined };
    if (model === 'Grant') return grantAdapter(options);
    return STORED.has(model) ? itemAdapter(options, model) : NOTHING;
  };
}

const grantAdapter = ({ database, resource, scope }: AdapterOptions): Adapter => ({
  ...NOTHING,
  async find(id) {
    const sql = 'select key_id as "accountId", client_id as "clientId", created_at as at from oauth_connection where id = $1';
    const [found] = await database.query<{ accountId: string; clientId: string; at: Date }>(sql, [id]);
    if (!found) return undefined;
    const { at, ...whose } = found;
    const iat = seconds(at);
    return { ...whose, kind: 'Grant', jti: id, iat, exp: iat + GRANT_SECONDS, resources: { [resource]: scope } };
  },
  async destroy(id) {
    await database.query('delete from oauth_connection where id = $1', [id]);
  },
});

function itemAdapter({ database, hash }: AdapterOptions, kind: string): Adapter {
  const endConnection = (id: string) =>
    database.query('delete from oauth_connection where id = (select connection_id from oauth_item where digest = $1)', [hash(id)]);
  return {
    ...NOTHING,
    async upsert(id, payload, expiresIn) {
      if (!isStorableJson(payload)) throw new errors.InvalidRequest('a parameter holds a null byte or half a character');
      // The connection has the client and the key; the id is not stored.
      const { jti: _, clientId: __, accountId: ___, ...stored } = payload;
      const { grantId = null } = kind === 'Interaction' ? {} : payload;
      try {
        await database.query(
          `with outlived as (
               delete from oauth_item where digest in (
                 select digest from oauth_item where expires_at <= now() and digest <> $1
                 order by expires_at limit ${PURGED_AT_ONCE} for update skip locked)
             )
             insert into oauth_item (digest, kind, connection_id, payload, expires_at)
             values ($1, $2, $3, $4::jsonb, now() + make_interval(secs => $5))
             on conflict (digest) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
          [hash(id), kind, grantId, JSON.stringify(stored), expiresIn],
        );
      } catch (error) {
        throw sqlState(error) === FOREIGN_KEY_VIOLATION ? new errors.InvalidGrant('the connection has ended') : error;
      }
    },
    async find(id) {
      const [row] = await database.query<{ payload: AdapterPayload; consumedAt: Date | null; clientId: string | null; accountId: string }>(
        `select i.payload, i.consumed_at as "consumedAt", c.client_id as "clientId", c.key_id as "accountId"
           from oauth_item i left join oauth_connection c on c.id = i.connection_id
           where i.digest = $1 and i.kind = $2 and i.expires_at > now()`,
        [hash(id), kind],
      );
      if (!row) return undefined;
      const { payload, consumedAt, clientId, accountId } = row;
      return {
        ...payload,
        jti: id,
        ...(clientId === null ? {} : { clientId, accountId }),
        ...(consumedAt ? { consumed: seconds(consumedAt) } : {}),
      };
    },
    async consume(id) {
      const sql = 'update oauth_item set consumed_at = now() where digest = $1 and consumed_at is null returning 1';
      if ((await database.query(sql, [hash(id)])).length) return;
      await endConnection(id); // two requests at once are two uses
      throw new errors.InvalidGrant('used before');
    },
    async destroy(id) {
      await database.query('delete from oauth_item where digest = $1', [hash(id)]);
    },
  };
}
