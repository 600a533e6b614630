/** Withdraws the files of snapshots that contain people who were suppressed. */
import type { PeopleSubscriber } from '../../core/people/suppressions.ts';

export const SNAPSHOT_PEOPLE: PeopleSubscriber = {
  async hidePeople(tx, hashes) {
    const expired = await tx.query(
      `update snapshot s set expires_at = service_now()
       where s.lost_at is null and s.expires_at > service_now()
         and exists (select from snapshot_person p where p.snapshot_id = s.id and p.hashes && $1::bigint[]) returning 1`,
      [hashes],
    );
    return { expiredSnapshots: expired.length };
  },
};
