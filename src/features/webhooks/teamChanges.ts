/** Stops webhooks when their team is closed, or a key that created them has leaked (src/docs/operate.md, src/docs/keys.md). */
import type { StoppedWithKeys, Suspicion, TeamSubscriber } from '../../core/identity/teamChanges.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';

export const WEBHOOK_TEAM_CHANGES: TeamSubscriber = { closeTeam, stopCreatedWith };

async function closeTeam(tx: Queryable, teamId: number): Promise<Record<string, number>> {
  const disabled = await tx.query<{ id: string }>(
    `update webhook set status = 'disabled' where team_id = $1 and status <> 'disabled' returning id`,
    [teamId],
  );
  await tx.query(
    `update webhook_message m set status = 'failed', next_attempt_at = null from webhook w
     where w.id = m.webhook_id and w.team_id = $1 and m.status = 'waiting'`,
    [teamId],
  );
  return { webhooks: disabled.length };
}

/** Also stops endpoints whose secret was created with one of the keys, since whoever knows it can sign for the service. */
async function stopCreatedWith(tx: Queryable, { teamId, keyIds }: Suspicion): Promise<Partial<StoppedWithKeys>> {
  const webhooks = await tx.query<StoppedWithKeys['webhooks'][number]>(
    `update webhook w set status = 'disabled' where w.team_id = $1 and w.status <> 'disabled'
       and (w.made_with = any ($2)
         or exists (select from webhook_secret s where s.webhook_id = w.id and s.made_with = any ($2)
           and (s.expires_at is null or s.expires_at > service_now())))
     returning w.id, w.url`,
    [teamId, keyIds],
  );
  await tx.query(
    `update webhook_message set status = 'failed', next_attempt_at = null where webhook_id = any ($1) and status = 'waiting'`,
    [webhooks.map(({ id }) => id)],
  );
  return { webhooks };
}
