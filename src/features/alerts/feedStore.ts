/** Feeds of alerts: created and revoked by members, read by the secret in their URLs (src/docs/alerts.md). */

import { createHmac } from 'node:crypto';
import { ApiError } from '../../core/domain/errors.ts';
import { newId } from '../../core/domain/ids.ts';
import { lockKey } from '../../core/identity/lockKey.ts';
import type { KeepForRepeat } from '../../core/search/idempotentRequests.ts';
import { isMemberSql } from '../../core/store/postgres/membership.ts';
import { type Database, requireTables } from '../../core/store/postgres/pool.ts';
import type { Maker } from '../lists/index.ts';
import type { StoredFeed } from './types.ts';

/** Feeds that one member may have of an alert. */
const FEEDS_MAX = 10;

/** The alert that a feed shows. */
interface OpenedFeed {
  alertId: string;
  teamId: number;
  name: string;
  archived: boolean;
}

export class AlertFeedStore {
  readonly #database: Database;
  readonly #pepper: string;

  /** @param pepper KEY_PEPPER: with another one, all URLs are unknown */
  constructor(database: Database, pepper: string) {
    this.#database = database;
    this.#pepper = pepper;
  }

  /**
   * Creates a feed.
   * @returns its id, and its secret of 128 bits, which is not stored
   * @throws ApiError `forbidden` when the member has the maximum of feeds
   */
  create(
    alertId: string,
    { userId, keyId }: Omit<Maker, 'teamId'>,
    keep: KeepForRepeat<{ feedId: string }>,
  ): Promise<{ id: string; secret: string }> {
    const [id, secret] = [newId('fed'), newId('fds')];
    return requireTables(
      this.#database.transaction(async (tx) => {
        await lockKey(tx, keyId);
        // Serialises by alert, so that the count is correct.
        await tx.query('select from alert where id = $1 for no key update', [alertId]);
        const [counted] = await tx.query<{ held: number }>(
          'select count(*)::integer as held from alert_feed where alert_id = $1 and created_by = $2',
          [alertId, userId],
        );
        if ((counted?.held ?? 0) >= FEEDS_MAX)
          throw new ApiError('forbidden', `You have ${FEEDS_MAX} feeds of this alert, the most there can be; delete one first`, {
            details: { maxFeeds: FEEDS_MAX },
          });
        await tx.query(
          'insert into alert_feed (id, alert_id, created_by, digest, made_with, created_at) values ($1, $2, $3, $4, $5, service_now())',
          [id, alertId, userId, this.#digest(secret), keyId],
        );
        await keep(tx, { feedId: id });
        return { id, secret };
      }),
    );
  }

  /** Newest first. */
  list(alertId: string): Promise<StoredFeed[]> {
    const sql = `select id, created_by as "createdBy", created_at as "createdAt" from alert_feed where alert_id = $1
      order by created_at desc, id desc`;
    return requireTables(this.#database.query<StoredFeed>(sql, [alertId]));
  }

  /**
   * Revokes a feed.
   * @returns false when the alert has no such feed
   */
  async remove(alertId: string, id: string): Promise<boolean> {
    const sql = 'delete from alert_feed where alert_id = $1 and id = $2 returning id';
    return (await requireTables(this.#database.query(sql, [alertId, id]))).length > 0;
  }

  /**
   * Undefined when no feed has the secret, or its creator is no longer a member.
   * @throws ApiError `service_unavailable`
   */
  async open(secret: string): Promise<OpenedFeed | undefined> {
    const sql = `select a.id as "alertId", a.team_id as "teamId", a.name, a.status = 'archived' as archived
      from alert_feed f join alert a on a.id = f.alert_id join app_user u on u.id = f.created_by
      where f.digest = $1 and u.closed_at is null and ${isMemberSql('u.id', 'a')}`;
    const [row] = await requireTables(this.#database.query<OpenedFeed>(sql, [this.#digest(secret)]));
    return row;
  }

  #digest(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(`feed:${secret}`).digest();
  }
}
