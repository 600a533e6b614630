/** What a document is, which body met, and when. Pure. */
import type { DocumentKind, Doubt, ReadDocument, Stated } from '../types.ts';
import { type DateAt, findDates } from './dates.ts';
import type { ReadableText } from './text.ts';

const HEAD = 2_500;
const CHARACTERS_MIN = 150;
const ACTED =
  /\b(?:moved|motioned|seconded|motion (?:carried|passed|failed|by|to approve|was made)|made (?:a|the) motion|second(?:ed)? by|voted|unanimous(?:ly)?|all in favor|all ayes|so ordered|motion(?: was)? (?:made|adopted|approved|denied|lost|prevailed)|moved by|support(?:ed)? by|m\/s\/?c?)\b|\bM\/[A-Z][\w'-]{1,20},? S\/|\bmotion: |\b(?:carried|passed|approved|denied|granted|adopted|failed|vote|voted)[,:.]? (?:by )?(?:a vote of )?\(?\d{1,2} ?(?:-|to) ?\d{1,2}\b|\b[A-Z][a-z]{2,20}\/[A-Z][a-z]{2,20}(?: -)? to (?:approve|deny|grant|table|continue|recommend|adopt)\b|\b(?:ayes?|nays?|yeas?|mover|seconder|result): | \| (?:approved|denied|granted|continued|deferred|tabled)\b|\b(?:is|are|was|were)(?: hereby)? (?:APPROVED|GRANTED|DENIED|AFFIRMED|REMANDED)\b|\b(?:decision|action|disposition|ruling|recommendation)(?: issued| dated| at hearing)?[\w ,]{0,22}: (?:that )?(?:the \w+ )?[^.\n]{0,60}\b(?:approve|approved|denied|granted|continued|voted|recommend\w*)\b/gi;
const MET =
  /\b(?:action (?:summary|minutes)|summary of actions|meeting results|called (?:the )?(?:\w+ ){0,4}(?:meeting |hearing )?to order|(?:was|were) called to order|(?:meeting|(?:public |open record )?hearing) (?:was )?(?:convened|opened|adjourned)|(?:opened|held|conducted) (?:the|an?) (?:(?:public |open record )?hearings?\b|meeting at)|adjourned at|convened (?:at|the)|convened \d|opened at \d|members present|present were|in attendance|a quorum|excused:|(?:members|those|commissioners|trustees|also)? ?(?:present|absent|seated|sitting|attending|attendance): ?[A-Z])/i;
const WILL_MEET = /\b(?:notice is hereby given|will (?:hold|conduct|meet|consider|be held)|is scheduled|shall be held)\b/i;
const OF_NOTICE = /\b(?:notice of (?:public )?(?:hearing|meeting)|public notice|legal notice|notice is hereby given)\b/i;

/** `City Council Agenda`; not `adopted the agenda` */
const OF_AGENDA = /(?<!\b(?:the|of|an?|this|adopted|approved?) )\bagenda\b/i;

/** @returns the kind, and why it is no document of a meeting, if so */
export function readKind(document: ReadDocument, { prose }: ReadableText): { kind: DocumentKind; reason: string | null } {
  if (prose.length < CHARACTERS_MIN) return { kind: 'other', reason: 'too_short' };
  const acted = prose.match(ACTED)?.length ?? 0;
  if (document.stated.kind) return { kind: document.stated.kind, reason: null };
  const head = prose.slice(0, HEAD);
  const reports = prose.match(/\bSTAFF REPORT\b/g)?.length ?? 0;
  if (OF_AGENDA.test(head) && reports >= 3 && prose.length > 60_000) return { kind: 'packet', reason: null };
  if (
    (acted >= 2 && !(OF_AGENDA.test(head) && acted < 4 && !MET.test(prose))) ||
    (/\b(?:minutes|meeting notes)\b/i.test(head.slice(0, 900)) && MET.test(prose))
  )
    return { kind: 'minutes', reason: null };
  if (OF_AGENDA.test(head)) return { kind: 'agenda', reason: null };
  if (OF_NOTICE.test(head)) return { kind: 'notice', reason: null };
  if (MET.test(prose) && acted > 0) return { kind: 'minutes', reason: null };
  return WILL_MEET.test(head) && /\b(?:hearing|commission|council|board)\b/i.test(head)
    ? { kind: 'notice', reason: null }
    : { kind: 'other', reason: 'no_meeting' };
}

/** A date of something else: approval of other minutes, printing, posting. */
const OF_OTHER =
  /\b(?:approved|retrieved|posted|printed|published|revised|adopted|dated|minutes (?:of|from|for) (?:the )?(?:\w+ )?|approval of (?:the )?(?:minutes )?|effective|created|received)[ :,.]{0,3}(?:on |of |from |for )?(?:the )?$/i;

/** The day of the meeting: the first one in the title; one that running heads repeat wins. */
export function readMeetingDate(document: ReadDocument, text: ReadableText, doubts: Doubt[]): Stated<string> | null {
  const head = text.prose.slice(0, HEAD);
  const dates = findDates(head, null);
  const isTitle = (at: number) => at < 400 && /(?:^|\n)minutes (?:of|for|-) ?$/i.test(head.slice(Math.max(0, at - 14), at));
  const first = dates.find(({ at }) => isTitle(at) || !OF_OTHER.test(head.slice(Math.max(0, at - 40), at)));
  const ofHeads = text.heads.flatMap((line) => findDates(line.text, null).map((one) => ({ ...one, at: line.start + one.at })));
  const repeated = mostFrequent(ofHeads.map(({ value }) => value));
  const stated = document.stated.date;
  const better = [stated, repeated].find((value) => value && value !== first?.value);
  const found = (better && (dates.find(({ value }) => value === better) ?? findLater(text, better))) || first;
  const values = [...new Set([first?.value, repeated, stated].filter((value) => value))];
  if (values.length > 1) doubts.push({ field: 'meetingDate', reasons: [`states ${values.join(', ')}`] });
  const inHead = ofHeads.find(({ value }) => value === better);
  if (inHead && found?.value !== better) return { value: inHead.value, start: inHead.at, end: inHead.at + inHead.length };
  return found ? { value: found.value, ...text.toSpan(found.at, found.at + found.length) } : null;
}

const findLater = (text: ReadableText, day: string): DateAt | undefined =>
  findDates(text.prose.slice(0, 60_000), null).find(({ value }) => value === day);

function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const best = [...counts].sort((a, b) => b[1] - a[1])[0];
  return best && best[1] > 1 ? best[0] : null;
}

