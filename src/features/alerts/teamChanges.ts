/** Changes alerts, feeds and recipients when their team changes (src/docs/lists.md, src/docs/keys.md, src/docs/operate.md). */
import type { HandedThings, StoppedWithKeys, Suspicion, TeamSubscriber } from '../../core/identity/teamChanges.ts';
import { isMemberSql, openMemberCountSql, SET_MEMBERS_SQL } from '../../core/store/postgres/membership.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { archiveAlerts, recordPaused } from './archive.ts';

export const ALERT_TEAM_CHANGES: TeamSubscriber = { closeTeam, handOver, stopCreatedWith };

async function closeTeam(tx: Queryable, teamId: number): Promise<Record<string, number>> {
  const sql = `select id from alert where team_id = $1 and status <> 'archived' order by id for no key update`;
  const alerts = await tx.query<{ id: string }>(sql, [teamId]);
  const ids = alerts.map(({ id }) => id);
  await archiveAlerts(tx, ids);
  const feeds = await tx.query('delete from alert_feed f using alert a where a.id = f.alert_id and a.team_id = $1 returning 1', [teamId]);
  return { alerts: alerts.length, feeds: feeds.length };
}

/** Pauses alerts without an open member and makes the owners members of them; without an owner they are only paused. */
async function handOver(tx: Queryable, teamId: number, ownerIds: readonly number[]): Promise<HandedThings> {
  const alerts = await tx.query<{ id: string; name: string; status: string; wasActive: boolean }>(
    `update alert a set ${SET_MEMBERS_SQL}, status = case a.status when 'active' then 'paused' else a.status end, next_run_at = null
     from alert was where was.id = a.id and a.team_id = $1 and (a.status = 'active' or cardinality($2::integer[]) > 0)
       and ${openMemberCountSql('a')} = 0
     returning a.id, a.name, a.status, was.status = 'active' as "wasActive"`,
    [teamId, ownerIds],
  );
  for (const { id, wasActive } of alerts) if (wasActive) await recordPaused(tx, { id, teamId });
  return {
    kind: 'alerts',
    heading: 'Alerts, which are paused; set their status to active, or delete them:',
    // Deleted alerts stay readable and are not handed over.
    things: alerts.filter(({ status }) => status !== 'archived').map(({ id, name }) => ({ id, name })),
  };
}

async function stopCreatedWith(tx: Queryable, { teamId, keyIds, userIds, since }: Suspicion): Promise<Partial<StoppedWithKeys>> {
  const feeds = await tx.query<StoppedWithKeys['feeds'][number]>(
    `delete from alert_feed f using alert a where a.id = f.alert_id and a.team_id = $1
       and f.made_with = any ($2)
     returning f.id, a.id as "alertId", a.name as "alertName"`,
    [teamId, keyIds],
  );
  return { feeds, recipients: await removeRecipients(tx, [teamId, keyIds, userIds, since]) };
}

/** Removes addresses outside the team from its alerts, and their waiting mails. */
async function removeRecipients(tx: Queryable, values: readonly unknown[]): Promise<StoppedWithKeys['recipients']> {
  const recipients = await tx.query<StoppedWithKeys['recipients'][number]>(
    `select listed.address, a.id as "alertId", a.name as "alertName" from alert a
       cross join jsonb_array_elements_text(a.notify->'emailTo') as listed (address)
       left join alert_recipient r on r.alert_id = a.id and r.address = listed.address
     where a.team_id = $1 and not exists (
         select from app_user u where u.team_id = $1 and u.closed_at is null and lower(u.email) = listed.address)
       and (r.added_with = any ($2) or r.added_with is null and a.updated_at >= $4
         and exists (select from unnest($3::integer[]) as u (id) where ${isMemberSql('u.id', 'a')}))
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
  // If the address is added again, it is asked again.
  await tx.query(
    `delete from mail_confirmation c where c.team_id = $1 and c.address = any ($2)
       and not exists (select from alert a where a.team_id = $1 and a.status <> 'archived' and a.notify->'emailTo' ? c.address)`,
    [values[0], addresses],
  );
  // A digest omits such an alert when it is sent.
  await tx.query(
    `update mail m set status = 'unsubscribed', content = null, ended_at = now() from mail_subscription s
     where s.token = m.subscription and m.status = 'queued' and s.topic = 'confirm:' || $1::text and s.recipient = any ($2)
       and not exists (select from mail_confirmation c where c.team_id = $1::text::integer and c.address = s.recipient)`,
    [String(values[0]), addresses],
  );
  return recipients;
}
