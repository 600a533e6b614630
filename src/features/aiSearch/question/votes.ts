/**
 * Votes as minutes write them.
 *
 *     vote  ::= "unanimous" | {name "," ("yes" | "no")} | ["Ayes:" side] "Nays:" side | verb … count | count ("vote" | "in favor" | …)
 *     count ::= n ("-" | "to" | "/" | ":") n
 *     side  ::= n | "none" | name {"," name}
 */
import type { VoteAsked } from './types.ts';

interface VoteFound {
  yes: number | null;
  no: number;
  /** text that names those who voted no, if there is one */
  against?: string;
}

const SPOKEN_OF = /\b(?:vote|votes|voted|voting|carried|passed|motion|approved?|denied|failed|adopted|recommend\w*|ayes?|nays?|yeas?)\b/i;
const COUNT = [
  /\b(?:vote|voted|votes|voting|carried|passed|failed|by a|motion)\b[^.;\d]{0,40}(?<!\d)(\d{1,2})\s?(?:-|–|—|to|:|yes,?)\s?(\d{1,2})(?![\d%/])/i,
  /\b(?:votes?|voted|voting|carried|passed|failed|approved|denied)\b(?:[^.;\d]{0,20}\b(?:of|by|was))?\s?\(?(?<!\bon\s)(\d{1,2})\s?\/\s?(\d{1,2})(?![\d%/])/i,
  /\b(?:approved|denied|granted|adopted|refused|rejected|disapproved|tabled|continued|deferred|recommended)(?:,|:| unanimously)? (\d{1,2})\s?[-–]\s?(\d{1,2})(?![-–]?\d|[\w%/])/i,
  /\((\d{1,2})\s?[-–]\s?(\d{1,2})(?:\s?[-–]\s?\d{1,2})?\)/,
  /(?<![\d.$/-])(\d{1,2})\s?[-–]\s?(\d{1,2})(?:\s?[-–]\s?\d{1,2})?\s(?:vote|in favor|to (?:approve|deny|recommend|continue))/i,
];
/** Names may continue on the next line of a scan. */
const NAYS = /\b(?:nays?|noes|opposed|against)\s?:\s?([^.;]{1,200})/i;
const AYES = /\b(?:ayes?|yeas?|in favor)\s?:\s?([^.;\n]{1,300})/i;
/** Characters of a name before its vote. */
const NAME_CHARACTERS = 40;
const BY_NAME = /,\s(yes|no)\b(?=[;.,]|$)/gi;

const isNobody = (text: string) => /^\s*(?:none|0|zero|n\/?a|-)\b/i.test(text) || /^\s*-/.test(text);
const headCount = (text: string): number => {
  if (isNobody(text)) return 0;
  const number = /^\s*(\d{1,2})\b/.exec(text)?.[1];
  return number === undefined ? text.split(/,|\band\b/).filter((name) => /[A-Za-z]/.test(name)).length : Number(number);
};

/** The vote that a sentence reports; undefined if it reports none. @param text at most a few hundred characters */
export function findVote(text: string): VoteFound | undefined {
  if (/\bunanimous(?:ly)?\b/i.test(text)) return { yes: null, no: 0 };
  if (!SPOKEN_OF.test(text)) return undefined;
  const named = [...text.matchAll(BY_NAME)];
  if (named.length > 1) return countedByName(text, named);
  const [ayes, nays] = [AYES.exec(text)?.[1], NAYS.exec(text)?.[1]];
  if (nays !== undefined)
    return { yes: ayes === undefined ? null : headCount(ayes), no: headCount(nays.split('\n')[0] ?? ''), against: nays };
  for (const pattern of COUNT) {
    const [, yes, no] = pattern.exec(text) ?? [];
    if (yes !== undefined) return { yes: Number(yes), no: Number(no) };
  }
  return undefined;
}

function countedByName(text: string, named: readonly RegExpExecArray[]): VoteFound {
  const isNo = (match: RegExpExecArray) => match[1]?.toLowerCase() === 'no';
  const against = named.filter(isNo).map((match) =>
    text
      .slice(Math.max(0, match.index - NAME_CHARACTERS), match.index)
      .split(/[;:]/)
      .at(-1),
  );
  return { yes: named.filter((match) => !isNo(match)).length, no: against.length, against: against.join('; ') };
}

/** Whether a vote is the one asked for. */
export function matchesVote(found: VoteFound, asked: VoteAsked): boolean {
  if (asked.kind === 'unanimous') return found.no === 0;
  if (asked.kind === 'split') return found.no > 0;
  return [asked, ...(asked.or ?? [])].some(({ yes, no }) => found.yes === yes && found.no === no);
}

const VOTE_COUNT = /\b(\d{1,2})\s?(?:-|–|\/|to)\s?(\d{1,2})\b/g;
/** `5-2`, `6-1 or 5-2` and nothing else. */
const VOTE_COUNTS_ALONE =
  /^\s*\d{1,2}\s?(?:-|–|\/|to)\s?\d{1,2}(?:(?:\s*[,/]\s*|\s+)(?:or\s+)?\d{1,2}\s?(?:-|–|\/|to)\s?\d{1,2})*(?:\s*[,/])?\s*$/;

const SPLIT =
  /\b(?:dissenting|opposing|no) votes?\b|\b(?:split|divided|non-?unanimous) (?:vote|decision)|\bvot(?:ed|ing) (?:no|against)\b|\bnays?\b|\bdissent|\bvote was (?:split|divided)/i;

/** The vote that a phrase asks for. */
export function readVoteAsked(text: string): VoteAsked | null {
  if (SPLIT.test(text)) return { kind: 'split' };
  if (/\bunanimous/i.test(text)) return { kind: 'unanimous' };
  const [first, ...or] = [...text.matchAll(VOTE_COUNT)].map(([, yes, no]) => ({ yes: Number(yes), no: Number(no) }));
  const isAsked = /\bvot|\bcarried\b|\bpassed\b|\bby (?:a )?\d/i.test(text) || VOTE_COUNTS_ALONE.test(text);
  return first && isAsked ? { kind: 'count', ...first, ...(or.length ? { or } : {}) } : null;
}
