/** Reads filters that people say in too many ways for a list of phrases: by the words of which these are made. */
import type { QuestionWords } from './questionWords.ts';
import { listPhrases, type WordSpan } from './words.ts';

/** Words between one that includes government items and these: `do not hide any of the governmental items`. */
const LEAD_APART = 3;
const [DENIAL, PROJECTS] = [/\b(?:no|not|nothing|unrelated|other)\b|n['’]t\b/i, /\b(?:projects?|real[- ]estate|developments?)\b/i];

/** Characters of `that are not real-estate projects`, which says what government items are; 0 for something else. */
function lengthOfNoProjects(text: string): number {
  const [clause = ''] = /^[^,;.?!]*/.exec(text) ?? [];
  const denial = DENIAL.exec(clause);
  const projects = denial && PROJECTS.exec(clause.slice(denial.index));
  return projects ? denial.index + projects.index + projects[0].length : 0;
}

/** `also show gov items`, `counting government business that is no real-estate project` */
export function readGovernmentItems(question: QuestionWords): void {
  for (let at = 0; at < question.tokens.length; at++) {
    if (!question.is(at, 'governmentNames') || !question.is(at + 1, 'governmentItems') || !question.isFree(at, at + 2)) continue;
    const rest = question.text.slice(question.tokens[at + 1]?.end);
    const about = lengthOfNoProjects(rest);
    const until = (question.tokens[at + 1]?.end ?? 0) + about;
    const said = question.tokens.findLastIndex(({ end }) => end <= until) + 1;
    const behind = question.phraseAt(said, 'governmentBehind');
    const from = [0, 1, 2, LEAD_APART].map((apart) => at - apart).find((one) => question.phraseBefore(one, 'governmentLeads'));
    const lead = from === undefined ? at : from - question.phraseBefore(from, 'governmentLeads');
    // `show government decisions` asks for these alone.
    if (lead === 0 && !behind && !/^(?:also|includ|plus|even)/.test(question.word(0))) continue;
    if (question.isFree(lead, said + behind)) question.readAsFilters(lead, said + behind, { includeGovernmentDecisions: 'true' }, 'always');
  }
}

/** Words on one side of a restriction that belong to it. */
const RESTRICTION_REACH = 8;

/** The tokens of `moratorium, ban or interim ordinance`. */
function endOfRestrictions(question: QuestionWords, at: number): number {
  const to = at + question.phraseAt(at, 'restrictionNames');
  let next = to;
  while (/^(?:or|and|nor|an?|any|the)$/.test(question.word(next))) next++;
  const isJoined = next > to || /[,/]/.test(question.textAfter(to - 1));
  return to > at && isJoined && question.phraseAt(next, 'restrictionNames') ? endOfRestrictions(question, next) : to;
}

/** `under a moratorium`, `clear of any ban`, `where an interim ordinance applies`, `nothing like a moratorium is holding them back` */
export function readRestrictions(question: QuestionWords): void {
  for (let at = 0; at < question.tokens.length; at++) {
    const end = endOfRestrictions(question, at);
    if (end === at) continue;
    const belongs = (i: number, list: 'restrictionLeads' | 'restrictionBehind') =>
      question.isFree(i) && (question.is(i, list) || question.is(i, 'restrictionDenials') || question.is(i, 'restrictionBeside'));
    let from = at;
    while (at - from < RESTRICTION_REACH && belongs(from - 1, 'restrictionLeads') && !/[,;:]/.test(question.textAfter(from - 1))) from--;
    let to = end;
    while (to - end < RESTRICTION_REACH && belongs(to, 'restrictionBehind') && !/[,;:]/.test(question.textAfter(to - 1))) to++;
    const says = (start: number, stop: number, list: 'restrictionLeads' | 'restrictionBehind' | 'restrictionDenials') =>
      question.tokens.slice(start, stop).filter((_, i) => question.is(start + i, list)).length;
    const denials = says(from, at, 'restrictionDenials') + says(end, to, 'restrictionDenials');
    while (from < at && question.is(from, 'restrictionBeside')) from++;
    while (to > end && question.is(to - 1, 'restrictionBeside') && !question.is(to - 1, 'restrictionBehind')) to--;
    if (denials || says(from, at, 'restrictionLeads') || says(end, to, 'restrictionBehind'))
      question.readAsFilters(from, to, { underRestriction: denials % 2 ? 'false' : 'true' }, 'always');
    at = to - 1;
  }
}

/** Words around `rezoning` that make it a need of the project. */
const NEEDS = /^(?:needs?|needing|requires?|requiring|without|necessitates?)$/;
const NEEDED = /^(?:needed|required|reqd|necessary|mandatory)$/;

/** `rezone needed`, `requires a zone change`, `without changing the zoning`: what the project cannot be without. */
export function readZoningNeeds(question: QuestionWords): void {
  for (let at = 0; at < question.tokens.length; at++) {
    const length = question.phraseAt(at, 'zoningChanges');
    if (!length || !question.isFree(at, at + length)) continue;
    let from = at;
    while (/^(?:an?|the|any|its)$/.test(question.word(from - 1))) from--;
    let to = at + length;
    while (/^(?:is|are|was|be|to|will|has)$/.test(question.word(to))) to++;
    if (NEEDS.test(question.word(from - 1))) question.readAsFilters(from - 1, at + length, { requiresZoningChange: 'true' }, 'always');
    else if (NEEDED.test(question.word(to))) question.readAsFilters(from, to + 1, { requiresZoningChange: 'true' }, 'always');
  }
}

/** Sizes of projects by the words for them. */
export const SIZES = new Map(listPhrases('sizes').map((pair) => pair.split(' ') as [string, string]));
const [SIZED, ANY_PROJECT] = [
  /^(?:sized?|scale|rated|classed|classified|counted|only)$/,
  /^(?:projects?|developments?|proposals?|deals?|jobs?|ones)$/,
];

/** `medium and large projects`, `sized large or medium`, `mid-size` */
export function readProjectSizes(question: QuestionWords): void {
  for (let at = 0; at < question.tokens.length; at++) {
    const sizes: string[] = [];
    let to = at;
    const lead = [1, 2].find((back) => SIZED.test(question.word(at - back)) && question.isFree(at - back, at)) ?? 0;
    let isSized = lead > 0;
    for (let i = at; SIZES.has(question.word(i)) && question.isFree(i); ) {
      sizes.push(SIZES.get(question.word(i)) as string);
      const own = Number(SIZED.test(question.word(i + 1)));
      isSized ||= own > 0;
      to = i + 1 + own;
      i = to + Number(/^(?:and|or)$/.test(question.word(to)));
    }
    // `Small Vermont projects`
    const head = to + Number(question.isCapital(to) && !ANY_PROJECT.test(question.word(to)));
    const isOfProjects = ANY_PROJECT.test(question.word(head));
    if (!sizes.length || !(isSized || isOfProjects || sizes.length > 1)) continue;
    // `leave the small projects out`, `don't want the large ones`
    const start = at - lead - Number(question.word(at - lead - 1) === 'the');
    const denied = question.phraseBefore(start, 'exceptUses') || question.phraseBefore(start, 'sizesDenied');
    const left = [...SIZES.values()].filter((one) => !sizes.includes(one));
    const said = [...new Set(denied ? left : sizes)];
    const end = to + Number(isOfProjects && head === to);
    const isAsked = denied > 0 && question.filters.projectSizes !== undefined;
    if (isAsked) question.take(start - denied, end, ['projectSizes']);
    else question.readAsFilters(start - denied, end, { projectSizes: said }, 'unstated');
    at = to;
  }
}

const PROCESS =
  /\b(?:(?:from|between|its|the|their) ){0,3}(?:first|initial|1 st|earliest|start)(?: (?:public|hearing|meeting|appearance)){0,2} (?:to|and|through|until|till)(?: (?:its|the|their)){0,2} (?:latest|last|most recent|final)(?: (?:hearing|meeting|appearance|one))?\b|\b(?:of|after|from|since)(?: (?:its|the|their|a))? (?:first|initial|1 st)(?: public)? (?:hearing|meeting|appearance)\b/;

/** `from its first hearing to the latest`: the words that make an amount of days one of days in process. */
export function findProcess(question: QuestionWords): WordSpan | undefined {
  const words = question.tokens.map(({ word }) => word.replaceAll(' ', '_'));
  const match = PROCESS.exec(words.join(' '));
  if (!match) return undefined;
  const from = words.findIndex((_, i) => words.slice(0, i).join(' ').length >= match.index - 1);
  const to = from + match[0].split(' ').length;
  return question.isFree(from, to) ? { from, to } : undefined;
}
