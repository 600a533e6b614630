/**
 * Reads words of the filters' vocabularies: labels, their aliases, and what else people say (`src/catalogue/questionWords.json`).
 *
 *     status ::= phrase, not behind a denial or who only recommends; a denied one has to be denied in the text
 *     body   ::= phrase, not behind a denial or before `recommended`
 *     uses   ::= use {("," | "or" | "/" | "and") use} of one filter, in the head of the question; of others the text has to say all.
 *                `and` joins alternatives where the head is plural: `hotels and offices`, `office and retail projects`
 *     use    ::= phrase | phrase of the thesaurus that means one | the first word of a phrase, whose last one ends the list: `fire or police stations`
 *     except ::= ("except" | "other than" | "not" | …) use {("," | "or" | "and") use} | "leave" use {…} "out", of subtypes or asset classes
 */
import words from '../../../catalogue/questionWords.json' with { type: 'json' };
import * as vocabulary from '../../../core/domain/vocabulary.ts';
import { type FilterName, filterOf } from '../../../core/filter/table.ts';
import { unitAt } from './amounts.ts';
import { criterionOfPhrases, EMPTY_RULE } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { SIZES } from './readComposedFilters.ts';
import { phraseLength, synonymsOf, usualPhrasesOf } from './thesaurus.ts';
import { stemsOf, type Token, tokensOf } from './tokens.ts';
import type { Criterion, FilterReading, VoteAsked } from './types.ts';
import { isNeeded, listStems } from './words.ts';

interface Entry {
  filter: string;
  tokens: readonly string[];
  stems: readonly string[];
  phrases: readonly string[];
  orInText: FilterReading['orInText'];
  /** a word that other forms do not mean: `appeal`, not `appealed`; `tabled`, not `table` */
  noun?: string | undefined;
  /** asset classes that the filter holds and the phrase does not mean: `hotels` are no campgrounds */
  without?: readonly string[] | undefined;
}

type Phrases = Readonly<Record<string, readonly string[]>>;
const WITHOUT: Phrases = words.without;
/** Statuses that include others. */
const WIDER: Phrases = words.wider;

/** Terms that a question does not mean by their labels: what is in no other term, and words of asking. */
const UNSAID = /^(?:other_|unknown$|recommendation$|public_hearing$|filed$)/;
const OF_REQUESTS = /^(?:request|construction)Types$/;
const WITH_NOUNS = /^(?:(?:request|construction|decision)Types|status)$/;

/** What people say and minutes do not, or mean otherwise: a question means the filter, but no text proves it by these words. */
const SPOKEN: Readonly<Record<string, Phrases>> = words.spoken;

/** Labels come before what else people say: `condominium` is the asset class of that name. @param terms none where a filter has no vocabulary: `in a flood zone` */
function makeEntries(filter: string, terms: readonly vocabulary.Term[], further: Phrases, orInText: FilterReading['orInText']): Entry[] {
  const entryFor = (token: string, phrase: string, phrases: readonly string[], isNoun = !terms.length): Entry => ({
    filter,
    tokens: (filter === 'status' && WIDER[token]) || [token],
    stems: stemsOf(phrase),
    phrases,
    orInText,
    noun: isNoun && /^\w+$/.test(phrase) ? phrase.toLowerCase() : undefined,
    without: WITHOUT[phrase],
  });
  const labels = terms.flatMap(({ token, label, aliases = [] }) =>
    UNSAID.test(token)
      ? []
      : // `Budget & Finance` is also written `budget/finance` and `budget and finance`.
        [label, ...aliases, ...[' ', ' and '].flatMap((joint) => (label.includes(' & ') ? [label.replaceAll(' & ', joint)] : []))].map(
          (name, i) => entryFor(token, name, further[token] ?? [name], !i && WITH_NOUNS.test(filter)),
        ),
  );
  const said = Object.entries(further).flatMap(([token, phrases]) => phrases.map((phrase) => entryFor(token, phrase, phrases)));
  const proofsOf = (token: string) => further[token] ?? [terms.find((one) => one.token === token)?.label ?? token];
  const spoken = Object.entries(SPOKEN[filter] ?? {});
  return [...labels, ...said, ...spoken.flatMap(([token, phrases]) => phrases.map((phrase) => entryFor(token, phrase, proofsOf(token))))];
}

type Entries = ReadonlyMap<string, readonly Entry[]>;
/** By their first stem, the longest first. */
const indexEntries = (list: readonly Entry[]): Entries =>
  Map.groupBy(
    list.toSorted((a, b) => b.stems.length - a.stems.length),
    ({ stems }) => stems[0] as string,
  );

