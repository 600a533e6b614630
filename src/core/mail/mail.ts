/** Mails of the service: what one says, how it reads as text and as HTML, and what names it. Pure. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../domain/escapeHtml.ts';

/** What a mail says, in plain text; it never holds a record's contacts. */
export interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  /** where to go on */
  link: { label: string; url: string } | null;
  /** why the recipient gets it, one sentence */
  reason: string;
  /** of a digest: whose its paragraphs are, in their order */
  sections?: readonly MailSection[];
}

/** What a digest says of one alert. */
export interface MailSection {
  alertId: string;
  alertName: string;
  /** new and changed ones */
  records: number;
  /** how many of the mail's are of it */
  paragraphs: number;
  /** records of it that are heard soon */
  heard?: number;
}

export function digestSubject(sections: readonly MailSection[]): string {
  const records = sections.reduce((sum, section) => sum + section.records, 0);
  const named = sections.length === 1 ? sections[0]?.alertName : `${sections.length} alerts`;
  const heard = sections.reduce((sum, section) => sum + (section.heard ?? 0), 0);
  return `${named}: ${records} record${records === 1 ? '' : 's'}${heard ? `, ${heard} to be heard` : ''}`;
}

/** A mail without what it says of some alerts; undefined where nothing is left of it. What is no digest stays whole. */
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
  /** names what happened: a second mail of the same event to the same recipient is not sent */
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
  /** of the links by which its recipient unsubscribes */
  token: string;
  unsubscribed: boolean;
  /** ids of alerts that a digest names, and of which its recipient has stopped the mails */
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
  // `$` would let a final line break through in other dialects; the length is of the whole
  return text.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(text);
}

/** Providers that pass over dots in the part before the `@`. */
const DOTLESS_HOSTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox that an address most likely stands for: lower case, without `+tag`, and without dots where they do not count. For counting, not for sending. */
export function canonicalAddress(address: string): string {
  const [local = '', host = ''] = address.toLowerCase().split('@');
  const mailbox = local.split('+')[0] || local;
  return DOTLESS_HOSTS.has(host) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${host}`;
}

const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/i;

/** That the host of an address can be one of the public network: no single label, nothing below `localhost`, and no number in any notation. */
export function isPublicAddress(address: string): boolean {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && last.toLowerCase() !== 'localhost' && !NUMBER.test(last);
}

/** The same whenever the same event is told to the same recipient, so that what arrives twice is known to be one mail. @param host of the service */
export function messageIdOf({ event, recipient }: Pick<NewMail, 'event' | 'recipient'>, host: string): string {
  const digest = createHash('sha256').update(`${event}\n${recipient}`).digest('hex').slice(0, 40);
  return `<${digest}@${host}>`;
}

/** Control characters, line breaks among them, have no place in a subject. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** @param unsubscribeUrl page on which the recipient can stop mails of the topic */
export function renderMail({ subject, paragraphs, link, reason }: MailContent, unsubscribeUrl: string): RenderedMail {
  const title = oneLine(subject);
  const stop = 'Stop these mails';
  const text = [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : []), `--\n${reason}\n${stop}: ${unsubscribeUrl}`].join('\n\n');
  const anchor = (label: string, url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
  const blocks = [...paragraphs.map((one) => escapeHtml(one).replaceAll('\n', '<br>')), ...(link ? [anchor(link.label, link.url)] : [])];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>
${blocks.map((block) => `<p>${block}</p>`).join('\n')}
<hr><p><small>${escapeHtml(reason)} ${anchor(stop, unsubscribeUrl)}</small></p></body></html>`;
  return { subject: title, text: `${text}\n`, html };
}
