/**
 * Meetings as CivicClerk's API gives them (TENANT.api.civicclerk.com/v1: `Events`, `Meetings/AGENDA_ID`, whose items hold `childItems` and
 * `minutesItemVotes`; its OData description is `v1/$metadata`). A file holds the answer for a meeting, and that for its event if it has a date. Pure.
 */
import { type ApiItem, type ApiMeeting, type ApiMotion, type ApiObject, dayOf, isObject, textOfValue } from './meeting.ts';

export const isCivicClerkEvent = (object: ApiObject) => 'eventName' in object && ('startDateTime' in object || 'eventDate' in object);
export const isCivicClerkMeeting = (object: ApiObject) =>
  Array.isArray(object.items) && object.items.some((item) => isObject(item) && 'agendaObjectItemName' in item);

const DEPTH_MAX = 20;
const VOTE_FIELD = /^(\w{2,20})Votes$/;
const RESULTS: Record<string, string> = { 0: 'Failed', 1: 'Passed' };
const objects = (value: unknown): ApiObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function readMotion(motion: ApiObject): ApiMotion {
  const votes = Object.entries(motion).flatMap(([field, names]): [string, string[]][] => {
    const word = VOTE_FIELD.exec(field)?.[1];
    const given = Array.isArray(names) ? names.flatMap((name) => textOfValue(name) ?? []) : [];
    return word && given.length > 0 ? [[word[0]?.toUpperCase() + word.slice(1), given]] : [];
  });
  return {
    action: textOfValue(motion.motionName),
    mover: textOfValue(motion.initiatedBy),
    seconder: textOfValue(motion.secondedBy),
    result: RESULTS[String(motion.passFail)] ?? (typeof motion.passFail === 'string' ? textOfValue(motion.passFail) : null),
    tally: null,
    votes: new Map(votes),
  };
}

function readItems(items: readonly ApiObject[], above: string, depth: number): ApiItem[] {
  if (depth > DEPTH_MAX) return [];
  return items.flatMap((item) => {
    const own = textOfValue(item.agendaObjectItemOutlineNumber)?.replace(/\.$/, '');
    const number = own ? above + own : null;
    const [title, ...lines] = textOfValue(item.agendaObjectItemName)?.split('\n') ?? [];
    const notes = [item.agendaObjectItemDescription, item.agendaObjectItemHtmlContent, item.agendaObjectItemMinutesHtmlContent].flatMap(
      (note) => textOfValue(note) ?? [],
    );
    const motions = objects(item.minutesItemVotes).map(readMotion);
    const read = title === undefined ? [] : [{ number, title, lines: [...lines, ...notes], motions }];
    return [...read, ...readItems(objects(item.childItems), number ? `${number}.` : above, depth + 1)];
  });
}

const firstEventId = (meeting: ApiObject) => objects(meeting.items).find((item) => Number(item.eventId) > 0)?.eventId ?? meeting.eventId;

/** An event whose meeting the file does not hold is a notice. */
export function readCivicClerk(events: readonly ApiObject[], meetings: readonly ApiObject[]): ApiMeeting[] {
  const taken = new Set<ApiObject>();
  const eventOf = (meeting: ApiObject) => {
    const found = events.find((event) => (event.agendaId && event.agendaId === meeting.id) || event.id === firstEventId(meeting));
    const event = found ?? (events.length === 1 && meetings.length === 1 ? events[0] : undefined);
    if (event) taken.add(event);
    return event ?? (isCivicClerkEvent(meeting) ? meeting : {});
  };
  const read = meetings.map((meeting) => ({ event: eventOf(meeting), items: readItems(objects(meeting.items), '', 0) }));
  const notices = events.filter((event) => !taken.has(event) && !meetings.includes(event)).map((event) => ({ event, items: [] }));
  return [...read, ...notices].map(({ event, items }) => {
    const place = isObject(event.eventLocation) ? event.eventLocation : {};
    const address = [place.name, place.address1, place.address2, place.city].flatMap((part) => textOfValue(part) ?? []).join(', ');
    return {
      format: 'civicclerk',
      title: textOfValue(event.categoryName) ?? textOfValue(event.eventName),
      date: dayOf(event.startDateTime ?? event.eventDate),
      place: address || null,
      url: null,
      kind: items.some(({ motions }) => motions.length > 0) ? 'minutes' : items.length > 0 ? 'agenda' : 'notice',
      items,
      lines: [event.categoryName ? event.eventName : null, event.eventDescription].flatMap((line) => textOfValue(line) ?? []),
    };
  });
}
