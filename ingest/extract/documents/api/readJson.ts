/** The JSON of Legistar, PrimeGov and CivicClerk, one answer or several in a file: which API's it is shows in its fields. Pure. */
import type { ReadPart } from '../pages.ts';
import { UnreadError } from '../unread.ts';
import { isCivicClerkEvent, isCivicClerkMeeting, readCivicClerk } from './civicClerk.ts';
import { type HeldObject, isLegistarEvent, isLegistarItem, isLegistarVote, readLegistar } from './legistar.ts';
import { type ApiMeeting, type ApiObject, dayOf, isObject, labelled, textOfValue, writeMeeting } from './meeting.ts';

/**
 * Meetings of PrimeGov's public portal (CLIENT.primegov.com/api/v2/PublicPortal: `ListUpcomingMeetings`, `ListArchivedMeetings?year=`). They name
 * their documents and hold no items: each is a notice.
 */
const isPrimeGovMeeting = (object: ApiObject) => Array.isArray(object.documentList) && 'dateTime' in object && 'title' in object;

const readPrimeGov = (meeting: ApiObject): ApiMeeting => ({
  format: 'primegov',
  title: textOfValue(meeting.title),
  date: dayOf(meeting.dateTime),
  place: textOfValue(meeting.location),
  url: null,
  kind: 'notice',
  items: [],
  lines: (meeting.documentList as unknown[]).filter(isObject).flatMap((document) => labelled('Document', document.templateName)),
});

/** All objects of a file with their holders, in its order. */
function listObjects(root: unknown): HeldObject[] {
  const found: HeldObject[] = [];
  const waiting: [value: unknown, holder: ApiObject | undefined][] = [[root, undefined]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, holder] = next;
    if (isObject(value)) found.push([value, holder]);
    const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    const below = isObject(value) ? value : holder;
    waiting.push(
      ...inner
        .filter((one) => typeof one === 'object' && one !== null)
        .map((one): [unknown, ApiObject | undefined] => [one, below])
        .reverse(),
    );
  }
  return found;
}

const ERROR_FIELDS = ['error', 'Error', 'errors', 'message', 'Message', 'ExceptionMessage'];

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadError('broken');
  }
}

/** @throws UnreadError if the text is no JSON, an error, or of another API */
export function readJson(text: string): ReadPart[] {
  const root = parseJson(text);
  const held = listObjects(root);
  const select = (isWanted: (object: ApiObject) => boolean) => held.filter(([object]) => isWanted(object));
  const objects = (isWanted: (object: ApiObject) => boolean) => select(isWanted).map(([object]) => object);
  const meetings = [
    ...readLegistar(objects(isLegistarEvent), select(isLegistarItem), select(isLegistarVote)),
    ...readCivicClerk(objects(isCivicClerkEvent), objects(isCivicClerkMeeting)),
    ...objects(isPrimeGovMeeting).map(readPrimeGov),
  ];
  if (meetings.length > 0) return meetings.map(writeMeeting);
  if (held.every(([object]) => Object.keys(object).length === 0)) throw new UnreadError('empty');
  throw new UnreadError(isObject(root) && ERROR_FIELDS.some((field) => field in root) ? 'error_page' : 'wrong_type');
}