const STATUSES = indexEntries(makeEntries('status', vocabulary.statuses.terms, words.statuses, 'unstated'));
const BODIES = indexEntries(makeEntries('decisionBodies', vocabulary.decisionBodies.terms, words.decisionBodies, 'always'));
const FURTHER = indexEntries([
  ...makeEntries('decisionTypes', vocabulary.decisionTypes.terms, words.decisionTypes, 'always'),
  ...Object.entries(words.further).flatMap(([filter, phrases]) => makeEntries(filter, [], phrases, 'always')),
]);
const isUseEntry = ({ filter }: Entry) => filter in words.uses;
const REQUEST_AND_USE_ENTRIES = [
  ...makeEntries('requestTypes', vocabulary.requestTypes.terms, words.requestTypes, 'unstated'),
  ...makeEntries('constructionTypes', vocabulary.constructionTypes.terms, words.constructionTypes, 'unstated'),
  ...makeEntries('assetClasses', vocabulary.assetClasses.terms, words.uses.assetClasses, 'always'),
  ...makeEntries('propertySubtypes', vocabulary.propertySubtypes.terms, words.uses.propertySubtypes, 'always'),
  ...makeEntries('propertyTypes', vocabulary.propertyTypes.terms, words.uses.propertyTypes, 'always'),
];
const REQUESTS_AND_USES = indexEntries(REQUEST_AND_USE_ENTRIES);
const USES = indexEntries(REQUEST_AND_USE_ENTRIES.filter(isUseEntry));
/** By the stems of their phrases; `home` is too general to mean everything residential, `converted` to mean a kind of construction. */
const entryOf = new Map(
  REQUEST_AND_USE_ENTRIES.filter(
    ({ filter, noun }) => !['propertyTypes', 'constructionTypes'].includes(filter) && !(noun && filter === 'requestTypes'),
  )
    .reverse()
    .map((entry) => [entry.stems.join(' '), entry]),
);

function findEntry(question: QuestionWords, at: number, entries: Entries): Entry | undefined {
  // `pull up`, `failed to pass`: verbs that ask, or say what is to be done.
  const isBare = /^(?:|to|please|can|you)$/.test(question.word(at - 1)) && question.is(at, 'bareVerbs');
  return entries.get(question.stems[at] ?? '')?.find(({ filter, stems, noun }) => {
    const isMeant = !noun || [noun, `${noun}s`].includes(question.word(at));
    if (!isMeant || !question.isFree(at, at + stems.length) || (isBare && filter === 'status' && stems.length === 1)) return false;
    return stems.every((stem, offset) => question.stems[at + offset] === stem);
  });
}

/** The entries that stand in a question, each looked for after those before it were read. */
function* entriesIn(question: QuestionWords, entries: Entries): Generator<FoundUse & { to: number }> {
  for (let at = 0; at < question.tokens.length; at++) {
    const entry = findEntry(question, at, entries);
    if (entry) yield { at, entry, length: entry.stems.length, to: at + entry.stems.length };
  }
}

/** Words of a list up to the one that all of it share, and of one of its members. */
const [LIST_WORDS_MAX, MEMBER_WORDS_MAX] = [7, 3] as const;
const JOINTS = /[,/&]|\b(?:and|or)\b/i;

/** `solar, wind or battery projects`, `fire or police stations`: the last word says what each of the list is. */
function findShared(question: QuestionWords, at: number): { entry: Entry; length: number } | undefined {
  const { text, tokens, stems } = question;
  for (const entry of REQUESTS_AND_USES.get(stems[at] ?? '') ?? [])
    for (let length = 1; length < entry.stems.length && entry.stems[length - 1] === stems[at + length - 1]; length++) {
      const shared = entry.stems.slice(length);
      const head = stems.findIndex((_, i) => i > at + length && shared.every((one, k) => stems[i + k] === one));
      if (head < 0 || head > at + LIST_WORDS_MAX || !question.isFree(at, at + length)) continue;
      const [own = '', ...others] = text.slice(tokens[at + length - 1]?.end, tokens[head]?.end).split(JOINTS);
      if (!own.trim() && others.length && others.every((one) => one.trim().split(' ').length <= MEMBER_WORDS_MAX)) return { entry, length };
    }
  return undefined;
}

