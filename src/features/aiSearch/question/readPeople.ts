/**
 * Reads parties and other names.
 *
 *     party   ::= ("proposed by" | role ["is" | "named" | …] | "by") name | name ("as" | "is" | "was" | "," | "(") ["the"] role
 *     name    ::= capital {["and" | "of" | "&" | …] (capital | number)} | word{1,7}, where `proposed by` introduces it
 *     address ::= number capital {word} street
 */
import { literalCriterion } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { isMonth } from './readDates.ts';
import { useLengthAt } from './readVocabulary.ts';
import { agentAt, findActs, isDecision } from './relations.ts';
import { isKnownWord } from './spelling.ts';
import { phraseLength } from './thesaurus.ts';
import type { Criterion } from './types.ts';
import { isContent } from './words.ts';

const NAME_WORDS_MAX = 7;
const ADDRESS_WORDS_MAX = 5;
/** Capitals that a name alone needs: `Memorial Sloan Kettering applications`, `Habitat for Humanity rezonings`. */
const CAPITALS_MIN = 2;
const LEGAL_FORM =
  /(?<![\s,])[\s,]+(?:LLC|L\.L\.C|LLP|LP|L\.P|PLLC|PLC|PC|P\.C|PA|P\.A|Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|Trust)\.?$/i;

/** The token behind a name that begins at `at`: capitals continue it, also across `and` and `of`; without capitals the next small word ends it. */
function nameEnd(question: QuestionWords, at: number): number {
  const isCapital = (to: number) => question.isCapital(to) && question.isFree(to);
  let to = at;
  while (to < question.tokens.length && to - at < NAME_WORDS_MAX && question.isFree(to)) {
    const before = to > at ? question.textAfter(to - 1) : '';
    // `Reuben, Junius & Rose`: a name continues behind a comma if `&` ends the list.
    const isListed = /^,\s*$/.test(before) && question.isCapital(to) && [1, 2, 3].some((on) => question.word(to + on) === '&');
    if (/[;?!:)]|,(?! (?:LLC|Inc|Ltd|LP|LLP|Corp|Co)\b)/.test(before) && !isListed) break;
    const joins = question.is(to, 'nameJoins') && to > at && isCapital(to + 1);
    const isNumber = /^(?:\d.*|st|nd|rd|th)$/.test(question.word(to));
    if (!(question.isCapital(at) ? isCapital(to) || joins || isNumber : !question.is(to, 'nameEnds'))) break;
    to++;
  }
  return to;
}

/** A name as texts write it: without its legal form, with `and` for `&`. */
function criterionOfName(name: string): Criterion {
  const bare = name.replace(LEGAL_FORM, '').toLowerCase();
  const short = /\S\s+\S/.test(bare) ? bare : name.toLowerCase();
  const spell = (one: string) => [one, one.replace(/(?:(?<!\s)\s+)?&\s*/g, ' and '), one.replace(/\band\b/g, '&')];
  return literalCriterion(name, [short, name.toLowerCase()].flatMap(spell));
}

