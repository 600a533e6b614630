/** Recipients of alerts' mails, and names of alerts. */
import type { MailAudience } from '../../core/mail/sendMails.ts';
import { isMemberSql } from '../../core/store/postgres/membership.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';

export const ALERT_AUDIENCE: MailAudience = {
  /** Alerts that must not mail to the address: it belongs to no member and is not in emailTo. */
  async findUnwanted(recipient, ids, on) {
    const rows = await on.query<{ id: string }>(
      `select named.id from unnest($2::text[]) as named (id)
       where not exists (select from alert a where a.id = named.id and (a.notify->'emailTo' ? $1 or exists (
         select from app_user u where u.team_id = a.team_id and u.closed_at is null and lower(u.email) = $1 and ${isMemberSql('u.id', 'a')})))`,
      [recipient, ids],
    );
    return rows.map(({ id }) => id);
  },
};

/** Names of the alerts that exist, in the order of `ids`. @throws ApiError `service_unavailable` */
export const readAlertNames = (on: Queryable, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  on.query('select id, name from alert where id = any ($1) order by id', [ids]);