/** @param length tokens of the question that name the entry */
function readEntry(question: QuestionWords, at: number, entry: Entry, orInText = entry.orInText, length = entry.stems.length): boolean {
  const to = at + length;
  const ofGovernments = entry.tokens.every((token) => OF_GOVERNMENTS.has(token)) ? OF_GOVERNMENT_ITEMS[entry.filter] : undefined;
  const filters: Record<string, string | string[]> = { [ofGovernments ?? entry.filter]: [...entry.tokens] };
  // Requests that only governments make: asking for one includes government decisions.
  const isOfGovernments = entry.tokens.some((token) => OF_GOVERNMENTS.has(token));
  if (isOfGovernments && !question.filters.includeGovernmentDecisions) filters.includeGovernmentDecisions = 'true';
  if (entry.without) filters.excludeAssetClasses = [...entry.without];
  const text = question.slice(at, to);
  // Without typing errors; of a list its last word, too.
  const said = length < entry.stems.length ? entry.stems.join(' ') : question.words(at, to);
  // Lodging without what is no hotel says it.
  const isWhole = entry.without !== undefined && /\bhotels?\b/i.test(said);
  const isLess = !isWhole && LABELS[entry.filter] !== undefined && !isSaidByLabel(said, entry);
  const criterion = criterionOfPhrases(text, isLess ? [said] : entry.phrases);
  // `The annex for bicycles` asks for no annexation.
  const match = OF_REQUESTS.test(entry.filter) ? { ...criterion.match, isUse: true, isAsked: true } : criterion.match;
  return question.readAsFilters(at, to, filters, orInText, { ...criterion, match }, isLess);
}

/** The filters of government items, which no project has. */
const OF_GOVERNMENT_ITEMS: Readonly<Record<string, string>> = {
  propertySubtypes: 'governmentDecisionSubtypes',
  assetClasses: 'governmentDecisionAssetClasses',
};
const OF_GOVERNMENTS = new Set([
  ...['comprehensive_plan_amendment', 'zoning_text_amendment', vocabulary.GOVERNMENT_DECISIONS],
  ...[vocabulary.propertySubtypes, vocabulary.assetClasses].flatMap(({ terms }) =>
    terms.flatMap(({ token, type }) => (type === vocabulary.GOVERNMENT_DECISIONS ? [token] : [])),
  ),
]);
const LABELS: Readonly<Record<string, Pick<vocabulary.Vocabulary, 'label'>>> = {
  propertySubtypes: vocabulary.propertySubtypes,
  assetClasses: vocabulary.assetClasses,
};
/** Words for any building with dwellings, which add nothing to a kind of them. */
const ANY_HOME = listStems('anyHome');

/** Whether the label of a value says what the question names, in its words or in synonyms: `supermarket` and Grocery Store, not `condo` and Multifamily. */
function isSaidByLabel(text: string, { filter, tokens: [token = ''], phrases }: Entry): boolean {
  const label = stemsOf(LABELS[filter]?.label(token) ?? '');
  // `drive-through restaurants` are of the subtype of restaurants.
  const above = (ABOVE.get(token) ?? []).flatMap((one) => stemsOf(vocabulary.propertySubtypes.label(one) ?? ''));
  const isAny = (one: Token) => label.includes(one.stem) || above.includes(one.stem) || ANY_HOME.has(one.stem) || !isNeeded(one.word);
  const written = phrases.find((phrase) => stemsOf(phrase).join() === stemsOf(text).join()) ?? text;
  // `apartment complex` names no less than `apartment`.
  const named = tokensOf(written).flatMap(({ word }) => (isNeeded(word) ? [word] : []));
  return [written, named.join(' ')].flatMap(synonymsOf).some((phrase) => {
    const tokens = tokensOf(phrase);
    return (tokens.every(isAny) && tokens.some(({ stem }) => label.includes(stem))) || stemsOf(phrase).join('') === label.join('');
  });
}

/** Words between a denial and what it denies: `not yet approved`. */
const DENIAL_APART = 2;

/** Where the denial of what stands at a token begins; `3 no votes` deny nothing behind them. */
function findDenial(question: QuestionWords, at: number): number | undefined {
  const start = question.denialBefore(at, DENIAL_APART);
  return start === undefined || unitAt(question.tokens, start) ? undefined : start;
}
const isDenied = (question: QuestionWords, at: number) => findDenial(question, at) !== undefined;

/** `were denied`, `denied projects`, `status: withdrawn`; not `not approved`, `staff recommended denial`, `continued use`, `previously approved plan`. */
export function readStatuses(question: QuestionWords, relations: readonly Criterion[]): void {
  // What was continued because of something may have been decided since; then the text says so.
  const wasContinued = relations.some(({ match }) => match.relation?.act === 'continue');
  const denied: DeniedStatus[] = [];
  for (const { at, to, entry, length } of entriesIn(question, STATUSES)) {
    // `Grants Pass` decides nothing.
    if (at > 0 && entry.stems.length === 1 && question.isCapital(at) && question.isCapital(at + 1)) continue;
    // `approved or not`
    const eitherWay = question.phraseAt(to, 'eitherWayBehind');
    if (eitherWay) {
      question.take(at, to + eitherWay);
      continue;
    }
    // `went through the planning commission` was heard there.
    if (question.word(to - 1) === 'through' && question.read.get(to + Number(ARTICLES.test(question.word(to))))?.includes('decisionBodies'))
      continue;
    const byNobody = question.phraseAt(to, 'byNobody');
    // `said no trucks would come`
    const saysNo = question.word(to - 1) === 'no' && question.isFree(to) && isNeeded(question.word(to));
    const isByOthers = [1, 2].some((back) => question.is(at - back, 'notDeciding') && question.isFree(at - back));
    if (byNobody || isDenied(question, at)) denied.push({ at, to: to + byNobody, entry, length });
    else if (question.filters.status && entry.tokens.includes('pending') && /^(?:but|and|with)$/.test(question.word(at - 1)))
      // `recommended for approval, but no final vote yet`
      question.take(at - 1, to);
    else if (!isByOthers && !question.is(at, 'notStatus') && !saysNo)
      readEntry(question, at, entry, wasContinued && entry.tokens.includes('continued') ? 'always' : undefined);
  }
  readDeniedStatuses(question, denied);
}

