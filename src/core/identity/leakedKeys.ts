/** What a leaked key takes with it when it is revoked: its lineage, and what was made with any key of that (src/docs/keys.md). */
import { memberOf } from '../store/postgres/membership.ts';
import type { Queryable } from '../store/postgres/pool.ts';

/** What was stopped with a leaked key, besides keys; what had been stopped before is not named. */
export interface StoppedWithKeys {
  feeds: { id: string; alertId: string; alertName: string }[];
  webhooks: { id: string; url: string }[];
  /** addresses outside the team that an alert mailed to */
  recipients: { address: string; alertId: string; alertName: string }[];
}

/** Keys that somebody else may hold, and by which to judge what was made before it was recorded with which key. */
interface Suspicion {
  teamId: number;
  keyIds: string[];
  /** whom the keys of the lineage act for */
  userIds: number[];
  /** when the first key of the lineage was made */
  since: Date;
}

/**
 * Keys of the lineage of $1, and all that were minted or rotated to by one of these, over any number of steps. What was minted before that was
 * recorded counts where it is of the same user and younger than the lineage.
 */
const REACHED = `with recursive lineage as (
    select k.id, k.user_id, k.created_at from api_key k join api_key leaked on leaked.id = $1 and leaked.team_id = k.team_id
    where coalesce(k.first_key_id, k.id) = coalesce(leaked.first_key_id, leaked.id)
  ), reached as (
    select id from lineage
    union
    select k.id from api_key k where k.team_id = $2 and k.minter is null and k.user_id in (select user_id from lineage)
      and k.created_at >= (select min(created_at) from lineage)
    union
    select made.id from reached r join api_key k on k.id = r.id
      join api_key made on made.team_id = $2 and (made.minted_by = k.id or made.id = k.replaced_by)
  )`;

/** Locks the keys that a leaked one leads to, until no more are found: one that is being minted is committed first, or refused. */
export async function holdReached(tx: Queryable, keyId: string, teamId: number): Promise<Suspicion> {
  for (let held = 0; ; ) {
    const keys = await tx.query<{ id: string }>(
      `${REACHED} select id from api_key where id in (select id from reached) order by id for update`,
      [keyId, teamId],
    );
    if (keys.length === held) break;
    held = keys.length;
  }
  const sql = `${REACHED} select array(select id from reached order by id) as "keyIds", array_agg(distinct user_id) as "userIds",
      min(created_at) as since from lineage`;
  const [found] = await tx.query<Omit<Suspicion, 'teamId'>>(sql, [keyId, teamId]);
  if (!found) throw new Error(`The key ${keyId} has no lineage`);
  return { teamId, ...found };
}

/** Stops what was made with keys that somebody else may hold. */
export async function stopMadeWith(tx: Queryable, suspicion: Suspicion): Promise<StoppedWithKeys> {
  const { teamId, keyIds, userIds, since } = suspicion;
  const values = [teamId, keyIds, userIds, since];
  const made = (table: string) =>
    `(${table}.made_with = any ($2) or ${table}.made_with is null and ${table}.created_by = any ($3) and ${table}.created_at >= $4)`;
  const feeds = await tx.query<StoppedWithKeys['feeds'][number]>(
    `delete from alert_feed f using alert a where a.id = f.alert_id and a.team_id = $1 and ${made('f')}
     returning f.id, a.id as "alertId", a.name as "alertName"`,
    values,
  );
  // Whoever knows a secret can sign for the service.
  const webhooks = await tx.query<StoppedWithKeys['webhooks'][number]>(
    `update webhook w set status = 'disabled' where w.team_id = $1 and w.status <> 'disabled'
       and (${made('w')} or exists (select from webhook_secret s where s.webhook_id = w.id and s.made_with = any ($2)
         and (s.expires_at is null or s.expires_at > service_now())))
     returning w.id, w.url`,
    values,
  );
  await tx.query(
    `update webhook_message set status = 'failed', next_attempt_at = null where webhook_id = any ($1) and status = 'waiting'`,
    [webhooks.map(({ id }) => id)],
  );
  return { feeds, webhooks, recipients: await removeRecipients(tx, values) };
}

/** Takes addresses outside the team off its alerts, with the mails that wait for them. */
async function removeRecipients(tx: Queryable, values: readonly unknown[]): Promise<StoppedWithKeys['recipients']> {
  const recipients = await tx.query<StoppedWithKeys['recipients'][number]>(
    `select listed.address, a.id as "alertId", a.name as "alertName" from alert a
       cross join jsonb_array_elements_text(a.notify->'emailTo') as listed (address)
       left join alert_recipient r on r.alert_id = a.id and r.address = listed.address
     where a.team_id = $1 and not exists (
         select from app_user u where u.team_id = $1 and u.closed_at is null and lower(u.email) = listed.address)
       and (r.added_with = any ($2) or r.added_with is null and a.updated_at >= $4
         and exists (select from unnest($3::integer[]) as u (id) where ${memberOf('u.id')}))
     order by a.id, listed.address for update of a`,
    [...values],
  );
  const [alertIds, addresses] = [recipients.map(({ alertId }) => alertId), recipients.map(({ address }) => address)];
  for (const { alertId, address } of recipients)
    await tx.query(
      `update alert set notify = jsonb_set(notify, '{emailTo}', (notify->'emailTo') - $2::text), updated_at = service_now() where id = $1`,
      [alertId, address],
    );
  await tx.query(
    `delete from alert_recipient r using unnest($1::text[], $2::text[]) as gone (alert_id, address)
     where r.alert_id = gone.alert_id and r.address = gone.address`,
    [alertIds, addresses],
  );
  // Whoever adds one again asks it again.
  await tx.query(
    `delete from mail_confirmation c where c.team_id = $1 and c.address = any ($2)
       and not exists (select from alert a where a.team_id = $1 and a.status <> 'archived' and a.notify->'emailTo' ? c.address)`,
    [values[0], addresses],
  );
  // A digest leaves out what it would say of such an alert when it is sent; one that an earlier version wrote cannot.
  await tx.query(
    `update mail m set status = 'unsubscribed', content = null, ended_at = now() from mail_subscription s
     where s.token = m.subscription and m.status = 'queued' and (
       s.topic = 'confirm:' || $1::text and s.recipient = any ($2)
         and not exists (select from mail_confirmation c where c.team_id = $1::text::integer and c.address = s.recipient)
       or s.topic like 'alert:%' and not m.content ? 'sections' and exists (
         select from unnest($3::text[], $2::text[]) as gone (alert_id, address)
         where gone.address = s.recipient and gone.alert_id = any (string_to_array(substr(s.topic, 7), ','))))`,
    [String(values[0]), addresses, alertIds],
  );
  return recipients;
}
