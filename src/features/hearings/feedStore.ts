/** Feeds of hearings: made and deleted by their user, read by the secret in their addresses. */
import { SecretAddresses } from '../../core/identity/secretAddresses.ts';
import type { Database } from '../../core/store/postgres/pool.ts';

export interface StoredHearingFeed {
  id: string;
  filters: Readonly<Record<string, unknown>>;
  createdAt: Date;
}

export type HearingFeeds = SecretAddresses<StoredHearingFeed, Pick<StoredHearingFeed, 'filters'> & { teamId: number }>;

/** None opens when the account of its creator is closed. @param pepper KEY_PEPPER */
export const makeHearingFeeds = (database: Database, pepper: string): HearingFeeds =>
  new SecretAddresses(database, pepper, {
    table: 'hearing_feed',
    shows: 'id, filters, created_at as "createdAt"',
    opens: `select f.team_id as "teamId", f.filters from hearing_feed f join app_user u on u.id = f.created_by
      where f.digest = $1 and u.closed_at is null`,
    idPrefix: 'hfd',
    secretPrefix: 'hfs',
    purpose: 'hearing feed',
    most: 20,
    named: 'feeds of hearings',
  });
