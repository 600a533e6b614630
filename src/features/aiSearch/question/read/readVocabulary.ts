/**
 * Reads words of the filters' vocabularies, which `src/catalogue/questionWords.json` lists: statuses, bodies, request types and uses.
 *
 *     status ::= phrase, not behind a denial or who only recommends; a denied one has to be denied in the text
 *     body   ::= phrase, not behind a denial or before `recommended`
 *     uses   ::= use {("," | "or" | "/") use} of one filter, in the head of the question; of others the text has to say all
 *     use    ::= phrase | phrase of the thesaurus that means one
 */
import words from '../../../../catalogue/questionWords.json' with { type: 'json' };
import { assetClasses, propertySubtypes, type Vocabulary } from '../../../../core/domain/vocabulary.ts';
import { criterionOfPhrases } from '../criterion.ts';
import { listWords } from '../lists.ts';
import { isNeeded } from '../plainWords.ts';
import type { QuestionWords } from '../questionWords.ts';
import { phraseLength, synonymsOf, usualPhrasesOf } from '../thesaurus.ts';
import { stemsOf, type Token, tokensOf } from '../tokens.ts';
import type { FilterReading } from '../types.ts';

interface Entry {
  filter: string;
  tokens: readonly string[];
  stems: readonly string[];
  phrases: readonly string[];
  orInText: FilterReading['orInText'];
}

/** Statuses that include others. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  approved: ['approved', 'approved_with_conditions'],
  continued: ['continued', 'tabled'],
};

type Phrases = Readonly<Record<string, readonly string[]>>;

function makeEntries(filter: string, byToken: Phrases, orInText: FilterReading['orInText']): Entry[] {
  return Object.entries(byToken).flatMap(([token, phrases]) =>
    phrases.map((phrase) => ({
      filter,
      tokens: (filter === 'status' && WIDER[token]) || [token],
      stems: stemsOf(phrase),
      phrases,
      orInText,
    })),
  );
}

/** By their first stem, the longest first. */
function indexByFirstWord(list: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const sorted = list.toSorted((a, b) => b.stems.length - a.stems.length);
  return Map.groupBy(sorted, ({ stems }) => stems[0] as string);
}

const STATUSES = indexByFirstWord(makeEntries('status', words.statuses, 'unstated'));
const BODIES = indexByFirstWord(makeEntries('decisionBodies', words.decisionBodies, 'always'));
const REQUEST_ENTRIES = makeEntries('requestTypes', words.requestTypes, 'unstated');
const USE_ENTRIES = Object.entries(words.uses).flatMap(([level, byToken]) => makeEntries(level, byToken as unknown as Phrases, 'always'));
const REQUESTS_AND_USES = [indexByFirstWord(REQUEST_ENTRIES), indexByFirstWord(USE_ENTRIES)];
/** Requests and uses by the stems of their phrases; `home` is too general to mean everything residential. */
const entryOf = new Map(
  [...REQUEST_ENTRIES, ...USE_ENTRIES].filter(({ filter }) => filter !== 'propertyTypes').map((entry) => [entry.stems.join(' '), entry]),
);

const findEntry = (question: QuestionWords, at: number, map: ReadonlyMap<string, readonly Entry[]>): Entry | undefined =>
  (map.get(question.stems[at] ?? '') ?? []).find(
    ({ stems }) => question.isFree(at, at + stems.length) && stems.every((stem, offset) => question.stems[at + offset] === stem),
  );

/** @param length tokens of the question that name the entry */
function readEntry(question: QuestionWords, at: number, entry: Entry, orInText = entry.orInText, length = entry.stems.length): boolean {
  const to = at + length;
  const filters: Record<string, string | string[]> = { [entry.filter]: [...entry.tokens] };
  // Requests that only governments make: asking for one includes government decisions.
  const isOfGovernments = entry.tokens.some((token) => OF_GOVERNMENTS.has(token));
  if (isOfGovernments && !question.filters.includeGovernmentDecisions) filters.includeGovernmentDecisions = 'true';
  const text = question.slice(at, to);
  const isLess = LABELS[entry.filter] !== undefined && !isSaidByLabel(text, entry);
  return question.readAsFilters(at, to, filters, orInText, criterionOfPhrases(text, isLess ? [text] : entry.phrases), isLess);
}

const OF_GOVERNMENTS = new Set(['comprehensive_plan_amendment', 'zoning_text_amendment']);
const LABELS: Readonly<Record<string, Pick<Vocabulary, 'label'>>> = { propertySubtypes, assetClasses };
/** Words for any building with dwellings, which add nothing to a kind of them. */
const ANY_HOME = new Set(stemsOf('home house housing dwelling unit building'));

