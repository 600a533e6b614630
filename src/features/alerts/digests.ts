/** Mails about runs: digests of deliveries, and notices of runs that failed or were refused. */

import { parseTopic } from '../../core/mail/topics.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { countRecords, type Digestible, listMailedMembers, writeDigestMail } from './mails.ts';
import type { AlertServices } from './manage.ts';
import type { StoredAlert } from './types.ts';

export async function mailMembers(
  { accounts, outbox }: AlertServices,
  tx: Queryable,
  alert: StoredAlert,
  mail: (recipient: string) => Parameters<AlertServices['outbox']['put']>[1],
): Promise<void> {
  const roster = await accounts.mailableRoster(alert.teamId, tx);
  for (const { recipient } of listMailedMembers(alert, roster)) await outbox.put(tx, mail(recipient));
}

/** Writes one mail for each recipient of alerts that ran together, without alerts from which the recipient unsubscribed. */
export async function mailDigests(services: AlertServices, tx: Queryable, digests: readonly Digestible[]): Promise<void> {
  const news = digests.filter(({ delivery, heard }) => countRecords(delivery) > 0 || heard?.count);
  const [first] = news;
  if (!first) return;
  const { teamId } = first.alert;
  const roster = await services.accounts.mailableRoster(teamId, tx);
  const confirmed = await services.alerts.listConfirmedAddresses(tx, teamId);
  const ours = new Set(roster.map(({ email }) => email?.toLowerCase()));
  const members = new Map<string, Digestible[]>();
  const others = new Map<string, Digestible[]>();
  const add = (to: Map<string, Digestible[]>, recipient: string, digest: Digestible) =>
    to.set(recipient, [...(to.get(recipient) ?? []), digest]);
  for (const digest of news) {
    const { notify } = digest.alert;
    const own = notify.email ? listMailedMembers(digest.alert, roster).map(({ recipient }) => recipient.toLowerCase()) : [];
    for (const recipient of own) add(members, recipient, digest);
    for (const address of notify.emailTo)
      if (!own.includes(address) && (ours.has(address) || confirmed.has(address))) add(others, address, digest);
  }
  for (const [map, personal] of [
    [members, true],
    [others, false],
  ] as const)
    for (const [recipient, all] of map) {
      const stopped = new Set((await services.outbox.listStoppedTopics(tx, recipient)).flatMap(parseTopic));
      const wanted = all.filter(({ alert }) => !stopped.has(alert.id));
      if (wanted.length) await services.outbox.put(tx, writeDigestMail(recipient, wanted, services.publicUrl, personal));
    }
}
