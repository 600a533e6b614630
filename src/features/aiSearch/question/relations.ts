/**
 * Who did what, because of what, and with which sign: what a question asks of it, and the passages of a text that say it. What these rules do not
 * find said is not proven. Words in `src/catalogue/questionRelations.json`.
 *
 *     asked    ::= [agent] act link topic | [agent] stance [topic] | topic stance | words link topic
 *     stance   ::= an act that is no decision: `opposed`, `support from`, `concerns about`
 *     agent    ::= known agent | words before the act of a clause | words behind `by` or `from`
 *     topic    ::= words up to the next mark, link, `that` or place
 *
 *     passage  ::= clause | clause reason | clause {sentence} topic | topic {sentence} clause, all of the same speakers
 *     clause   ::= agent act [words] | act ("by" | "from" | "of" | ":") agent [words] | link words "," clause
 *                | agent "," ("for" | "no" | "against") "," words
 *     words    ::= link topic | topic behind the act | topic before its noun: `traffic concerns` | "said" topic "and" act
 *     reason   ::= next sentence that begins with one of `reasonStarts`: `They cited the traffic.`; behind a stance also one that those speakers
 *                  say: `They spoke of dust`, `Dust is what they remember, they said`; beside a decision one of those who decided: `The majority found`
 *     act      ::= word of `acts`, or `pleading` for it (`asked the Board to refuse it` opposes), that is not denied, reported by hearsay, only asked
 *                  for, former, or of a motion that failed
 *     link     ::= word of `links`, of one kind: cause, contrast, condition, time; a colon behind the act is a cause
 *     topic    ::= words; behind `no` or `not enough` those of `wantingInText` with them: `for want of water`
 */
import data from '../../../catalogue/questionRelations.json' with { type: 'json' };
import { type Analysis, findHits } from './analysis.ts';
import { actorAt, withConcerns } from './concerns.ts';
import { EMPTY_RULE } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { isListed, readCriterion } from './readRest.ts';
import { synonymsOf } from './thesaurus.ts';
import { stemsOf } from './tokens.ts';
import type { Concept, Criterion, Relation } from './types.ts';
import { type ActName, isContent, type LinkName, type ListName, listPhrases, TextWords, type WordSpan } from './words.ts';

const [ACTS, LINKS] = [Object.keys(data.acts) as ActName[], data.links as LinkName[]];

type Act = WordSpan & { name: ActName };

const indices = ({ from, to }: WordSpan) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** `asked the Board to refuse it`: who asks for a decision takes a side. */
function asPlea(words: TextWords, act: Act): Act {
  const from = indices({ from: Math.max(0, act.from - PLEA_REACH), to: act.from }).findLast((i) => words.is(i, 'pleading'));
  const isOne = (i: number) => !words.is(i, 'clauseEnds') && !words.is(i, 'deciding') && !/[;.]/.test(words.textAfter(i));
  if (from === undefined || (act.name !== 'deny' && act.name !== 'approve') || !indices({ from, to: act.from }).every(isOne)) return act;
  const isDenied = words.is(act.from - 1, 'negators') || words.is(act.from - 2, 'negators');
  return { name: (act.name === 'deny') === isDenied ? 'support' : 'oppose', from, to: act.to };
}

/** The acts that words name. */
export function findActs(words: TextWords, from = 0, to = words.tokens.length): Act[] {
  const found: Act[] = [];
  for (let i = from; i < to; i++) {
    if (words.is(i, 'noActs')) continue;
    const [longest] = ACTS.map((name) => ({ name, length: words.phraseAt(i, name) })).sort((a, b) => b.length - a.length);
    if (!longest?.length) continue;
    // `could not support it`
    const unwilling = longest.name === 'support' ? words.phraseBefore(i, 'unwilling') : 0;
    found.push({ name: unwilling ? 'oppose' : longest.name, from: i - unwilling, to: i + longest.length });
    i += longest.length - 1;
  }
  return found;
}

export const isDecision = (name: ActName): boolean => 'status' in data.acts[name];
/** Whether an act meets the one that is asked: who opposes also worries. */
function isActOf(asked: ActName, { name }: Act): boolean {
  const act = data.acts[asked];
  return name === asked || ('alsoBy' in act && act.alsoBy.split(' ').includes(name));
}
/** `denied or recommended for denial`: who recommends it meets it, too. */
const isAdviceOf = ({ act, isAdvice }: Relation, { name }: Act): boolean =>
  isAdvice === true && name === (act === 'deny' ? 'recommend_denial' : 'recommend_approval');
const clashes = (asked: ActName | null, { name }: Act): boolean => asked !== null && data.acts[asked].clashes.split(' ').includes(name);

/** The link that begins at a token. */
const linkAt = (words: TextWords, at: number): { name: LinkName; length: number } | undefined =>
  LINKS.map((name) => ({ name, length: words.phraseAt(at, name) })).find(({ length }) => length);

type KnownAgent = NonNullable<ReturnType<typeof actorAt>> & { isOffice?: true };

/** A known kind of agent at a token: `neighbors` are also residents. */
export const agentAt = (words: TextWords, at: number): KnownAgent | undefined =>
  actorAt(words, at) ?? (words.is(at, 'agents') ? { length: 1, phrases: [], hints: [], isOffice: true } : undefined);

