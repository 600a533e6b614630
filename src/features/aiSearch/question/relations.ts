/**
 * Who did what, because of what, and with which sign: what a question asks of it, and the passages of a text that say it. What these rules do not
 * find said is not proven.
 *
 *     passage  ::= clause | clause reason
 *     clause   ::= agent act [topic] | act ("by" | "from" | "of") agent [topic] | link words "," clause
 *     topic    ::= link words | words behind the act | words before its noun: `traffic concerns`
 *     reason   ::= next sentence that begins with one of `reasonStarts`: `They cited the traffic.`
 *     act      ::= word of `acts` that is not denied, reported by hearsay, only asked for, former, or of a motion that failed
 *     link     ::= word of `links`, of one kind: cause, contrast, condition, time
 *
 */
import {
  ACTS,
  type Act,
  type ActName,
  AGENTS,
  ASKING,
  CAUSE_IN_TEXT,
  CLAUSE_ENDS,
  DECIDING,
  DIRECT_CAUSE,
  FAILED,
  FORMER,
  findActs,
  HEARSAY,
  INSTRUMENTS,
  isDecision,
  LINKS,
  NEGATORS,
  NOT_HEARSAY,
  PRONOUNS,
  phraseAt,
  REASON_STARTS,
  REPORTERS,
  REPORTING,
  TURNS,
} from './acts.ts';
import { type Analysis, deniedTokensOf, findHits, type Hit } from './analysis.ts';
import { stemsOf, type Token } from './tokens.ts';
import type { Concept, Relation } from './types.ts';

/** Tokens from an act to its agent, to a link, and from there to what it names. */
const [AGENT_REACH, LINK_REACH, TOPIC_REACH, DIRECT_REACH] = [12, 25, 14, 8] as const;
/** Tokens before an act in which a denial denies it. */
const DENIAL_REACH = 4;

/** `traffic study`: a hit that only says what kind of study is meant. */
function isOfInstrument({ tokens, text }: Pick<Analysis, 'tokens' | 'text'>, { to }: Pick<Hit, 'to'>): boolean {
  const isJoined = (at: number) => text.slice(tokens[at - 1]?.end, tokens[at]?.start) === ' ';
  return (
    INSTRUMENTS.has(isJoined(to) ? (tokens[to]?.word ?? '') : '') ||
    (isJoined(to) && tokens[to]?.word === 'impact' && isOfInstrument({ tokens, text }, { to: to + 1 }))
  );
}

/** The sentences of a text, from a first to a last, in which hits of one sentence stand in a relation; undefined if they do not. */
export function findRelation(
  analysis: Analysis,
  sentence: number,
  topics: readonly (readonly Hit[])[],
  relation: Relation,
): { first: number; last: number } | undefined {
  if (new Clauses(analysis, sentence).say(topics, relation)) return { first: sentence, last: sentence };
  const from = analysis.firstToken[sentence] as number;
  const isReason =
    relation.link === 'cause' && sentence > 0 && [0, 1].some((skip) => phraseAt(REASON_STARTS, analysis.tokens, from + skip));
  if (!isReason || !relation.act) return undefined;
  const before = new Clauses(analysis, sentence - 1);
  const isContradicted = new Clauses(analysis, sentence).hasClash(relation);
  return !isContradicted && before.say([], { ...relation, link: null }) ? { first: sentence - 1, last: sentence } : undefined;
}

/** Whether a text does the opposite of what is asked, or only denies, wishes or reports what is: then no words of it prove the relation. */
export function contradictsRelation(analysis: Analysis, relation: Relation): boolean {
  const clauses = analysis.sentences.map((_, sentence) => new Clauses(analysis, sentence));
  const { agent: _, ...act } = relation;
  const asked: Relation = { ...act, link: null };
  return clauses.some((one) => one.hasClash(asked) || one.hasAct(asked)) && !clauses.some((one) => one.say([], asked));
}

/** One sentence, read by its acts. */
class Clauses {
  readonly #analysis: Analysis;
  readonly #tokens: readonly Token[];
  readonly #sentence: number;
  readonly #from: number;
  readonly #to: number;
  readonly #acts: readonly Act[];

  constructor(analysis: Analysis, sentence: number) {
    this.#analysis = analysis;
    this.#tokens = analysis.tokens;
    this.#sentence = sentence;
    this.#from = analysis.firstToken[sentence] as number;
    this.#to = analysis.firstToken[sentence + 1] as number;
    this.#acts = findActs(this.#tokens, this.#from, this.#to);
  }

  hasAct({ act }: Relation): boolean {
    return this.#acts.some(({ name }) => name === act);
  }

  hasClash({ act }: Relation): boolean {
    return this.#acts.some(({ name }) => clashes(act, name));
  }

