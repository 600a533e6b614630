/** Feeds for readers, as RSS 2.0 and JSON Feed, and calendars of all-day events (RFC 5545). Pure. */
import { Feed } from 'feed';
import ical, { ICalEventStatus } from 'ical-generator';
import { DAY_MS } from '../core/query/intervals.ts';

interface FeedHead {
  title: string;
  description: string;
  link: string;
  selfUrl: string;
  /** when its newest entry is from */
  updated: Date | undefined;
}

interface ReaderEntry {
  id: string;
  title: string;
  link: string;
  date: Date;
  /** HTML */
  text: string;
}

export function writeReaderFeed(
  { selfUrl, updated = new Date(0), ...head }: FeedHead,
  entries: readonly ReaderEntry[],
  format: 'rss' | 'json',
) {
  const feed = new Feed({ ...head, id: selfUrl, generator: false as const, updated, feedLinks: { [format]: selfUrl } });
  for (const { text, ...entry } of entries) feed.addItem({ ...entry, description: text, content: text });
  return format === 'rss' ? feed.rss2() : feed.json1();
}

export interface AllDayEvent {
  /** unique among the events of the service */
  id: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** milliseconds since 1970 */
  changedAt: number;
  stamp: Date;
  isCancelled?: boolean;
  summary: string;
  location: string;
  description?: string;
  url: string;
}

const SEQUENCE_START_SECONDS = Date.UTC(2020, 0, 1) / 1000;

/** SEQUENCE (RFC 5545 section 3.8.7.4): seconds since 2020, so that it fits 32 bits; it increases with each later change. */
const toSequence = (changedAt: number): number => Math.max(0, Math.floor(changedAt / 1000) - SEQUENCE_START_SECONDS);

/** @param product what the events are, for PRODID @param publicUrl root of the service */
export function writeCalendar(product: string, name: string, events: readonly AllDayEvent[], publicUrl: string): string {
  const { host } = new URL(publicUrl);
  const calendar = ical({ name, prodId: { company: 'Land Use Intelligence', product } });
  for (const { id, day, changedAt, isCancelled, ...event } of events) {
    const start = new Date(`${day}T00:00:00Z`);
    calendar.createEvent({
      ...event,
      id: `${id}@${host}`,
      sequence: toSequence(changedAt),
      start,
      end: new Date(start.getTime() + DAY_MS),
      allDay: true,
      ...(isCancelled ? { status: ICalEventStatus.CANCELLED } : {}),
    });
  }
  // Every line has to end with CRLF, including the last one (RFC 5545 section 3.1).
  return `${calendar.toString()}\r\n`;
}
