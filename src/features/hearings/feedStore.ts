/** Feeds of hearings: made and deleted by their user, read by the secret in their addresses. */
import { createHmac } from 'node:crypto';
import { ApiError } from '../../core/domain/errors.ts';
import { newId } from '../../core/domain/ids.ts';
import { lockKey } from '../../core/identity/lockKey.ts';
import type { KeepForRepeat } from '../../core/search/idempotentRequests.ts';
import { type Database, requireTables } from '../../core/store/postgres/pool.ts';

/** Feeds that one user may have. */
const FEEDS_MAX = 20;

type Filters = Readonly<Record<string, unknown>>;

export interface StoredHearingFeed {
  id: string;
  filters: Filters;
  createdAt: Date;
}

/** Whose feeds are asked for. */
interface Owner {
  teamId: number;
  userId: number;
}

const COLUMNS = 'id, filters, created_at as "createdAt"';

export class HearingFeedStore {
  readonly #database: Database;
  readonly #pepper: string;

  /** @param pepper KEY_PEPPER: with another one, all addresses are unknown */
  constructor(database: Database, pepper: string) {
    this.#database = database;
    this.#pepper = pepper;
  }

  /**
   * Creates a feed.
   * @returns it, and its secret of 128 bits, which is not stored
   * @throws ApiError `forbidden` when the user has the maximum of feeds
   */
  create(
    { teamId, userId, keyId }: Owner & { keyId: string },
    filters: Filters,
    keep: KeepForRepeat<{ feedId: string }>,
  ): Promise<{ feed: StoredHearingFeed; secret: string }> {
    const [id, secret] = [newId('hfd'), newId('hfs')];
    return requireTables(
      this.#database.transaction(async (tx) => {
        await lockKey(tx, keyId);
        // Serialises by user, so that the count is correct.
        await tx.query('select from app_user where id = $1 for no key update', [userId]);
        const [counted] = await tx.query<{ held: number }>('select count(*)::integer as held from hearing_feed where created_by = $1', [
          userId,
        ]);
        if ((counted?.held ?? 0) >= FEEDS_MAX)
          throw new ApiError('forbidden', `You have ${FEEDS_MAX} feeds of hearings, the most there can be; delete one first`, {
            details: { maxFeeds: FEEDS_MAX },
          });
        const [feed] = await tx.query<StoredHearingFeed>(
          `insert into hearing_feed (id, team_id, created_by, made_with, digest, filters, created_at)
           values ($1, $2, $3, $4, $5, $6::jsonb, service_now()) returning ${COLUMNS}`,
          [id, teamId, userId, keyId, this.#digest(secret), JSON.stringify(filters)],
        );
        await keep(tx, { feedId: id });
        return { feed: feed as StoredHearingFeed, secret };
      }),
    );
  }

  /** The user's feeds, newest first. */
  list({ userId }: Owner): Promise<StoredHearingFeed[]> {
    const sql = `select ${COLUMNS} from hearing_feed where created_by = $1 order by created_at desc, id desc`;
    return requireTables(this.#database.query<StoredHearingFeed>(sql, [userId]));
  }

  /** Undefined when the user has no such feed. */
  async find({ userId }: Owner, id: string): Promise<StoredHearingFeed | undefined> {
    const sql = `select ${COLUMNS} from hearing_feed where created_by = $1 and id = $2`;
    return (await requireTables(this.#database.query<StoredHearingFeed>(sql, [userId, id])))[0];
  }

  /** @returns false when the user has no such feed */
  async remove({ userId }: Owner, id: string): Promise<boolean> {
    const sql = 'delete from hearing_feed where created_by = $1 and id = $2 returning id';
    return (await requireTables(this.#database.query(sql, [userId, id]))).length > 0;
  }

  /** Undefined when no feed has the secret, or the account of its creator is closed. @throws ApiError `service_unavailable` */
  async open(secret: string): Promise<{ teamId: number; filters: Filters } | undefined> {
    const sql = `select f.team_id as "teamId", f.filters from hearing_feed f join app_user u on u.id = f.created_by
      where f.digest = $1 and u.closed_at is null`;
    return (await requireTables(this.#database.query<{ teamId: number; filters: Filters }>(sql, [this.#digest(secret)])))[0];
  }

  #digest(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(`hearing feed:${secret}`).digest();
  }
}
