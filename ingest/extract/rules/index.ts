/**
 * Cases of a document, each value with the words that state it. What is not stated is null, what is stated twice and differs is a doubt.
 * Pure, and linear in the length of the text.
 */
import type { LandUse } from '../../../src/core/domain/record/statement.ts';
import { requestTypes } from '../../../src/core/domain/vocabulary.ts';
import commonUses from '../../sources/adapters/rules/uses.json' with { type: 'json' };
import { compileTokenClassifier, compileUseFinder } from '../../sources/rules.ts';
import type { Doubt, ExtractedCase, ExtractedDocument, MotionResult, ReadDocument, Span, Stated, StatedMotion } from '../types.ts';
import { findCaseNumbers, foldNumber, type NumberAt } from './caseNumbers.ts';
import { countConditions } from './conditionCount.ts';
import { readContacts } from './contacts.ts';
import { findMeetings, readBody, readKind, readMeetingDate } from './document.ts';
import { foldForm } from './headings.ts';
import { asks, findItems, type Item, PUT_OFF, partLists, REQUEST, WITHDRAWN } from './items.ts';
import { readLabels } from './labels.ts';
import { type MotionRead, Motions, readConditions } from './motions.ts';
import { findSurnames, surnameOf } from './names.ts';
import { ORDINALS } from './numbers.ts';
import requestRules from './requests.json' with { type: 'json' };
import { findAdoptedPaper } from './resolution.ts';
import { type ReadableText, readText } from './text.ts';
import {
  type Figure,
  readAddress,
  readFigure,
  readNextHearing,
  readParcels,
  readRequest,
  readStaffRecommendation,
  readTitle,
  readZoning,
} from './values.ts';

/** Characters of a document that are read; more are a doubt. */
const CHARACTERS_MAX = 2_000_000;
const classifyRequest = compileTokenClassifier(requestRules.requestType, requestTypes);
const findUses = compileUseFinder([commonUses]);

export function extractCases(document: ReadDocument): ExtractedDocument {
  const doubts: Doubt[] = [];
  const asWritten = readText(document.text.slice(0, CHARACTERS_MAX));
  const text = document.itemStarts ? asWritten : partLists(asWritten);
  if (document.text.length > CHARACTERS_MAX)
    doubts.push({ field: 'document', reasons: [`only the first ${CHARACTERS_MAX} characters are read`] });
  const { kind, reason } = readKind(document, text);
  const paper = kind === 'other' || kind === 'minutes' ? findAdoptedPaper(text) : null;
  if (paper) {
    const read = { text, kind, day: paper.day.value, motions: new Motions(text, findSurnames(text.prose)) };
    const found = makeCase(read, paper.item, { decision: paper.decision, motions: [paper.decision] }, 1);
    return { kind: 'other', meetingDate: paper.day, body: readBody(text), cases: [found], doubts };
  }
  if (kind === 'other')
    return { kind, meetingDate: null, body: null, cases: [], doubts: reason ? [{ field: 'document', reasons: [reason] }] : [] };
  const meetingDate = readMeetingDate(document, text, doubts);
  const meetings = kind === 'minutes' ? findMeetings(text) : [];
  if (meetings.length > 1) doubts.push({ field: 'meetingDate', reasons: [`several meetings: ${meetings.join(', ')}`] });
  const motions = new Motions(text, findSurnames(text.prose));
  const read = { text, kind, day: meetingDate?.value ?? document.stated.date, motions };
  const items = kind === 'packet' ? [] : findItems(text, motions, document.itemStarts);
  const cases = joinRepeated(
    joinHearings(
      shareMotions(read, items).flatMap((one, i) =>
        partJoint(text, one).flatMap(({ item, motions: own }) => readItem(read, item, own, items[i + 1])),
      ),
      text,
    ),
  );
  return { kind, meetingDate, body: readBody(text), cases: cases.map(({ found }) => found), doubts };
}

interface Reading {
  text: ReadableText;
  kind: ExtractedDocument['kind'];
  day: string | null;
  motions: Motions;
}

interface CaseRead {
  found: ExtractedCase;
  item: Item;
  onlyHeard: boolean;
}

/** How far behind the head of an item its labels stand; later ones head what somebody said: `Applicant: Mr. Reed said …`. */
const LABELS_BEHIND = 300;

const HEARING = /\bhearing (?:was |is )?(?:opened|closed|declared)|\bclosed (?:at )?\d|\b(?:opened|closed) (?:the )?(?:public )?hearing/i;
const HEARD =
  /\b(?:open(?:ed|s)? (?:the |a )?(?:public )?(?:hearing|comment)|(?:public )?hearing (?:was |is )?(?:opened|closed|held|began)|public portion|clos(?:ed|es) (?:the )?public|withdr[ae]w\w*|pulled|postponed|continued|tabled|no action|moved to)\b/i;

const NO_ACTION = /\b[Nn]o (?:formal |final |official )?action (?:was )?taken\b/;

/** `Chair Tull opened a public hearing for …`, `A public hearing was held on …` */
const OPENED = /^.{0,60}\b(?:opened an? (?:public )?hearing|public hearing was (?:held|opened|conducted))\b/i;

