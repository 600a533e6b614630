/**
 * Reads what a question asks of who did what, because of what.
 *
 *     relation ::= [agent] act link topic | [agent] stance [topic] | topic stance | words link topic
 *     stance   ::= an act that is no decision: `opposed`, `support from`, `concerns about`
 *     agent    ::= known agent | words before the act of a clause | words behind `by` or `from`
 *     topic    ::= words up to the next mark, link, `that` or place
 */
import { type Act, agentAt, findActs, isDecision, type LinkName, linkAt, RELATION_WORDS, type RelationList } from '../acts.ts';
import { EMPTY_RULE } from '../criterion.ts';
import type { QuestionWords } from '../questionWords.ts';
import { synonymsOf } from '../thesaurus.ts';
import type { Concept, Criterion, Relation } from '../types.ts';
import { isContent } from '../words.ts';
import { isListed, readCriterion } from './readRest.ts';

/** Votes are read by themselves. */
const OF_VOTES =
  /\b(?:vot(?:e|ed|es|ing)|nays?|dissent\w*|abstain\w*|absent|unanimous\w*)\b|\b(?:passed|carried|approved|denied)\b.{0,12}\d(?:-|–| to )\d/i;
/** Tokens of an agent, and before an act in which a denial denies it. */
const [AGENT_MAX, DENIAL_REACH] = [6, 3] as const;

interface Stretch {
  from: number;
  to: number;
}
type Link = Stretch & { name: LinkName };
type Agent = Stretch & { concept: Concept };

const is = (question: QuestionWords, list: RelationList, at: number) => RELATION_WORDS[list].lengthAt(question.tokens, at) > 0;
const indices = ({ from, to }: Stretch) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** The relations of a question. Words of decisions stay free: they are statuses, too. */
export function readRelations(question: QuestionWords): Criterion[] {
  if (OF_VOTES.test(question.text)) return [];
  const acts = findActs(question.tokens, 0, question.tokens.length);
  const found: Criterion[] = [];
  for (const link of findLinks(question, acts)) {
    const topic = { from: link.to, to: topicEnd(question, link.to) };
    const isAct = acts.some(({ from, to }) => from >= topic.from && to <= topic.to);
    // `before the Council` names who hears it; what stands against `despite` is asked for by itself.
    if ((link.name === 'before' && !isAct) || (link.name === 'despite' && isAct)) continue;
    const act = acts.findLast(({ to }) => to <= link.from && isOneClause(question, to, link.from));
    found.push(...(act ? relationOf(question, act, link, topic) : linkOf(question, link, topic)));
  }
  for (const [i, act] of acts.entries())
    if (!isDecision(act.name) && question.isFree(act.from, act.to)) found.push(...stanceOf(question, act, acts[i + 1]));
  return found;
}

const isOneClause = (question: QuestionWords, from: number, to: number): boolean =>
  (question.isFree(from, to) || from === to) &&
  !/[,;:?!]\s/.test(question.text.slice(question.tokens[from - 1]?.end, question.tokens[to]?.start));

/** Whether a word belongs to the clause behind it. */
const isOfClause = (question: QuestionWords, at: number): boolean =>
  question.isFree(at) && !is(question, 'relatives', at) && !/[,;:?!]/.test(question.textAfter(at));

function findLinks(question: QuestionWords, acts: readonly Act[]): Link[] {
  const links: Link[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const known = linkAt(question.tokens, i);
    const mayBeDirect = acts.some(({ to, name }) => to === i && !/^(?:approve|withdraw|support)$/.test(name));
    const length = known?.length || (mayBeDirect ? RELATION_WORDS.directCause.lengthAt(question.tokens, i) : 0);
    if (!length || !question.isFree(i, i + length + 1) || (!known && question.isCapital(i + length))) continue;
    links.push({ name: known?.name ?? 'cause', from: i, to: i + length });
    i += length - 1;
  }
  return links;
}