type DeniedStatus = FoundUse & { to: number };

/** `not approved` leaves all other statuses, unless one is asked for: `withdrawn, not approved`. What nobody decided has to be denied in the text. */
function readDeniedStatuses(question: QuestionWords, found: readonly DeniedStatus[]): void {
  const denied = found.flatMap((one) => {
    const from = findDenial(question, one.at);
    return question.isFree(from ?? one.at, one.to) ? [{ ...one, from: from ?? one.at, isDenied: from !== undefined }] : [];
  });
  const gone = new Set(denied.flatMap(({ isDenied: is, entry }) => (is ? entry.tokens : [])));
  const isAsked = question.filters.status !== undefined;
  const status = vocabulary.statuses.terms.flatMap(({ token }) => (gone.has(token) ? [] : [token]));
  for (const { at, from, to, entry, isDenied: is } of denied) {
    const { match } = criterionOfPhrases(question.slice(at, at + entry.stems.length), entry.phrases);
    const criterion = { text: question.slice(from, to), match: { ...match, negated: true, isDecision: true } };
    if (isAsked) question.take(from, to);
    else if (is) question.readAsFilters(from, to, { status }, 'never', criterion);
    else {
      question.take(from, to);
      question.criteria.push(criterion);
    }
  }
}

/** Filters that have both a value and its opposite, so that a denial is one of them: `not in a flood zone`. */
const TWO_SIDED = /^(?:inFemaFloodZone|inOpportunityZone|underRestriction|hasConstructionDetails|voteResults)$/;
const OTHER_VOTES: Readonly<Record<string, string>> = { tie: 'tie', split: 'split', divided: 'split', tied: 'tie', unanimous: 'unanimous' };
const OPPOSITE: Readonly<Record<string, string>> = words.opposite;

const VOTES = [...new Set(Object.values(OTHER_VOTES))];
const OF_VOTE =
  /^(?:votes?|results?|outcome|of|on|in|an?|the|was|were|is|end|ends|ended|ending|resulted|came|out|either|which|latest|last)$/;

/** `unanimous or split`, `split/tie`, `a tie vote or a split one`, `neither unanimous nor tied`: results of votes in a row. */
function readVoteLists(question: QuestionWords): void {
  const voteAt = (at: number) => (question.isFree(at) ? OTHER_VOTES[question.word(at)] : undefined);
  for (let from = 0; from < question.tokens.length; from++) {
    const results = new Set<string>();
    let to = from;
    for (let at = from; voteAt(at); ) {
      results.add(voteAt(at) ?? '');
      to = at + 1 + Number(/^(?:votes?|one|decisions?)$/.test(question.word(at + 1)));
      at = to + Number(/^(?:or|nor)$/.test(question.word(to)));
      if (at === to && !/^\s*[/,]\s*$/.test(question.textAfter(to - 1))) break;
      while (voteAt(at) === undefined && OF_VOTE.test(question.word(at))) at++;
    }
    const isNone = question.word(from - 1) === 'neither';
    const others = VOTES.filter((one) => !results.has(one));
    // `vote = tie`
    const isLabelled = results.size === 1 && /^\s?[:=]/.test(question.textAfter(from - 1)) && OF_VOTE.test(question.word(from - 1));
    if (results.size < 2 && !isLabelled) continue;
    let start = from;
    while (question.isFree(start - 1) && OF_VOTE.test(question.word(start - 1))) start--;
    question.readAsFilters(start, to, { voteResults: isNone ? others : [...results] }, 'never');
  }
}

/** Words between `outside` and a zone: `outside of any qualified opportunity zone`. */
const OUTSIDE_APART = 8;

/** The first token of `outside`, `beyond` or the like before a zone, which then is not said to be inside. */
function findOutsideLead(question: QuestionWords, at: number, { filter, tokens }: Entry): number | undefined {
  if (!filter.startsWith('in') || tokens[0] !== 'inside') return undefined;
  for (let from = at - 1; from >= Math.max(0, at - OUTSIDE_APART); from--) {
    if (/[,;:]/.test(question.textAfter(from))) return undefined;
    if (question.isFree(from, at) && question.is(from, 'outsideLeads')) return from;
  }
  return undefined;
}

