/** Feeds of hearings: made and deleted by their user, read by the secret in their addresses. */
import { SecretAddresses } from '../../core/identity/secretAddresses.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import { deleteFeedsWithTeam, type Feeds, feedKindOf } from '../../http/secretFeeds.ts';

/** @param pepper KEY_PEPPER */
export const makeHearingFeeds = (database: Database, pepper: string): Feeds =>
  new SecretAddresses(
    database,
    pepper,
    feedKindOf('hearing_feed', { idPrefix: 'hfd', secretPrefix: 'hfs', purpose: 'hearing feed', named: 'feeds of hearings' }),
  );

export const HEARING_TEAM_CHANGES = deleteFeedsWithTeam('hearing_feed', 'hearingFeeds');