const BODY =
  /(?:[A-Z][\w.']{0,20} ){0,5}(?:(?:PLANNING|Planning) (?:(?:AND|and|&) (?:ZONING|Zoning) )?(?:COMMISSION|Commission|BOARD|Board)|(?:PLAN|Plan|ZONING|Zoning|HISTORIC(?:AL)?|Historic(?:al)?|LANDMARKS?|Landmarks?|LAND USE|Land Use) (?:(?:PRESERVATION|Preservation|USE|Use) )?(?:COMMISSION|Commission|BOARD|Board|COMMITTEE|Committee)(?: (?:OF|of) (?:APPEALS|Appeals|ADJUSTMENT|Adjustment))?|(?:BOARD|Board) (?:OF|of) (?:(?:ZONING|Zoning|COUNTY|County|CITY|City|LAND USE|Land Use) )?(?:APPEALS|Appeals|ADJUSTMENTS?|Adjustments?|SUPERVISORS|Supervisors|COMMISSIONERS|Commissioners|TRUSTEES|Trustees|ALDERMEN|Aldermen|SELECTMEN|Selectmen)|(?:CITY|City|TOWN|Town|COUNTY|County|VILLAGE|Village|COMMON|Common|BOROUGH|Borough|METRO|Metro) (?:COUNCIL|Council|COMMISSION|Commission|BOARD|Board)|(?:DESIGN|Design|ARCHITECTURAL|Architectural|DEVELOPMENT|Development) (?:REVIEW|Review) (?:BOARD|Board|COMMITTEE|Committee|COMMISSION|Commission)|(?:ZONING|Zoning) (?:HEARING|Hearing) (?:BOARD|Board)|(?:HEARING|Hearing) (?:EXAMINER|Examiner|OFFICER|Officer)|(?:ADMINISTRATIVE|Administrative) (?:HEARING|Hearing))(?![A-Za-z])/;

export function readBody(text: ReadableText): Stated<string> | null {
  const found = BODY.exec(text.prose.slice(0, 6_000));
  if (!found) return null;
  const lead =
    /^(?:(?:The|THE|A|Minutes|MINUTES|Meeting|MEETING|OF|Of|of|FOR|Regular|REGULAR|Special|SPECIAL|AGENDA|Agenda|Present|Chair|CHAIR) ){1,6}/.exec(
      found[0],
    )?.[0].length ?? 0;
  const value = found[0].slice(lead);
  return { value, ...text.toSpan(found.index + lead, found.index + lead + value.length) };
}

const OPENS_MEETING =
  /\b(?:called (?:the )?(?:[\w&-]+ ){0,8}to order|was called to order|minutes of (?:the|a) [^\n]{0,80}meeting(?: held)?)\b/gi;

/** Days of meetings that one text holds, each with an opening of its own. */
export function findMeetings(text: ReadableText): string[] {
  const days = [...text.prose.matchAll(OPENS_MEETING)].flatMap(({ index }) => {
    const from = Math.max(0, index - 500);
    const around = text.prose.slice(from, index + 300);
    const dates = findDates(around, null).filter(({ at }) => !OF_OTHER.test(around.slice(Math.max(0, at - 40), at)));
    const nearest = dates.findLast(({ at }) => from + at < index) ?? dates[0];
    return nearest ? [nearest.value] : [];
  });
  return [...new Set(days)];
}