/** What may lead to the name of a zone. */
const ZONE_LEADS = /^(?:fema|federal|qualified|designated|mapped|an?|the|any|in|within|inside|located)$/;

/** `in a flood zone`, `stalled`, `split vote`; the vote of named people is read in the text. */
export function readFurther(question: QuestionWords): void {
  readVoteLists(question);
  const areNamed = question.tokens.some((_, i) => question.is(i, 'voting') && !/^vot/.test(question.word(i)));
  for (const { at, to, entry } of entriesIn(question, FURTHER)) {
    const denial = findDenial(question, at) ?? findOutsideLead(question, at, entry);
    // `OZ: no`
    const isNo = /^\s?[:=]/.test(question.textAfter(to - 1)) && /^(?:no|false)$/.test(question.word(to));
    const lack = !TWO_SIDED.test(entry.filter) ? 0 : isNo ? 1 : question.phraseAt(to, 'lackBehind');
    const opposite = TWO_SIDED.test(entry.filter) ? OPPOSITE[entry.tokens[0] ?? ''] : undefined;
    const isOpposite = (denial !== undefined) !== lack > 0;
    const tokens = !isOpposite ? entry.tokens : opposite ? [opposite] : [];
    const kind = entry.filter === 'voteResults' ? tokens[0] : undefined;
    const vote: VoteAsked | null = kind === 'split' || kind === 'unanimous' ? { kind } : null;
    if (!tokens.length || (kind && areNamed)) continue;
    let from = denial ?? at;
    // `in a FEMA special flood hazard area`
    while (/^in[A-Z]/.test(entry.filter) && ZONE_LEADS.test(question.word(from - 1)) && question.isFree(from - 1)) from--;
    const end = to + lack;
    const text = question.slice(from, end);
    const criterion = vote ? { text, match: { ...EMPTY_RULE, vote } } : criterionOfPhrases(text, entry.phrases);
    const value = filterOf(entry.filter as FilterName).kind.schema.type === 'array' ? [...tokens] : (tokens[0] ?? '');
    question.readAsFilters(from, end, { [entry.filter]: value }, vote ? 'unstated' : 'always', criterion);
  }
}

/** The body that begins at a token. */
export function bodyAt(question: QuestionWords, at: number): { tokens: readonly string[]; length: number } | undefined {
  const entry = findEntry(question, at, BODIES);
  return entry && { tokens: entry.tokens, length: entry.stems.length };
}

/** @param isCounty whether a name is that of a county, and of no state */
export function readBodies(question: QuestionWords, isCounty: (name: string) => boolean): void {
  for (const { at, to, length, entry } of entriesIn(question, BODIES)) {
    if (isDenied(question, at) || (/^recommend/.test(question.word(to)) && question.isFree(to))) continue;
    // `the Loudoun County Board of Supervisors` says the county, too.
    const own = Number(question.word(at) === 'county' && question.isFree(at - 1) && isCounty(question.slice(at - 1, at)));
    readEntry(question, at + own, entry, entry.orInText, length - own);
  }
}

/** The filters that leave uses out; a type leaves all others. */
const EXCLUDING: Readonly<Record<string, string>> = {
  propertyTypes: 'propertyTypes',
  propertySubtypes: 'excludePropertySubtypes',
  assetClasses: 'excludeAssetClasses',
};
/** What is not of a type: `non-residential` is no mixed use either. */
const typesBut = (type: string): string[] =>
  vocabulary.propertyTypes.terms.flatMap(({ token }) =>
    [type, vocabulary.GOVERNMENT_DECISIONS, type === 'residential' || type === 'commercial' ? 'mixed_use' : ''].includes(token)
      ? []
      : [token],
  );

