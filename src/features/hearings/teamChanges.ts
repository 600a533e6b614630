/** Deletes feeds of hearings when their team is closed, or the keys that made them may have leaked. */
import type { StoppedWithKeys, TeamSubscriber } from '../../core/identity/teamChanges.ts';

export const HEARING_TEAM_CHANGES: TeamSubscriber = {
  async closeTeam(tx, teamId) {
    const feeds = await tx.query('delete from hearing_feed where team_id = $1 returning 1', [teamId]);
    return { hearingFeeds: feeds.length };
  },
  async stopCreatedWith(tx, { teamId, keyIds }) {
    const sql = `delete from hearing_feed where team_id = $1 and made_with = any ($2) returning id, null as "alertId", null as "alertName"`;
    return { feeds: await tx.query<StoppedWithKeys['feeds'][number]>(sql, [teamId, keyIds]) };
  },
};
