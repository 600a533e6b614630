/**
 * Who did what, because of what, and with which sign: the passages of a text that say it. What these rules do not find said is not proven.
 *
 *     passage  ::= clause | clause reason
 *     clause   ::= agent act [topic] | act ("by" | "from" | "of") agent [topic] | link words "," clause
 *     topic    ::= link words | words behind the act | words before its noun: `traffic concerns`
 *     reason   ::= next sentence that begins with one of `reasonStarts`: `They cited the traffic.`
 *     act      ::= word of `acts` that is not denied, reported by hearsay, only asked for, former, or of a motion that failed
 *     link     ::= word of `links`, of one kind: cause, contrast, condition, time
 */
import { type Act, clashes, findActs, isActOf, isDecision, phrasesOfLink, RELATION_WORDS, type RelationList } from './acts.ts';
import { type Analysis, deniedTokensOf, findHits, type Hit } from './analysis.ts';
import { stemsOf } from './tokens.ts';
import type { Concept, Relation } from './types.ts';

/** Tokens from an act to its agent, to a link, and from there to what it names. */
const [AGENT_REACH, LINK_REACH, TOPIC_REACH, DIRECT_REACH] = [12, 25, 14, 8] as const;
/** Tokens before an act in which a denial denies it. */
const DENIAL_REACH = 4;

/** The sentences of a text, from a first to a last, in which hits of one sentence stand in a relation; undefined if they do not. */
export function findRelation(
  analysis: Analysis,
  sentence: number,
  topics: readonly (readonly Hit[])[],
  relation: Relation,
): { first: number; last: number } | undefined {
  const clauses = new Clauses(analysis, sentence);
  if (clauses.say(topics, relation)) return { first: sentence, last: sentence };
  if (relation.link !== 'cause' || !relation.act || !sentence || !clauses.beginReason()) return undefined;
  const isSaidBefore = new Clauses(analysis, sentence - 1).say([], { ...relation, link: null });
  return isSaidBefore && !clauses.contradict(relation) ? { first: sentence - 1, last: sentence } : undefined;
}

/** Whether a text does the opposite of what is asked, or only denies, wishes or reports what is: then no words of it prove the relation. */
export function contradictsRelation(analysis: Analysis, relation: Relation): boolean {
  const clauses = analysis.sentences.map((_, sentence) => new Clauses(analysis, sentence));
  const { agent: _, ...act } = relation;
  const asked: Relation = { ...act, link: null };
  return clauses.some((one) => one.contradict(asked) || one.name(asked)) && !clauses.some((one) => one.say([], asked));
}

/** One sentence, read by its acts. */
class Clauses {
  readonly #analysis: Analysis;
  readonly #from: number;
  readonly #to: number;
  readonly #acts: readonly Act[];
  readonly #denied: ReadonlySet<number>;

  constructor(analysis: Analysis, sentence: number) {
    this.#analysis = analysis;
    this.#from = analysis.firstToken[sentence] as number;
    this.#to = analysis.firstToken[sentence + 1] as number;
    this.#acts = findActs(analysis.tokens, this.#from, this.#to);
    this.#denied = deniedTokensOf(analysis, sentence);
  }

  name({ act }: Relation): boolean {
    return act !== null && this.#acts.some((one) => isActOf(act, one));
  }

  contradict({ act }: Relation): boolean {
    return this.#acts.some((one) => clashes(act, one));
  }

  beginReason(): boolean {
    return this.#find('reasonStarts', this.#from, this.#from + 2) >= 0;
  }

