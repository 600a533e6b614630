/** Hooks by which features change their own tables when core changes a team, in the same transaction; they subscribe in their index.ts. */
import { isMailAddress, type NewMail } from '../mail/mail.ts';
import type { Queryable } from '../store/postgres/pool.ts';

/** Keys that may have leaked, and what identifies things created with them where a restore left out which key created them. */
export interface Suspicion {
  teamId: number;
  keyIds: string[];
  /** users of the keys of the lineage */
  userIds: number[];
  /** when the first key of the lineage was created */
  since: Date;
}

/** Things of one kind that had no open member and were handed over to a team's owners. */
export interface HandedThings {
  kind: 'alerts' | 'lists';
  /** heading of their list in the mail to the owners */
  heading: string;
  things: readonly { id: string; name: string }[];
}

export interface HandedOver {
  /** email addresses of the owners */
  recipients: readonly string[];
  handed: readonly HandedThings[];
}

/** What was stopped with leaked keys, apart from keys; without what had already stopped. */
export interface StoppedWithKeys {
  /** of alerts, or without one of hearings or restrictions */
  feeds: { id: string; alertId: string | null; alertName: string | null }[];
  webhooks: { id: string; url: string }[];
  /** addresses outside the team that received mail of an alert */
  recipients: { address: string; alertId: string; alertName: string }[];
}

export interface TeamSubscriber {
  /** Stops the things of a team that is being closed. @returns for each kind, how many were stopped now */
  closeTeam?(tx: Queryable, teamId: number): Promise<Record<string, number>>;
  /** Makes the owners members of things without an open member. */
  handOver?(tx: Queryable, teamId: number, ownerIds: readonly number[]): Promise<HandedThings>;
  /** Stops what was created with keys that may have leaked. */
  stopCreatedWith?(tx: Queryable, suspicion: Suspicion): Promise<Partial<StoppedWithKeys>>;
}

type Subscribers = readonly TeamSubscriber[];

export async function stopCreatedWith(tx: Queryable, subscribers: Subscribers, suspicion: Suspicion): Promise<StoppedWithKeys> {
  const stopped: StoppedWithKeys = { feeds: [], webhooks: [], recipients: [] };
  for (const subscriber of subscribers) {
    const { feeds = [], webhooks = [], recipients = [] } = (await subscriber.stopCreatedWith?.(tx, suspicion)) ?? {};
    stopped.feeds.push(...feeds);
    stopped.webhooks.push(...webhooks);
    stopped.recipients.push(...recipients);
  }
  return stopped;
}

/**
 * Closes a team; a second call only stops what was added since. Reservations return when a worker ends their jobs.
 * @param tx a transaction
 * @returns for each kind, how many were stopped now; undefined if there is no such team
 */
export async function closeTeam(tx: Queryable, subscribers: Subscribers, teamId: number): Promise<Record<string, number> | undefined> {
  const sql = `update team set status = 'disabled', closed_at = coalesce(closed_at, service_now()) where id = $1 returning id`;
  if (!(await tx.query(sql, [teamId])).length) return undefined;
  const stopped: Record<string, number> = {};
  // Jobs before what features have: a job that ends locks its own row first, then its alert or webhook.
  for (const [what, stop] of Object.entries(STOPS)) stopped[what] = (await tx.query(`${stop} returning 1`, [teamId])).length;
  for (const subscriber of subscribers) Object.assign(stopped, await subscriber.closeTeam?.(tx, teamId));
  return stopped;
}

/** Revokes keys, closes users, and ends the deadline of every job. */
const STOPS = {
  keys: 'update api_key set revoked_at = service_now() where team_id = $1 and revoked_at is null',
  users: 'update app_user set closed_at = service_now() where team_id = $1 and closed_at is null',
  jobs: `update job set deadline = least(deadline, clock_timestamp()) where team_id = $1 and settled_at is null
    and (deadline is null or deadline > clock_timestamp())`,
};

/** Makes the owners of a team members of things without an open member. Without an owner nobody becomes a member. */
export async function handOver(tx: Queryable, subscribers: Subscribers, teamId: number): Promise<HandedOver> {
  const owners = await tx.query<{ id: number; email: string | null }>(
    `select id, email from app_user where team_id = $1 and role = 'owner' and closed_at is null order by id`,
    [teamId],
  );
  const ownerIds = owners.map(({ id }) => id);
  const handed: HandedThings[] = [];
  for (const subscriber of subscribers) {
    const things = await subscriber.handOver?.(tx, teamId, ownerIds);
    if (things) handed.push(things);
  }
  return { recipients: owners.flatMap(({ email }) => (email !== null && isMailAddress(email) ? [email] : [])), handed };
}

type Outbox = { put(tx: Queryable, mail: NewMail): Promise<boolean> };

export interface HandoverServices {
  outbox: Outbox;
  subscribers: Subscribers;
}

/** Hands things over, and sends each owner a mail. */
export async function handOverWithMail(tx: Queryable, { outbox, subscribers }: HandoverServices, teamId: number): Promise<void> {
  await mailHandover(tx, outbox, await handOver(tx, subscribers, teamId));
}

export async function mailHandover(tx: Queryable, outbox: Outbox, handed: HandedOver): Promise<void> {
  if (!handed.handed.some(({ things }) => things.length)) return;
  const [clock] = await tx.query<{ now: Date }>('select service_now() as now');
  if (!clock) throw new Error('Postgres gave no time');
  for (const recipient of handed.recipients) await outbox.put(tx, handoverMail(recipient, handed, clock.now));
}

const NAMED_MAX = 50;

function namedParagraph({ heading, things }: HandedThings): string[] {
  if (!things.length) return [];
  const left = things.length > NAMED_MAX ? [`… and ${things.length - NAMED_MAX} more`] : [];
  return [[heading, ...things.slice(0, NAMED_MAX).map(({ id, name }) => `${name} (${id})`), ...left].join('\n')];
}

/** The mail that lists what an owner is now a member of. */
const handoverMail = (recipient: string, { handed }: HandedOver, at: Date): NewMail => ({
  event: `handover:${handed.flatMap(({ things }) => things)[0]?.id}:${at.toISOString()}`,
  topic: 'handover',
  recipient,
  content: {
    subject: 'Alerts and lists without a member are yours now',
    paragraphs: [
      'No open account of your team was a member of these any more, so they went to the owners of the team.',
      ...handed.flatMap(namedParagraph),
    ],
    link: null,
    reason: 'You are an owner of the team.',
  },
});
