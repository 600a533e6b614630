/**
 * Reads what a question asks of who did what, because of what.
 *
 *     relation ::= [agent] act link topic | [agent] stance [topic] | topic stance | words link topic
 *     stance   ::= an act that is no decision: `opposed`, `support from`, `concerns about`
 *     agent    ::= known agent | words between `that` and the act | words behind `by` or `from`
 *     topic    ::= words up to the next mark, link, `that` or place
 */

import { type Act, agentAt, DIRECT_CAUSE, findActs, isDecision, isNegator, LINKS, phraseAt, SPEAKING } from './acts.ts';
import { EMPTY_RULE } from './criterion.ts';
import { isContent } from './plainWords.ts';
import type { QuestionWords } from './questionWords.ts';
import { isListed, readCriterion } from './read/readRest.ts';
import { synonymsOf } from './thesaurus.ts';
import type { Concept, Criterion, Relation } from './types.ts';

const RELATIVE = /^(?:that|which|who|whom|whose|where|with|when|because|after|despite|over|do|does|did|has|have)$/;
/** Words that name a stance by themselves, unlike `support`. */
const STANCES = /^(?:opposed|opposition|objected|objections?|protested|supported|favor)$/;
const TOPIC_ENDS = /^(?:that|which|who|whom|where|when|while|but|since)$/;
/** Words before a place: `in Austin`. */
const OF_PLACES = /^(?:in|near|at|around|within|throughout)$/;
const TOPIC_LEADS = /^(?:to|about|over|regarding|concerning|with|of|on|for|the|a|an|any)$/;
/** Votes are read by themselves. */
const OF_VOTES = /\b(?:vot(?:e|ed|es|ing)|nays?|dissent\w*|abstain\w*|absent|unanimous\w*)\b/i;
/** Tokens of an agent. */
const AGENT_MAX = 6;

interface Link {
  name: NonNullable<Relation['link']>;
  from: number;
  to: number;
}

interface Stretch {
  from: number;
  to: number;
}

/** The relations of a question. Words of decisions stay free: they are statuses, too. */
export function readRelations(question: QuestionWords): Criterion[] {
  if (OF_VOTES.test(question.text)) return [];
  const acts = findActs(question.tokens, 0, question.tokens.length);
  const found: Criterion[] = [];
  for (const link of findLinks(question, acts)) {
    const topic = { from: link.to, to: topicEnd(question, link.to) };
    const isAct = acts.some(({ from, to }) => from >= topic.from && to <= topic.to);
    // `before the Council` names who hears it.
    if (link.name === 'before' && !isAct) continue;
    // `despite opposition`: what stands against it is asked for by itself.
    if (link.name === 'despite' && isAct) continue;
    const act = acts.findLast(({ to }) => to <= link.from && isOneClause(question, to, link.from));
    found.push(...(act ? relationOf(question, act, link, topic) : linkOf(question, link, topic)));
  }
  for (const [i, act] of acts.entries())
    if (!isDecision(act.name) && question.isFree(act.from, act.to)) found.push(...stanceOf(question, act, acts[i + 1]));
  return found;
}

const isOneClause = (question: QuestionWords, from: number, to: number): boolean =>
  question.isFree(from, to) || from === to
    ? !/[,;:?!]\s/.test(question.text.slice(question.tokens[from - 1]?.end, question.tokens[to]?.start))
    : false;

function findLinks(question: QuestionWords, acts: readonly Act[]): Link[] {
  const links: Link[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const [known] = LINKS.map(({ name, phrases }) => ({ name, length: phraseAt(phrases, question.tokens, i) })).filter(
      ({ length }) => length,
    );
    const direct = acts.some(({ to, name }) => to === i && name !== 'approve' && name !== 'withdraw' && name !== 'support')
      ? phraseAt(DIRECT_CAUSE, question.tokens, i)
      : 0;
    const length = known?.length || direct;
    if (!length || !question.isFree(i, i + length) || !question.isFree(i + length) || (!known && question.isCapital(i + length))) continue;
    links.push({ name: known?.name ?? 'cause', from: i, to: i + length });
    i += length - 1;
  }
  return links;
}