/** Votes are read by themselves. */
const OF_VOTES =
  /\b(?:vot(?:e|ed|es|ing)(?! (?:it |them )?down\b)|nays?|dissent\w*|abstain\w*|absent|unanimous\w*)\b|\b(?:passed|carried|approved|denied)\b.{0,12}\d(?:-|–| to )\d/i;
/** Tokens of an agent, and before an act in which a denial denies it. */
const [AGENT_MAX, DENIAL_REACH_ASKED] = [6, 3] as const;

type Agent = WordSpan & { concept: Concept };

/** The relations of a question. Words of decisions stay free: they are statuses, too. */
export function readRelations(question: QuestionWords): Criterion[] {
  if (OF_VOTES.test(question.text)) return [];
  const acts = withSayings(
    question,
    findActs(question).map((act) => asPlea(question, act)),
  );
  const found: Criterion[] = [];
  for (const link of findLinks(question, acts)) {
    const topic = { from: link.to, to: topicEnd(question, link.to) };
    const own = acts.find(({ from, to }) => from >= topic.from && to <= topic.to);
    // `before the Council` names who hears it; what stands against `despite`, or went before a decision, is asked for by itself.
    if (link.name === 'before' ? !own : own && (link.name === 'despite' || (link.name === 'after' && !isDecision(own.name)))) continue;
    const act = acts.findLast(({ to }) => to <= link.from && isOneClause(question, to, link.from));
    found.push(...(act ? relationOf(question, act, link, topic) : linkOf(question, link, topic)));
  }
  for (const [i, act] of acts.entries())
    if (isSubject(question, act, acts[i + 1])) question.take(act.from, act.to);
    else if (!isDecision(act.name) && question.isFree(act.from, act.to)) found.push(...stanceOf(question, act, acts[i + 1]));
  return found;
}

/** `opponents feared`: the next act says what they do. */
const isSubject = (question: QuestionWords, act: Act, next: Act | undefined): boolean =>
  question.is(act.from, 'people') && next !== undefined && next.from - act.to <= 1 && !isDecision(next.name);

/** `neighbors said it would flood`, `supporters say it brings jobs`: what people say is their stance, if they do nothing else. */
function withSayings(question: QuestionWords, acts: readonly Act[]): readonly Act[] {
  const at = question.tokens.findIndex((_, i) => question.is(i, 'opining') && question.isFree(i));
  const before = acts.filter(({ to }) => to <= at);
  const isFirst = before.every(({ from }) => question.is(from, 'people')) && acts.length === before.length;
  if (at < 1 || !isFirst) return acts;
  const isKnown = indices({ from: 0, to: at }).some(
    (i) => /^(?:people|folks|those)$/.test(question.word(i)) || (agentAt(question, i)?.isOffice === undefined && agentAt(question, i)),
  );
  return before.length || isKnown ? [...acts, { name: before[0]?.name ?? 'worry', from: at, to: at + 1 }] : acts;
}

const isOneClause = (question: QuestionWords, from: number, to: number): boolean =>
  (question.isFree(from, to) || from === to) &&
  !/[,;:?!]\s/.test(question.text.slice(question.tokens[from - 1]?.end, question.tokens[to]?.start));

/** Whether a word belongs to the clause behind it. */
const isOfClause = (question: QuestionWords, at: number): boolean =>
  question.isFree(at) && !question.is(at, 'relatives') && !/[,;:?!]/.test(question.textAfter(at));

type Link = WordSpan & { name: LinkName };

function findLinks(question: QuestionWords, acts: readonly Act[]): Link[] {
  const links: Link[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const isSince =
      question.word(i) === 'since' && question.isFree(i, i + 2) && question.tokens[i + 1]?.value === null && !question.isCapital(i + 1);
    const known = isSince || isOnGrounds(question, i) ? { name: 'cause' as const, length: 1 } : linkAt(question, i);
    const of = acts.find(({ to }) => to === i || (to === i - 1 && /^(?:it|them|this)$/.test(question.word(to))));
    const mayBeDirect = of !== undefined && !/^(?:approve|withdraw|support)$/.test(of.name);
    const isAs = of?.name === 'deny' && question.word(i) === 'as';
    const length = known?.length || (mayBeDirect ? question.phraseAt(i, 'directCause') || Number(isAs) : 0);
    if (!length || !question.isFree(i, i + length + 1) || (!known && question.isCapital(i + length))) continue;
    links.push({ name: known?.name ?? 'cause', from: i, to: i + length });
    i += length - 1;
  }
  return links;
}

/** `on noise grounds`; `on the grounds of` is a link of its own. */
const isOnGrounds = (question: QuestionWords, at: number): boolean =>
  question.word(at) === 'on' && question.word(at + 1) !== 'the' && [2, 3].some((on) => question.word(at + on) === 'grounds');

