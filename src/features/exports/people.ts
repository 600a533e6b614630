/** Withdraws files of exports that contain people who were suppressed. */
import type { PeopleSubscriber } from '../../core/people/suppressions.ts';

export const EXPORT_PEOPLE: PeopleSubscriber = {
  /** Makes these files expire, and also those whose people a restore has left out. */
  async hidePeople(tx, hashes) {
    const expired = await tx.query(
      `update export e set expires_at = service_now() from export x left join export_person p on p.export_id = x.id
       where e.id = x.id and x.file_name is not null and x.expires_at > service_now() and (p.hashes is null or p.hashes && $1::bigint[]) returning 1`,
      [hashes],
    );
    return { expiredExports: expired.length };
  },
};
