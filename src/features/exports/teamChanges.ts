/** Withdraws files of exports when their team is closed (src/docs/operate.md). */
import type { TeamSubscriber } from '../../core/identity/teamChanges.ts';

export const EXPORT_TEAM_CHANGES: TeamSubscriber = {
  async closeTeam(tx, teamId) {
    const expired = await tx.query(
      'update export set expires_at = service_now() where team_id = $1 and file_name is not null and expires_at > service_now() returning 1',
      [teamId],
    );
    return { exports: expired.length };
  },
};