/** The token behind what a link or an act leads to. */
function topicEnd(question: QuestionWords, from: number): number {
  let to = from;
  if (/[,;:?!(]/.test(question.textAfter(from - 1)) || question.is(to, 'joints')) return to;
  while (to < question.tokens.length && question.isFree(to)) {
    if (to > from && (question.is(to, 'topicEnds') || linkAt(question, to))) break;
    if (question.is(to, 'ofPlaces') && question.isCapital(to + 1)) break;
    to++;
    if (/[,;:?!(]|\.\s/.test(question.textAfter(to - 1)) && !isListed(question, to - 1)) break;
  }
  return to;
}

/** `there is no water`, `not enough parking`: what is wanting has to be said to be wanting. */
function conceptsIn(question: QuestionWords, { from, to: end }: WordSpan): readonly Concept[] {
  const to = question.word(end - 1) === 'grounds' ? end - 1 : end;
  const lead = indices({ from, to: to - 1 }).find((i) => question.is(i, 'wanting') || isContent(question.word(i))) ?? from;
  const length = question.phraseAt(lead, 'wanting', to);
  const [first, ...others] =
    (from < to && readCriterion(question, length ? lead + length : from, to, { keepsPlain: 'always' })?.match.concepts) || [];
  if (!first) return [];
  const topic = question.slice(from, to);
  if (!length) return withConcerns(topic, [first, ...others]);
  const said = `${question.slice(lead, lead + length)} ${first.text}`;
  const phrases = first.phrases.flatMap((phrase) => listPhrases('wantingInText').map((wanting) => `${wanting} ${phrase}`));
  return withConcerns(topic, [{ text: question.text.includes(said) ? said : first.text, phrases }, ...others]);
}

/** The agent of an act, and its words. */
function agentOf(question: QuestionWords, act: Act): Agent | undefined {
  const isOfWhom = (at: number) =>
    question.word(at) === 'of' && question.is(act.to - 1, 'nouns') && [1, 2].some((on) => agentAt(question, at + on));
  const by = [act.to, act.to + 1].find((at) => question.is(at, 'byWhom') || isOfWhom(at));
  if (by !== undefined) {
    const end = topicEnd(question, by + 1);
    return agentIn(question, by + 1, Math.min(end, by + 1 + AGENT_MAX)) ?? namedAgent(question, by + 1, end);
  }
  let start = act.from;
  while (act.from - start < AGENT_MAX && isOfClause(question, start - 1) && !findActs(question, start - 1, start).length) start--;
  const isRelative =
    /^(?:who|that)$/.test(question.word(start - 1)) && indices({ from: start, to: act.from }).every((i) => question.is(i, 'speaking'));
  if (isRelative) return agentIn(question, Math.max(0, start - 1 - AGENT_MAX), start - 1);
  const isActive =
    question.is(start - 1, 'relatives') ||
    /^(?:it|them|this|the|these)$/.test(question.word(act.to)) ||
    !(question.is(act.from, 'participles') || question.is(act.to - 1, 'nouns'));
  return agentIn(question, start, act.from) ?? (isActive ? namedAgent(question, start, act.from) : undefined);
}

/** The last known agent between two tokens. */
function agentIn(question: QuestionWords, from: number, to: number): Agent | undefined {
  for (let i = to - 1; i >= from; i--) {
    const reaches = (start: number) => start >= from && start + (agentAt(question, start)?.length ?? 0) > i;
    let first = [i - 3, i - 2, i - 1, i].find(reaches) ?? i;
    const known = agentAt(question, first);
    const end = first + (known?.length ?? 0);
    if (!known || end > to || !question.isFree(first, end)) continue;
    const isKindOf = (at: number, last: number) => {
      const one = agentAt(question, at);
      return at + (one?.length ?? 0) === last && !known.isOffice && one?.hints === known.hints;
    };
    // `planning commission`, `a historical society or heritage commission`
    const isName = (at: number) => question.isFree(at) && (isContent(question.word(at)) || question.word(at) === 'or');
    while (known.isOffice && first > from && isName(first - 1)) first--;
    // `a school district or school board`
    const other =
      question.word(first - 1) === 'or'
        ? [first - 4, first - 3, first - 2].find((at) => question.isFree(at, first) && isKindOf(at, first - 1))
        : undefined;
    first = other ?? first;
    return namedAgent(question, first, end, known.isOffice ? undefined : known);
  }
  return undefined;
}

/** An agent by the question's own words: `the school district`, `a church or its pastor`. @param known its kind */
function namedAgent(question: QuestionWords, from: number, to: number, known?: KnownAgent): Agent | undefined {
  const isOwn = (i: number) =>
    isContent(question.word(i)) && !(['negators', 'speaking', 'qualifiers'] as const).some((list) => question.is(i, list));
  const said = known ? indices({ from, to }) : indices({ from, to }).filter(isOwn);
  const [first, last] = [said[0], said.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const text = question.slice(first, last + 1);
  const own = text.split(/,? or (?:an? |the |its |their )?|, /);
  const phrases = known ? [...own.map((one) => one.toLowerCase()), ...known.phrases] : own.flatMap(synonymsOf);
  const hints = known?.hints.length ? { hints: known.hints } : {};
  return { from: first, to: last + 1, concept: { text, phrases: [...new Set(phrases)], ...hints } };
}

/** A relation whose topic follows a link. */
function relationOf(question: QuestionWords, act: Act, link: Link, topic: WordSpan): Criterion[] {
  const concepts = conceptsIn(question, topic);
  if (!concepts.length) return [];
  const agent = isDecision(act.name) ? undefined : agentOf(question, act);
  // `denied rezonings in Colorado because of traffic`: what stands between is asked for by itself.
  const from = isDecision(act.name) && link.from > act.to ? link.from : Math.min(act.from, agent?.from ?? act.from);
  // `denied for the view, not for noise`: no text has to say what was no reason.
  if (question.word(topic.to) === 'not' && /,\s*$/.test(question.textAfter(topic.to - 1)))
    question.take(topic.to, topicEnd(question, topic.to + 1 + Number(question.is(topic.to + 1, 'directCause'))));
  return [makeRelation(question, act, { from, to: topic.to }, agent, link.name, concepts)];
}

/** `opposed by neighbors`, `concerns about traffic`, `traffic concerns`, `residents fear noise`. */
function stanceOf(question: QuestionWords, act: Act, next: Act | undefined): Criterion[] {
  const agent = agentOf(question, act);
  // `recommended for denial` alone is a status, and who builds wants to.
  if (/^(?:recommend|prefer)/.test(act.name) && !agent) return [];
  if (act.name === 'prefer' && agentAt(question, agent?.from ?? act.from)?.isOffice !== undefined) return [];
  const start = Math.max(act.to, agent?.to ?? 0);
  // The clause of the next act: `and the Council approved`.
  const joint = next ? question.tokens.findLastIndex(({ word }, i) => i >= start && i < next.from && /^(?:and|or)$/.test(word)) : -1;
  const end = Math.min(topicEnd(question, start), joint < 0 ? (next?.from ?? Infinity) : joint);
  const isActive = (agent !== undefined && agent.to <= act.from) || [1, 2].some((back) => question.is(act.from - back, 'people'));
  const before = { from: (isActive && agent?.to) || act.from - 1, to: act.from };
  const hasAhead = question.is(act.from, 'nouns') && question.isFree(before.from, before.to) && !question.is(before.from, 'negators');
  const led = isActive || question.is(start, 'asksAbout') ? conceptsIn(question, { from: start, to: end }) : [];
  const ahead = hasAhead && !led.length ? conceptsIn(question, before) : [];
  const concepts = led.length ? led : ahead;
  const from = Math.min(act.from, agent?.from ?? act.from, ahead.length ? before.from : act.from);
  const to = Math.max(start, led.length ? end : 0);
  return [makeRelation(question, act, { from, to }, agent, concepts.length ? 'about' : null, concepts)];
}

function makeRelation(
  question: QuestionWords,
  act: Act,
  { from, to }: WordSpan,
  agent: Agent | undefined,
  link: Relation['link'],
  concepts: readonly Concept[],
): Criterion {
  const text = question.slice(act.from, act.to);
  const isFreeOf = (list: ListName) => (i: number) => question.is(i, list) && question.isFree(i);
  const denial = indices({ from: act.from - DENIAL_REACH_ASKED, to: act.from }).findLast(isFreeOf('negators'));
  const first = Math.min(from, denial ?? from);
  const own = { text, phrases: [text.toLowerCase(), ...listPhrases(act.name)] };
  const nobody = denial !== undefined &&
    question.is(denial, 'noPerson') && { text: question.word(denial), phrases: [...listPhrases('noPerson')] };
  const said = question.slice(Math.min(act.from, agent?.from ?? act.from), Math.max(act.to, agent?.to ?? act.to));
  const relation: Relation = {
    act: act.name,
    link,
    ...(agent ? { agent: agent.concept } : nobody ? { agent: nobody } : {}),
    ...(isDecision(act.name) ? {} : { stance: { ...own, text: said } }),
    ...(denial === undefined ? {} : { negated: true }),
    ...(/^(?:deny|approve)$/.test(act.name) && question.stems.some((stem) => stem.startsWith('recommend')) ? { isAdvice: true } : {}),
  };
  // `former opponents`, `now support it`: the passage has to say it.
  const qualifiers = indices({ from: Math.max(0, first - 1), to }).filter(isFreeOf('qualifiers'));
  const qualified = qualifiers.map((i): Concept => ({ text: question.word(i), phrases: [question.word(i)] }));
  const found = [...(concepts.length ? concepts : [agent?.concept ?? own]), ...qualified];
  const start = Math.min(first, ...qualifiers);
  for (const i of indices({ from: start, to })) if (!isDecision(act.name) || i < act.from || i >= act.to) question.take(i, i + 1);
  return { text: question.slice(start, to), match: { ...EMPTY_RULE, concepts: found, relation } };
}

/** Words that a link joins without a known act: they have to stand in the same order. */
function linkOf(question: QuestionWords, { name, from, to }: Link, topic: WordSpan): Criterion[] {
  let start = from;
  while (isOfClause(question, start - 1)) start--;
  const [left, concepts] = [conceptsIn(question, { from: start, to: from }), conceptsIn(question, topic)];
  if (!concepts.length) return [];
  const relation: Relation = { act: null, link: name, left: [...left] };
  question.take(left.length ? start : from, topic.to);
  return [{ text: question.slice(left.length ? start : to, topic.to), match: { ...EMPTY_RULE, concepts: [...concepts], relation } }];
}

/** `continued to May`, not `continued to speak` or `continued use`. @param to token behind the word */
export function isPostponed(words: TextWords, to: number): boolean {
  const next = words.tokens[to + 1];
  const isTime = next && (next.value !== null || words.isCapital(to + 1) || /^(?:the|a|date|next)$/.test(next.word));
  return words.is(to, 'directCause') || (words.word(to) === 'to' ? Boolean(isTime) : !/^(?:use|operation|operating)$/.test(words.word(to)));
}

/** Tokens from an act to its agent, to a link, and from there to what it names; and before an act in which a denial denies it. */
const [AGENT_REACH, LINK_REACH, TOPIC_REACH, DIRECT_REACH, DENIAL_REACH, COLON_REACH, VOTE_REACH, PLEA_REACH, LABEL_REACH] = [
  18, 25, 14, 8, 4, 4, 6, 9, 4,
] as const;

/** `>> SPEAKER:`, `Resident:`, `A. resident, NW 37th:` at the beginning of a sentence. */
const TURN = /^(?:[->\s]|\[[^\]]{0,20}\])*\p{Lu}[\p{L}.' ]{1,30}:\s/u;
/** Sentences over which one speaker is followed, and between a decision and its reason. */
const [STATEMENT_REACH, REASON_REACH] = [4, 3] as const;

/** The sentences of a text, from a first to a last, in which hits of one sentence stand in a relation; undefined if they do not. */
export function findRelation(
  analysis: Analysis,
  sentence: number,
  topics: readonly (readonly WordSpan[])[],
  relation: Relation,
): { first: number; last: number } | undefined {
  const clausesAt = (at: number) => new Clauses(analysis, at);
  const clauses = clausesAt(sentence);
  if (clauses.say(topics, relation)) return { first: sentence, last: sentence };
  const { act, link } = relation;
  if (!act || (link !== 'cause' && link !== 'about') || clauses.contradict(relation)) return undefined;
  const alone: Relation = { ...relation, link: null };
  if (isDecision(act)) return link === 'cause' ? findReason(analysis, sentence, clauses, topics, alone) : undefined;
  if (clauses.beginReason() && sentence && clausesAt(sentence - 1).say([], alone)) return { first: sentence - 1, last: sentence };
  if (!clauses.state(topics)) return undefined;
  for (let at = sentence; at > 0 && at > sentence - STATEMENT_REACH && clausesAt(at).goOn(); at--)
    if (clausesAt(at - 1).say([], alone)) return { first: at - 1, last: sentence };
  for (let at = sentence + 1; at < analysis.sentences.length && at < sentence + STATEMENT_REACH && clausesAt(at).goOn(); at++)
    if (clausesAt(at).say([], alone)) return { first: sentence, last: at };
  return undefined;
}

/** The sentence by which those who decided give their reason, with that of the decision. */
function findReason(
  analysis: Analysis,
  sentence: number,
  clauses: Clauses,
  topics: readonly (readonly WordSpan[])[],
  decision: Relation,
): { first: number; last: number } | undefined {
  if (!clauses.giveReason(topics)) return undefined;
  for (let apart = 0; apart <= REASON_REACH; apart++)
    for (const at of new Set([sentence - apart, sentence + apart]))
      if (at >= 0 && at < analysis.sentences.length && new Clauses(analysis, at).say([], decision))
        return { first: Math.min(at, sentence), last: Math.max(at, sentence) };
  return undefined;
}

/** Whether a text does the opposite of what is asked, or only denies, wishes or reports what is: then no words of it prove the relation. */
export function contradictsRelation(analysis: Analysis, relation: Relation): boolean {
  const clauses = analysis.sentences.map((_, sentence) => new Clauses(analysis, sentence));
  const { agent: _, ...act } = relation;
  const asked: Relation = { ...act, link: null };
  return clauses.some((one) => one.contradict(asked) || one.name(asked)) && !clauses.some((one) => one.say([], asked));
}

/** One sentence, read by its acts; its first token is 0. */
class Clauses extends TextWords {
  readonly #analysis: Analysis;
  /** first token of the sentence in its text */
  readonly #start: number;
  readonly #sentence: number;
  readonly #acts: readonly Act[];
  readonly #denied: ReadonlySet<number>;

  constructor(analysis: Analysis, sentence: number) {
    const { from, to } = analysis.wordsOf(sentence);
    super(analysis.text, analysis.tokens.slice(from, to));
    this.#analysis = analysis;
    this.#start = from;
    this.#sentence = sentence;
    this.#denied = analysis.deniedTokens(sentence);
    this.#acts = [...findActs(this).map((act) => this.#asSide(act)), ...this.#listedSides()].sort((a, b) => a.from - b.from);
  }

  name({ act }: Relation): boolean {
    return act !== null && this.#acts.some((one) => isActOf(act, one));
  }

  contradict({ act }: Relation): boolean {
    return this.#acts.some((one) => clashes(act, one));
  }

  beginReason(): boolean {
    return this.#find('reasonStarts', 0, 2) >= 0;
  }

  /** `asked the Board to refuse it`: who asks for a decision takes a side; `Planning Commission: denial, 5-1` recommends it. */
  #asSide(act: Act): Act {
    if (act.name !== 'deny' && act.name !== 'approve') return act;
    const isListed = /^\s*:/.test(this.textAfter(act.from - 1)) && this.#find('advisers', act.from - COLON_REACH, act.from) >= 0;
    const advised = this.tokens.findLastIndex(({ word }, i) => i >= act.from - PLEA_REACH && i < act.from && /^recommend/.test(word));
    if (isListed || (advised >= 0 && !this.#isParted(advised, act.from) && this.#find('deciding', advised, act.from) < 0))
      return { ...act, name: act.name === 'deny' ? 'recommend_denial' : 'recommend_approval' };
    return asPlea(this, act);
  }

  #sayings(): Act[] {
    return this.tokens.flatMap((_, i): Act[] => (this.is(i, 'sayings') ? [{ name: 'worry', from: i, to: i + 1 }] : []));
  }

  /** `carpenters' council, for, since`, `Those speaking for: the chamber`, `Sunset Drive, no, the ditch` */
  #listedSides(): Act[] {
    return this.tokens.flatMap(({ word }, i): Act[] => {
      const [before, behind] = [i ? this.textAfter(i - 1) : ':', this.textAfter(i)];
      const isListed = /[,:;(]\s*$/.test(before) && /^\s*[,;:.)]/.test(behind);
      const isLed = word === 'for' && /^\s*:/.test(behind) && (!i || this.is(i - 1, 'sideLeads'));
      if (word === 'for' && (isListed || isLed)) return [{ name: 'support', from: i, to: i + 1 }];
      return word === 'no' && isListed && i > 0 ? [{ name: 'oppose', from: i, to: i + 1 }] : [];
    });
  }

  /** Whether the sentence goes on with what the speakers of the one before said: `They said that trucks would pass the school.` */
  goOn(): boolean {
    const isSaid = (i: number) => /^(?:they|he|she)$/.test(this.word(i)) && this.is(i + 1, 'sayings');
    const begins = this.is(0, 'goesOn') || this.is(0, 'reasonStarts') || this.tokens.some((_, i) => isSaid(i));
    return this.#isSameTurn() || (begins && this.#find('agents', 0, Infinity) < 0);
  }

  /** Whether a speaker whom the text names as in a play still speaks: `Speaker: I am opposed. Cars line the street.` */
  #isSameTurn(): boolean {
    const { sentences, text } = this.#analysis;
    const isLabelled = (at: number) => TURN.test(text.slice(sentences[at]?.start, sentences[at]?.end));
    const isApart = (at: number) => text.slice(sentences[at - 1]?.end, sentences[at]?.start).includes('\n');
    let at = this.#sentence;
    while (at > 0 && at > this.#sentence - STATEMENT_REACH && !isLabelled(at) && !isApart(at)) at--;
    return at < this.#sentence && isLabelled(at) && this.#find('agents', 0, LABEL_REACH) < 0;
  }

  /** Whether the sentence states all topics, and dismisses none. */
  state(hits: readonly (readonly WordSpan[])[]): boolean {
    const isStated = (one: WordSpan) =>
      !this.#isRefuted(one) &&
      !this.#denied.has(this.#start + one.from) &&
      (['inquiring', 'clauseEnds'] as const).every((list) => this.#find(list, 0, one.from) < 0);
    return this.#find('dismissing', 0, Infinity) < 0 && hits.every((ones) => ones.some((hit) => isStated(this.#own(hit))));
  }

  /** `The majority found that the wells would suffer.` */
  giveReason(hits: readonly (readonly WordSpan[])[]): boolean {
    const decider = this.#find('deciders', 0, Infinity);
    const verb = decider < 0 ? -1 : this.#find('reasonVerbs', decider + 1, decider + AGENT_REACH);
    const named = this.#find('reasonNouns', 0, Infinity);
    const noun = indices({ from: named - DENIAL_REACH, to: named }).some((i) => this.is(i, 'negators')) ? -1 : named;
    const start = this.beginReason() ? 0 : noun >= 0 && (verb < 0 || noun < verb) ? noun : verb;
    const isNegated = verb > 0 && this.tokens.slice(decider, verb).some((_, i) => this.is(decider + i, 'negators'));
    if (start < 0 || isNegated || this.#find('requesting', 0, start) >= 0) return false;
    return this.state(hits.map((ones) => ones.filter((one) => this.#own(one).from >= start && this.#own(one).from - start <= LINK_REACH)));
  }

  say(hits: readonly (readonly WordSpan[])[], relation: Relation): boolean {
    const { act: name, left = [], also = [], agent, link, negated } = relation;
    if (!also.every((concept) => this.#hitsOf(concept).length)) return false;
    const topics = hits.map((ones) => ones.map((one) => this.#own(one)));
    if (name === null)
      return left.every((concept) =>
        this.#hitsOf(concept).some((hit) => topics.every((ones) => ones.some((one) => this.#isLinked(hit, one, link, null)))),
      );
    const agents = agent ? this.#hitsOf(agent) : [];
    // Who speaks of flooding complains of it.
    const told = name === 'worry' && link !== null && !this.#acts.some((one) => clashes(name, one)) ? this.#sayings() : [];
    return [...this.#acts, ...told].some(
      (act) =>
        (isActOf(name, act) || isAdviceOf(relation, act)) &&
        this.#isDenied(act) === Boolean(negated) &&
        this.#isStated(act) &&
        (!agent || agents.some((hit) => this.#isAgent(hit, act)) || this.#isOfPublic(act, agent)) &&
        (link === null || topics.every((ones) => ones.some((hit) => this.#isTopic(hit, act, link)))),
    );
  }

  #own({ from, to }: WordSpan): WordSpan {
    return { from: from - this.#start, to: to - this.#start };
  }

  #hitsOf({ phrases }: Concept): WordSpan[] {
    const hits = findHits(phrases.map(stemsOf), this.#analysis).map((hit) => this.#own(hit));
    return hits.filter(({ from }) => from >= 0 && from < this.tokens.length);
  }

  /** The first token of a stretch at which a phrase of a list begins; -1 for none. */
  #find(list: ListName, from: number, to: number): number {
    return this.tokens.findIndex((_, i) => i >= from && i < to && this.is(i, list));
  }

  #findLast(list: ListName, from: number, to: number): number {
    return this.tokens.findLastIndex((_, i) => i >= from && i < to && this.is(i, list));
  }

  /** Whether a clause ends between two tokens: `opposed it, but`. */
  #isParted(from: number, to: number): boolean {
    return this.slice(from, to).includes(';') || this.#find('clauseEnds', from, to) >= 0;
  }

  /** Whether a clause ends, or something is done with the other sign, between two tokens. */
  #isBroken(from: number, to: number, act: Relation['act']): boolean {
    return this.#isParted(from, to) || this.#acts.some((one) => one.from >= from && one.to <= to && clashes(act, one));
  }

  #clauseStart(at: number): number {
    let start = at;
    while (start > 0 && !this.#isParted(start - 1, start + 1)) start--;
    return start;
  }

  #isDenied({ name, from, to }: Act): boolean {
    const start = Math.max(from - DENIAL_REACH, this.#clauseStart(from));
    // `Opposed: 0`, not `Denied 5-0`
    const isByNobody = !isDecision(name) && this.#find('nobody', to, to + 2) >= 0;
    return this.#denied.has(this.#start + from) || this.#find('negators', start, from) >= 0 || isByNobody;
  }

  /** Whether the text states an act itself: not by hearsay, not as a wish, a former one, or that of a motion that failed. */
  #isStated({ name, from, to }: Act): boolean {
    const start = this.#clauseStart(from);
    if (this.#isHearsay(start, from) || this.#find('otherItem', to, to + 4) >= 0 || this.#find('elsewhere', to, Infinity) >= 0)
      return false;
    if (!isDecision(name)) {
      // `prepared to object`; who rises to object does so.
      if (this.word(from - 1) === 'to' && !this.phraseBefore(from, 'risen')) return false;
      // `had at first objected`
      if (this.phraseBefore(from, 'former') && /^(?:had|have)$/.test(this.word(from - this.phraseBefore(from, 'former') - 1))) return false;
      // `in favor of denial`, `had opposed the last bar but supports this one`
      const isTurned = (one: Act) => clashes(name, one) && !isDecision(one.name) && this.#find('turns', to, one.from) >= 0;
      return !this.#acts.some(
        (one) => one.from >= to && ((/^(?:deny|continue)$/.test(one.name) && one.from < to + 4) || (isTurned(one) && !this.#isDenied(one))),
      );
    }
    if ((name === 'continue' && !isPostponed(this, to)) || this.#find('former', from - 2, from) >= 0) return false;
    const asked = this.#findLast('requesting', start, from);
    return this.#find('failed', to, Infinity) < 0 && (asked < 0 || this.#findLast('deciding', asked, from) > asked);
  }

  /** `was told that neighbors opposed it`; what staff or a letter reports is said by the text itself. */
  #isHearsay(start: number, at: number): boolean {
    for (let i = start; i < at; i++) {
      const passed = this.phraseAt(i, 'notHearsay');
      if (passed) i += passed - 1;
      else if (this.is(i, 'hearsay') && !(this.word(i) === 'may' && this.isCapital(i))) return true;
      if (!this.is(i, 'reporting') || this.#find('reporters', start, i) >= 0) continue;
      const next = i + (this.word(i + 1) === 'that' ? 2 : 1);
      if (next < at && !this.is(next, 'pronouns')) return true;
    }
    return false;
  }

  /** Whether a hit names who does an act: before it, or behind it and `by`. */
  #isAgent({ from, to }: WordSpan, act: Act): boolean {
    if (from >= act.to) {
      // `Against: nine residents`
      if (/^\s*[:(—–-]/.test(this.textAfter(act.to - 1)) && from - act.to <= (act.from > 2 ? AGENT_REACH : Infinity))
        return act.from <= 2 || !this.#isParted(act.to, from);
      const lead = this.#findLast(this.is(act.to - 1, 'nouns') ? 'fromWhom' : 'byWhom', act.to, from);
      return lead >= act.to && from - lead <= AGENT_REACH / 3 && from - act.to <= AGENT_REACH && !this.#isParted(act.to, from);
    }
    if (to > act.from || act.from - to > AGENT_REACH || this.#isBroken(to, act.from, act.name)) return false;
    // `residents heard that the applicant objects`: somebody else stands nearer.
    let other = this.#find('agents', to, act.from);
    while (other >= 0 && this.#find('spokenTo', other - 2, other) >= 0) other = this.#find('agents', other + 1, act.from);
    return other < 0 || this.word(to) === 'and' || /^(?:they|he|she|we)$/.test(this.word(act.from - 1));
  }

  /** `nine in opposition`, `Four others were against it`: who speaks at a hearing is one of the public. */
  #isOfPublic(act: Act, { phrases }: Concept): boolean {
    let at = act.from - 1;
    while (this.is(at, 'speaking') || /^(?:signed|registered|up|in|others?|more|persons?|people|speakers?)$/.test(this.word(at))) at--;
    return phrases.includes('residents') && at < act.from && this.tokens[at]?.value != null && this.tokens[at]?.value !== 0;
  }

  /** `against, traffic by the school`, `described the trucks and urged a no vote` */
  #isSaidWith(topic: WordSpan, act: Act): boolean {
    if (this.#find('dismissing', 0, Infinity) >= 0 || this.#denied.has(this.#start + topic.from)) return false;
    if (topic.from >= act.to) {
      if (topic.from - act.to > LINK_REACH || this.#isBroken(act.to, topic.from + 1, act.name)) return false;
      const mark = this.tokens.findIndex((_, i) => i >= act.to - 1 && i < topic.from && /^\s*[,:—–-]/.test(this.textAfter(i)));
      return this.#find('sayings', act.to, topic.from) >= 0 || (mark >= 0 && topic.from - mark <= DIRECT_REACH);
    }
    const said = this.#findLast('sayings', 0, topic.from);
    const isNear = said >= 0 && topic.from - said <= TOPIC_REACH && act.from - topic.to <= TOPIC_REACH;
    return isNear && this.#find('agents', said, act.from) < 0 && !this.#isBroken(topic.to, act.from, act.name);
  }

  /** `traffic is not`, `traffic study`, `traffic impact analysis` */
  #isRefuted({ to }: WordSpan): boolean {
    const study = to + Number(this.word(to) === 'impact');
    const between = this.text.slice(this.tokens[to - 1]?.end, this.tokens[study]?.start);
    return this.is(to, 'refuted') || (this.is(study, 'instruments') && /^\s\w*\s?$/.test(between));
  }

  #isTopic(hit: WordSpan, act: Act, link: NonNullable<Relation['link']>): boolean {
    if (this.#isRefuted(hit)) return false;
    const isNoun = this.is(act.to - 1, 'nouns');
    const isBefore = isNoun && hit.to === act.from;
    const isBehind =
      hit.from >= act.to &&
      hit.from - act.to <= (isDecision(act.name) ? TOPIC_REACH : LINK_REACH) &&
      !this.#isBroken(act.to, hit.from, act.name);
    if (link === 'about' && (isBehind || isBefore)) return true;
    const isLed = isBehind && (isNoun || /^object/.test(this.word(act.from))) && this.#find('topicLeads', act.to, hit.from) >= 0;
    if (!isDecision(act.name) && (link === 'cause' || link === 'about') && (isLed || isBefore || this.#isSaidWith(hit, act))) return true;
    return this.#isLinked(act, hit, link, act.name);
  }

  /** The token behind a decision and its vote: `denied 7-1 for`, `denied by a vote of 6 to 1`. */
  #endOfVote(at: number): number {
    let to = at;
    while (
      to < at + VOTE_REACH &&
      (this.tokens[to]?.value != null || /^(?:by|a|vote|of|to|unanimously|on|the|plan|request|it)$/.test(this.word(to)))
    )
      to++;
    return this.tokens[to - 1]?.value != null || this.word(to - 1) === 'unanimously' || /^(?:plan|request|it)$/.test(this.word(to - 1))
      ? to
      : at;
  }

  /** Whether words of a link lead from one hit to the other: `denied because of traffic`, `because of traffic, denied`. */
  #isLinked(hit: WordSpan, topic: WordSpan, link: Relation['link'], act: Relation['act']): boolean {
    if (link === null || link === 'about') return false;
    const end = this.#endOfVote(hit.to);
    const direct = link === 'cause' ? this.phraseAt(end, 'directCause') : 0;
    if (direct && topic.from >= end + direct && topic.from - end <= DIRECT_REACH && !this.#isBroken(hit.to, topic.from, act)) return true;
    const isBehind = topic.from >= hit.to;
    if (isBehind ? topic.from - hit.to > LINK_REACH + TOPIC_REACH : hit.from < topic.to || this.#isBroken(topic.to, hit.from, act))
      return false;
    // `denied, fire safety not having been shown`
    const behindTopic = [topic.to, topic.to + 1, topic.to + 2].some((i) => this.word(i) === 'having');
    if (link === 'cause' && isBehind && behindTopic && topic.from - end <= COLON_REACH && /^\s*,/.test(this.textAfter(end - 1)))
      return true;
    // `Denied 5-0: no supply of water has been shown.`
    const colon = this.tokens.findIndex((_, i) => i >= hit.to - 1 && i < hit.to + COLON_REACH && /^\s*:/.test(this.textAfter(i))) + 1;
    if (
      link === 'cause' &&
      isBehind &&
      colon &&
      topic.from >= colon &&
      topic.from - colon <= LINK_REACH &&
      !this.#isBroken(colon, topic.from + 1, act)
    )
      return true;
    // Before the act, a link begins the sentence.
    for (let i = isBehind ? hit.to : 0; i < topic.from && (isBehind || i <= 2); i++) {
      const length = Math.max(this.phraseAt(i, link, topic.to), link === 'cause' ? this.phraseAt(i, 'causeInText', topic.to) : 0);
      const isNear = length > 0 && topic.from - i - length <= TOPIC_REACH && !this.is(i - 1, 'negators');
      if (isNear && !this.#isBroken(isBehind ? hit.to : i, topic.from, act)) return true;
    }
    return false;
  }
}