  say(topics: readonly (readonly Hit[])[], { act: name, left = [], also = [], agent, link, negated }: Relation): boolean {
    if (!also.every((concept) => this.#hitsOf(concept).length)) return false;
    if (name === null)
      return left.every((concept) =>
        this.#hitsOf(concept).some((hit) => topics.every((ones) => ones.some((one) => this.#isLinked(hit, one, link, null)))),
      );
    const agents = agent ? this.#hitsOf(agent) : [];
    return this.#acts.some(
      (act) =>
        isActOf(name, act) &&
        this.#isDenied(act) === Boolean(negated) &&
        this.#isStated(act) &&
        (!agent || agents.some((hit) => this.#isAgent(hit, act))) &&
        (link === null || topics.every((hits) => hits.some((hit) => this.#isTopic(hit, act, link)))),
    );
  }

  #hitsOf({ phrases }: Concept): Hit[] {
    return findHits(phrases.map(stemsOf), this.#analysis).filter(({ from }) => from >= this.#from && from < this.#to);
  }

  #word(at: number): string {
    return at >= this.#from && at < this.#to ? (this.#analysis.tokens[at]?.word ?? '') : '';
  }

  /** Whether a phrase of a list begins at a token. */
  #is(list: RelationList, at: number): boolean {
    return at >= this.#from && RELATION_WORDS[list].lengthAt(this.#analysis.tokens, at, this.#to) > 0;
  }

  /** The first token of a stretch at which a phrase of a list begins; -1 for none. */
  #find(list: RelationList, from: number, to: number): number {
    for (let i = Math.max(from, this.#from); i < Math.min(to, this.#to); i++) if (this.#is(list, i)) return i;
    return -1;
  }

  #findLast(list: RelationList, from: number, to: number): number {
    for (let i = to - 1; i >= from; i--) if (this.#is(list, i)) return i;
    return -1;
  }

  /** Whether a clause ends between two tokens: `opposed it, but`. */
  #isParted(from: number, to: number): boolean {
    const { text, tokens } = this.#analysis;
    return text.slice(tokens[from]?.start, tokens[to - 1]?.end).includes(';') || this.#find('clauseEnds', from, to) >= 0;
  }

  /** Whether a clause ends, or something is done with the other sign, between two tokens. */
  #isBroken(from: number, to: number, { act }: Pick<Relation, 'act'>): boolean {
    return this.#isParted(from, to) || this.#acts.some((one) => one.from >= from && one.to <= to && clashes(act, one));
  }

  #clauseStart(at: number): number {
    let start = at;
    while (start > this.#from && !this.#isParted(start - 1, start + 1)) start--;
    return start;
  }

  #isDenied({ from, to }: Act): boolean {
    const start = Math.max(from - DENIAL_REACH, this.#clauseStart(from));
    return this.#denied.has(from) || this.#find('negators', start, from) >= 0 || this.#find('nobody', to, to + 2) >= 0;
  }

  /** Whether the text states an act itself: not by hearsay, not as a wish, a former one, or that of a motion that failed. */
  #isStated(act: Act): boolean {
    const { name, from, to } = act;
    const start = this.#clauseStart(from);
    if (this.#isHearsay(start, from) || this.#find('otherItem', to, to + 4) >= 0 || this.#find('elsewhere', to, this.#to) >= 0)
      return false;
    if (!isDecision(name)) {
      // `prepared to object`; who rises to object does so.
      if (this.#word(from - 1) === 'to' && !this.#is('risen', from - 2)) return false;
      // `in favor of denial`, `had opposed the last bar but supports this one`
      const isTurned = (one: Act) => clashes(name, one) && !isDecision(one.name) && this.#find('turns', to, one.from) >= 0;
      return !this.#acts.some(
        (one) => one.from >= to && ((/^(?:deny|continue)$/.test(one.name) && one.from < to + 4) || (isTurned(one) && !this.#isDenied(one))),
      );
    }
    if ((name === 'continue' && !this.#isPostponed(to)) || this.#find('former', from - 2, from) >= 0) return false;
    const asked = this.#findLast('asking', start, from);
    return this.#find('failed', to, this.#to) < 0 && (asked < 0 || this.#findLast('deciding', asked, from) > asked);
  }

  /** `continued to May`, not `continued to speak` or `continued use`. */
  #isPostponed(to: number): boolean {
    const next = this.#analysis.tokens[to + 1];
    const isTime = next && (next.value !== null || this.#isCapital(to + 1) || /^(?:the|a|date|next)$/.test(next.word));
    return (
      this.#is('directCause', to) || (this.#word(to) === 'to' ? Boolean(isTime) : !/^(?:use|operation|operating)$/.test(this.#word(to)))
    );
  }

  #isCapital(at: number): boolean {
    return /^\p{Lu}/u.test(this.#analysis.text.slice(this.#analysis.tokens[at]?.start));
  }

  /** `was told that neighbors opposed it`; what staff or a letter reports is said by the text itself. */
  #isHearsay(start: number, at: number): boolean {
    for (let i = start; i < at; i++) {
      const passed = RELATION_WORDS.notHearsay.lengthAt(this.#analysis.tokens, i);
      if (passed) i += passed - 1;
      else if (this.#is('hearsay', i) && !(this.#word(i) === 'may' && this.#isCapital(i))) return true;
      if (!this.#is('reporting', i) || this.#find('reporters', start, i) >= 0) continue;
      const next = i + (this.#word(i + 1) === 'that' ? 2 : 1);
      if (next < at && !this.#is('pronouns', next)) return true;
    }
    return false;
  }

  /** Whether a hit names who does an act: before it, or behind it and `by`. */
  #isAgent({ from, to }: Hit, act: Act): boolean {
    if (from >= act.to) {
      const lead = this.#findLast(this.#is('nouns', act.to - 1) ? 'fromWhom' : 'byWhom', act.to, from);
      return lead >= act.to && from - lead <= AGENT_REACH / 3 && from - act.to <= AGENT_REACH && !this.#isParted(act.to, from);
    }
    if (to > act.from || act.from - to > AGENT_REACH || this.#isBroken(to, act.from, { act: act.name })) return false;
    // `residents heard that the applicant objects`: somebody else stands nearer.
    let other = this.#find('agents', to, act.from);
    while (other >= 0 && this.#find('spokenTo', other - 2, other) >= 0) other = this.#find('agents', other + 1, act.from);
    return other < 0 || /^(?:they|he|she|we)$/.test(this.#word(act.from - 1));
  }

  #isTopic(hit: Hit, act: Act, link: NonNullable<Relation['link']>): boolean {
    // `traffic is not`, `traffic study`, `traffic impact analysis`
    const study = hit.to + Number(this.#word(hit.to) === 'impact');
    const isOfStudy = this.#is('instruments', study) && /^\s\w*\s?$/.test(this.#between(hit.to - 1, study));
    if (this.#is('refuted', hit.to) || isOfStudy) return false;
    const isNoun = this.#is('nouns', act.to - 1);
    const isBefore = isNoun && hit.to === act.from;
    const isBehind = hit.from >= act.to && hit.from - act.to <= TOPIC_REACH && !this.#isBroken(act.to, hit.from, { act: act.name });
    if (link === 'about') return isBehind || isBefore;
    const isLed = isBehind && (isNoun || /^object/.test(this.#word(act.from))) && this.#find('topicLeads', act.to, hit.from) >= 0;
    return (link === 'cause' && !isDecision(act.name) && (isLed || isBefore)) || this.#isLinked(act, hit, link, act.name);
  }

  #between(before: number, behind: number): string {
    return this.#analysis.text.slice(this.#analysis.tokens[before]?.end, this.#analysis.tokens[behind]?.start);
  }

  /** Whether words of a link lead from one hit to the other: `denied because of traffic`, `because of traffic, denied`. */
  #isLinked(hit: Hit, topic: Hit, link: Relation['link'], act: Relation['act']): boolean {
    const phrases = link === null || link === 'about' ? undefined : phrasesOfLink(link);
    const { tokens } = this.#analysis;
    if (!phrases) return false;
    const direct = link === 'cause' ? RELATION_WORDS.directCause.lengthAt(tokens, hit.to) : 0;
    if (direct && topic.from >= hit.to + direct && topic.from - hit.to <= DIRECT_REACH && !this.#isBroken(hit.to, topic.from, { act }))
      return true;
    const isBehind = topic.from >= hit.to;
    if (isBehind ? topic.from - hit.to > LINK_REACH + TOPIC_REACH : hit.from < topic.to || this.#isBroken(topic.to, hit.from, { act }))
      return false;
    // Before the act, a link begins the sentence.
    for (let i = isBehind ? hit.to : this.#from; i < topic.from && (isBehind || i - this.#from <= 2); i++) {
      const length = phrases.lengthAt(tokens, i, topic.from);
      const isNear = length > 0 && topic.from - i - length <= TOPIC_REACH && !this.#is('negators', i - 1);
      if (isNear && !this.#isBroken(isBehind ? hit.to : i, topic.from, { act })) return true;
    }
    return false;
  }
}
