/** Hearings as iCalendar: an all-day event for each body and day. Pure. */
import ical, { ICalEventStatus } from 'ical-generator';
import { toSequence } from '../../core/domain/calendarSequence.ts';
import { makeServiceLink } from '../../core/domain/record/represent.ts';
import { DAY_MS } from '../../core/query/intervals.ts';
import type { CalendarHearing } from './types.ts';

const countText = (count: number) => (count === 1 ? '1 matching project is on' : `${count} matching projects are on`);

/**
 * The calendar of hearings.
 * @param from first listed day, the timestamp of every event, so that equal hearings make equal text
 * @param publicUrl root of the service
 */
export function writeCalendar(hearings: readonly CalendarHearing[], from: string, publicUrl: string): string {
  const { host } = new URL(publicUrl);
  const calendar = ical({ name: 'Hearings', prodId: { company: 'Land Use Intelligence', product: 'hearings' } });
  for (const { date, body, bodyLabel, place, projectCount, projects, isCancelled, updated } of hearings) {
    const lines = projects.map(({ id, projectName }) => `${projectName ?? `Project ${id}`}: ${makeServiceLink(id, publicUrl)}`);
    const others = projectCount - projects.length;
    const start = new Date(`${date}T00:00:00Z`);
    const { stateId, countyId, cityId, label } = place;
    calendar.createEvent({
      id: `hearing-${date}-${stateId}-${countyId ?? 0}-${cityId ?? 0}-${body ?? 'meeting'}@${host}`,
      sequence: toSequence(updated),
      stamp: new Date(`${from}T00:00:00Z`),
      start,
      end: new Date(start.getTime() + DAY_MS),
      allDay: true,
      ...(isCancelled ? { status: ICalEventStatus.CANCELLED } : {}),
      summary: `${bodyLabel ?? 'Meeting'}: ${isCancelled ? 'no matching project is on any more' : countText(projectCount)}`,
      location: label,
      ...(lines.length ? { description: [...lines, ...(others > 0 ? [`and ${others} more`] : [])].join('\n') } : {}),
      url: `${publicUrl}/map`,
    });
  }
  // Every line has to end with CRLF, including the last one (RFC 5545 section 3.1).
  return `${calendar.toString()}\r\n`;
}
