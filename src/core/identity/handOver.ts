/** What becomes of an alert or a list that nobody is a member of any more (src/docs/lists.md). */

import { recordPaused } from '../events/events.ts';
import { isMailAddress, type NewMail } from '../mail/mail.ts';
import { openMembers } from '../store/postgres/membership.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import { type HandedOver, handoverMail } from './share.ts';

const TO_OWNERS = `share_mode = 'custom', share_user_ids = $2, opt_out_user_ids = '{}', updated_at = service_now()`;

/**
 * Pauses alerts of a team that no open account is a member of, and makes its owners members of these and of such lists. Without an owner nobody
 * becomes a member, and alerts are paused all the same.
 */
export async function handOver(tx: Queryable, teamId: number): Promise<HandedOver> {
  const owners = await tx.query<{ id: number; email: string | null }>(
    `select id, email from app_user where team_id = $1 and role = 'owner' and closed_at is null order by id`,
    [teamId],
  );
  const ids = owners.map(({ id }) => id);
  const alerts = await tx.query<HandedOver['alerts'][number] & { status: string; wasActive: boolean }>(
    `update alert a set ${TO_OWNERS}, status = case a.status when 'active' then 'paused' else a.status end, next_run_at = null
     from alert was where was.id = a.id and a.team_id = $1 and (a.status = 'active' or cardinality($2::integer[]) > 0)
       and ${openMembers('a')} = 0
     returning a.id, a.name, a.status, was.status = 'active' as "wasActive"`,
    [teamId, ids],
  );
  for (const { id, wasActive } of alerts) if (wasActive) await recordPaused(tx, { id, teamId });
  const lists = ids.length
    ? await tx.query<HandedOver['lists'][number] & { kind: string }>(
        `update project_list l set ${TO_OWNERS} where l.team_id = $1 and ${openMembers('l')} = 0 returning l.id, l.name, l.kind`,
        [teamId, ids],
      )
    : [];
  const nameOf = ({ id, name }: { id: string; name: string }) => ({ id, name });
  return {
    recipients: owners.flatMap(({ email }) => (email !== null && isMailAddress(email) ? [email] : [])),
    // What was deleted is read by its members, and needs nobody. The list of an alert goes with it.
    alerts: alerts.filter(({ status }) => status !== 'archived').map(nameOf),
    lists: lists.filter(({ kind }) => kind !== 'alert').map(nameOf),
  };
}

/** The same, with a mail to each of those owners. */
export async function handOverWithMail(
  tx: Queryable,
  outbox: { put(tx: Queryable, mail: NewMail): Promise<boolean> },
  teamId: number,
): Promise<void> {
  await mailHandover(tx, outbox, await handOver(tx, teamId));
}

export async function mailHandover(
  tx: Queryable,
  outbox: { put(tx: Queryable, mail: NewMail): Promise<boolean> },
  handed: HandedOver,
): Promise<void> {
  if (!handed.alerts.length && !handed.lists.length) return;
  const [clock] = await tx.query<{ now: Date }>('select service_now() as now');
  if (!clock) throw new Error('Postgres gave no time');
  for (const recipient of handed.recipients) await outbox.put(tx, handoverMail(recipient, handed, clock.now));
}
