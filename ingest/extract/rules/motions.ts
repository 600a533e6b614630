/** Motions of a stretch of minutes: who moved and seconded, what was moved, what came of it. Pure. */
import type { MotionResult, Span, Stated } from '../types.ts';
import { findCaseNumbers } from './caseNumbers.ts';
import patterns from './motions.json' with { type: 'json' };
import { findNameAfter, findNameBefore, type NameAt, surnameOf } from './names.ts';
import { placeOfMark, readNumber } from './numbers.ts';
import { compileGroups } from './patterns.ts';
import { findFrom, type ReadableText } from './text.ts';
import { readVotes, type VotesRead } from './votes.ts';

/** One motion, or one decision that is stated without one. Places are of `prose`. */
export interface MotionRead extends VotesRead {
  start: number;
  end: number;
  /** what was moved, from its verb on */
  action: string;
  actionStart: number;
  kind: 'decision' | 'consent' | 'procedural';
  result: MotionResult | null;
  mover: Stated<string> | null;
  seconder: Stated<string> | null;
  resultSpan: Span;
  conditions: Stated<string>[];
  /** true where the words themselves recommend */
  recommends: boolean;
}

/**
 * Words that open a motion, by where its mover is named: before them, after them, before the quotation that they are in, or nowhere. Behind those of
 * `alone` nothing says what is moved.
 */
const OPENINGS = compileGroups(patterns.openings).map(({ name, pattern }) => {
  const [mover, alone] = name.split(' ');
  return { pattern, mover: mover === 'none' ? null : (mover as 'before' | 'after' | 'speaker'), acts: alone === undefined };
});
const SECONDERS = compileGroups(patterns.seconders);

