/** Hearings as iCalendar: an all-day event for each body and day. Pure. */
import { makeServiceLink } from '../../core/domain/record/represent.ts';
import { type AllDayEvent, writeCalendar } from '../../http/feedWriters.ts';
import type { CalendarHearing } from './types.ts';

const countText = (count: number) => (count === 1 ? '1 matching project is on' : `${count} matching projects are on`);

/**
 * The calendar of hearings.
 * @param from first listed day, the timestamp of every event, so that equal hearings make equal text
 * @param publicUrl root of the service
 */
export function writeHearingCalendar(hearings: readonly CalendarHearing[], from: string, publicUrl: string): string {
  const events = hearings.map(({ date, body, bodyLabel, place, projectCount, projects, isCancelled, updated }): AllDayEvent => {
    const lines = projects.map(({ id, projectName }) => `${projectName ?? `Project ${id}`}: ${makeServiceLink(id, publicUrl)}`);
    const others = projectCount - projects.length;
    const { stateId, countyId, cityId, label } = place;
    return {
      id: `hearing-${date}-${stateId}-${countyId ?? 0}-${cityId ?? 0}-${body ?? 'meeting'}`,
      day: date,
      changedAt: updated,
      stamp: new Date(`${from}T00:00:00Z`),
      isCancelled,
      summary: `${bodyLabel ?? 'Meeting'}: ${isCancelled ? 'no matching project is on any more' : countText(projectCount)}`,
      location: label,
      ...(lines.length ? { description: [...lines, ...(others > 0 ? [`and ${others} more`] : [])].join('\n') } : {}),
      url: `${publicUrl}/map`,
    };
  });
  return writeCalendar('hearings', 'Hearings', events, publicUrl);
}