/** `except hotels`, `other than bars or restaurants`, `dispensaries left out`: uses that no record may have. */
export function readExceptions(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const filters: Record<string, string[]> = {};
    // `taller than 50 feet, no cell towers`; not `on condition that no cows are kept`
    const isInside =
      i > 0 && question.word(i) === 'no' && !/,\s*$/.test(question.textAfter(i - 1)) && !/^(?:and|but)$/.test(question.word(i - 1));
    const lead = question.isFree(i) && !isInside ? question.phraseAt(i, 'exceptUses') : 0;
    // `leave wind out`
    const isAround = !lead && question.isFree(i) && /^(?:leave|leaving|keep|keeping)$/.test(question.word(i));
    let [at, to] = [i + Number(isAround) + lead, i];
    // `commercial projects no self storage`
    const only = isInside ? findExcluded(question, i + 1) : undefined;
    if (only?.entry && i + 1 + only.length === question.tokens.length) at = i + 1;
    // `drive-throughs excepted`
    const isLed = at > i;
    for (let goesOn = isLed || question.isFree(i); goesOn; ) {
      const start = at + Number(ARTICLES.test(question.word(at)));
      const { entry, length } = findExcluded(question, start);
      const filter = entry && EXCLUDING[entry.filter];
      const last = question.word(start + length - 1);
      // `not signed off` leaves out no signs; `no gym` is a building without one.
      const isPart =
        question.word(i) === 'no' &&
        !last.endsWith('s') &&
        !(entry && (entry.stems.length > 1 || ABOVE.get(entry.tokens[0] ?? '')?.length === 1));
      if (!filter || (length === 1 && last.endsWith('ed')) || isPart) break;
      const [token = ''] = entry.tokens;
      const others = filter === 'propertyTypes' ? typesBut(token) : undefined;
      filters[filter] = others ? others.filter((one) => filters[filter]?.includes(one) ?? true) : [...(filters[filter] ?? []), token];
      to = start + length;
      const joins = /^(?:or|and|nor|&)$/.test(question.word(to));
      at = to + Number(joins);
      goesOn = isLed && (joins || /^,/.test(question.textAfter(to - 1)));
    }
    const isApart = /,/.test(question.textAfter(to - 1));
    const behind = isAround ? Number(question.word(to) === 'out') : isApart ? 0 : question.phraseAt(to, 'exceptBehind');
    if (to > i && (behind || (isLed && !isAround))) question.readAsFilters(i, to + behind, filters, 'never');
  }
}
const ARTICLES = /^(?:an?|the|any|all)$/;

/** The use at a token, also where a request has its name: `no planned developments`. */
function findExcluded(question: QuestionWords, at: number): { entry?: Entry | undefined; length: number } {
  const found = findUse(question, at);
  if (!found.entry || EXCLUDING[found.entry.filter]) return found;
  const own = findEntry(question, at, USES);
  return own ? { entry: own, length: own.stems.length } : found;
}

interface FoundUse {
  at: number;
  entry: Entry;
  length: number;
}

/** The entry at a token; `pot shops` are no shops: a longer phrase of the thesaurus means something of its own. @returns `length` of what is no entry, too */
function findUse(question: QuestionWords, at: number): { entry?: Entry | undefined; length: number } {
  const found = findNamedUse(question, at);
  // `parked at 50 spaces` asks for no park.
  const { entry, length } = found;
  const isVerb = entry && length === 1 && isUseEntry(entry) && /[^e]ed$/.test(question.word(at));
  return isVerb && entry.phrases.every((phrase) => !phrase.endsWith('ed')) ? { length } : found;
}

function findNamedUse(question: QuestionWords, at: number): { entry?: Entry | undefined; length: number } {
  const named = findEntry(question, at, REQUESTS_AND_USES);
  const shared = named ? undefined : findShared(question, at);
  if (shared) return shared;
  const longest = phraseLength(question.stems, at);
  // `religious, education`
  const length = question.slice(at, at + longest).includes(',') ? 0 : longest;
  if (length <= (named?.stems.length ?? 0) || !length) return { entry: named, length: named?.stems.length ?? 1 };
  const heads = question.isFree(at, at + length) ? usualPhrasesOf(question.stems.slice(at, at + length)) : [];
  const entry = heads.flatMap((head) => entryOf.get(head) ?? [])[0];
  // `build-to-rent communities` and `industrial developments` are what the label says.
  const isSame =
    named && (named.stems.length > 1 || question.tokens.slice(at + named.stems.length, at + length).every(({ word }) => !isNeeded(word)));
  return entry || !isSame ? { entry, length } : { entry: named, length: named.stems.length };
}

/** Whether a use begins at a token: `for oil or gas wells` names no Oil City. */
export const namesUse = (question: QuestionWords, at: number): boolean => useLengthAt(question, at) > 0;

/** Number of words of the use or request that begins at a token; 0 for none. */
export const useLengthAt = (question: QuestionWords, at: number): number => findEntry(question, at, REQUESTS_AND_USES)?.stems.length ?? 0;

/**
 * Reads requests and uses in the head of the question: what follows `near`, `with` or `because` is no use of the project.
 * @param endsHead whether the head ends before a token @param isOfAmount whether a token belongs to an amount that remains text: `50 memory care units`
 */