/** The token behind what a link or an act leads to. */
function topicEnd(question: QuestionWords, from: number): number {
  let to = from;
  if (/[,;:?!(]/.test(question.textAfter(from - 1))) return to;
  while (to < question.tokens.length && question.isFree(to)) {
    const word = question.word(to);
    if (to > from && (TOPIC_ENDS.test(word) || LINKS.some(({ phrases }) => phraseAt(phrases, question.tokens, to)))) break;
    if (OF_PLACES.test(word) && question.isCapital(to + 1)) break;
    to++;
    if (/[,;:?!(]|\.\s/.test(question.textAfter(to - 1)) && !isListed(question, to - 1)) break;
  }
  return to;
}

const conceptsIn = (question: QuestionWords, { from, to }: Stretch): readonly Concept[] =>
  (from < to ? readCriterion(question, from, to)?.match.concepts : undefined) ?? [];

/** The agent of an act, and its words. */
function agentOf(question: QuestionWords, act: Act): (Stretch & { concept: Concept }) | undefined {
  const by = [act.to, act.to + 1].find((at) => /^(?:by|from)$/.test(question.word(at)));
  if (by !== undefined) {
    const end = topicEnd(question, by + 1);
    return agentIn(question, by + 1, Math.min(end, by + 1 + AGENT_MAX)) ?? namedAgent(question, by + 1, end);
  }
  let start = act.from;
  while (start > 0 && act.from - start < AGENT_MAX && question.isFree(start - 1) && !RELATIVE.test(question.word(start - 1))) start--;
  if (start === act.from && /^(?:who|that)$/.test(question.word(start - 1)))
    return agentIn(question, Math.max(0, start - 1 - AGENT_MAX), start - 1);
  const known = agentIn(question, start, act.from);
  return known ?? (RELATIVE.test(question.word(start - 1)) ? namedAgent(question, start, act.from) : undefined);
}

/** The last known agent between two tokens. */
function agentIn(question: QuestionWords, from: number, to: number): (Stretch & { concept: Concept }) | undefined {
  for (let i = to - 1; i >= from; i--) {
    const known = agentAt(question.tokens, i);
    if (!known || i + known.length > to || !question.isFree(i, i + known.length)) continue;
    // `planning commission`
    let first = i;
    while (known.isOffice && first > from && question.isFree(first - 1) && isContent(question.word(first - 1))) first--;
    const text = question.slice(first, i + known.length);
    const phrases = known.isOffice ? synonymsOf(text) : [...new Set([text.toLowerCase(), ...known.phrases])];
    return { from: first, to: i + known.length, concept: { text, phrases } };
  }
  return undefined;
}

/** An agent by the question's own words: `the school district`. */
function namedAgent(question: QuestionWords, from: number, to: number): (Stretch & { concept: Concept }) | undefined {
  const said = question.tokens.flatMap(({ word }, i) =>
    i >= from && i < to && isContent(word) && !isNegator(word) && !SPEAKING.has(word) ? [i] : [],
  );
  const [first, last] = [said[0], said.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const text = question.slice(first, last + 1);
  return { from: first, to: last + 1, concept: { text, phrases: synonymsOf(text) } };
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
  // `recommended for denial` alone is a status.
  if (/^recommend/.test(act.name) && !agent) return [];
  const start = Math.max(act.to, agent?.to ?? 0);
  const behind = {
    from: start,
    to: Math.max(start, Math.min(topicEnd(question, start), next ? clauseStart(question, next, start) : Infinity)),
  };
  const isActive = agent !== undefined && agent.to <= act.from;
  const isLed = isActive || TOPIC_LEADS.test(question.word(start));
  const before = { from: isActive ? agent.to : act.from - 1, to: act.from };
  const isNoun = /^(?:concerns?|objections?|opposition|worries|fears|complaints?)$/.test(question.word(act.from));
  const hasAhead = isNoun && question.isFree(before.from, before.to) && !isNegator(question.word(before.from));
  const [led, ahead] = [isLed ? conceptsIn(question, behind) : [], hasAhead ? conceptsIn(question, before) : []];
  const concepts = led.length ? led : ahead;
  if (!concepts.length && !agent && !STANCES.test(question.word(act.to - 1))) return [];
  const from = Math.min(act.from, agent?.from ?? act.from, ahead.length && !led.length ? before.from : act.from);
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
  agent: (Stretch & { concept: Concept }) | undefined;
}

function makeRelation(question: QuestionWords, act: Act, { link, concepts, agent, from, to }: Made): Criterion {
  const text = question.slice(act.from, act.to);
  const negated = [1, 2, 3].some((back) => isNegator(question.word(act.from - back)) && question.isFree(act.from - back));
  const first = negated
    ? Math.min(
        from,
        question.tokens.findLastIndex(({ word }, i) => i < act.from && isNegator(word)),
      )
    : from;
  const own = { text, phrases: synonymsOf(text) };
  const said = question.slice(Math.min(act.from, agent?.from ?? act.from), Math.max(act.to, agent?.to ?? act.to));
  const relation: Relation = {
    act: act.name,
    link,
    ...(agent ? { agent: agent.concept } : {}),
    ...(isDecision(act.name) ? {} : { stance: { ...own, text: said } }),
    ...(negated ? { negated } : {}),
  };
  const found = concepts.length ? concepts : [agent?.concept ?? own];
  const criterion = { text: question.slice(first, to), match: { ...EMPTY_RULE, concepts: [...found], relation } };
  for (let i = first; i < to; i++) if (!isDecision(act.name) || i < act.from || i >= act.to) question.take(i, i + 1);
  return criterion;
}

/** Words that a link joins without a known act: they have to stand in the same order. */
function linkOf(question: QuestionWords, { name, from, to }: Link, topic: Stretch): Criterion[] {
  let start = from;
  while (
    start > 0 &&
    question.isFree(start - 1) &&
    !RELATIVE.test(question.word(start - 1)) &&
    !/[,;:?!]/.test(question.textAfter(start - 1))
  )
    start--;
  const [left, concepts] = [conceptsIn(question, { from: start, to: from }), conceptsIn(question, topic)];
  if (!concepts.length) return [];
  const first = left.length ? start : from;
  question.take(first, topic.to);
  const relation: Relation = { act: null, link: name, left: [...left] };
  return [{ text: question.slice(first === from ? to : first, topic.to), match: { ...EMPTY_RULE, concepts: [...concepts], relation } }];
}
