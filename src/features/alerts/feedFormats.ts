/** The matches of an alert as RSS, JSON Feed and iCalendar, well-formed for any project name. Pure. */
import { Feed } from 'feed';
import ical, { ICalEventStatus } from 'ical-generator';
import { toSequence } from '../../core/domain/calendarSequence.ts';
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { describeChangedFields } from './describeRecord.ts';

export const FEED_FORMATS = ['rss', 'json', 'ics'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** Everything that a feed shows of a match. */
export interface FeedEntry {
  projectId: number;
  title: string;
  place: string;
  /** date of the next hearing, or of the last one; `YYYY-MM-DD` */
  date: string | null;
  /** whether that is a hearing that was dropped before its day */
  isCancelled: boolean;
  status: string | null;
  /** names of the fields that changed since the alert delivered it before */
  changed: readonly string[];
  /** whether it was newly read when the alert delivered it, and last heard long ago */
  isNewlyRead: boolean;
  url: string;
  /** when the record last changed, or the day of its dropped hearing passed */
  updated: Date;
}

interface FeedContent {
  name: string;
  selfUrl: string;
  publicUrl: string;
  entries: readonly FeedEntry[];
}

const NO_XML = /[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]+/gu;
/** Text on one line, without characters that XML, JSON or iCalendar cannot contain, which the libraries do not remove. */
const clean = (text: string) => text.toWellFormed().replace(NO_XML, ' ').trim();
/** Escapes TEXT of RFC 5545 for the calendar's name; the library does so only for events. */
const escapeCalendarText = (text: string) => text.replace(/[\\;,]/g, '\\$&');

const joinParts = (...parts: (string | null)[]) => clean(parts.filter(Boolean).join(' · '));
const describeEntry = ({ place, date, status, changed, isNewlyRead }: FeedEntry) =>
  joinParts(isNewlyRead ? 'Old case, newly read' : null, place, date, status, ...describeChangedFields(changed));
const findNewest = (entries: readonly FeedEntry[]) => new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime())));

function asFeed({ name, selfUrl, publicUrl, entries }: FeedContent, format: 'rss' | 'json'): Feed {
  const title = clean(name);
  const feed = new Feed({
    id: selfUrl,
    title,
    description: `Matches of the alert ${title}`,
    link: `${publicUrl}/map`,
    generator: false as const,
    updated: findNewest(entries),
    feedLinks: { [format]: selfUrl },
  });
  for (const entry of entries) {
    const details = escapeHtml(describeEntry(entry));
    const { url, updated: date } = entry;
    feed.addItem({ title: clean(entry.title), id: url, link: url, date, description: details, content: details });
  }
  return feed;
}

const DAY_MS = 86_400_000;

/**
 * Hearings as all-day events: one for each project. A hearing that was moved keeps its UID on its new day, one that was dropped stands cancelled
 * until its day; SEQUENCE increases when the record changes.
 */
function asCalendar({ name, publicUrl, entries }: FeedContent): string {
  const { host } = new URL(publicUrl);
  const calendar = ical({ name: escapeCalendarText(clean(name)), prodId: { company: 'Land Use Intelligence', product: 'alerts' } });
  for (const entry of entries) {
    if (entry.date === null) continue;
    const start = new Date(`${entry.date}T00:00:00Z`);
    calendar.createEvent({
      id: `project-${entry.projectId}@${host}`,
      sequence: toSequence(entry.updated.getTime()),
      stamp: entry.updated,
      start,
      end: new Date(start.getTime() + DAY_MS),
      allDay: true,
      ...(entry.isCancelled ? { status: ICalEventStatus.CANCELLED } : {}),
      summary: clean(entry.title),
      location: clean(entry.place),
      ...(entry.status === null && !entry.changed.length
        ? {}
        : { description: joinParts(entry.status, ...describeChangedFields(entry.changed)) }),
      url: entry.url,
    });
  }
  // Every line has to end with CRLF, including the last one (RFC 5545 section 3.1).
  return `${calendar.toString()}\r\n`;
}

export function writeFeed(content: FeedContent, format: FeedFormat): string {
  if (format === 'ics') return asCalendar(content);
  const feed = asFeed(content, format);
  return format === 'rss' ? feed.rss2() : feed.json1();
}
