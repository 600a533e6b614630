/** Mails of the service: their content, rendered as text and HTML, and their ids. Pure. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../domain/escapeHtml.ts';

/** The content of a mail, in plain text, without contacts of records. */
export interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  /** link to the page with details */
  link: { label: string; url: string } | null;
  /** one sentence that tells the recipient why they get this mail */
  reason: string;
  /** for a digest, the alerts to which its paragraphs belong, in their order */
  sections?: readonly MailSection[];
}

/** The part of a digest about one alert. */
export interface MailSection {
  alertId: string;
  alertName: string;
  /** number of new and changed records */
  records: number;
  /** number of the mail's paragraphs that belong to it */
  paragraphs: number;
  /** number of old cases that are newly read */
  newlyRead?: number;
  /** number of its records with a hearing soon */
  heard?: number;
}

export function digestSubject(sections: readonly MailSection[]): string {
  const records = sections.reduce((sum, section) => sum + section.records, 0);
  const named = sections.length === 1 ? sections[0]?.alertName : `${sections.length} alerts`;
  const heard = sections.reduce((sum, section) => sum + (section.heard ?? 0), 0);
  const newlyRead = sections.reduce((sum, section) => sum + (section.newlyRead ?? 0), 0);
  const old = newlyRead ? `, ${newlyRead} old case${newlyRead === 1 ? '' : 's'} newly read` : '';
  return `${named}: ${records} record${records === 1 ? '' : 's'}${old}${heard ? `, ${heard} to be heard` : ''}`;
}

/** Removes the sections of some alerts from a digest; undefined if none is left. Other mails are returned unchanged. */
export function withoutAlerts(content: MailContent, alertIds: readonly string[]): MailContent | undefined {
  const sections = content.sections?.filter(({ alertId }) => !alertIds.includes(alertId));
  if (!content.sections || sections?.length === content.sections.length) return content;
  if (!sections?.length) return undefined;
  let from = 0;
  const paragraphs = content.sections.flatMap(({ alertId, paragraphs: length }) => {
    from += length;
    return alertIds.includes(alertId) ? [] : content.paragraphs.slice(from - length, from);
  });
  return { ...content, subject: digestSubject(sections), paragraphs, sections };
}

export interface NewMail {
  /** identifies the event: a second mail about it to the same recipient is not sent */
  event: string;
  /** what its recipient can unsubscribe from, such as `alert:alr_…` */
  topic: string;
  recipient: string;
  content: MailContent;
}

export type MailStatus = 'queued' | 'sent' | 'unsubscribed' | 'refused';

export interface StoredMail {
  id: string;
  event: string;
  topic: string;
  recipient: string;
  /** null once the mail has ended */
  content: MailContent | null;
  status: MailStatus;
  /** token in the links by which its recipient unsubscribes */
  token: string;
  unsubscribed: boolean;
  /** ids of the digest's alerts whose mails its recipient has stopped */
  stoppedAlerts: string[];
  createdAt: Date;
  endedAt: Date | null;
}

const ADDRESS_LENGTH_MAX = 254;
const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATEXT}(?:\\.${ATEXT})*@${LABEL}(?:\\.${LABEL})*$`);

/** One bare address in ASCII (RFC 5321 dot-string): no name, list, comment, quoting, space or line break, with which a header could be smuggled. */
export function isMailAddress(text: string): boolean {
  // In other dialects `$` would accept a final line break. The limit applies to the whole address.
  return text.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(text);
}

/** Providers that ignore dots in the part before the `@`. */
const DOTLESS_HOSTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox that an address most likely belongs to: lower case, without `+tag`, and without dots if the provider ignores them. For counting, not sending. */
export function normalizeMailbox(address: string): string {
  const [local = '', host = ''] = address.toLowerCase().split('@');
  const mailbox = local.split('+')[0] || local;
  return DOTLESS_HOSTS.has(host) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${host}`;
}

const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/i;

/** Whether the host of an address can be public: it is not a single label, not below `localhost`, and not a number in any notation. */
export function isPublicAddress(address: string): boolean {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && last.toLowerCase() !== 'localhost' && !NUMBER.test(last);
}

/** The Message-ID: the same for the same event and recipient, so that mail programs recognise duplicates. @param host of the service */
export function makeMessageId({ event, recipient }: Pick<NewMail, 'event' | 'recipient'>, host: string): string {
  const digest = createHash('sha256').update(`${event}\n${recipient}`).digest('hex').slice(0, 40);
  return `<${digest}@${host}>`;
}

/** Replaces control characters, including line breaks, which a subject must not contain. */
const toOneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** @param unsubscribeUrl page on which the recipient can stop mails of the topic */
export function renderMail({ subject, paragraphs, link, reason }: MailContent, unsubscribeUrl: string): RenderedMail {
  const title = toOneLine(subject);
  const stop = 'Stop these mails';
  const text = [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : []), `--\n${reason}\n${stop}: ${unsubscribeUrl}`].join('\n\n');
  const anchor = (label: string, url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
  const blocks = [...paragraphs.map((one) => escapeHtml(one).replaceAll('\n', '<br>')), ...(link ? [anchor(link.label, link.url)] : [])];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>
${blocks.map((block) => `<p>${block}</p>`).join('\n')}
<hr><p><small>${escapeHtml(reason)} ${anchor(stop, unsubscribeUrl)}</small></p></body></html>`;
  return { subject: title, text: `${text}\n`, html };
}