const sliceName = (question: QuestionWords, from: number, to: number) => question.slice(from, to).replace(/['’]s$/, '');

const LINKS_ROLE = /^(?:as|is|was|are|were)$/;

/** A name with its role behind it: `Acme Homes as the developer`, `Acme Homes, the contractor`; in small letters only behind `with` or `where`. */
function nameBeforeRole(question: QuestionWords, at: number): { to: number; end: number } | undefined {
  const isCapital = question.isCapital(at) && isContent(question.word(at));
  const isLed = /^(?:with|where|whose|have|has|having|that|and|or)$/.test(question.word(at - 1));
  if (!isCapital && (!isLed || question.is(at, 'nameNone'))) return undefined;
  let to = isCapital ? nameEnd(question, at) : at + 1;
  while (!isCapital && to < at + NAME_WORDS_MAX && question.isFree(to) && !LINKS_ROLE.test(question.word(to))) to++;
  const link = Number(LINKS_ROLE.test(question.word(to)));
  if (to === at || !question.isFree(at, to) || (!link && !/^\s*[,(]\s*$/.test(question.textAfter(to - 1)))) return undefined;
  const role = to + link + Number(/^(?:an?|the|its|their)$/.test(question.word(to + link)));
  const length = rolesLength(question, role);
  // `Benton County AR, developer Rausch Coleman`
  const isOfNext = !link && question.isCapital(role + length);
  return length && !isOfNext ? { to, end: role + length } : undefined;
}

/** Tokens of a role, or of a list of roles: `owner, applicant or developer`; 0 for none. */
function rolesLength(question: QuestionWords, at: number): number {
  const to = at + question.phraseAt(at, 'nameRoles');
  const next = to + Number(/^(?:or|and)$/.test(question.word(to)));
  const more = to > at && (next > to || /^\s*[,/]\s*$/.test(question.textAfter(to - 1))) ? rolesLength(question, next) : 0;
  return (more ? next + more : to) - at;
}

const readParty = (question: QuestionWords, from: number, to: number, name: string): boolean =>
  question.readAsFilters(from, to, { developerName: name }, 'always', criterionOfName(name));

/** `applicant Acme Homes or Cedar Fork`: no filter knows two names. */
function readAlternativeNames(question: QuestionWords, from: number, start: number, to: number): Criterion | undefined {
  const other = to > start && question.word(to) === 'or' && question.isCapital(to + 1) ? nameEnd(question, to + 1) : 0;
  if (other <= to + 1) return undefined;
  const names = [sliceName(question, start, to), sliceName(question, to + 1, other)].map(criterionOfName);
  const phrases = names.flatMap(({ match }) => match.concepts.flatMap((one) => one.phrases));
  question.take(from, other);
  return literalCriterion(question.slice(start, other), phrases);
}

/** The first party becomes the filter on names, others remain text. Without capitals a name needs words that certainly introduce one. */
export function readPeople(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const named = nameBeforeRole(question, i);
    if (named && readParty(question, i, named.end, sliceName(question, i, named.to))) return;
    const done = question.phraseAt(i, 'nameDoneBy');
    const role = rolesLength(question, i);
    const isNamed = role > 0 && /^(?:is|was|named|called|name|of)$/.test(question.word(i + role));
    const lead = done || (role ? role + Number(isNamed) : Number(question.word(i) === 'by'));
    const start = i + lead;
    // `opposed by Councilmember Jones`
    const isOfAct = findActs(question, i - 1, i).some(({ name }) => !isDecision(name)) || agentAt(question, start);
    if (!lead || isOfAct || !question.isFree(i) || !question.isFree(start)) continue;
    const isIntroduced = done > 0 && !question.is(start, 'nameNone') && question.tokens[start]?.value === null;
    // `mapped by FEMA`
    const isNone = lead === 1 && question.word(i) === 'by' && question.word(start) !== 'the' && question.is(start, 'nameNone');
    const to = (question.isCapital(start) && !isNone) || isIntroduced ? nameEnd(question, start) : start;
    // `by June`
    if (to === start || (isMonth(question.word(start)) && /^(?:\d|$)/.test(to > start + 1 ? question.word(start + 1) : ''))) continue;
    const names = readAlternativeNames(question, i, start, to);
    if (names) question.criteria.push(names);
    else if (readParty(question, i, to, sliceName(question, start, to))) return;
  }
}

/** The token behind an address that begins with its number: `2069 Bruckner Blvd`; 0 if none does. */
function addressEnd(question: QuestionWords, at: number): number {
  if (!/^\d/.test(question.word(at)) || !question.isCapital(at + 1)) return 0;
  for (let i = at + 1; i < at + ADDRESS_WORDS_MAX && question.isFree(at, i + 1) && /^[\s.]*$/.test(question.textAfter(i - 1)); i++)
    if (i > at + 1 && (question.is(i, 'streets') || question.is(i, 'otherStreets'))) return i + 1;
  return 0;
}

/** The name of a project that begins at a token, with the words that say so: `project called Cedar Ridge`, `with Riverwalk in the name`. */
function projectNameAt(question: QuestionWords, i: number): { from: number; at: number; to: number; end: number } | undefined {
  const lead = question.isFree(i) ? question.phraseAt(i, 'nameProject') : 0;
  const at = i + (lead || Number(question.word(i) === 'the'));
  const to = question.isCapital(at) && question.isFree(at) ? nameEnd(question, at) : at;
  if (to === at) return undefined;
  if (lead) return { from: i, at, to, end: to };
  const behind = question.phraseAt(to, 'nameProjectBehind');
  if (behind) return { from: i, at, to, end: to + behind };
  // `the Gateway Commons project`
  const isProject = /^(?:project|development)$/.test(question.word(to)) && question.textAfter(to - 1) === ' ';
  return at > i && to > at + 1 && isProject ? { from: at, at, to, end: to + 1 } : undefined;
}

export function readProjectNames(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const found = projectNameAt(question, i);
    const name = found && sliceName(question, found.at, found.to);
    if (found && name && question.readAsFilters(found.from, found.end, { projectName: name }, 'always', criterionOfName(name))) return;
  }
}

/** Whether a name is that of who builds: `KB Home plats`, `Lennar has proposed`, `Cedar Fork Energy`. */
function namesBusiness(question: QuestionWords, from: number, to: number): boolean {
  return (
    question.is(to, 'nameBehind') || (to - from > 1 && question.is(to - 1, 'nameBusiness')) || LEGAL_FORM.test(question.slice(from, to))
  );
}

/** Names that no word introduces become criteria: texts or parties have to contain them. @param asFilters whether names of businesses are parties */
export function readUnintroducedNames(question: QuestionWords, asFilters = true): Criterion[] {
  const found: Criterion[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    // `Which Lennar projects`
    if (i === 0 && !isContent(question.word(i))) continue;
    const address = question.isFree(i) ? addressEnd(question, i) : 0;
    // `MOB TIs`: short forms of uses are no names.
    const useLength = useLengthAt(question, i);
    const isShort = useLength > 1 || (useLength > 0 && /^[A-Z]{2,}s?$/.test(question.slice(i, i + 1)));
    if (isShort) i += useLength - 1;
    if (!question.isFree(i) || isShort || (!address && !question.isCapital(i))) continue;
    const to = address || nameEnd(question, i);
    const names = address ? undefined : readAlternativeNames(question, i, i, to);
    const capitals = Array.from({ length: to - i }, (_, k) => i + k).filter((at) => question.isCapital(at)).length;
    const known = phraseLength(question.stems, i);
    // `the nays of Holland and Haley`, `Jaeckle and Haley voting nay`
    const isOfVoters = () => [i - 1, i - 2, to, to + 1].some((at) => question.is(at, 'voters') || question.is(at, 'voting'));
    const isBusiness =
      asFilters &&
      !address &&
      !names &&
      !isOfVoters() &&
      known < 2 &&
      namesBusiness(question, i, to) &&
      (capitals >= CAPITALS_MIN || (question.word(i).length > 2 && !isKnownWord(question.word(i))));
    if (names) found.push(names);
    else if (isBusiness && readParty(question, i, to, sliceName(question, i, to))) i = to - 1;
    else if (!address && (capitals < CAPITALS_MIN || known > 1 || isOfVoters())) i += Math.max(known, 1) - 1;
    else {
      found.push(criterionOfName(sliceName(question, i, to)));
      question.take(i, to);
      i = to - 1;
    }
  }
  return found;
}
