/**
 * What the minutes of a board of supervisors say of one case: what the board did, how it voted, when it hears the case again and what staff
 * recommend. The words were read by OCR, which shuffles words of neighbouring lines; what is not clear is left out. Pure.
 */
import type { Vote } from '../../src/core/domain/record/statement.ts';
import { agreedValue, parseDay, parseText } from './values.ts';

export type BoardAction = 'Approved' | 'Denied' | 'Deferred' | 'Remanded' | 'Withdrawn';

export interface CaseMinutes {
  /** what the board did last; null where the minutes break off before, or name another case */
  action: BoardAction | null;
  /** the beginning of that motion */
  motion: string;
  /** on that motion, where every name was read cleanly */
  votes: Vote[];
  /** day of the next hearing, where the case was put off to one */
  nextHearing: string | null;
  /** what staff recommend, in the words of the minutes */
  staffWords: string | null;
}

const SEATS = 5;
/** A segment whose motion is not read may close with its votes. */
const CLOSE_CHARACTERS = 240;

function names(list: string): string[] {
  return /^none/i.test(list)
    ? []
    : list
        .split(/,? and |[,;]\s*/)
        .map((name) => name.replace(/\.$/, '').trim())
        .filter(Boolean);
}

/** The first votes of the words, `Ayes: Jaeckle, Warren and Gecker. Nays: None`; taken only where every name was read cleanly. */
export function votesOf(words: string): Vote[] {
  const shuffled = /((?:[A-Z][a-z]+, ){1,3}[A-Z][a-z]+ and [A-Z][a-z]+)\. Ayes: Nays: (None)/;
  const usual = /Ayes: ([A-Z][\w,;. ]+?)\. ?Nays: ([A-Z][\w, ]*?)(?=\.|$| Nays| \w?\d| Absent)/;
  const close = [usual.exec(words), shuffled.exec(words)].filter((found) => found !== null).sort((a, b) => a.index - b.index)[0];
  const ayes = names(close?.[1] ?? '').map((name): Vote => ({ name, vote: 'yes' }));
  const nays = names(close?.[2] ?? '').map((name): Vote => ({ name, vote: 'no' }));
  const votes = [...ayes, ...nays];
  return votes.length <= SEATS && votes.every((vote) => /^[A-Z][a-z]+$/.test(vote.name)) ? votes : [];
}

const ACTIONS: readonly [verb: RegExp, action: BoardAction][] = [
  [/^appr/i, 'Approved'],
  [/^den/i, 'Denied'],
  [/^def/i, 'Deferred'],
  [/^rem/i, 'Remanded'],
];
const MOTION = /\b(approved?|deny|denied|defer(?:red)?|remand(?:ed)?)[ .,-]{1,3}(?:the )?case (\d\d[A-Z\d]{2} ?[\dO]{4})/gi;
const PRESENTED = /\b(?:summary of Case|Case summary of|deferral of Case) (\d\d[A-Z\d]{2} ?[\dO]{4})/i;
const WITHDRAWN =
  /\backnowledged? (?:the )?withdrawal(?: of Case (\d\d[A-Z\d]{2} ?[\dO]{4}))?|\b(?:has|have)(?: formally)? withdrawn (?:the|its|their|his|her) (?:request|application|case)|\b(?:wishes|agreed) to withdraw (?:the )?case/gi;

interface Event {
  action: BoardAction;
  at: number;
  case: string | undefined;
}

/** Case numbers are compared with the letters that OCR takes for digits. */
const comparable = (number: string | undefined) =>
  number
    ?.toUpperCase()
    .replace(/\s/g, '')
    .replace(/O/g, '0')
    .replace(/^(\d\d)5N/, '$1SN');

function eventsOf(words: string): Event[] {
  const motions = [...words.matchAll(MOTION)].filter(
    ({ index }) => !/\burged\b[^.]{0,40}$/.test(words.slice(Math.max(0, index - 60), index)),
  );
  const moved = motions.flatMap(({ index, 1: verb = '', 2: number }) =>
    ACTIONS.filter(([pattern]) => pattern.test(verb)).map(([, action]) => ({ action, at: index, case: comparable(number) })),
  );
  const withdrawn = [...words.matchAll(WITHDRAWN)].map(
    ({ index, 1: number }): Event => ({ action: 'Withdrawn', at: index, case: comparable(number) }),
  );
  return [...moved, ...withdrawn].sort((a, b) => a.at - b.at);
}