/** The token behind what a link or an act leads to. */
function topicEnd(question: QuestionWords, from: number): number {
  let to = from;
  if (/[,;:?!(]/.test(question.textAfter(from - 1)) || is(question, 'joints', to)) return to;
  while (to < question.tokens.length && question.isFree(to)) {
    if (to > from && (is(question, 'topicEnds', to) || linkAt(question.tokens, to))) break;
    if (is(question, 'ofPlaces', to) && question.isCapital(to + 1)) break;
    to++;
    if (/[,;:?!(]|\.\s/.test(question.textAfter(to - 1)) && !isListed(question, to - 1)) break;
  }
  return to;
}

const conceptsIn = (question: QuestionWords, { from, to }: Stretch): readonly Concept[] =>
  (from < to ? readCriterion(question, from, to)?.match.concepts : undefined) ?? [];

/** The agent of an act, and its words. */
function agentOf(question: QuestionWords, act: Act): Agent | undefined {
  const by = [act.to, act.to + 1].find((at) => is(question, 'byWhom', at));
  if (by !== undefined) {
    const end = topicEnd(question, by + 1);
    return agentIn(question, by + 1, Math.min(end, by + 1 + AGENT_MAX)) ?? namedAgent(question, by + 1, end);
  }
  let start = act.from;
  while (act.from - start < AGENT_MAX && isOfClause(question, start - 1) && !findActs(question.tokens, start - 1, start).length) start--;
  if (start === act.from && /^(?:who|that)$/.test(question.word(start - 1)))
    return agentIn(question, Math.max(0, start - 1 - AGENT_MAX), start - 1);
  const isActive =
    is(question, 'relatives', start - 1) ||
    /^(?:it|them|this|the|these)$/.test(question.word(act.to)) ||
    !(is(question, 'participles', act.from) || is(question, 'nouns', act.to - 1));
  return agentIn(question, start, act.from) ?? (isActive ? namedAgent(question, start, act.from) : undefined);
}

/** The last known agent between two tokens. */
function agentIn(question: QuestionWords, from: number, to: number): Agent | undefined {
  for (let i = to - 1; i >= from; i--) {
    const known = agentAt(question.tokens, i);
    if (!known || i + known.length > to || !question.isFree(i, i + known.length)) continue;
    // `planning commission`, `a historical society or heritage commission`
    let first = i;
    const isName = (at: number) => question.isFree(at) && (isContent(question.word(at)) || question.word(at) === 'or');
    while (known.isOffice && first > from && isName(first - 1)) first--;
    if (known.isOffice) return namedAgent(question, first, i + known.length);
    const text = question.slice(first, i + known.length);
    return { from: first, to: i + known.length, concept: { text, phrases: [...new Set([text.toLowerCase(), ...known.phrases])] } };
  }
  return undefined;
}

/** An agent by the question's own words: `the school district`, `a church or its pastor`. */
function namedAgent(question: QuestionWords, from: number, to: number): Agent | undefined {
  const said = indices({ from, to }).filter(
    (i) => isContent(question.word(i)) && !is(question, 'negators', i) && !is(question, 'speaking', i) && !is(question, 'qualifiers', i),
  );
  const [first, last] = [said[0], said.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const text = question.slice(first, last + 1);
  const phrases = text.split(/,? or (?:an? |the |its |their )?|, /).flatMap(synonymsOf);
  return { from: first, to: last + 1, concept: { text, phrases: [...new Set(phrases)] } };
}

/** A relation whose topic follows a link. */
function relationOf(question: QuestionWords, act: Act, link: Link, topic: Stretch): Criterion[] {
  const concepts = conceptsIn(question, topic);
  if (!concepts.length) return [];
  const agent = isDecision(act.name) ? undefined : agentOf(question, act);
  // `denied rezonings in Colorado because of traffic`: what stands between is asked for by itself.
  const from = isDecision(act.name) && link.from > act.to ? link.from : Math.min(act.from, agent?.from ?? act.from);
  return [makeRelation(question, act, { link: link.name, concepts, agent, from, to: topic.to })];
}

/** `opposed by neighbors`, `concerns about traffic`, `traffic concerns`, `residents fear noise`. */
function stanceOf(question: QuestionWords, act: Act, next: Act | undefined): Criterion[] {
  const agent = agentOf(question, act);
  // `recommended for denial` alone is a status, and who builds wants to.
  if (/^(?:recommend|prefer)/.test(act.name) && !agent) return [];
  if (act.name === 'prefer' && agentAt(question.tokens, agent?.from ?? act.from)?.isOffice !== undefined) return [];
  const start = Math.max(act.to, agent?.to ?? 0);
  const behind = {
    from: start,
    to: Math.max(start, Math.min(topicEnd(question, start), next ? clauseStart(question, next, start) : Infinity)),
  };
  const isActive = agent !== undefined && agent.to <= act.from;
  const before = { from: isActive ? agent.to : act.from - 1, to: act.from };
  const hasAhead = is(question, 'nouns', act.from) && question.isFree(before.from, before.to) && !is(question, 'negators', before.from);
  const led = isActive || is(question, 'asksAbout', start) ? conceptsIn(question, behind) : [];
  const ahead = hasAhead && !led.length ? conceptsIn(question, before) : [];
  const concepts = led.length ? led : ahead;
  const from = Math.min(act.from, agent?.from ?? act.from, ahead.length ? before.from : act.from);
  const to = Math.max(act.to, agent?.to ?? 0, led.length ? behind.to : 0);
  return [makeRelation(question, act, { link: concepts.length ? 'about' : null, concepts, agent, from, to })];
}

/** Where the clause of the next act begins: `and the Council approved`. */
function clauseStart(question: QuestionWords, { from }: Act, after: number): number {
  const joint = question.tokens.findLastIndex(({ word }, i) => i >= after && i < from && /^(?:and|or)$/.test(word));
  return joint < 0 ? from : joint;
}

interface Made extends Stretch {
  link: Relation['link'];
  concepts: readonly Concept[];
  agent: Agent | undefined;
}

function makeRelation(question: QuestionWords, act: Act, { link, concepts, agent, from, to }: Made): Criterion {
  const text = question.slice(act.from, act.to);
  const denial = indices({ from: act.from - DENIAL_REACH, to: act.from }).findLast(
    (i) => is(question, 'negators', i) && question.isFree(i),
  );
  const first = Math.min(from, denial ?? from);
  const own = { text, phrases: synonymsOf(text) };
  const said = question.slice(Math.min(act.from, agent?.from ?? act.from), Math.max(act.to, agent?.to ?? act.to));
  const relation: Relation = {
    act: act.name,
    link,
    ...(agent ? { agent: agent.concept } : {}),
    ...(isDecision(act.name) ? {} : { stance: { ...own, text: said } }),
    ...(denial === undefined ? {} : { negated: true }),
  };
  // `former opponents`, `now support it`: the passage has to say it.
  const qualifiers = indices({ from: Math.max(0, first - 1), to }).filter((i) => is(question, 'qualifiers', i) && question.isFree(i));
  const qualified = qualifiers.map((i): Concept => ({ text: question.word(i), phrases: [question.word(i)] }));
  const found = [...(concepts.length ? concepts : [agent?.concept ?? own]), ...qualified];
  const start = Math.min(first, ...qualifiers);
  const criterion = { text: question.slice(start, to), match: { ...EMPTY_RULE, concepts: found, relation } };
  for (const i of indices({ from: start, to })) if (!isDecision(act.name) || i < act.from || i >= act.to) question.take(i, i + 1);
  return criterion;
}

/** Words that a link joins without a known act: they have to stand in the same order. */
function linkOf(question: QuestionWords, { name, from, to }: Link, topic: Stretch): Criterion[] {
  let start = from;
  while (isOfClause(question, start - 1)) start--;
  const [left, concepts] = [conceptsIn(question, { from: start, to: from }), conceptsIn(question, topic)];
  if (!concepts.length) return [];
  const first = left.length ? start : from;
  question.take(first, topic.to);
  const relation: Relation = { act: null, link: name, left: [...left] };
  return [{ text: question.slice(first === from ? to : first, topic.to), match: { ...EMPTY_RULE, concepts: [...concepts], relation } }];
}
