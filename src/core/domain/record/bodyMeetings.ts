/**
 * Meetings of decision bodies that a record names, held or ahead (src/docs/hearings.md). A body is one of a place: the council of Boulder. Its key
 * and that of each of its meetings are indexed, so that freshness and hearings are counted without reading records. Pure.
 */
import type { ProjectStatement } from './statement.ts';

export interface BodyPlace {
  stateId: number;
  countyId: number | null;
  cityId: number | null;
}

/** A decision body of a place. `body` is a token of the vocabulary, null if the record names a meeting without its body. */
export interface PlacedBody extends BodyPlace {
  body: string | null;
}

interface NamedMeeting {
  /** `YYYY-MM-DD` */
  date: string;
  body: string | null;
}

/** `<state>.<county>.<city>.<body>`: ids of the place, 0 for what it lacks, and the token of the body. */
export const makeBodyKey = ({ stateId, countyId, cityId, body }: PlacedBody): string =>
  `${stateId}.${countyId ?? 0}.${cityId ?? 0}.${body ?? ''}`;

export function readBodyKey(key: string): PlacedBody {
  const [state, county, city, body] = key.split('.');
  return { stateId: Number(state), countyId: Number(county) || null, cityId: Number(city) || null, body: body || null };
}

/** Meetings with the body that each was of; the record's own body stands for that of its latest and its next meeting. */
function listMeetings(statement: Partial<ProjectStatement>): NamedMeeting[] {
  const own = statement.decisionBody ?? null;
  const { decisions, meetingDocuments, statusHistory, meetingDate, nextMeetingDate } = statement;
  const withBody: NamedMeeting[] = [
    ...(decisions ?? []).map((one) => ({ date: one.meetingDate, body: one.decisionBody ?? null })),
    ...(meetingDocuments ?? []).flatMap((one) => (one.meetingDate ? [{ date: one.meetingDate, body: one.decisionBody ?? null }] : [])),
    ...(statusHistory ?? []).flatMap((one) => (one.decisionBody ? [{ date: one.date, body: one.decisionBody }] : [])),
  ];
  const dated = new Set(withBody.filter(({ body }) => body).map(({ date }) => date));
  const ownDates = [meetingDate, nextMeetingDate].flatMap((date) => (date && !dated.has(date) ? [{ date, body: own }] : []));
  const known = new Set([...dated, ...ownDates.filter(({ body }) => body).map(({ date }) => date)]);
  return [...withBody, ...ownDates].filter(({ date, body }) => body !== null || !known.has(date));
}

/** What is indexed of a record: keys of its bodies, and of their meetings as `<date>|<key of the body>`. None if its state is unknown. */
export function bodyKeysOf(statement: Partial<ProjectStatement>): { bodies: string[]; bodyMeetings: string[] } {
  const { stateId, countyId = null, cityId = null } = statement;
  if (!stateId) return { bodies: [], bodyMeetings: [] };
  const meetings = listMeetings(statement).map(({ date, body }) => ({ date, body, key: makeBodyKey({ stateId, countyId, cityId, body }) }));
  return {
    bodies: [...new Set(meetings.flatMap(({ body, key }) => (body ? [key] : [])))],
    bodyMeetings: [...new Set(meetings.map(({ date, key }) => `${date}|${key}`))],
  };
}

export function readMeetingKey(key: string): { date: string; bodyKey: string } {
  const at = key.indexOf('|');
  return { date: key.slice(0, at), bodyKey: key.slice(at + 1) };
}