/** The last action on this case; neighbouring cases of the same page are skipped. */
function lastEvent(words: string, number: string): Event | undefined {
  const events = eventsOf(words);
  const own = new Set([comparable(number), comparable(PRESENTED.exec(words)?.[1])]);
  // A number that was misread in the heading is right in the motion, and the case's own motion is the first of its segment.
  const isMisread = !events.some((event) => event.case && own.has(event.case));
  const first = events.find((event) => event.action !== 'Withdrawn');
  if (isMisread && first) own.add(first.case);
  // A withdrawal without a number that follows the case's own motion is a neighbour's.
  return events.findLast((event) => event.case && own.has(event.case)) ?? events.findLast((event) => !event.case);
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const UNTIL = new RegExp(`\\b(?:until|to) (?:the )?(${MONTHS.join('|')}) (?:(\\d{1,2}), )?(\\d{4})\\b`);
const LONGEST_MOTION = 160;

/** `until October 28, 2015`; of `until the May 2015 regularly scheduled meeting` the day on which the board met in that month, where it met once. */
function nextHearing(motion: string, meetingDays: readonly string[]): string | null {
  const [, name = '', date, year = ''] = UNTIL.exec(motion.slice(0, LONGEST_MOTION)) ?? [];
  if (!name) return null;
  const month = MONTHS.indexOf(name) + 1;
  if (date) return parseDay(`${month}/${date}/${year}`);
  return agreedValue(meetingDays.filter((met) => met.startsWith(`${year}-${String(month).padStart(2, '0')}`)));
}

const STAFF_WORDS = [
  /\bstaff\.? (?:\w+ )?recommend(?:s|ed|ing)?\b/g,
  /\bstaff (?:is|has) ?request(?:ed|ing) .{0,40}?deferral/g,
  /\brecommended (?:and stated )?(?:approval|denial).{0,20}? both the Planning Commission and staff\b/g,
];
/** The end of a sentence, or of the part of it that quotes staff. */
const WORDS_END = /[.;] (?=[A-Z\d])|;|, (?:however|but),? the Planning/;
const LONGEST_WORDS = 400;

/** The first words in which staff recommend something, not those that say what to accept if the board approves against their advice. */
function staffWords(words: string): string | null {
  const found = STAFF_WORDS.flatMap((pattern) => [...words.matchAll(pattern)]).sort((a, b) => a.index - b.index);
  const plain = found.find(
    ({ index }) =>
      !/\b(?:if|should) the Board\b/.test(
        words
          .slice(Math.max(0, index - 120), index)
          .split('.')
          .at(-1) ?? '',
      ),
  );
  if (!plain) return null;
  const rest = words.slice(plain.index + plain[0].length);
  const end = Math.min(rest.search(WORDS_END) + 1 || rest.length + 1, LONGEST_WORDS) - 1;
  return parseText(`${plain[0]}${rest.slice(0, end)}`);
}

/** What a segment of minutes says of the case that it is about. @param meetingDays `YYYY-MM-DD`, on which the board met */
export function readCaseMinutes(segment: string, number: string, meetingDays: readonly string[]): CaseMinutes {
  const words = parseText(segment, 900_000) ?? '';
  const last = lastEvent(words, number);
  const rest = last ? words.slice(last.at) : '';
  const isVoted = last !== undefined && (last.action !== 'Withdrawn' || /^acknowledge\b/i.test(rest));
  return {
    action: last?.action ?? null,
    motion: rest.slice(0, LONGEST_MOTION),
    votes: isVoted ? votesOf(rest) : last ? [] : votesOf(words.slice(-CLOSE_CHARACTERS)),
    nextHearing: last?.action === 'Deferred' ? nextHearing(rest, meetingDays) : null,
    staffWords: staffWords(words),
  };
}