export function readUses(question: QuestionWords, endsHead: (token: number) => boolean, isOfAmount: (token: number) => boolean): void {
  const found: FoundUse[] = [];
  // Behind `that` or `with` a question may name the only use it asks for; of a project whose use it has named, it describes circumstances there.
  let isBehind = false;
  // The last word before a clause of its own, where no use is found yet: `Heard at least twice, the houses of worship`
  const nextClause = (from: number): number => {
    isBehind = false;
    const isEnd = (at: number) =>
      /[;:.?!]\s/.test(question.textAfter(at)) || (/,\s/.test(question.textAfter(at)) && CLAUSE_LEADS.test(question.word(at + 1)));
    const end = question.tokens.findIndex((_, at) => at >= from && isEnd(at));
    return end < 0 || found.some((one) => isUseEntry(one.entry)) ? question.tokens.length : end;
  };
  for (let i = 0; i < question.tokens.length; i++) {
    const { entry, length } = findUse(question, i);
    // `on-premises sign`
    if (endsHead(i) && !entry) {
      // `with a heliport` is a part of the project, `with a development agreement` is what it asks for.
      const isPart =
        /^(?:with|having|featuring)$/.test(question.word(i)) && /^an?$/.test(question.word(i + 1)) && !asksFor(question, i + 2);
      if (isPart || (!question.is(i, 'weakMarkers') && !decidesOn(question, i))) {
        i = nextClause(i);
        continue;
      }
      isBehind = true;
    }
    // `that border a school`
    if (isBehind && !entry && question.isFree(i) && isNeeded(question.word(i)) && !isOfAmount(i)) {
      i = nextClause(i);
      continue;
    }
    if (
      isBehind &&
      entry &&
      isUseEntry(entry) &&
      found.some((one) => isUseEntry(one.entry) && !isListed(question, one, { at: i, entry, length }))
    )
      continue;
    // `solar-free`, `farm to table`
    const isWithout = /^(?:-free|[ -]to[ -]table)\b/i.test(question.text.slice(question.tokens[i + length - 1]?.end));
    // `office to apartment conversions`, `a bar to a restaurant`: neither is what it is.
    const to = entry && isUseEntry(entry) && /^(?:to|into)$/.test(question.word(i + length)) ? i + length + 1 : 0;
    const next = to + Number(ARTICLES.test(question.word(to)));
    const changed = to ? findUse(question, next) : undefined;
    // `zoned agricultural`, `the school district`
    const isLiteral = entry?.stems.every((stem, k) => question.stems[i + k] === stem);
    const isOfBody = question.is(isLiteral ? i + length : i + length - 1, 'bodyNouns') && !(isLiteral && length > 1);
    const isOther = question.word(i - 1) === 'zoned' || isOfBody;
    if (changed?.entry) i = next + changed.length - length;
    else if (!isOther && entry && !isOfAmount(i) && !isWithout && !isDenied(question, i)) found.push({ at: i, entry, length });
    i += length - 1;
  }
  const named = joinNested(
    question,
    found.filter(({ entry }) => isUseEntry(entry)),
  );
  const areListed = named.every((one, i) => !i || isListed(question, named[i - 1] as FoundUse, one));
  const widerThan = (one: FoundUse) => (areListed ? named.find(({ entry }) => contains(entry, one.entry)) : undefined);
  const uses = named.filter((one) => !widerThan(one));
  const isOneFilter = new Set(uses.map(({ entry }) => entry.filter)).size === 1;
  for (const one of [...found.filter(({ entry }) => !isUseEntry(entry)), ...named]) {
    const wider = widerThan(one)?.entry;
    if (named.includes(one) && !(areListed && isOneFilter)) continue;
    if (!wider) {
      if (isUseEntry(one.entry)) readSize(question, one.at);
      readEntry(question, one.at, one.entry, one.entry.orInText, one.length);
    } else {
      // `restaurants or bars` are restaurants.
      const [to, filters] = [one.at + one.length, { [wider.filter]: [...wider.tokens] }];
      question.readAsFilters(one.at, to, filters, 'always', criterionOfPhrases(question.slice(one.at, to), one.entry.phrases));
    }
  }
  if (areListed && !isOneFilter) readAlternatives(question, uses);
  if (question.filters.taxonomyMatchMode) takeSaidAgain(question);
  const [requests, to] = [question.filters.requestTypes, question.filters.proposedZonings];
  if (Array.isArray(requests) && requests.includes('rezoning') && Array.isArray(to) && to.some((code) => PLANNED.test(code)))
    question.filters.requestTypes = [...new Set([...requests, 'planned_development'])];
}

/** `the substations of medium size where the substation is the main use`: a use that is named for its role, too. */
function takeSaidAgain(question: QuestionWords): void {
  for (const { at, to, entry } of entriesIn(question, USES)) {
    const asked = question.filters[entry.filter];
    if (entry.tokens.every((token) => asked?.includes(token))) question.take(at, to, [entry.filter]);
  }
}

const CLAUSE_LEADS = /^(?:the|those|kindly|please|provide|show|find|list|which|what|any|all|every|give|pull)$/;

/** Whether a request of several words begins at a token. */
function asksFor(question: QuestionWords, at: number): boolean {
  const entry = findEntry(question, at, REQUESTS_AND_USES);
  return entry !== undefined && !isUseEntry(entry) && entry.stems.length > 1;
}

