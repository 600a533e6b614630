/** The hearings of a project, and how long it has been heard. Days are `YYYY-MM-DD`. Pure. */
import type { ProjectStatement } from '../record/statement.ts';

const present = <T>(value: T | null | undefined): T[] => (value === null || value === undefined ? [] : [value]);

const sortDays = (days: readonly string[]): string[] => [...new Set(days)].sort();

let lastHearings: { of: Partial<ProjectStatement>; days: readonly string[] } | undefined;

/**
 * Every hearing that a statement names: its own date, its decisions and its meeting documents; ascending. Several values of a record follow from
 * them; the last result is kept for the others.
 */
export function collectHearings(statement: Partial<ProjectStatement>): readonly string[] {
  if (lastHearings?.of !== statement) lastHearings = { of: statement, days: listHearings(statement) };
  return lastHearings.days;
}

function listHearings({ meetingDate, decisions, meetingDocuments }: Partial<ProjectStatement>): string[] {
  const days = present(meetingDate);
  for (const decision of decisions ?? []) days.push(decision.meetingDate);
  for (const document of meetingDocuments ?? []) if (document.meetingDate) days.push(document.meetingDate);
  return sortDays(days);
}

/** First and latest hearing of a project. */
export interface ProcessSpan {
  first: string;
  latest: string;
}

/**
 * From the first hearing to the latest, the stated first meeting included.
 * @param family hearings of a merged development, those of the records that it absorbed among them
 * @returns undefined if no hearing is known, if nothing but the date of the latest meeting is, or if the project appeared at more
 * meetings than are known: none of these tells when the first one was
 */
export function findProcessSpan(statement: Partial<ProjectStatement>, family: readonly string[] = []): ProcessSpan | undefined {
  const { firstMeetingDate, appearanceCount, decisions, meetingDocuments } = statement;
  const tellsOfMore = [firstMeetingDate, appearanceCount, decisions, meetingDocuments].some(
    (value) => value !== null && value !== undefined,
  );
  const days = sortDays([...collectHearings(statement), ...present(firstMeetingDate), ...family]);
  const [first, latest] = [days[0], days.at(-1)];
  const isKnown = days.length >= (appearanceCount ?? 0) || (firstMeetingDate && days.length > 1);
  return tellsOfMore && isKnown && first && latest ? { first, latest } : undefined;
}

const DAY_MS = 86_400_000;

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The day so many days after another. */
export const daysAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
