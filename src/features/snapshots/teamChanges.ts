/** Withdraws the files of snapshots when their team is closed (src/docs/operate.md). */
import type { TeamSubscriber } from '../../core/identity/teamChanges.ts';

export const SNAPSHOT_TEAM_CHANGES: TeamSubscriber = {
  async closeTeam(tx, teamId) {
    const expired = await tx.query(
      'update snapshot set expires_at = service_now() where team_id = $1 and lost_at is null and expires_at > service_now() returning 1',
      [teamId],
    );
    return { snapshots: expired.length };
  },
};