/** A number that stands farther behind the beginning of an item is said of another case. */
const NUMBER_NEAR = 250;
/** Of a request on which nothing is decided: characters in which it is asked, and in which it is at least spoken of; a sure heading. */
const [HEAD_ASKS, TALK_LEAST, SURE] = [400, 200, 5];
const ONLY_DISCUSSED = /[(]discussion[)]|^discussion\b|\bdiscussion (?:only|item|on|of)\b|\bbriefing\b/im;

/** One motion on what several items ask: `to approve both`, `to approve Items 2-1 and 2-2`, `to approve a and b`. */
const ON_SEVERAL =
  /^.{0,60}\b(?:both|(?:these|the|all) (?:\w+ ){0,2}(?:items|plats|requests|applications|petitions|cases|variances|permits)|items? [\w-]{1,5}(?:,? (?:and|&|through|to) |, )(?:[\w-]{0,3}\d[\w-]{0,2}|[b-z])\b|[a-e](?:, [a-e])* and [a-e]\b)/i;
/** Items that one motion may be on. */
const SHARED_MOST = 6;

interface Moved {
  item: Item;
  motions: MotionRead[];
}

/** Before a number of a heading: a word for it alone, `CASE NO. 12-01 and CASE NO. 12-02`. */
const WORD_BEFORE = /\b(?:case|petition|application|appeal|docket|file) ?(?:no\.?|number)? ?[:#]? ?$/i;

/** An item for each number of a joint heading that is moved on, by itself or, where it has a word of its own there, with the others. */
function partJoint(text: ReadableText, joint: Moved): Moved[] {
  const { item, motions } = joint;
  const [first, ...further] = distinctNumbers(item.numbers);
  const numbers = first ? [first, ...further.filter(({ value }) => foldForm(value) === foldForm(first.value))] : [];
  const named = motions.map((motion) => {
    const found = readMovedNumbers(text, motion);
    return numbers.filter((one) => found.some(({ value }) => isLike(one.value, value)));
  });
  const own = numbers.filter((one) => {
    const hasWord = WORD_BEFORE.test(text.prose.slice(Math.max(0, one.at - 20), one.at));
    return motions.some(({ kind }, i) => kind === 'decision' && named[i]?.includes(one) && (hasWord || named[i].length === 1));
  });
  if (own.length < 2) return [joint];
  return own.map((number) => ({
    item: { ...item, numbers: [number] },
    motions: motions.filter((_, i) => !named[i]?.length || named[i].includes(number)),
  }));
}

/** Whether words have the number or the mark of an item, one with a digit and more: `2-1, 2-3 and 2-4` */
const namesCode = (words: string, code: string): boolean =>
  /\d./.test(code) && words.split(/[^\w.-]+/).some((word) => word.replace(/\.$/, '') === code);
const FIRST_CELL = /^\| ([\w.-]{1,8}) \|/;
const markOf = ({ prose }: ReadableText, { start, headStart }: Item) => prose.slice(start, headStart).trim();
const codeOf = (text: ReadableText, item: Item): string =>
  markOf(text, item).replace(/\W{1,4}$/, '') || (FIRST_CELL.exec(text.prose.slice(item.headStart, item.headStart + 16))?.[1] ?? '');

/** Whether a motion names the number of an item, or its mark. */
function namesItem(text: ReadableText, { action }: MotionRead, item: Item): boolean {
  const words = action.slice(0, 300);
  const isOf = (number: string, value: string) =>
    isLike(number, value) || foldNumber(number).endsWith(foldNumber(value)) || foldNumber(value).endsWith(foldNumber(number));
  return (
    findCaseNumbers(words).some(({ value }) => item.numbers.some((one) => isOf(one.value, value))) ||
    [codeOf(text, item), ...item.numbers.map(({ value }) => value)].some((code) => namesCode(words, code))
  );
}

/** The motions of each item; one of a later item that names the number of an item without a motion, or is on several items, is that item's, too. */
function shareMotions({ text, kind, motions: all }: Reading, items: readonly Item[]): Moved[] {
  const own = items.map((item) => ({ item, motions: kind === 'minutes' ? all.readWithin(item.headStart + 1, item.end) : [] }));
  const formOf = (item: Item) => markOf(text, item).replace(/[A-Za-z\d]/g, '');
  const taken: [Moved, MotionRead][] = [];
  for (const [i, { item, motions }] of own.entries()) {
    if (selectDecisions(motions).length) continue;
    for (const later of own.slice(i + 1, i + 1 + SHARED_MOST)) {
      const found = selectDecisions(later.motions);
      const naming = found.filter((one) => namesItem(text, one, item));
      const named = naming.find((one) => !namesItem(text, one, later.item));
      const isBare = named !== undefined && !later.motions.some((one) => namesItem(text, one, later.item));
      const refers =
        !later.item.numbers.length && namesCode(text.prose.slice(later.item.headStart, later.item.headEnd), codeOf(text, item));
      // What follows, and has no motion on a number of its own or is on the item, goes on with it.
      if (later === own[i + 1] && (isBare || refers)) {
        Object.assign(item, { end: later.item.end, headEnd: later.item.headEnd });
        motions.push(...later.motions.splice(0));
        own.splice(i + 1, 1);
        break;
      }
      if (named && found.length > 1) taken.push([later, named]);
      const isSibling = item.numbers.length > 0 || (formOf(item) !== '' && formOf(item) === formOf(later.item));
      const onSeveral = isSibling && found[0] && ON_SEVERAL.test(found[0].action) ? found[0] : undefined;
      const isSame = item.numbers.some(({ value }) => later.item.numbers.some((one) => isLike(one.value, value)));
      const shared = named ?? (isSame ? undefined : naming[0]) ?? onSeveral;
      if (shared) motions.push(shared);
      if (found.length) break;
    }
  }
  for (const [{ motions }, named] of taken) if (motions.includes(named)) motions.splice(motions.indexOf(named), 1);
  return own;
}

/** Whether the body heard a request on which it did not decide. @param isLast whether the text may end before what came of it */
function isHeard({ prose }: ReadableText, item: Item, isLast: boolean): boolean {
  if (item.section === 'briefing') return false;
  const words = prose.slice(item.start, item.end);
  return (
    HEARD.test(words.slice(item.headEnd - item.start)) ||
    NO_ACTION.test(words) ||
    OPENED.test(words) ||
    WITHDRAWN.test(words) ||
    ((REQUEST.test(words) || PUT_OFF.test(words)) && item.numbers.some(({ at }) => at - item.headStart < NUMBER_NEAR)) ||
    ((isLast || item.end - item.headEnd >= TALK_LEAST || PUT_OFF.test(words)) &&
      asks(prose.slice(item.headStart, item.headStart + HEAD_ASKS), item.score >= SURE))
  );
}

/** Characters from its heading on in which the day is named on which a request goes on that is not decided. */
const LATER_NEAR = 700;
/** A day for something else than to go on. */
const OF_ANOTHER_DAY =
  /\b(?:public hearing|readings?|effective|elections?|letters?|comments?|meetings? (?:on|were)|meets|set)\b[^.;]{0,120}$/i;

/** The day on which a request goes on that is not decided: `Not opened; scheduled for May 15` */
const readLaterDay = ({ text, kind, day }: Reading, { headStart, end, score, section }: Item): Stated<string> | null =>
  kind === 'minutes' && day && score >= SURE && section !== 'briefing'
    ? readNextHearing(text, { start: headStart, end: Math.min(end, headStart + LATER_NEAR) }, day)
    : null;

/** The cases of an item: one for each motion that decided, or one for the item. */
function readItem(read: Reading, item: Item, motions: readonly MotionRead[], next: Item | undefined): CaseRead[] {
  const { text, kind } = read;
  const words = text.prose.slice(item.start, item.end);
  const decisions = selectDecisions(motions);
  const isConsent = item.section === 'consent' && REQUEST.test(text.prose.slice(item.headStart, item.headEnd));
  if (!decisions.length && isConsent && kind === 'minutes' && !WITHDRAWN.test(words)) decisions.push(...findConsent(read, item, next));
  const final = decisions.filter(({ carried, result }) => carried !== false && result !== null);
  const counts = kind !== 'minutes' || decisions.length > 0 || isHeard(text, item, !next) || readLaterDay(read, item) !== null;
  // A hearing of which a later item decides: it is kept until then.
  const onlyHeard = !counts && item.section !== 'briefing' && HEARING.test(words);
  if (
    (!counts && !onlyHeard) ||
    (!decisions.length &&
      ONLY_DISCUSSED.test(text.prose.slice(item.headStart, item.headEnd)) &&
      !HEARD.test(words.slice(item.headEnd - item.start)))
  )
    return [];
  const groups = groupDecisions(selectOwn(read, item, final), decisions);
  return groups.map((group) => ({ found: makeCase(read, item, group, groups.length), item, onlyHeard }));
}

/** Motions that decide: those with a mover, else what is said to be decided. */
function selectDecisions(motions: readonly MotionRead[]): MotionRead[] {
  const decided = motions.filter(
    ({ kind, result, mover, carried }) => kind === 'decision' && (result !== null || (mover !== null && carried !== null)),
  );
  const moved = decided.filter(({ mover, seconder }) => mover || seconder);
  if (moved.length) return moved;
  return decided.filter(({ result }) => result !== null);
}

/** What a motion leaves out of a list of consent: `to approve the consent agenda except items 3 and 5`, `and to pull 3` */
const EXCEPTED = /\b(?:except\w*|excluding|minus|less|pull\w*|remov\w+)\b[^.;]{0,90}/i;
/** A heading, or a motion, that names a list of consent, and how far above its items it stands. */
const [NAMES_CONSENT, LIST_MOST] = [/\bconsent (?:agenda|calendar|items?|docket)\b/gi, 8_000];

function findConsent({ text, motions }: Reading, item: Item, next: Item | undefined): MotionRead[] {
  const to = next?.section === 'consent' ? Math.min(text.prose.length, item.end + LIST_MOST) : (next?.start ?? text.prose.length);
  const below = motions.readWithin(item.headStart, Math.min(to, item.headEnd + 12_000));
  // The motion may stand above the list, below its heading: `CONSENT AGENDA. Reed moved approval.`
  const from = Math.max(0, item.start - LIST_MOST);
  const heading = from + ([...text.prose.slice(from, item.start).matchAll(NAMES_CONSENT)].at(-1)?.index ?? LIST_MOST);
  const above = heading < item.start ? motions.readWithin(Math.max(0, heading - 300), item.start) : [];
  const last = above.at(-1);
  const isOfList = last?.kind === 'consent' || (last?.result === 'approved' && last.start > heading && last.start - heading < 160);
  const consent = below.find(({ kind }) => kind === 'consent') ?? (isOfList ? last : undefined);
  const left = EXCEPTED.exec(consent?.action ?? '')?.[0].split(/[ ,;]+/) ?? [];
  const names = [text.prose.slice(item.start, item.headStart).replace(/[^\w-]/g, ''), ...item.numbers.map(({ value }) => value)];
  return consent && !names.some((name) => name && left.includes(name)) ? [consent] : [];
}

const readMovedNumbers = ({ prose }: ReadableText, { actionStart, action }: MotionRead): NumberAt[] =>
  findCaseNumbers(prose.slice(actionStart, actionStart + Math.min(action.length, 300)));

/** Where some motions name the item's case, those that name another one, or none, are about something else. */
function selectOwn({ text }: Reading, item: Item, motions: readonly MotionRead[]): readonly MotionRead[] {
  if (motions.length < 2) return motions;
  const named = motions.map((motion) => readMovedNumbers(text, motion));
  const own = motions.filter((_, i) => named[i]?.some(({ value }) => item.numbers.some((one) => isLike(one.value, value))));
  if (!own.length) return item.hasParts ? motions : selectRelated(motions);
  return item.hasParts || motions.every((_, i) => named[i]?.length) ? motions : own;
}

const OF_REQUEST = /\b(?:this|the|said|an?) (?:\w+ )?(?:request|application|item|petition|case|proposal|matter|project|applicant)\b/i;

/** Motions about land, where some are; behind the last item a text may go on with anything. */
function selectRelated(motions: readonly MotionRead[]): readonly MotionRead[] {
  const decided = motions.filter(({ action }) => !FINDS.test(action));
  const own = decided.length ? decided : motions;
  const related = own.filter(({ action }) => REQUEST.test(action.slice(0, 400)) || OF_REQUEST.test(action.slice(0, 200)));
  return related.length ? related : own.slice(0, 1);
}

/** Whether two numbers are one, but for a character that a scan mistook. */
const isLike = (a: string, b: string): boolean => {
  const [left, right] = [foldNumber(a), foldNumber(b)];
  return (
    left === right ||
    (left.length === right.length &&
      left.length > 5 &&
      [...left].filter((one, i) => one !== right[i]).length === 1 &&
      left.slice(-3) === right.slice(-3))
  );
};

/** A motion that only adopts what was found, before the one that decides. */
const FINDS =
  /^(?:\W*(?:to |that (?:we )?)?(?:adopt|accept|approve) (?:the )?(?:staff report|findings)\b|.{0,120}\b(?:negative declaration|SEQRA?|CEQA|MND|EIR|as (?:being )?complete)\b)(?!.*\b(?:and|to) (?:approve|deny|grant|recommend))/is;
const isFinal = ({ result }: MotionRead) => result !== 'continued' && result !== 'withdrawn';

interface Decided {
  /** null where nothing carried */
  decision: MotionRead | null;
  motions: MotionRead[];
}

/** Each final motion that carried decides a request of its own; a motion that failed belongs to the next one. */
function groupDecisions(carried: readonly MotionRead[], all: readonly MotionRead[]): Decided[] {
  const final = carried.filter(isFinal);
  const others = final.filter(({ action }) => !FINDS.test(action));
  const finals = (others.length ? others : final).filter((one, i, list) => !list.slice(i + 1).some((later) => supersedes(later, one)));
  if (finals.length < 2) {
    const decision = finals[0] ?? carried.at(-1) ?? null;
    const motions = decision ? [...all.filter((one) => one !== decision), decision] : [...all];
    return [{ decision, motions }];
  }
  let from = 0;
  return finals.map((decision) => {
    const at = all.indexOf(decision);
    const motions = all.slice(from, at + 1);
    from = at + 1;
    return { decision, motions };
  });
}

/** The same motion once more, after it was reconsidered or amended, or another one on the same number. */
const supersedes = (later: MotionRead, earlier: MotionRead): boolean =>
  /\b(?:reconsider|rescind|as amended|amended motion|restat)/i.test(later.action) ||
  foldWords(later.action) === foldWords(earlier.action) ||
  (numbersIn(later) !== '' && numbersIn(later) === numbersIn(earlier));
/** The numbers that a motion names; empty where it names the kind of request, too: a plat and a rezoning may have one number. */
const numbersIn = ({ action }: MotionRead): string =>
  REQUEST.test(action.slice(0, 300).replace(/proffer\w*/gi, ''))
    ? ''
    : distinctNumbers(findCaseNumbers(action.slice(0, 300)))
        .map(({ value }) => foldNumber(value))
        .join();
const foldWords = (words: string) =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Surnames of who moved, seconded and voted. */
const membersOf = (motions: readonly MotionRead[]) =>
  new Set(
    motions.flatMap(({ mover, seconder, votes }) =>
      [mover?.value, seconder?.value, ...votes.map(({ name }) => name)].map((name) => surnameOf(name ?? '')),
    ),
  );

function makeCase(read: Reading, item: Item, { decision, motions }: Decided, among: number): ExtractedCase {
  const { text, day } = read;
  const doubts: Doubt[] = [];
  // One that only excuses a member stands before what is said of the case.
  const firstMotion = (motions.find(({ result }) => result !== null) ?? motions[0])?.start ?? item.end;
  const moved: Span =
    decision?.kind === 'decision'
      ? { start: decision.actionStart, end: decision.actionStart + decision.action.length }
      : { start: 0, end: 0 };
  const numbers = chooseNumbers(text, item, decision, among, doubts);
  // Of a motion on a further number, which the heading lacks, the heading says nothing.
  const said = text.prose.slice(item.headStart, firstMotion);
  const isOther =
    among > 1 && item.numbers.length > 0 && numbers.length > 0 && !numbers.some(({ value }) => said.includes(value.slice(-4)));
  const head: Span = isOther ? moved : { start: item.headStart, end: item.headEnd };
  const body: Span = isOther ? moved : { start: item.headEnd, end: Math.max(item.headEnd, Math.min(firstMotion, item.end)) };
  const labels = isOther ? {} : readLabels(text.prose, item.start, Math.min(body.end, head.end + LABELS_BEHIND));
  const passage = { text, head, body, moved, labels, doubts };
  const contacts = readContacts(text, head, body, moved, labels, numbers[0] ? numbers[0].at + numbers[0].length : 0, membersOf(motions));
  const applicant = contacts.find(({ role }) => role === 'applicant');
  const onlyMoved = decision !== null && decision.start <= item.headStart + 1;
  const title =
    (decision && (among > 1 || onlyMoved) ? readObject(text, decision) : null) ??
    (isOther ? null : readTitle(passage, item.numbers, applicant?.name, item.titleEnd));
  const request = isOther ? null : readRequest(text, head, body);
  const asking = `${among > 1 ? `${decision?.action.slice(0, 160) ?? ''}\n` : ''}${title?.value ?? ''}\n${request?.value ?? ''}`;
  const words = `${asking}\n${text.prose.slice(head.start, Math.min(head.end, head.start + 700))}`;
  const conditions = decision?.conditions.length
    ? decision.conditions
    : readAdoptedConditions(text, decision, { start: item.headStart, end: body.end });
  const conditionCount = countConditions(text, conditions, decision, { start: item.headStart, end: body.end });
  if (conditionCount && conditionCount.value !== conditions.length)
    doubts.push({ field: 'conditions', reasons: [`${conditionCount.value} are counted, ${conditions.length} are listed`] });
  if (!REQUEST.test(words)) doubts.push({ field: 'request', reasons: ['only its place, or its number, says that it is one'] });
  // Whether that denies the request is for the body's rules to say.
  if (!decision && motions.some(({ carried, result }) => carried === false && /approv/.test(result ?? '')))
    doubts.push({ field: 'decision', reasons: ['a motion to approve failed, and no other one carried'] });
  for (const motion of motions) for (const reason of motion.doubts) doubts.push({ field: 'votes', reasons: [reason] });
  const classify = (of: string, number = '') => classifyRequest({ number, title: title?.value ?? '', text: of.trim() });
  const asked = classify(asking);
  const requestType = asked && asked !== 'other_request' ? asked : classify(words, numbers[0]?.value);
  const [address, parcelNumbers] = [readAddress(passage), readParcels(passage)];
  // What a code says is no figure and no zone of a project; what a plan is amended to is no zone.
  const isOfLand = address !== null || parcelNumbers.length > 0 || /\bre-?zon|zoning (?:district )?map\b/i.test(words);
  const isOfCode = requestType === 'zoning_text_amendment' && !isOfLand;
  const isOfPlan = requestType === 'comprehensive_plan_amendment' && !/\bre-?zon|\bzon(?:e|ing) (?:\w+ )?(?:change|amend)/i.test(words);
  const zoning = isOfCode ? null : readZoning(passage);
  const figure = (name: Figure) => (isOfCode ? null : readFigure(passage, name));
  return {
    ...text.toSpan(item.start, item.end),
    caseNumbers: numbers.map(({ value, at, length }) => ({ value, ...text.toSpan(at, at + length) })),
    parcelNumbers,
    title,
    address,
    contacts,
    request,
    requestType,
    existingZoning: zoning?.existing ?? null,
    proposedZoning: isOfPlan ? null : (zoning?.proposed ?? null),
    acreage: figure('acreage'),
    units: figure('units'),
    lots: figure('lots'),
    squareFootage: figure('squareFootage'),
    stories: figure('stories'),
    landUses: readUses(
      text,
      [request, title],
      contacts.flatMap(({ name, company }) => (company ? [name, company] : [name])),
      zoning?.existing ?? null,
    ),
    staffRecommendation:
      readStaffRecommendation(text, { start: item.headStart, end: body.end }, labels, doubts) ?? readFollowedStaff(text, decision),
    decision: readDecision(read, item, decision, doubts),
    conditions,
    conditionCount,
    motions: motions.map((motion) => toStated(text, motion)),
    nextHearing:
      decision?.result === 'continued' || (!decision && isPutOff(text.prose.slice(item.start, item.end)))
        ? readNextHearing(
            text,
            decision
              ? { start: decision.actionStart, end: decision.actionStart + decision.action.length }
              : { start: item.start, end: item.end },
            day,
          )
        : null,
    doubts,
  };
}

const FOLLOWS_STAFF =
  /\b(?:recommended by (?:\w+ )?staff|as (?:\w+ )?staff (?:has )?recommend(?:s|ed)|(?:per|with|following|based (?:up)?on|coinciding with|accept|adopt|consistent with|in (?:accordance|line|keeping) with) (?:the |all )?(?:\w+ )?staff(?:'s)? recommendations?)\b/i;

/** What staff recommend, from a motion that follows them: `approve as recommended by staff`. */
function readFollowedStaff(text: ReadableText, decision: MotionRead | null): ExtractedCase['staffRecommendation'] {
  const found = decision?.result ? FOLLOWS_STAFF.exec(decision.action) : null;
  if (!decision?.result || !found || /\b(?:contrary|against|except|despite)\b/i.test(decision.action)) return null;
  const [value] = (
    [
      ['denial', /denied|denial/],
      ['continuance', /continued|withdrawn/],
      ['approval_with_conditions', /with_conditions/],
      ['approval', /appro/],
    ] as const
  ).find(([, pattern]) => pattern.test(decision.result ?? '')) ?? ['approval' as const];
  const at = decision.actionStart + found.index;
  return { value, ...text.toSpan(at, at + found[0].length) };
}

/** Conditions that staff list, where the motion adopts them: `with the conditions of the staff report`. */
function readAdoptedConditions(text: ReadableText, decision: MotionRead | null, { start, end }: Span): Stated<string>[] {
  const adopts =
    /\b(?:staff|engineer)\b.{0,60}\b(?:conditions?|recommend\w*|comments|stipulations)|\b(?:conditions?|stipulations|comments)\b.{0,60}\b(?:staff|engineer\w*|recommended|listed|presented|outlined|read|offered|proffered|proposed|agreed|above|below)\b|\brecommended by (?:\w+ )?staff\b/i;
  if (!/with_conditions|recommended_approval/.test(decision?.result ?? '') || !decision || !adopts.test(decision.action)) return [];
  const lead = text.prose
    .slice(start, end)
    .search(
      /\brecommend\w*\b[^.\n]{0,80}\b(?:conditions?|stipulations|comments)\b|\bconditions (?:of approval|are|include)\b|\b(?:following|staff|proposed|suggested) (?:\w+ )?(?:conditions?|stipulations)\b|(?<=\n)conditions ?:?(?=\n)/i,
    );
  const listed = lead < 0 ? [] : readConditions(text, start + lead, end);
  const own = [...listed];
  const further = own.length ? [...text.prose.slice(start, decision.actionStart + decision.action.length).matchAll(FURTHER)] : [];
  for (const { index, 0: whole, 1: ordinal = '', 2: value = '' } of further) {
    const at = start + index + whole.length - value.length;
    if (ORDINALS.indexOf(ordinal.toLowerCase()) === own.length) own.push({ value, ...text.toSpan(at, at + value.length) });
  }
  return own;
}

/** One more than those that are listed: `and a fifth condition that the gate be locked` */
const FURTHER = new RegExp(`\\ban? (${ORDINALS.join('|')})(?: condition)?,? (?:that )?([^.;\\n]{8,200})`, 'gi');

/** What a motion is about: `the Deviation Request from …, as requested by`. */
function readObject(text: ReadableText, { actionStart, action }: MotionRead): Stated<string> | null {
  const found =
    /\b(?:approv\w+|approval|den(?:y|ial)|recommend\w*|adopt|grant)\b(?: of)?(?: the| this| an?)? ((?:request items [\d, and]+ of (?:this|the) )?[A-Z a-z][^\n"]{4,300})/i.exec(
      action,
    );
  if (!found?.[1]) return null;
  const stop = found[1].search(
    /,? (?:as requested|as presented|as recommended|located|based (?:up)?on|subject to|with the|for the following|and accept\w*)\b|[.,;:"\n]/,
  );
  const value = (stop > 0 ? found[1].slice(0, stop) : found[1]).trim();
  const at = actionStart + found.index + found[0].indexOf(found[1]);
  return value.length > 8 && /[a-z]{3}/.test(value) && REQUEST.test(value)
    ? { value: text.prose.slice(at, at + value.length), ...text.toSpan(at, at + value.length) }
    : null;
}

function chooseNumbers({ prose }: ReadableText, item: Item, decision: MotionRead | null, among: number, doubts: Doubt[]): NumberAt[] {
  const { actionStart: from = 0, action = '' } = decision ?? {};
  const moved = findCaseNumbers(prose.slice(from, from + Math.min(action.length, 500))).map((one) => ({ ...one, at: one.at + from }));
  const isHeads = (one: NumberAt) => item.numbers.some(({ value }) => isLike(value, one.value));
  if (decision?.kind !== 'decision' || !moved.length || (among < 2 && item.numbers.length)) return distinctNumbers(item.numbers);
  if (item.numbers.length && !moved.some(isHeads))
    doubts.push({ field: 'caseNumbers', reasons: [`heading and motion differ: ${item.numbers[0]?.value}, ${moved[0]?.value}`] });
  return distinctNumbers(moved);
}

const distinctNumbers = (list: readonly NumberAt[]): NumberAt[] =>
  list.filter((one, i) => list.findIndex((other) => foldNumber(other.value) === foldNumber(one.value)) === i);

const TO_COUNCIL =
  /\brecommend(?:ations?|ing (?:approval|adoption)) (?:to|for) (?:the )?(?:[A-Z]\w+ ){0,4}(?:council|board of|county|commissioners|legislative|governing|town board|village board)\b/i;

/** The decision in the words of the motion; where the item is only for a recommendation, the motion recommends. */
function readDecision(read: Reading, item: Item, decision: MotionRead | null, doubts: Doubt[]): Stated<MotionResult> | null {
  if (!decision?.result) return read.kind === 'minutes' ? readStatedCourse(read, item) : null;
  let value = decision.result;
  const advises = TO_COUNCIL.test(read.text.prose.slice(item.start, Math.min(item.headEnd, item.start + 1_200)));
  if (advises && !decision.recommends && /^(?:approved|denied)/.test(value)) {
    value = value === 'denied' ? 'recommended_denial' : 'recommended_approval';
    doubts.push({ field: 'decision', reasons: ['the motion decides, the heading asks for a recommendation'] });
  }
  return { value, ...decision.resultSpan };
}

/** Whether a passage without a decision may name the next day: not where the case was withdrawn. */
const isPutOff = (words: string) => !WITHDRAWN.test(words) || PUT_OFF.test(words);
/** What a motion grants that names nothing: `The applicant requested a continuance. Motion by Reed.` */
const ASKED_PUT_OFF =
  /\b(?:request(?:s|ed|ing)?|asked) (?:for |to )?(?:an? |that )?(?:\w+ ){0,3}(?:continu(?:ance|e)|table|postpone|deferral|postponement|be (?:continued|tabled|postponed|deferred))\b/i;
/** What became of a case without a motion: it was withdrawn, or put off. */
function readStatedCourse(read: Reading, item: Item): Stated<MotionResult> | null {
  const { text } = read;
  const words = text.prose.slice(item.start, item.end);
  const withdrawn = WITHDRAWN.exec(words);
  const found = withdrawn ?? PUT_OFF.exec(words) ?? ASKED_PUT_OFF.exec(words);
  const span = found ? text.toSpan(item.start + found.index, item.start + found.index + found[0].length) : readLaterDay(read, item);
  if (!span || (!found && OF_ANOTHER_DAY.test(text.original.slice(Math.max(0, span.start - 120), span.start)))) return null;
  return { ...span, value: withdrawn ? 'withdrawn' : 'continued' };
}

const toStated = (text: ReadableText, motion: MotionRead): StatedMotion => ({
  ...text.toSpan(motion.start, motion.end),
  result: motion.carried === false ? null : motion.result,
  mover: motion.mover,
  seconder: motion.seconder,
  votes: motion.votes,
  tally: motion.tally,
  unanimous: motion.unanimous,
});

/** Names of firms, agencies, laws and districts, neighbours, and what is denied of a use. */
const OF_NAME =
  /\b(?:[A-Z\d][\w'&.-]{0,30},? (?:(?:of|and|the|&) )?){1,8}(?:LLC|L\.L\.C|Inc|Corp|LP|L\.P|Ltd|Law|Act|Program|Services? District)\b|\b(?:Department|Office|Division|Bureau|Authority) of [A-Z]\w+(?:(?:,| and|, and| &)? (?!Department|Office|Division|Bureau|Authority)[A-Z]\w+){0,5}|\b(?:Mandatory )?Inclusionary Housing\b|\bQuality Housing\b|\b[Nn]on- ?[\w-]+|\b[Dd]istribution (?:of|requirements)\b|\b(?:[A-Z][\w']{1,20} ){1,3}(?:Road|Street|Avenue|Drive|Lane|Boulevard|Parkway|Highway|Turnpike)\b|\bGrand Concourse\b|\b(?:Community )?School District\b|\b(?:Sections?|Article|Chapter) [\dIVX][\w.()-]{0,14} [(][^()\n]{3,140}[)]|\bd\/ ?b\/ ?a\/? [A-Z][^,;.\n-]{3,40}?(?=,| for | requests?\b)|\bformer (?:[A-Z][\w.']{0,20} ){0,4}\w{3,20}|\b(?:in|within|and) (?:the |an? )?(?:[A-Z][\w'/-]{0,24},? (?:(?:and|of) )?(?:the )?){1,8}(?:[(][^()\n]{1,20}[)] (?:[A-Z][\w/-]{0,24} ){0,3})?(?:[Dd]istrict|[Zz]one)s?\b|\b(?:(?:north|south|east|west)(?:erly)? of|adjacent to|next to|across from|near) (?:(?! (?:to|for|is|from) )[^,.;\n]){3,60}/g;
/** Whoever bears such a name uses the land so, too. */
const INSTITUTION = /\b(?:Church|School|Hospital|University|College|Temple|Mosque|Synagogue|Cemetery|Academy|Library|Museum)$/;
const blank = (words: string) => '_'.repeat(words.length);

/** Uses that title and request name, each with its words: not by the name of a party or of the zone in which the land lies. */
function readUses(
  text: ReadableText,
  stated: readonly (Stated<string> | null)[],
  parties: readonly string[],
  zone: Span | null,
): (LandUse & Span)[] {
  for (const names of [parties, parties.filter((name) => !INSTITUTION.test(name))])
    for (const one of stated) {
      if (!one) continue;
      const from = Math.max(zone?.start ?? one.end, one.start) - one.start;
      const to = Math.max(from, Math.min(zone?.end ?? 0, one.end) - one.start);
      const words = text.original.slice(one.start, one.end).replace(/\s/g, ' ').replace(OF_NAME, blank);
      const own = names.reduce(
        (left, name) => left.replaceAll(name, blank(name)),
        words.slice(0, from) + blank(words.slice(from, to)) + words.slice(to),
      );
      const found = findUses({ text: own });
      if (found.length) return found.map(({ use, at, length }) => ({ ...use, start: one.start + at, end: one.start + at + length }));
    }
  return [];
}

const REQUESTS = new RegExp(REQUEST, 'gi');

/** The names of a title: its capital words and numbers, without those of the request. */
const namesOf = (title: string): string[] =>
  title.replace(REQUESTS, ' ').match(/\b(?:[A-Z](?!ot\b)[\w']{2,20}|[Ll]ot \d{1,4}|\d{3,6})\b/g) ?? [];

/** What a hearing states of a case that a later item decides, such as `ACTION ITEMS: a) Rezone - Lot 10`, completes that item. */
function joinHearings(cases: readonly CaseRead[], text: ReadableText): CaseRead[] {
  const kept = cases.filter(({ onlyHeard }) => !onlyHeard);
  for (const { found, item } of cases.filter(({ onlyHeard }) => onlyHeard)) {
    const words = text.prose.slice(item.start, item.end);
    const decided = kept.find(({ found: other, item: later }) => {
      const names = namesOf(other.title?.value ?? '');
      return (
        later.start > item.start &&
        other.requestType === found.requestType &&
        names.length > 0 &&
        names.every((name) => words.includes(name))
      );
    });
    if (!decided) continue;
    decided.found = complete(decided.found, found);
  }
  return kept;
}

/** What a case states, and where it is silent what another passage of it states. */
function complete(one: ExtractedCase, other: ExtractedCase): ExtractedCase {
  const filled = Object.entries(other).filter(
    ([key, value]) =>
      COMPLETES.test(key) && (Array.isArray(value) ? !(one[key as 'contacts'] as unknown[]).length : one[key as 'title'] === null),
  );
  // A later passage that decides names the case by its number; the request stands where it was heard.
  const isNamed =
    one.title === null ||
    /^(?:an? )?(?:motion|moved|m\/s)\b/i.test(one.title.value) ||
    (REQUEST.test(other.title?.value ?? '') && !REQUEST.test(one.title.value));
  const request = isNamed ? { title: other.title, request: other.request, requestType: other.requestType } : {};
  return { ...one, ...Object.fromEntries(filled), ...request, doubts: [...one.doubts, ...other.doubts] };
}
const COMPLETES =
  /^(?:caseNumbers|parcelNumbers|address|contacts|existingZoning|proposedZoning|acreage|units|lots|squareFootage|stories|landUses|staffRecommendation)$/;

/** Of a case that stands twice in a document, such as in a list of items, the one with a decision stays. */
function joinRepeated(cases: readonly CaseRead[]): CaseRead[] {
  const kept: CaseRead[] = [];
  for (const one of cases) {
    const same = kept.findIndex((other) => other.item !== one.item && isSame(other.found, one.found));
    const known = kept[same];
    if (!known) {
      kept.push(one);
      continue;
    }
    const [mine, its] = [one.found, known.found];
    // A row of a table, and the item itself.
    const isRow = mine.decision?.value === its.decision?.value && isMoved(one) !== isMoved(known);
    if (mine.decision && its.decision && !isRow) {
      kept.push(one);
      continue;
    }
    const decides = !its.decision && (mine.decision !== null || mine.end - mine.start > 2 * (its.end - its.start));
    const [better, other] = decides || (isRow && isMoved(one)) ? [one, known] : [known, one];
    kept[same] = { ...better, found: complete(better.found, other.found) };
  }
  return kept;
}

const isMoved = ({ found: { motions } }: CaseRead) => motions.some(({ mover }) => mover !== null);

function isSame(a: ExtractedCase, b: ExtractedCase): boolean {
  if (a.caseNumbers.length && b.caseNumbers.length)
    return a.caseNumbers.some(({ value }) => b.caseNumbers.some((other) => foldNumber(value) === foldNumber(other.value)));
  return a.title !== null && b.title !== null && foldWords(a.title.value) === foldWords(b.title.value);
}
