/** Mails of alerts: digests, refusals, and notices to added members. They have links and counts, and never a record's contacts. Pure. */
import { createHash } from 'node:crypto';
import { serviceToday } from '../../core/domain/serviceClock.ts';
import { type Member, membersOf } from '../../core/identity/share.ts';
import { digestSubject, isMailAddress, type NewMail } from '../../core/mail/mail.ts';
import { makeTopic } from '../../core/mail/topics.ts';
import { describeChangedFields } from './describeRecord.ts';
import type { DigestEntry } from './runTypes.ts';
import type { HeardRecords, StoredAlert, StoredDelivery } from './types.ts';

/** A member, and the email address of their account, if any. */
export interface Mailable extends Member {
  email: string | null;
}

/** A delivery, and the entries of its digest. */
export interface Digestible {
  alert: StoredAlert;
  delivery: StoredDelivery;
  entries: readonly DigestEntry[];
  /** null if the alert does not run before hearings, and of a run by hand */
  heard: HeardRecords | null;
}

const SHOWN_MAX = 10;

/** URL of a delivery's matches. @param apiUrl root of the API, without a trailing slash */
export const makeMatchesUrl = (apiUrl: string, alertId: string, deliveryId: string) =>
  `${apiUrl}/alerts/${alertId}/matches?deliveryId=${deliveryId}`;

