/** Addresses that need no key: made and deleted by members, opened by the secret in them, of which only a keyed digest is stored. */
import { createHmac } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { newId } from '../domain/ids.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { lockKey } from './lockKey.ts';

/** Columns with their values; names are those of the schema. */
type Columns = Readonly<Record<string, string | number>>;

interface AddressKind {
  table: string;
  /** what an address shows, as SQL over the table */
  shows: string;
  idPrefix: Parameters<typeof newId>[0];
  secretPrefix: Parameters<typeof newId>[0];
  /** what an opened address has, as SQL by the digest `$1` of its secret */
  opens: string;
  /** goes into the digest, so that a secret opens addresses of one kind */
  purpose: string;
  /** addresses that a member may have of the same `of` */
  most: number;
  /** how the refusal of one more names them: `feeds of this alert` */
  named: string;
}

export class SecretAddresses<Row extends { id: string }, Opened extends object> {
  readonly #database: Database;
  readonly #pepper: string;
  readonly #kind: AddressKind;

  /** @param pepper KEY_PEPPER: with another one, all addresses are unknown */
  constructor(database: Database, pepper: string, kind: AddressKind) {
    this.#database = database;
    this.#pepper = pepper;
    this.#kind = kind;
  }

  /**
   * Creates an address.
   * @param of what the member has them of @param more further columns
   * @returns its row, and its secret of 128 bits, which is not stored
   * @throws ApiError `forbidden` when the member has the most there can be
   */
  create(
    { userId, keyId }: { userId: number; keyId: string },
    of: Columns,
    more: Columns,
    keep: (tx: Queryable, made: { feedId: string }) => Promise<void>,
  ): Promise<{ row: Row; secret: string }> {
    const { table, shows, idPrefix, secretPrefix, most, named } = this.#kind;
    const [id, secret] = [newId(idPrefix), newId(secretPrefix)];
    return this.#database.transaction(async (tx) => {
      await lockKey(tx, keyId);
      // Serialises by user, so that the count is correct.
      await tx.query('select from app_user where id = $1 for no key update', [userId]);
      const own = conditionOf({ created_by: userId, ...of });
      const [held] = await tx.query<{ count: number }>(`select count(*)::integer from ${table} where ${own.sql}`, own.values);
      if ((held?.count ?? 0) >= most)
        throw new ApiError('forbidden', `You have ${most} ${named}, the most there can be; delete one first`, {
          details: { maxFeeds: most },
        });
      const row = { id, created_by: userId, made_with: keyId, digest: this.#digest(secret), ...of, ...more };
      const sql = `insert into ${table} (${Object.keys(row)}, created_at)
          values (${Object.keys(row).map((_, i) => `$${i + 1}`)}, service_now()) returning ${shows}`;
      const [made] = await tx.query<Row>(sql, Object.values(row));
      await keep(tx, { feedId: id });
      return { row: made as Row, secret };
    });
  }

  /** Newest first. */
  list(of: Columns): Promise<Row[]> {
    const { sql, values } = conditionOf(of);
    const { table, shows } = this.#kind;
    return this.#database.query<Row>(`select ${shows} from ${table} where ${sql} order by created_at desc, id desc`, values);
  }

  /** @returns whether there was one */
  async remove(of: Columns): Promise<boolean> {
    const { sql, values } = conditionOf(of);
    return (await this.#database.query(`delete from ${this.#kind.table} where ${sql} returning id`, values)).length > 0;
  }

  /** Undefined when no address has the secret. @throws ApiError `service_unavailable` */
  async open(secret: string): Promise<Opened | undefined> {
    return (await this.#database.query<Opened>(this.#kind.opens, [this.#digest(secret)]))[0];
  }

  #digest(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(`${this.#kind.purpose}:${secret}`).digest();
  }
}

const conditionOf = (columns: Columns) => ({
  sql: Object.keys(columns)
    .map((name, i) => `${name} = $${i + 1}`)
    .join(' and '),
  values: Object.values(columns),
});