/** Whether the label of a value says what the question names, in its words or in synonyms: `supermarket` and Grocery Store, not `condo` and Multifamily. */
function isSaidByLabel(text: string, { filter, tokens: [token = ''], phrases }: Entry): boolean {
  const label = stemsOf(LABELS[filter]?.label(token) ?? '');
  const isAny = (one: Token) => label.includes(one.stem) || ANY_HOME.has(one.stem) || !isNeeded(one.word);
  const written = phrases.find((phrase) => stemsOf(phrase).join() === stemsOf(text).join()) ?? text;
  // `apartment complex` names no less than `apartment`.
  const named = tokensOf(written).flatMap(({ word }) => (isNeeded(word) ? [word] : []));
  return [written, named.join(' ')]
    .flatMap(synonymsOf)
    .some((phrase) => tokensOf(phrase).every(isAny) || stemsOf(phrase).join('') === label.join(''));
}

const NOT_DECIDING = listWords('notDeciding');
/** Words between a denial and what it denies: `not yet approved`. */
const DENIAL_APART = 2;

const isDenied = (question: QuestionWords, at: number) => question.denialBefore(at, DENIAL_APART) !== undefined;

/** `were denied`, `denied projects`, `status: withdrawn`; not `not approved`, `staff recommended denial`, `continued use`, `previously approved plan`. */
export function readStatuses(question: QuestionWords): void {
  const denied: { at: number; entry: Entry }[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const entry = findEntry(question, i, STATUSES);
    if (!entry) continue;
    const isContinued = entry.tokens.includes('continued');
    if (isDenied(question, i)) denied.push({ at: i, entry });
    else if (
      ![1, 2].some((back) => NOT_DECIDING.has(question.word(i - back))) &&
      !(isContinued && /^(?:use|operation)$/.test(question.word(i + entry.stems.length)))
    )
      // A continued case may have been decided since; then the text says so.
      readEntry(question, i, entry, isContinued ? 'always' : undefined);
  }
  for (const { at, entry } of denied) denyStatus(question, at, entry);
}

/** `was not signed off`: a status that is denied has to be denied in the text, unless another one is asked for: `withdrawn, not approved`. */
function denyStatus(question: QuestionWords, at: number, entry: Entry): void {
  const to = at + entry.stems.length;
  const from = question.denialBefore(at, DENIAL_APART) ?? at;
  if (!question.isFree(from, to)) return;
  question.take(from, to);
  if (question.filters.status) return;
  const { match } = criterionOfPhrases(question.slice(at, to), entry.phrases);
  question.denied.push({ text: question.slice(from, to), match: { ...match, negated: true, isDecision: true } });
}

export function readBodies(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const entry = findEntry(question, i, BODIES);
    if (!entry || isDenied(question, i)) continue;
    if (!/^recommend/.test(question.word(i + entry.stems.length))) readEntry(question, i, entry);
  }
}

/** The entry at a token; `pot shops` are no shops: a longer phrase of the thesaurus means something of its own. @returns `length` of what is no entry, too */
function findUse(question: QuestionWords, at: number): { entry?: Entry | undefined; length: number } {
  const named = REQUESTS_AND_USES.flatMap((map) => findEntry(question, at, map) ?? [])[0];
  const length = phraseLength(question.stems, at);
  if (length <= (named?.stems.length ?? 0) || !length) return { entry: named, length: named?.stems.length ?? 1 };
  const heads = question.isFree(at, at + length) ? usualPhrasesOf(question.stems.slice(at, at + length)) : [];
  return { entry: heads.flatMap((head) => entryOf.get(head) ?? [])[0], length };
}

/**
 * Reads requests and uses in the head of the question: what follows `near`, `with` or `because` is no use of the project.
 * @param isOfAmount whether a token belongs to an amount that remains text: `50 memory care units`
 */
export function readUses(question: QuestionWords, headEnd: number, isOfAmount: (token: number) => boolean): void {
  const found: { at: number; entry: Entry; length: number }[] = [];
  for (let i = 0; i < headEnd; i++) {
    const { entry, length } = findUse(question, i);
    if (entry && !isOfAmount(i) && !isDenied(question, i) && i + length <= headEnd) found.push({ at: i, entry, length });
    i += length - 1;
  }
  const requests = found.filter(({ entry: { filter } }) => filter === 'requestTypes');
  const uses = found.filter((one) => !requests.includes(one));
  // `office or retail` are alternatives; `retail and apartments`, `office to residential` are two things that the text has to say.
  const areAlternatives = uses.every(({ at, entry }, i) => {
    const before = uses[i - 1];
    if (!before) return true;
    const between = question.slice(before.at + before.length, at);
    return entry.filter === before.entry.filter && /^(?:,|or|, or|\/)$/.test(between.trim());
  });
  for (const { at, entry, length } of [...requests, ...(areAlternatives ? uses : [])])
    readEntry(question, at, entry, entry.orInText, length);
}