const PROCEDURAL =
  /^.{0,60}\b(?:adjourn\w*(?! (?:the |this )?(?:\w+ )?(?:application|matter|case|item|request|petition|appeal|variance)|(?: the)? (?:public )?hearing (?:to|until))|(?:(?:re)?open|clos)(?:e|ed|ing)?\b.{0,20} (?:public )?(?:hearings?|comments?|portion|meeting|session|forum)|recess|reconvene|(?:executive|closed) session|amend (?:the |his |her |their )?(?:main |original |previous )?motion|call (?:for )?the question|elect|nominat\w+|appoint\w*|excuse|agenda(?! item)|minutes|meeting schedule|calendar year|bylaws?|by-laws|rules of procedure|extend the (?:meeting|time)|suspend the rules|enter into|go into|(?:meeting )?dates|remove (?:the )?item|take (?:from|off) the table|untable|warrants?|claims|bills|payroll|accounts payable|treasurer'?s|budget|receive and file|place on file)\b|^.{0,40}\b(?:accept|approv|adopt)\w*\b.{0,90}\bminutes\b/i;
const CONSENT =
  /^.{0,60}\b(?:consent|omnibus) (?:agenda|calendar|items?|docket|vote)\b|^.{0,30}\bitems? (?:on|of) consent\b|^.{0,40}\b(?:routine (?:action )?items?|items [A-Z\d]{1,2} (?:through|thru|to|-) [A-Z\d]{1,2})\b/i;
const CONDITIONED =
  /\b(?:subject to|conditioned (?:up)?on|as conditioned|(?:with|under|and|to|(?:up)?on) (?:the |all |these |those |\w+ )?(?:[\w'-]+ |\(\d+\) ){0,3}(?:conditions?|stipulations?|provisos?|proffers?|commitments?|technical evaluations|modifications?|contingenc\w+)|(?:with|per|coinciding with|including|based on|following|in accordance with|according to) (?:the |all |(?:\d+|two|three|four|five|six|seven|eight|nine|ten) )?(?:of )?(?:planning )?(?:staff|staff report)(?:'s)? (?:recommend(?:ations?|ed conditions)|conditions|comments|requirements)|as recommended by (?:planning )?staff|proffered conditions|conditions? (?:of approval|listed|outlined|recommended|set forth|contained|in the staff|as (?:listed|stated|presented|outlined))|contingent (?:up)?on|provided (?:that|there|the|it|he|she|they|all|no)\b|with:? (?=[(]?[a1][.)] )|on the condition|limited to the following|w\/ ?(?!findings)\w+|with: ?\w+|(?:with|on) (?:the|that|those|these)(?: \w+)? (?:note|items?|terms|two|three|four|five|six))\b/i;

const VERBS = Object.entries(patterns.results).map(([result, pattern]) => ({
  result: result as MotionResult,
  pattern: new RegExp(pattern, 'i'),
}));

/** The verb that comes first decides; a recommendation goes before what is recommended. */
export function readResult(action: string): { result: MotionResult; at: number; length: number } | null {
  const found = VERBS.flatMap(({ result, pattern }, rank) => {
    const match = pattern.exec(action);
    return match ? [{ result, at: match.index, length: match[0].length, rank }] : [];
  });
  found.sort((a, b) => a.at - b.at || a.rank - b.rank);
  const first = found[0];
  if (!first) return null;
  // `accept the withdrawal`, `grant a continuance`, `approve the request to continue`
  const better = found.find(({ result, at }) => (result === 'withdrawn' || result === 'continued') && at > first.at && at - first.at < 45);
  // `adopt Resolution 14, denying`, `adopt the findings and recommend approval`, `approve the recommendation to deny`: what the paper does.
  const paper = first.result === 'approved' ? PAPER.exec(action.slice(first.at)) : null;
  const within = paper && readResult(action.slice(first.at + paper[0].length));
  if (paper && within && within.at < 25) return { ...within, at: within.at + first.at + paper[0].length };
  const { result, at, length } = better ?? first;
  return { result, at, length };
}

/** A paper that a motion adopts, up to what the paper does. */
const PAPER =
  /^(?:adopt|approv|accept|pass|find)\w* [^.;]{0,90}?\b(?:resolutions?|findings?|conclusions|orders?|reports?|recommendations?|statements?|consistent|inconsistent)\b(?:[^.;]|\bNo\.){0,100}?(?:\band (?:to )?(?:that |the [A-Z][a-z]+ )?(?=(?:therefore )?(?:approv|den[yi]|recommend|forward|grant|continue|table|send))|,? (?=(?:denying|approving|granting|recommending)\b)|\b(?:to|of|for) (?=den|approv|grant|(?:positive|favorable|negative) rec))/i;

const SENTENCE_STOP =
  /(?:[a-z"')\]]{2}|\d)(?<!\b(?:Mrs|Messrs|Atty|Comm|Ald|Nos|Sec|Ave|Blvd|Hwy|Dept|approx))[.!]["']?(?= |\n|$)(?! ?(?:Inc|LLC|[a-z]))/g;
const ACTION_MOST = 900;
const MOTION_MOST = 7_000;

interface OpeningAt extends Span {
  mover: Stated<string> | null;
  acts: boolean;
}

/** Where motions begin, in the order of the text. */
function findOpenings(text: ReadableText): OpeningAt[] {
  const { prose } = text;
  const found = OPENINGS.flatMap(({ pattern, mover, acts }) =>
    [...prose.matchAll(pattern)].flatMap(({ index, 0: whole }): OpeningAt[] => {
      const named = mover === null ? null : findMover(prose, mover, index, index + whole.length);
      if (!named && (mover === 'before' || mover === 'after')) return [];
      if (mover === 'after' && ON_MOTION_BEFORE.test(prose.slice(Math.max(0, index - 20), index))) return [];
      if (mover === null && isNoDecision(prose, index, index + whole.length)) return [];
      return [
        {
          start: named && mover !== 'after' ? named.at : index,
          end: named && mover === 'after' ? named.at + named.name.length : index + whole.length,
          mover: named ? { value: named.name, ...text.toSpan(named.at, named.at + named.name.length) } : null,
          acts:
            acts &&
            !(mover === 'after' && named && ENDS_LINE.test(prose.slice(named.at + named.name.length, named.at + named.name.length + 90))),
        },
      ];
    }),
  );
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The vote on what was moved before: `called for the vote on the motion of Mr. Reed`. */
const ON_MOTION_BEFORE = /\bvote (?:on (?:the )?)?$/i;
/** What follows the mover where the motion itself stands before: the seconder at most. */
const ENDS_LINE =
  /^[,;.]? ?(?:(?:[Aa]nd )?(?:[Ss]econded|SECONDED) by (?:[A-Z][\w.'-]{0,20}[ ,]{0,2}){1,5}[,.;]? ?)?(?:\n(?!(?:BE IT |NOW,? THEREFORE,? (?:BE IT )?)?RESOLVED)|$)/;
/** The mover behind what is moved: `to approve by Reed`, `to deny was proposed by Glen Holt with a second`. */
const MOVED_BY =
  / (?:was )?(?:made |given |proposed |offered |put forth )?by (?=[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3}(?:[.,;]? ?$|[,;]? (?:with a|and a|and|was)? ?second))|: (?=[A-Z][\w'-]+(?: [A-Z][\w'-]+)?(?:[.;]? ?$|[,;] (?:[A-Z][\w'-]+ )?(?:[Ss]econd|2nd)\b))|, (?=[A-Z][\w'-]+; (?:[Ss]econd|2nd)\b)/;

/** A sentence about an earlier decision. */
const EARLIER =
  /\b(?:previous(?:ly)?|prior|earlier|original(?:ly)?|last (?:year|month|meeting)|in (?:19|20)\d\d|ago|had been|at (?:its|their|the) [A-Z]\w+ \d)\b/i;
const isNoDecision = (prose: string, start: number, end: number): boolean =>
  SUPPOSED.test(prose.slice(Math.max(0, start - 80), start)) || EARLIER.test(actionOf(prose, end, prose.length).slice(0, 200));

/** What is not said to have been decided. */
const SUPPOSED = /\b(?:if|once|when|unless|until|after|before|whether|should|until such time|resolved)\b[^.\n]{0,80}$/i;
/** Who speaks: before `stated, "Based on …, I move`. */
const SPEAKS = /(?: (?:stated|motioned|said|moved|read|made the (?:following )?motion|made a motion))?[,:]? ?"[^"\n]{0,300}$/;
/** `Hatch: Thank you. I`, `>> COMMISSIONER NORTH: I`: who speaks in a transcript. */
const SPEAKER = /(?:^|>{1,3} ?|[.?!] )(?=[A-Z][\w.' -]{1,40}: )/g;

function findMover(prose: string, where: 'before' | 'after' | 'speaker', start: number, end: number): NameAt | null {
  if (where === 'after') return findNameAfter(prose, end);
  if (where === 'before') return findNameBefore(prose, start) ?? findSubject(prose, start);
  const window = prose.slice(Math.max(0, start - 400), start);
  const speaks = SPEAKS.exec(window);
  if (speaks) return findNameBefore(prose, start - window.length + speaks.index);
  const line = window.slice(window.lastIndexOf('\n') + 1);
  const speaker = [...line.matchAll(SPEAKER)].at(-1);
  return speaker ? findNameBefore(prose, start - line.length + line.indexOf(': ', speaker.index)) : null;
}

/** `Mr. Holt said that … He moved to deny`: who spoke last in the sentences before. */
function findSubject(prose: string, end: number): NameAt | null {
  const window = prose.slice(Math.max(0, end - 500), end);
  const line = window.slice(window.lastIndexOf('\n') + 1);
  // Not `He moved here in 1990.`
  const isMotion = /^(?:\w+ ){0,3}(?:moved (?:to (?![A-Z])|that|for|approval|denial)|motion)/.test(prose.slice(end, end + 50));
  if (!isMotion || !/\b(?:He|She|he|she) (?:then |also |so ){0,2}$/.test(line)) return null;
  const spoke = [...line.matchAll(SPOKE)].map(({ index }) => findNameBefore(prose, end - line.length + index));
  return spoke.findLast((one) => one !== null) ?? null;
}
const SPOKE =
  / (?=(?:then |also )?(?:said|stated|felt|asked|noted|thought|did|does|would|could|was|is|had|has|agreed|believed|wanted|wished|commented|expressed|explained|read|spoke|thanked|found|liked|disliked|supported|opposed)\b)/g;

/** Openings of one motion: `Motion: Commissioner Squire moved to …`, or `Motion to approve … Motion: Commissioner Southey`. */
function groupOpenings(openings: readonly OpeningAt[], prose: string): OpeningAt[][] {
  const groups: OpeningAt[][] = [];
  for (const opening of openings) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last) {
      const between = prose.slice(last.end, opening.start);
      const hasMover = group.some(({ mover }) => mover);
      const acted = group.some((one) => one.acts && readResult(actionOf(prose, one.end, opening.start)) !== null);
      const behind = actionOf(prose, opening.end, opening.end + 120).split('\n', 1)[0] ?? '';
      // `Moved: E. Reed Seconded: J. Holt Approved: 6-0`, `a vote on the motion offered by Mr. Reed`, behind what Reed moved.
      const restates =
        opening.mover !== null &&
        /(?:\n|\bthe )$/.test(prose.slice(opening.start - 5, opening.start)) &&
        group.some(({ mover }) => mover && surnameOf(mover.value) === surnameOf(opening.mover?.value ?? '')) &&
        !SAYS_WHAT.test(behind);
      const near = opening.start - last.end < 110 && !/(?<!\b(?:Mr|Ms|Mrs|Dr|[A-Z]))[.!?]["']? |\n/.test(between);
      const adds =
        (opening.mover !== null && !hasMover && opening.start - last.start < 5_000 && !isOther(behind)) ||
        (acted && hasMover && opening.mover === null && / voted$/.test(prose.slice(opening.start, opening.end)));
      if (
        opening.start < last.end ||
        restates ||
        (near && !(hasMover && (opening.mover || /^a motion was/i.test(prose.slice(opening.start, opening.end))))) ||
        adds
      ) {
        group.push(opening);
        continue;
      }
    }
    groups.push([opening]);
  }
  return groups;
}

/** That words behind a mover say what was moved. */
const SAYS_WHAT = /\b(?:to|that|for|the|of|we|this|[Mm]otion)\b/;

/** Whether words move something, and do not only name who moved. */
const isOther = (words: string) => readResult(words.replace(OUTCOME, '')) !== null || PROCEDURAL.test(words);
/** Behind the mover what came of the motion: `Second: Holt Ayes: Reed, Holt Approved: 2-0 6. Next item` */
const OUTCOME = /\b(?:Approved|Denied|Passed|Failed): ?\d.*|\b(?:Ayes?|Yeas?|In favor): .*/is;

/** What follows an opening: the rest of the sentence. */
function actionOf(prose: string, start: number, stop: number): string {
  const words = prose.slice(start, Math.min(stop, start + ACTION_MOST));
  const [line = ''] = words.split('\n', 1);
  if (RESULT_ALONE.test(line)) return line;
  SENTENCE_STOP.lastIndex = 0;
  const end = SENTENCE_STOP.exec(words);
  return end ? words.slice(0, end.index + end[0].length) : words;
}

/** A line that says what came of the request above it: `Approved 6-1 (Nay: Ortiz)`, `Continued to June 4` */
export const RESULT_ALONE = /^(?:Approved|Denied|Granted|Deferred|Continued|Withdrawn|Tabled|Postponed)\b[^\n.]{0,80}\.?$/;

const SECONDED_WITHIN =
  /,? ?(?:and )?(?:was )?(?:second(?:ed)?|support(?:ed)?|2nd)(?: by)?:? ?(?:[A-Z][\w.'-]{0,20} ?){1,5},? ?|^,? ?(?:and )?(?:[A-Z][\w.'-]{0,20} ){1,5}seconded,? ?|\([^()]{0,60}\)/;

const ORIGINAL =
  /\bvote on (?:the )?motion (?:to|of|by)\b|\b(?:the )?(?:original|main|first|primary|underlying) motion\b(?=[^.\n]{0,80}\b(?:carried|passed|failed|approved|vote|ayes?|nays?)\b)/i;

/** The motions of a document. One is read once for each place at which what follows it may end: at the next motion, or where its item ends. */
export class Motions {
  readonly #text: ReadableText;
  readonly #surnames: ReadonlySet<string>;
  readonly #openings: readonly OpeningAt[];
  readonly #read = new Map<string, readonly MotionRead[]>();

  /** @param surnames of members, in lower case */
  constructor(text: ReadableText, surnames: ReadonlySet<string>) {
    this.#text = text;
    this.#surnames = surnames;
    this.#openings = findOpenings(text);
  }

  /** Those that begin in a range of `prose`, in order. */
  readWithin(from: number, to: number): MotionRead[] {
    const { prose } = this.#text;
    const groups = groupOpenings(this.#openings.slice(findFrom(this.#openings, from), findFrom(this.#openings, to)), prose);
    const motions: MotionRead[] = [];
    for (const [i, group] of groups.entries()) {
      const start = group[0]?.start ?? from;
      const end = Math.min(groups[i + 1]?.[0]?.start ?? to, to, start + MOTION_MOST);
      // Behind a substitute the vote on the motion before it follows.
      const original = motions.length ? ORIGINAL.exec(prose.slice(start, end)) : null;
      const stop = original ? start + original.index : end;
      const last = motions.findLastIndex(({ kind, result }) => kind === 'decision' && result !== null);
      if (original && last >= 0) motions[last] = { ...(motions[last] as MotionRead), ...readVotes(this.#text, stop, end, this.#surnames) };
      motions.push(...this.#readOne(group, start, stop));
    }
    return motions;
  }

  #readOne(group: readonly OpeningAt[], start: number, stop: number): readonly MotionRead[] {
    const key = [start, group.at(-1)?.end, stop].join();
    const known = this.#read.get(key);
    if (known) return known;
    const motion = readMotion(this.#text, group, start, stop, this.#surnames);
    const read = motion ? splitRuling(this.#text, motion) : [];
    this.#read.set(key, read);
    return read;
  }
}

/** `SHR23-018 approved; VAR23-004 denied`: what differs for each number is a decision of its own. */
function splitRuling(text: ReadableText, motion: MotionRead): MotionRead[] {
  const parts = [...motion.action.matchAll(/(?:[^;,]|,(?! and (?:to )?(?:den|approv|grant)))+/g)].flatMap(
    ({ index, 0: action }): MotionRead[] => {
      const found = readResult(action);
      if (!found || !findCaseNumbers(action).length) return [];
      const at = motion.actionStart + index;
      const conditions = found.result === 'approved' ? motion.conditions : [];
      const result = withConditions(found.result, action, conditions.length);
      return [
        { ...motion, action, actionStart: at, result, conditions, resultSpan: text.toSpan(at + found.at, at + found.at + found.length) },
      ];
    },
  );
  return new Set(parts.map(({ result }) => result)).size > 1 ? parts : [motion];
}

/** `close the public hearing and table the item` */
const CLOSES_AND =
  /^.{0,90}\b(?:clos\w{1,3}|open) (?:the )?(?:public )?(?:hearing|comments?)\b.{0,40}\band (?:to )?(?=(?:then )?(?:leave|approve|deny|table|continue|recommend|forward|postpone|defer|adopt|grant))/i;

function readMotion(
  text: ReadableText,
  group: readonly OpeningAt[],
  start: number,
  end: number,
  surnames: ReadonlySet<string>,
): MotionRead | null {
  const { prose } = text;
  const acting = group.filter(({ acts }) => acts).sort((a, b) => Number(b.mover !== null) - Number(a.mover !== null));
  const actions = acting.map((one) => ({ at: one.end, words: actionOf(prose, one.end, end) }));
  const before = findResultBefore(prose, start);
  const resultOf = ({ words }: { words: string }) => readResult(withoutSecond(words))?.result;
  const withResult = actions.find((one) => /^recommended/.test(resultOf(one) ?? '')) ??
    actions.find((one) => resultOf(one) !== undefined) ??
    before ??
    actions.at(-1) ?? { at: group[0]?.end ?? start, words: '' };
  const action = withoutSecond(withResult.words);
  const isConsent = CONSENT.test(action);
  const then = CLOSES_AND.exec(action);
  const isProcedural = !isConsent && !then && PROCEDURAL.test(action);
  const found =
    readResolved(prose.slice(withResult.at, end), action) ??
    readResult(then ? action.slice(then[0].length).padStart(action.length) : action);
  const mover = group.find((one) => one.mover)?.mover ?? readMoverBehind(text, withResult.at, withResult.words);
  if (!found && !mover && !isProcedural) return null;
  const seconder = readSeconder(text, start, end, mover?.value ?? null);
  const votes = readVotes(text, start, end, surnames);
  const lapsed = !isProcedural && found && /approv/.test(found.result) ? readDenialOfLost(prose, withResult.at, end, votes.carried) : null;
  const conditions = found && !isProcedural && !lapsed ? readConditions(text, withResult.at, end) : [];
  const at = found ? withResult.at + found.at : withResult.at;
  const actionEnd = withResult.at + withResult.words.length;
  return {
    ...votes,
    // A denial whose count is lost is one still: `Denied | 2-3`.
    carried:
      lapsed || (votes.carried === false && votes.tally !== null && /^\W*(?:denied|disapproved)\b/i.test(action)) ? true : votes.carried,
    start: Math.min(start, withResult.at),
    end,
    action,
    actionStart: withResult.at,
    kind: isConsent ? 'consent' : isProcedural ? 'procedural' : 'decision',
    result: lapsed ? 'denied' : found ? withConditions(found.result, action, conditions.length) : null,
    recommends: found !== null && /^recommended/.test(found.result),
    mover,
    seconder,
    resultSpan: lapsed
      ? text.toSpan(lapsed.start, lapsed.end)
      : found
        ? text.toSpan(at, at + found.length)
        : text.toSpan(start, Math.max(start + 1, Math.min(actionEnd, end))),
    conditions,
  };
}

/** `the following resolution was adopted: WHEREAS … RESOLVED, the Board does hereby DENY`: what the paper does. */
function readResolved(body: string, action: string): ReturnType<typeof readResult> {
  const does = /\bresolution\b.{0,60}\badopted\b/is.test(action)
    ? /\bRESOLVED\b[^\n]{0,90}?\b(?=(?:DEN|APPROV|GRANT|den|approv|grant)[A-Za-z]{1,4}\b)/.exec(body)
    : null;
  const at = does ? does.index + does[0].length : 0;
  const found = does && readResult(body.slice(at, at + 200));
  return found && { ...found, at: found.at + at };
}

function readMoverBehind(text: ReadableText, at: number, action: string): Stated<string> | null {
  const found = MOVED_BY.exec(action);
  const named = found && findNameAfter(text.prose, at + found.index + found[0].length);
  return named ? { value: named.name, ...text.toSpan(named.at, named.at + named.name.length) } : null;
}

/** `The hearing was continued to May 4 on a motion by Reed`: what was moved stands before. */
function findResultBefore(prose: string, opening: number): { at: number; words: string } | null {
  const line =
    prose
      .slice(Math.max(0, opening - ACTION_MOST), opening)
      .split('\n')
      .at(-1) ?? '';
  // `RESOLVED that the Board grants … Motion by Reed, second by Holt.`
  if (/^\W*(?:be it (?:further )?|now,? therefore,? (?:be it )?|it was )?resolved\b/i.test(line) && readResult(line))
    return { at: opening - line.length, words: line };
  if (!/^(?:up)?on /i.test(prose.slice(opening, opening + 6))) return null;
  const words =
    prose
      .slice(Math.max(0, opening - 260), opening)
      .split(/\n|(?<=[a-z"')\d]{2}[.!?]) (?=[A-Z])/)
      .at(-1) ?? '';
  return /\b(?:was|were|is|are|be|been) /.test(words) && readResult(words) ? { at: opening - words.length, words } : null;
}

const LOST_THEN_DENIED =
  /\b(?:failed|fails|lost|lacking|short of|defeated|nays?|no)\b[^\n]{0,160}?(?<=[.;:,)] |\bdeclared [^.\n]{0,40}|\b(?:is|was|were|stands|are)(?: therefore| thus| hereby)? |\b(?:request|waiver|variance|petition|application|appeal|permit|rezoning|plat|exception|certificate) )denied\b/i;
/** Where a motion to approve was lost, and the text says that this denied the request: `Motion failed. Waiver denied.` */
function readDenialOfLost(prose: string, from: number, to: number, carried: boolean | null): Span | null {
  // `DENIED 0-5` on the line below the votes.
  if (carried === false && /^\s?DENIED\b/.test(prose.slice(to, to + 8)))
    return { start: prose.indexOf('DENIED', to), end: prose.indexOf('DENIED', to) + 6 };
  const found = LOST_THEN_DENIED.exec(prose.slice(from, to).replace(/\n/g, ' '));
  return found && { start: from + found.index + found[0].length - 6, end: from + found.index + found[0].length };
}

/** The seconder may stand between the mover and what is moved: the words keep their length. */
const withoutSecond = (words: string) => words.replace(SECONDED_WITHIN, (match) => ' '.repeat(match.length));

const NO_CONDITIONS = /\bwith(?:out| no)(?: any)? (?:\w+ )?conditions?\b/i;

export const withConditions = (result: MotionResult, action: string, listed: number): MotionResult =>
  result === 'approved' && (listed || (CONDITIONED.test(action) && !NO_CONDITIONS.test(action))) ? 'approved_with_conditions' : result;

function readSeconder(text: ReadableText, start: number, end: number, mover: string | null): Stated<string> | null {
  const prose = text.prose.slice(start, end);
  const found = SECONDERS.flatMap(({ pattern, name: where }) =>
    [...prose.matchAll(pattern)].flatMap(({ index, 0: whole }) => {
      const named = where === 'after' ? findNameAfter(prose, index + whole.length) : findNameBefore(prose, index);
      return named && named.name !== mover ? [named] : [];
    }),
  ).sort((a, b) => a.at - b.at);
  const first = found[0];
  return first ? { value: first.name, ...text.toSpan(start + first.at, start + first.at + first.name.length) } : null;
}

const OPENS_CONDITIONS =
  /\b(?:conditions?|stipulations?|provisos?|modifications?|requirements?|restrictions?|commitments?|proffers?|following)\b(?:[^\n.]{0,200}:(?!\d)|;)|\bsubject to:?(?! the comments below)|\b(?:conditions?(?: of approval)?|comments below|with:)(?=\n)|\b(?:(?:conditions?(?: that| of)?|(?:conditioned|contingent) (?:up)?on|upon|with):?|conditions -)(?= [(]?[1ai][.)] )/gi;
const OPENS_OTHER = /^(?:findings?|reasons?|because)\b|\b(?:findings?|reasons?)\b[^\n.]{0,60}: ?$/i;
const LIST_MARK = /^[([]?(\d{1,2}|[a-z]|[A-H]|[ivx]{2,4})[.)\]]{1,2} ?(?=\S)|^[•●▪*·-] ?(?=\S)/;
/** Behind a number that a scan put in, too: `15. 2. Lights` */
const INNER_MARK = /(?<=^|[\s(])(\d{1,2}|[a-h]|[ivx]{1,4})[.)] (?=\S)/gi;
const ROMAN = ' i ii iii iv v vi vii viii ix x xi xii'.split(' ');
const countOf = (mark: string): number => {
  const roman = ROMAN.indexOf(mark.toLowerCase());
  return roman > 0 ? roman : placeOfMark(mark);
};

/** What a list is of that states no conditions: of reasons, of uses, of what an ordinance recites. */
const OF_NO_CONDITIONS =
  /\b(?:findings?|reasons?|revisions?|modifications?|changes|vot(?:es?|ing))\b|\bfollowing (?:\w+ ){0,2}(?:ordinances?|resolutions?|uses)\b|\buses shall\b/i;
const RECITES = /^\W*(?:[A-Z] )?(?:WHEREAS|NOW,? THEREFORE|AN ORDINANCE)\b/;
const OBLIGES = /\b(?:shall|must|will|may)\b/;
/** `VIRGINIA`, `Plat Book 239`: names, where a list of clauses is read at its commas. */
const NAMES_ALONE = /^\W{0,3}(?:(?:[A-Z]\w{0,30}|and|of|in|\d{1,9})(?:\W{1,3}|$)){1,9}$/;

/** The list of conditions behind a motion: paragraphs with marks, or marks within the sentence. */
export function readConditions(text: ReadableText, from: number, to: number): Stated<string>[] {
  const prose = text.prose.slice(from, to);
  OPENS_CONDITIONS.lastIndex = 0;
  for (const { index, 0: whole } of prose.matchAll(OPENS_CONDITIONS)) {
    if (index > 2_000) break;
    const start = index + whole.length;
    const lead = prose.slice(Math.max(0, index - 40), start).replace(/\bfindings?(?: and|,) (?=(?:\w+ ){0,3}conditions)/i, '');
    const rest = prose.slice(start);
    if (OF_NO_CONDITIONS.test(lead) || RECITES.test(rest)) continue;
    const lines = rest.split('\n');
    const listed =
      (lines[0] ?? '').trim().length < 3 ? readListedLines(text, from + start + (lines[0]?.length ?? 0) + 1, lines.slice(1)) : [];
    if (listed.length) return listed;
    const first = lines[0] ?? '';
    const marked = readInlineList(text, from + start, first);
    const inline = marked.length || !/[:;]$/.test(whole) ? marked : readParted(text, from + start, first, /\bcondition:$/i.test(whole));
    if (inline.length) return inline;
  }
  const counted = readCounted(text, from, prose);
  return counted.length ? counted : readSpokenConditions(text, from, prose);
}

const ACTS =
  /^(?:seconded|second\b|motion|vote|ayes?|nays?|yeas?|roll call|all in favor|findings?)\b|\b(?:moved|seconded|carried|passed)\b/i;
/** Lines between two marks of a list. */
const BETWEEN = 12;

/** Conditions with marks, a line each; what stands between two marks that count on goes on with the first of them. */
function readListedLines(text: ReadableText, start: number, lines: readonly string[]): Stated<string>[] {
  const listed: Stated<string>[] = [];
  const marks = lines.map((line) => LIST_MARK.exec(line));
  const kindOf = (mark: string) =>
    mark
      .replace(/\d+/, '9')
      .replace(/[a-z]+/i, 'a')
      .trim();
  const countsOn = (mark: RegExpExecArray | null | undefined, from: RegExpExecArray) =>
    mark && kindOf(mark[0]) === kindOf(from[0]) && (!from[1] || countOf(mark[1] ?? '') === countOf(from[1]) + 1);
  let offset = start;
  let open: RegExpExecArray | null = null;
  for (const [i, line] of lines.entries()) {
    const mark = marks[i] ?? null;
    const last = listed.at(-1);
    // A line may name who asks for those that follow: `Current Planning`.
    if (!open && !mark && (OPENS_OTHER.test(line) || line.length > 40)) break;
    if (mark && (!open || countsOn(mark, open))) {
      open = mark;
      listed.push({ value: line.slice(mark[0].length), ...text.toSpan(offset + mark[0].length, offset + line.length) });
    } else if (open && last) {
      const within = open;
      const stop = lines.slice(i, i + BETWEEN).findIndex((one) => ACTS.test(one) || OPENS_OTHER.test(one));
      const next = marks.slice(i + 1, i + (stop < 0 ? BETWEEN : stop)).some((one) => countsOn(one, within));
      if (!next && (mark || /[.;:]$/.test(last.value) || line.length >= 200 || line.includes(':'))) break;
      last.value += ` ${line}`;
      last.end = text.toSpan(offset, offset + line.length).end;
    }
    offset += line.length + 1;
  }
  return listed;
}

const IN_BRACKETS = /\b(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:conditions?|stipulations?) \(([^()\n]{6,200})\)/i;

/** The parts of words between what separates them. */
function stateParts(text: ReadableText, start: number, words: string, separator: RegExp): Stated<string>[] {
  const stops = [...words.matchAll(separator)];
  return [...stops, null].map((stop, i) => {
    const before = stops[i - 1];
    const at = before ? before.index + before[0].length : 0;
    const value = words.slice(at, stop?.index);
    return { value, ...text.toSpan(start + at, start + at + value.length) };
  });
}

/** As many parts in brackets as are counted before them: `four conditions (hours, grease, restroom, one year review)` */
function readCounted(text: ReadableText, from: number, prose: string): Stated<string>[] {
  const [whole = '', count = '', list = ''] = IN_BRACKETS.exec(prose.slice(0, 2_000)) ?? [];
  const parts = stateParts(text, from + prose.indexOf(whole) + whole.length - list.length - 1, list, /[,;] ?(?:and )?/g);
  return parts.length > 1 && parts.length === readNumber(count) ? parts : [];
}

const SPOKEN =
  /\b(?:(?:subject to|contingent (?:up)?on|conditioned (?:up)?on) (?!the |all |any |these |those |staff|planning|city|county|following|its |their |review)|(?:(?:with|(?:up)?on|under) (?:(?:the|one|two|three|an?) )?(?:condition|stipulation|proviso)s? (?:that|of)|provided (?:that|(?=(?:there|the|it|he|she|they|no) ))) ?)(?![^.\n]{0,60}\b(?:conditions?|stipulations?|findings?|staff|report|recommend\w*)\b)/i;

/** Conditions within the sentence of the motion: `subject to a fence, shielded lights, and no parking`, `with the condition that it closes at nine`. */
function readSpokenConditions(text: ReadableText, from: number, prose: string): Stated<string>[] {
  const sentence = actionOf(prose, 0, prose.length).split('\n', 1)[0] ?? '';
  const found = SPOKEN.exec(sentence);
  if (!found) return [];
  const start = found.index + found[0].length;
  const [own = ''] = sentence
    .slice(start)
    .split(
      /(?<=[ap]\.m\.) (?=[A-Z])|[,;] (?=second|and (?:was )?seconded|(?:was|were|is) (?:duly )?(?:made|moved|offered|seconded|proposed)\b)/,
      1,
    );
  const words = own.replace(/(?<![ap]\.m)[.;]$/, '');
  const series = words.includes(', ') && words.lastIndexOf('and ') > words.lastIndexOf(', ');
  return stateParts(text, from + start, words, series ? /,? and (?:that )?|, (?:and )?(?:that )?/g : /,? and that /g);
}

/** `Fence. ` before the sentence that it heads. */
const HEADED =
  /^(?:[A-Z][\w'&/-]{0,24} ?(?:of |and |- )?){1,4}[.:] (?!(?:Mr|Ms|Mrs)\b|[^.]{0,90}\b(?:seconded|motion|moved|carried|passed|ayes)\b)(?=.{0,200}?\b(?:shall|must|will|may)\b)/i;
/** `1) …; and 2) …`: each mark counts on from the one before. */
function readInlineList(text: ReadableText, start: number, words: string): Stated<string>[] {
  const marks: { at: number; after: number; counts: boolean }[] = [];
  for (const { index, 0: whole, 1: count } of words.matchAll(INNER_MARK))
    if (countOf(count as string) === marks.length + 1 && (marks[0] ? marks[0].counts === /\d/.test(whole) : index < 40))
      marks.push({ at: index, after: index + whole.length, counts: /\d/.test(whole) });
  return marks.map(({ after }, i) => {
    const stop = marks[i + 1]?.at ?? after + endOfLast(words.slice(after));
    const value = words.slice(after, stop).replace(/[\s,;(]{1,4}(?:and ?)?\(?$/, '');
    return { value, ...text.toSpan(start + after, start + after + value.length) };
  });
}

/** Not behind the initial of a name, or the mark of a part: `granted to Shawn N. Stone`, `Cash Proffers. a. The applicant` */
const CONDITION_END =
  /(?<!\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|St|No|Sec|Section \d{1,3}))[.;](?= |$)|,? (?=(?:was|were) (?:made|moved|offered|seconded) by\b)/g;
/** A sentence that goes on with a condition: it obliges, and tells nothing of the meeting. */
const GOES_ON =
  /^(?!.*\b(?:said|stated|asked|noted|explained|moved|seconded|motion|carried|voted|ayes|nays|hearing|mr|ms|mrs)\b).*\b(?:shall|must)\b/is;

/** How far the last condition of a list goes. */
function endOfLast(words: string): number {
  const ends = [...words.matchAll(CONDITION_END)].map(({ index }) => index + 1);
  const heading = HEADED.exec(words.slice(0, 300))?.[0].length ?? 0;
  const first = ends.findIndex((end) => end > heading);
  const last = ends.findIndex((end, i) => i >= first && !GOES_ON.test(words.slice(end, ends[i + 1])));
  return first < 0 ? words.length : (ends[last] ?? words.length);
}

/** `the site is fenced; the lights are shielded; and no trucks park overnight.` */
function readParted(text: ReadableText, start: number, words: string, isOne: boolean): Stated<string>[] {
  const [sentence = ''] = actionOf(words, 0, words.length).split(/\.$|; (?=(?:second|motion|the motion|approved|carried|passed|vote))/i, 1);
  const lead = /^ ?(?:and |that )*/.exec(sentence)?.[0].length ?? 0;
  const part = (separator: RegExp) =>
    stateParts(text, start + lead, sentence.slice(lead), separator).filter(({ value }) => value.length > 5);
  const bySemicolon = part(/; ?(?:and |that )*/g);
  const byComma = isOne || bySemicolon.length > 1 ? [] : part(/, ?(?:and |that )*/g);
  const isSentence = isOne && / [a-z]/.test(sentence.slice(lead));
  // Of the parts of one clause only some oblige.
  const isList = byComma.length > 2 && new Set(byComma.map(({ value }) => OBLIGES.test(value))).size === 1;
  const parted = bySemicolon.length > 1 || isSentence ? bySemicolon : isList ? byComma : [];
  return parted.some(({ value }) => NAMES_ALONE.test(value)) ? [] : parted;
}
