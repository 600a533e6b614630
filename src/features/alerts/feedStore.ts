/** Feeds of alerts: created and revoked by members, read by the secret in their URLs (src/docs/alerts.md). */
import { SecretAddresses } from '../../core/identity/secretAddresses.ts';
import { isMemberSql } from '../../core/store/postgres/membership.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import type { StoredFeed } from './types.ts';

/** The alert that a feed shows. */
interface OpenedFeed {
  alertId: string;
  teamId: number;
  name: string;
  archived: boolean;
}

export type AlertFeeds = SecretAddresses<StoredFeed, OpenedFeed>;

/** None opens when its creator is no longer a member of the alert. @param pepper KEY_PEPPER */
export const makeAlertFeeds = (database: Database, pepper: string): AlertFeeds =>
  new SecretAddresses(database, pepper, {
    table: 'alert_feed',
    shows: 'id, created_by as "createdBy", created_at as "createdAt"',
    opens: `select a.id as "alertId", a.team_id as "teamId", a.name, a.status = 'archived' as archived
      from alert_feed f join alert a on a.id = f.alert_id join app_user u on u.id = f.created_by
      where f.digest = $1 and u.closed_at is null and ${isMemberSql('u.id', 'a')}`,
    idPrefix: 'fed',
    secretPrefix: 'fds',
    purpose: 'feed',
    most: 10,
    named: 'feeds of this alert',
  });