const countInWords = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`;

export const countRecords = ({ newRecords, changedRecords, newlyReadRecords }: StoredDelivery) =>
  newRecords + changedRecords + newlyReadRecords;

const describeCounts = ({ newRecords, changedRecords, newlyReadRecords, moreMatched, creditsCharged }: StoredDelivery) =>
  [
    `${countInWords(newRecords, 'new record')}, ${changedRecords} changed`,
    ...(newlyReadRecords ? [`${countInWords(newlyReadRecords, 'old case')} newly read`] : []),
    ...(moreMatched ? [`${moreMatched} more wait for the next run`] : []),
    ...(creditsCharged ? [`${countInWords(creditsCharged, 'credit')} charged`] : []),
  ].join('; ');

const describeEntry = ({ title, place, date, status, url, changed = [] }: DigestEntry) =>
  [[title, place, date, status].filter(Boolean).join(' · '), ...describeChangedFields(changed), url].join('\n');

/** `2 matching projects are heard tomorrow (2026-11-24)`; a run that is late may announce today's, too. */
function describeHeard({ heard, delivery }: Digestible): string[] {
  if (!heard?.count) return [];
  const today = serviceToday(delivery.startedAt);
  const days = [...new Set([heard.from, heard.to])].map((day) => `${day === today ? 'today' : 'tomorrow'} (${day})`);
  return [`${countInWords(heard.count, 'matching project')} ${heard.count === 1 ? 'is' : 'are'} heard ${days.join(' or ')}`];
}

const describeEntries = (entries: readonly DigestEntry[]): string[] => [
  ...entries.slice(0, SHOWN_MAX).map(describeEntry),
  ...(entries.length > SHOWN_MAX ? [`… and ${entries.length - SHOWN_MAX} more`] : []),
];

/** Old cases that are newly read come after the news, under a heading of their own. */
function writeSection(digest: Digestible, publicUrl: string, withEntries: boolean): string[] {
  const { alert, delivery, entries } = digest;
  const [old, news] = [entries.filter(({ newlyRead }) => newlyRead), entries.filter(({ newlyRead }) => !newlyRead)];
  return [
    `${alert.name}: ${describeCounts(delivery)}`,
    ...describeHeard(digest),
    ...(withEntries ? describeEntries(news) : []),
    ...(withEntries && old.length ? ['Old cases, newly read (their last hearing was long ago):', ...describeEntries(old)] : []),
    makeMatchesUrl(`${publicUrl}/v1`, alert.id, delivery.id),
  ];
}

/**
 * The mail to one recipient about all runs of the same time.
 * @param personal false for an address outside the team, which gets only counts and links
 */
export function writeDigestMail(recipient: string, digests: readonly Digestible[], publicUrl: string, personal: boolean): NewMail {
  const deliveries = digests.map(({ delivery }) => delivery.id).sort();
  const texts = digests.map((digest) => writeSection(digest, publicUrl, personal));
  const sections = digests.map(({ alert, delivery, heard }, i) => ({
    alertId: alert.id,
    alertName: alert.name,
    records: delivery.newRecords + delivery.changedRecords,
    paragraphs: texts[i]?.length ?? 0,
    ...(delivery.newlyReadRecords ? { newlyRead: delivery.newlyReadRecords } : {}),
    ...(heard?.count ? { heard: heard.count } : {}),
  }));
  return {
    event: `digest:${deliveries[0]}:${deliveries.length}`,
    topic: makeTopic(digests.map(({ alert }) => alert)),
    recipient,
    content: {
      subject: digestSubject(sections),
      paragraphs: texts.flat(),
      sections,
      link: null,
      reason: personal ? 'You are a member of this alert.' : 'A team asked for mails of this alert to this address, and you confirmed it.',
    },
  };
}

export const listMailedMembers = (alert: StoredAlert, roster: readonly Mailable[]): { recipient: string; userId: number }[] =>
  membersOf(alert.share, alert.createdBy, roster).flatMap((member) => {
    const { email, userId } = member as Mailable;
    return email !== null && isMailAddress(email) ? [{ recipient: email, userId }] : [];
  });

const REFUSED = {
  credits_exhausted: 'the balance pays for none of its records',
  insufficient_credits: 'its records cost more than the balance',
  budget_exceeded: 'its records cost more than the maxCredits of the alert',
  subscription_required: 'the team has no active plan',
  geographic_access_denied: 'its filters name places outside the licence',
} as const;
type RefusalReason = keyof typeof REFUSED;

export const writeRefusalMail = (recipient: string, alert: StoredAlert, delivery: StoredDelivery, publicUrl: string): NewMail => ({
  event: `refused:${delivery.id}`,
  topic: makeTopic([alert]),
  recipient,
  content: {
    subject: `${alert.name} did not run`,
    paragraphs: [
      `The run was refused: ${REFUSED[delivery.reason as RefusalReason] ?? delivery.reason}. Nothing was delivered or charged. The next run tries again.`,
    ],
    link: { label: 'Balance and plan', url: `${publicUrl}/v1/account/credits` },
    reason: 'You are a member of this alert.',
  },
});

export const writePausedMail = (
  recipient: string,
  alert: StoredAlert,
  problems: readonly { message: string }[],
  publicUrl: string,
): NewMail => ({
  event: `paused:${alert.id}:${alert.updatedAt.toISOString()}`,
  topic: makeTopic([alert]),
  recipient,
  content: {
    subject: `${alert.name} is paused`,
    paragraphs: [
      'Its filters cannot be used any more:',
      ...problems.map(({ message }) => message),
      'Change them and set its status to active again.',
    ],
    link: { label: 'The alert', url: `${publicUrl}/v1/alerts/${alert.id}` },
    reason: 'You are a member of this alert.',
  },
});

export const writeAddedMail = (recipient: string, alert: StoredAlert, publicUrl: string): NewMail => ({
  event: `added:${alert.id}:${alert.updatedAt.toISOString()}`,
  topic: makeTopic([alert]),
  recipient,
  content: {
    subject: `You were added to the alert ${alert.name}`,
    paragraphs: [`A team-mate shares the alert ${alert.name} with you. You get its digests, and you can read, change and run it.`],
    link: { label: 'The alert', url: `${publicUrl}/v1/alerts/${alert.id}` },
    reason: 'You are a member of this alert.',
  },
});

export const writeConfirmationMail = (recipient: string, teamId: number, token: string, publicUrl: string): NewMail => ({
  // Unique by token, so that a team whose request for confirmation was withdrawn may ask again.
  event: `confirm:${teamId}:${createHash('sha256').update(token).digest('hex').slice(0, 16)}`,
  topic: `confirm:${teamId}`,
  recipient,
  content: {
    subject: 'Do you want these mails?',
    paragraphs: ['A team wants to send mails about land-use projects to this address. Nothing is sent before you confirm it.'],
    link: { label: 'Confirm', url: `${publicUrl}/confirm/${token}` },
    reason: 'This address was named in an alert. If that was a mistake, do nothing.',
  },
});
