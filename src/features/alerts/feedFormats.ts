/** The matches of an alert as RSS, JSON Feed and iCalendar, well-formed for any project name. Pure. */
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { type AllDayEvent, writeCalendar, writeReaderFeed } from '../../http/feedWriters.ts';
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

const toReaderEntry = (entry: FeedEntry) => ({
  id: entry.url,
  title: clean(entry.title),
  link: entry.url,
  date: entry.updated,
  text: escapeHtml(describeEntry(entry)),
});

/** A hearing that was moved keeps its UID on its new day, one that was dropped stands cancelled until its day. */
function toEvents({ projectId, title, place, date, isCancelled, status, changed, updated, url }: FeedEntry): AllDayEvent[] {
  if (date === null) return [];
  const description = joinParts(status, ...describeChangedFields(changed));
  return [
    {
      id: `project-${projectId}`,
      day: date,
      changedAt: updated.getTime(),
      stamp: updated,
      isCancelled,
      summary: clean(title),
      location: clean(place),
      ...(status === null && !changed.length ? {} : { description }),
      url,
    },
  ];
}

export function writeFeed({ name, selfUrl, publicUrl, entries }: FeedContent, format: FeedFormat): string {
  const title = clean(name);
  if (format === 'ics') return writeCalendar('alerts', escapeCalendarText(title), entries.flatMap(toEvents), publicUrl);
  const head = { title, description: `Matches of the alert ${title}`, link: `${publicUrl}/map`, selfUrl, updated: findNewest(entries) };
  return writeReaderFeed(head, entries.map(toReaderEntry), format);
}