  say(topics: readonly (readonly Hit[])[], relation: Relation): boolean {
    const { act: name, left = [], agent, link, negated = false } = relation;
    if (name === null) {
      const lefts = left.map((concept) => this.#hitsOf(concept));
      return lefts.every((hits) => hits.some((hit) => topics.every((ones) => ones.some((one) => this.#isLinked(hit, one, link, null)))));
    }
    const names: readonly string[] = ACTS.find((one) => one.name === name)?.names ?? [];
    const agents = agent ? this.#hitsOf(agent) : [];
    return this.#acts.some(
      (act) =>
        names.includes(act.name) &&
        this.#isDenied(act) === negated &&
        this.#isStated(act) &&
        (!agent || agents.some((hit) => this.#isAgent(hit, act))) &&
        (link === null || topics.every((hits) => hits.some((hit) => this.#isTopic(hit, act, link)))),
    );
  }

  #hitsOf({ phrases }: Concept): Hit[] {
    return findHits(phrases.map(stemsOf), this.#analysis).filter(({ from }) => from >= this.#from && from < this.#to);
  }

  #word(at: number): string {
    return at >= this.#from && at < this.#to ? (this.#tokens[at]?.word ?? '') : '';
  }

  /** Whether some token of a stretch satisfies a test. */
  #some(from: number, to: number, test: (word: string, at: number) => boolean): boolean {
    for (let i = Math.max(from, this.#from); i < Math.min(to, this.#to); i++) if (test(this.#word(i), i)) return true;
    return false;
  }

  /** Whether a clause ends between two tokens: `opposed it, but`. */
  #isParted(from: number, to: number): boolean {
    return (
      this.#analysis.text.slice(this.#tokens[from]?.start, this.#tokens[to - 1]?.end).includes(';') ||
      this.#some(from, to, (word) => CLAUSE_ENDS.has(word))
    );
  }

  #clauseStart(at: number): number {
    let start = at;
    while (start > this.#from && !this.#isParted(start - 1, start + 1)) start--;
    return start;
  }

  #isDenied({ from, to }: Act): boolean {
    const isNone = this.#some(to, to + 2, (word) => word === 'none' || word === '0' || word === 'nobody');
    return (
      isNone ||
      deniedTokensOf(this.#analysis, this.#sentence).has(from) ||
      this.#some(Math.max(from - DENIAL_REACH, this.#clauseStart(from)), from, (word) => NEGATORS.has(word))
    );
  }

  /** Whether the text states an act itself: not by hearsay, not as a wish, a former one, or that of a motion that failed. */
  #isStated({ name, from, to }: Act): boolean {
    const start = this.#clauseStart(from);
    if (this.#isHearsay(start, from)) return false;
    if (
      this.#some(
        to,
        to + 4,
        (word) => ACTS.some((one) => one.isDecision && one.words.has(word)) && /^(?:den|defer|postpone|continuance)/.test(word),
      ) &&
      !isDecision(name)
    )
      return false;
    // `had opposed the last bar but supports this one`
    const turn = this.#acts.find((one) => one.from >= to && clashes(name, one.name) && this.#some(to, one.from, (word) => TURNS.has(word)));
    if (turn && !this.#isDenied(turn) && !isDecision(turn.name)) return false;
    if (!isDecision(name)) return true;
    if (name === 'continue' && !this.#isPostponed(to)) return false;
    if (this.#some(from - 2, from, (word) => FORMER.has(word))) return false;
    if (this.#some(to, this.#to, (_, i) => phraseAt(FAILED, this.#tokens, i) > 0)) return false;
    const asked = this.#lastOf(start, from, ASKING);
    return asked < 0 || this.#lastOf(asked, from, DECIDING) > asked;
  }

  /** `continued to May`, not `continued to speak` or `continued use`. */
  #isPostponed(to: number): boolean {
    if (/^(?:use|operation|operating)$/.test(this.#word(to))) return false;
    // `continued to allow a study`
    if (phraseAt(DIRECT_CAUSE, this.#tokens, to)) return true;
    const next = this.#tokens[to + 1];
    const isTime =
      next &&
      (next.value !== null || /^\p{Lu}/u.test(this.#analysis.text.slice(next.start, next.end)) || /^(?:the|a|date|next)$/.test(next.word));
    return this.#word(to) !== 'to' || Boolean(isTime);
  }

  #lastOf(from: number, to: number, words: ReadonlySet<string>): number {
    for (let i = to - 1; i >= from; i--) if (words.has(this.#word(i))) return i;
    return -1;
  }

  /** `was told that neighbors opposed it`; what staff or a letter reports is said by the text itself. */
  #isHearsay(start: number, at: number): boolean {
    for (let i = start; i < at; i++) {
      const passed = phraseAt(NOT_HEARSAY, this.#tokens, i);
      if (passed) i += passed - 1;
      else if (phraseAt(HEARSAY, this.#tokens, i) && !this.#isMonth(i)) return true;
      if (!REPORTING.has(this.#word(i)) || this.#some(start, i, (word) => REPORTERS.has(word))) continue;
      const next = i + (this.#word(i + 1) === 'that' ? 2 : 1);
      if (next < at && !PRONOUNS.has(this.#word(next))) return true;
    }
    return false;
  }

  #isMonth(at: number): boolean {
    const token = this.#tokens[at];
    return token?.word === 'may' && this.#analysis.text[token.start] === 'M';
  }

  /** Whether a hit names who does an act: before it, or behind it and `by`. */
  #isAgent({ from, to }: Hit, act: Act): boolean {
    if (from >= act.to) {
      const isOwned = /^(?:concerns?|objections?|opposition|worries|fears|complaints?)$/.test(this.#word(act.to - 1));
      const lead = this.#lastOf(act.to, from, new Set(isOwned ? ['by', 'from', 'of'] : ['by', 'from']));
      return lead >= act.to && from - lead <= AGENT_REACH / 3 && from - act.to <= AGENT_REACH && !this.#isParted(act.to, from);
    }
    if (to > act.from || act.from - to > AGENT_REACH || this.#isParted(to, act.from)) return false;
    if (this.#acts.some((one) => one.from >= to && one.to <= act.from && clashes(act.name, one.name))) return false;
    // `residents heard that the applicant objects`: somebody else stands nearer.
    const isSpokenTo = (at: number) => this.#some(at - 2, at, (word) => /^(?:to|before|told|with|at|by)$/.test(word));
    const other = this.#some(to, act.from, (word, i) => AGENTS.has(word) && !isSpokenTo(i));
    return !other || /^(?:they|he|she|we)$/.test(this.#word(act.from - 1));
  }

  #isTopic(hit: Hit, act: Act, link: NonNullable<Relation['link']>): boolean {
    const isRefuted = /^(?:is|are|was|were)$/.test(this.#word(hit.to)) && this.#word(hit.to + 1) === 'not';
    if (isRefuted || isOfInstrument(this.#analysis, hit)) return false;
    const isNoun = /^(?:concerns?|objections?|opposition|worries|fears|complaints?|support)$/.test(this.#word(act.to - 1));
    const isBehind = hit.from >= act.to && hit.from - act.to <= TOPIC_REACH && !this.#isBroken(act.to, hit.from, act.name);
    const hasLead = this.#some(act.to, hit.from, (word) => /^(?:to|about|over|regarding|concerning|with|of|on|that|including)$/.test(word));
    if (link === 'about') return isBehind || (isNoun && hit.to === act.from);
    if (
      link === 'cause' &&
      !isDecision(act.name) &&
      ((isBehind && hasLead && (isNoun || /^object/.test(this.#word(act.from)))) || (isNoun && hit.to === act.from))
    )
      return true;
    return this.#isLinked(act, hit, link, act.name);
  }

  /** Whether a clause ends, or something is done with the other sign, between two tokens. */
  #isBroken(from: number, to: number, name: ActName | null): boolean {
    return this.#isParted(from, to) || this.#acts.some((one) => one.from >= from && one.to <= to && clashes(name, one.name));
  }

  /** Whether words of a link lead from one hit to the other: `denied because of traffic`, `because of traffic, denied`. */
  #isLinked(hit: Hit, topic: Hit, link: Relation['link'], name: ActName | null): boolean {
    const table = link === 'cause' ? CAUSE_IN_TEXT : LINKS.find((one) => one.name === link)?.phrases;
    if (!table) return false;
    const direct = link === 'cause' ? phraseAt(DIRECT_CAUSE, this.#tokens, hit.to) : 0;
    if (direct && topic.from >= hit.to + direct && topic.from - hit.to <= DIRECT_REACH && !this.#isBroken(hit.to, topic.from, name))
      return true;
    const isBehind = topic.from >= hit.to;
    const [from, to] = isBehind ? [hit.to, topic.from] : [this.#from, topic.from];
    if (isBehind ? to - from > LINK_REACH + TOPIC_REACH : hit.from < topic.to || this.#isBroken(topic.to, hit.from, name)) return false;
    return this.#some(from, to, (_, i) => {
      const length = phraseAt(table, this.#tokens, i);
      const isNear = length > 0 && topic.from >= i + length && topic.from - i - length <= TOPIC_REACH;
      const isFirst = isBehind || i - this.#from <= 2;
      return isNear && isFirst && !NEGATORS.has(this.#word(i - 1)) && !this.#isBroken(isBehind ? hit.to : i, topic.from, name);
    });
  }
}

const clashes = (asked: ActName | null, other: ActName): boolean => ACTS.some((one) => one.name === asked && one.clashes.has(other));