/** `voted on these annexations`, `from 50 lots`, not `built on the old mall` */
const decidesOn = (question: QuestionWords, at: number): boolean =>
  (question.word(at) === 'on' &&
    (question.stems.slice(0, at).some((stem) => /^(?:decid|decis|vot|rul|act|unanim)/.test(stem)) ||
      question.read.get(at - 1)?.some((name) => /^(?:decision|vote)/.test(name)))) ||
  (question.word(at) === 'from' && question.tokens[at + 1]?.value != null);

/** `large landfills`, `a small or medium hotel` */
function readSize(question: QuestionWords, at: number): void {
  let from = at;
  while (question.isFree(from - 1) && (SIZES.has(question.word(from - 1)) || (from < at && question.word(from - 1) === 'or'))) from--;
  const sizes = question.tokens.slice(from, at).flatMap(({ word }) => SIZES.get(word) ?? []);
  if (sizes.length) question.readAsFilters(from, at, { projectSizes: sizes }, 'unstated');
}

/** `SFR subdivisions`, `commercial retail`: of two words for one use the narrower is meant. */
function joinNested(question: QuestionWords, uses: readonly FoundUse[]): FoundUse[] {
  const joined: FoundUse[] = [];
  for (const one of uses) {
    const last = joined.at(-1);
    const isNext = last && last.at + last.length === one.at && /^[ -]$/.test(question.textAfter(one.at - 1));
    const narrower = isNext && (contains(last.entry, one.entry) ? one : contains(one.entry, last.entry) ? last : undefined);
    if (last && narrower) joined.splice(-1, 1, { entry: narrower.entry, at: last.at, length: last.length + one.length });
    else joined.push(one);
  }
  return joined;
}

/** Zonings to which a planned development rezones. */
const PLANNED = /^P(?:U?D|DD|RD|MD|CD|UDD)(?![A-Z])/;

/** The types and subtypes of uses, by their tokens. */
const ABOVE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...vocabulary.propertySubtypes.terms.map(({ token, type }) => [token, [type]] as const),
  ...vocabulary.assetClasses.terms.map(({ token, type, subtype }) => [token, [type, subtype]] as const),
]);
const contains = (wider: Entry, { filter, tokens: [token = ''] }: Entry): boolean =>
  wider.filter !== filter && wider.tokens.some((one) => ABOVE.get(token)?.includes(one));

/** The classes of a type or a subtype. */
const classesOf = ({ filter, tokens }: Entry): readonly string[] =>
  filter === 'assetClasses'
    ? tokens
    : vocabulary.assetClasses.terms.flatMap(({ token, type, subtype }) =>
        tokens.some((one) => one === type || one === subtype) ? [token] : [],
      );

/** Alternatives of several levels: their classes, if all have some. */
function readAlternatives(question: QuestionWords, uses: readonly FoundUse[]): void {
  const [first, last] = [uses[0], uses.at(-1)];
  if (!first || !last) return;
  const [from, to] = [first.at, last.at + last.length];
  const criterion = criterionOfPhrases(
    question.slice(from, to),
    uses.flatMap(({ entry }) => entry.phrases),
  );
  const classes = uses.map(({ entry }) => classesOf(entry));
  if (classes.every(({ length }) => length)) question.readAsFilters(from, to, { assetClasses: classes.flat() }, 'unstated', criterion);
}

/**
 * Whether two uses are alternatives: `office or retail`, `hotels and offices`, `office, retail and industrial projects`. `a site with retail and
 * apartments` and `a hotel and restaurant` are two things that the text has to say.
 */
function isListed(question: QuestionWords, one: FoundUse, next: FoundUse): boolean {
  const end = one.at + one.length;
  const between = question.text.slice(question.tokens[end - 1]?.end, question.tokens[next.at]?.start).trim();
  const isPlural = (at: number) => /[^s]s$/i.test(question.slice(at, at + 1));
  const [last, head] = [next.at + next.length - 1, next.at + next.length];
  // `solar and wind in Kansas`, `warehouses and cold storage`, not `a hotel and restaurant`
  const isMass = (at: number) => question.is(at, 'massUses') && !(question.isFree(head) && isNeeded(question.word(head)));
  // `warehouse and logistics centers`
  const hasOwnHead = next.length > 1 && !ARTICLES.test(question.word(one.at - 1));
  return (
    /^(?:,|,? ?or(?: for| it['’]s)?|\/|and\/or|,? ?(?:or|and) (?:any |all )?other|and also|or else|as well as|plus|\+)$/.test(between) ||
    (!between && isPlural(end - 1) && isPlural(last)) ||
    (/^(?:,? ?and|&)$/.test(between) &&
      (isPlural(head) ||
        (isPlural(last) && hasOwnHead) ||
        one.length < one.entry.stems.length ||
        [end - 1, last].every((at) => isPlural(at) || isMass(at))))
  );
}
