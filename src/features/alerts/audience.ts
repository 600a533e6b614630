/** Who gets mails of alerts, and what these are called. */
import type { MailAudience } from '../../core/mail/send.ts';
import { memberOf } from '../../core/store/postgres/membership.ts';
import { type Queryable, readable } from '../../core/store/postgres/pool.ts';

export const ALERT_AUDIENCE: MailAudience = {
  /** Alerts of which the address is neither a member's nor in emailTo. */
  async findUnwanted(recipient, ids, on) {
    const rows = await on.query<{ id: string }>(
      `select named.id from unnest($2::text[]) as named (id)
       where not exists (select from alert a where a.id = named.id and (a.notify->'emailTo' ? $1 or exists (
         select from app_user u where u.team_id = a.team_id and u.closed_at is null and lower(u.email) = $1 and ${memberOf('u.id', 'a')})))`,
      [recipient, ids],
    );
    return rows.map(({ id }) => id);
  },
};

/** Those of the alerts that are there, in the order of their ids. @throws ApiError `service_unavailable` */
export const namedAlerts = (on: Queryable, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  readable(on.query('select id, name from alert where id = any ($1) order by id', [ids]));
