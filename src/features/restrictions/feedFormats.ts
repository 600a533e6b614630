/** Restrictions as a calendar of what ends, and as a feed of what was adopted, extended, ends soon or ended. Pure. */
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { daysAfter } from '../../core/domain/process/hearings.ts';
import { ENDING_DAYS } from '../../core/domain/restriction/changes.ts';
import { isInForce } from '../../core/domain/restriction/check.ts';
import type { StoredRestriction } from '../../core/domain/restriction/schemas.ts';
import { computeStatus, findEnd } from '../../core/domain/restriction/status.ts';
import { type AllDayEvent, writeCalendar, writeReaderFeed } from '../../http/feedWriters.ts';
import { guidePath } from '../../web/docsFrame.ts';

/** Days for which the calendar keeps an end that has passed. */
const PASSED_DAYS = 30;
const ENTRIES = 100;

const timeOf = (day: string) => new Date(`${day}T00:00:00Z`);

function describe({ place, usesText, evidence }: StoredRestriction): string {
  const quote = (evidence.find(({ field }) => field === 'status') ?? evidence[0])?.quote;
  return [`${place.jurisdiction}, ${place.state}: ${usesText}`, ...(quote ? [`“${quote}”`] : [])].join('\n');
}

/**
 * The last day of each restriction that is in force or ended lately, as an all-day event. An extension moves it.
 * @param on today, `YYYY-MM-DD` @param publicUrl root of the service
 */
export function writeEndCalendar(restrictions: readonly StoredRestriction[], on: string, publicUrl: string): string {
  const events = restrictions.flatMap((one): AllDayEvent[] => {
    const end = findEnd(one, on);
    const isListed = isInForce(one, on) || computeStatus(one, on) === 'expired';
    if (end === null || !isListed || end < daysAfter(on, -PASSED_DAYS)) return [];
    return [
      {
        id: `restriction-${one.id}`,
        day: end,
        changedAt: Date.parse(one.lastUpdated),
        stamp: timeOf(on),
        summary: `Last day: ${one.title}`,
        location: `${one.place.jurisdiction}, ${one.place.state}`,
        description: describe(one),
        url: one.sourceDocumentUrl ?? `${publicUrl}${guidePath('restrictions')}`,
      },
    ];
  });
  return writeCalendar('restrictions', 'Ends of restrictions', events, publicUrl);
}

interface Entry {
  day: string;
  what: string;
}

/** What has happened with a restriction by a day, each with its day. */
function listEntries(one: StoredRestriction, on: string): Entry[] {
  const status = computeStatus(one, on);
  if (status === 'proposed' || status === 'rejected') return [];
  const begun = one.effectiveFrom ?? one.adoptedOn;
  const end = findEnd(one, on);
  const entries: Entry[] = [
    ...(begun ? [{ day: begun, what: 'In force' }] : []),
    ...one.extensions.map(({ on: day, to }) => ({ day, what: to ? `Extended to ${to}` : 'Extended' })),
    ...(end
      ? [
          { day: daysAfter(end, -ENDING_DAYS), what: `Ends on ${end}` },
          { day: daysAfter(end, 1), what: 'Expired' },
        ]
      : []),
    ...(status === 'replaced' || status === 'rescinded'
      ? [{ day: one.statedOn, what: status === 'replaced' ? 'Replaced' : 'Rescinded' }]
      : []),
  ];
  return entries.filter(({ day }) => day <= on);
}

/** @param on today, `YYYY-MM-DD` */
export function writeRestrictionFeed(restrictions: readonly StoredRestriction[], on: string, publicUrl: string, selfUrl: string): string {
  const entries = restrictions
    .flatMap((one) => listEntries(one, on).map((entry) => ({ one, ...entry })))
    .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : a.one.id - b.one.id))
    .slice(0, ENTRIES);
  const guideUrl = `${publicUrl}${guidePath('restrictions')}`;
  const head = {
    title: 'Restrictions',
    description: 'Restrictions that were adopted, extended, end soon or ended',
    link: guideUrl,
    selfUrl,
    updated: entries[0] && timeOf(entries[0].day),
  };
  const items = entries.map(({ one, day, what }) => ({
    id: `${publicUrl}/restrictions/${one.id}#${encodeURIComponent(`${what} ${day}`)}`,
    title: `${what}: ${one.title}`,
    link: one.sourceDocumentUrl ?? guideUrl,
    date: timeOf(day),
    text: escapeHtml(describe(one)),
  }));
  return writeReaderFeed(head, items, 'rss');
}
