/** Reads words of the filters' vocabularies: statuses, bodies, request types and uses. Data in `src/catalogue/questionWords.json`. */
import words from '../../../../catalogue/questionWords.json' with { type: 'json' };
import { assetClasses, propertySubtypes, type Vocabulary } from '../../../../core/domain/vocabulary.ts';
import { criterionOfPhrases } from '../criterion.ts';
import { isContent, weightOf } from '../plainWords.ts';
import type { QuestionWords } from '../question.ts';
import { headsOf, phraseLength, synonymsOf } from '../thesaurus.ts';
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

function entries(filter: string, byToken: Readonly<Record<string, readonly string[]>>, orInText: FilterReading['orInText']): Entry[] {
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

const indexByFirstWord = (list: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> => {
  const map = new Map<string, Entry[]>();
  for (const entry of [...list].sort((a, b) => b.stems.length - a.stems.length)) {
    const first = entry.stems[0] as string;
    map.set(first, [...(map.get(first) ?? []), entry]);
  }
  return map;
};

const STATUSES = indexByFirstWord(entries('status', words.statuses, 'unstated'));
const BODIES = indexByFirstWord(entries('decisionBodies', words.decisionBodies, 'always'));
const REQUESTS = indexByFirstWord(entries('requestTypes', words.requestTypes, 'unstated'));
const USES = indexByFirstWord(
  Object.entries(words.uses).flatMap(([level, byToken]) => entries(level, byToken as unknown as Record<string, string[]>, 'always')),
);

/** Requests and uses by the stems of their phrases. */
const entryOf = new Map(
  [...REQUESTS.values(), ...USES.values()]
    .flat()
    // `home` is too general to mean everything residential.
    .filter(({ filter }) => filter !== 'propertyTypes')
    .map((entry) => [entry.stems.join(' '), entry]),
);

const entryAt = (question: QuestionWords, at: number, map: ReadonlyMap<string, readonly Entry[]>): Entry | undefined =>
  (map.get(question.stems[at] ?? '') ?? []).find(
    ({ stems }) => question.isFree(at, at + stems.length) && stems.every((stem, offset) => question.stems[at + offset] === stem),
  );

/** The entry that the longest phrase of the thesaurus at `at` means: `animal doctor` a veterinary clinic. */
function entryMeant(question: QuestionWords, at: number, length: number): Entry | undefined {
  if (!length || !question.isFree(at, at + length)) return undefined;
  const heads = headsOf(question.stems.slice(at, at + length));
  return heads.flatMap((head) => entryOf.get(head) ?? [])[0];
}

function read(question: QuestionWords, at: number, entry: Entry, orInText = entry.orInText, length = entry.stems.length): boolean {
  const to = at + length;
  const filters = { [entry.filter]: [...entry.tokens], ...withDecisions(question, entry) };
  const text = question.slice(at, to);
  const isLess = LABELS[entry.filter] !== undefined && !isSaidByLabel(writtenPhrase(text, entry), entry);
  return question.read(at, to, filters, orInText, criterionOfPhrases(text, isLess ? [text] : entry.phrases), isLess);
}

const LABELS: Readonly<Record<string, Pick<Vocabulary, 'label'>>> = { propertySubtypes, assetClasses };
/** Words for any building with dwellings, which add nothing to a kind of them. */
const ANY_HOME = new Set(stemsOf('home house housing dwelling unit building'));

/** The phrase as the vocabulary writes it: `apartment complexes` is `apartment complex`. */
const writtenPhrase = (text: string, { phrases }: Entry): string => {
  const stems = stemsOf(text).join(' ');
  return phrases.find((phrase) => stemsOf(phrase).join(' ') === stems) ?? text;
};

/** Whether the label of a value says what the question names, in its words or in synonyms: `supermarket` and Grocery Store, not `condo` and Multifamily. */
function isSaidByLabel(text: string, { filter, tokens: [token = ''] }: Entry): boolean {
  const label = LABELS[filter]?.label(token) ?? '';
  const said = new Set(stemsOf(label));
  const isAny = ({ word, stem }: Token) => said.has(stem) || ANY_HOME.has(stem) || !isContent(word) || weightOf(word, '') !== 'needed';
  if (synonymsOf(text).some((phrase) => tokensOf(phrase).every(isAny))) return true;
  const heads = headsOf(stemsOf(label));
  // `apartment complex` names no less than `apartment`.
  const named = tokensOf(text).filter(({ word }) => isContent(word) && weightOf(word, '') === 'needed');
  const all = [stemsOf(text), named.map(({ stem }) => stem)];
  return all.some((stems) => stems.join('') === [...said].join('') || headsOf(stems).some((head) => heads.includes(head)));
}

/** Requests that only governments make: asking for one includes government decisions. */
const OF_GOVERNMENTS = new Set(['comprehensive_plan_amendment', 'zoning_text_amendment']);

const withDecisions = ({ filters }: QuestionWords, { tokens }: Entry): Record<string, string> =>
  tokens.some((token) => OF_GOVERNMENTS.has(token)) && !filters.includeGovernmentDecisions ? { includeGovernmentDecisions: 'true' } : {};

const NEGATING_STATUS = ['not', 'never', 'neither', 'nor', "weren't", "wasn't"];
const DENYING = ['not', 'never', 'without', 'no', 'neither', 'nor', 'yet', "weren't", "wasn't", 'un'];
const isDenied = (question: QuestionWords, at: number) =>
  [1, 2, 3].some((back) => DENYING.includes(question.word(at - back))) ||
  question.word(at - 1) === 'non' ||
  (at > 1 && question.has(at - 2, 'other than'));
/** Words that mark a recommendation, not a decision. */
const NOT_DECIDING = ['staff', 'planner', 'planners', 'residents', 'neighbors', 'department'];

/** Whether a word is a verb in progress: `approving` does not say what was approved; `pending` is the status itself. */
const isDoing = (word: string, { phrases }: Entry) => /ing$/.test(word) && !phrases.some((phrase) => phrase.startsWith(word));

/** `were denied`, `denied projects`, `status: withdrawn`; not `not approved`, `staff recommended denial`, `continued use`. */
export function readStatuses(question: QuestionWords): void {
  const denied: { at: number; entry: Entry }[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const entry = entryAt(question, i, STATUSES);
    if (!entry || isDoing(question.word(i), entry)) continue;
    if (isDenied(question, i)) {
      denied.push({ at: i, entry });
      continue;
    }
    const [before, next] = [question.word(i - 1), question.word(i + entry.stems.length)];
    if (NOT_DECIDING.includes(before) || NOT_DECIDING.includes(question.word(i - 2))) continue;
    if (entry.tokens.includes('continued') && /^(?:use|operation|to|as|its|their)$/.test(next)) continue;
    if (next === 'plan' || next === 'plans' || /^(?:previously|already|formerly)$/.test(before)) continue;
    // A continued case may have been decided since; then the text says so.
    read(question, i, entry, entry.tokens.includes('continued') ? 'always' : undefined);
  }
  leaveOutDenied(question);
  for (const { at, entry } of denied) denyStatus(question, at, entry);
}

/** `was not signed off`: a status that is denied has to be denied in the text. */
function denyStatus(question: QuestionWords, at: number, entry: Entry): void {
  const to = at + entry.stems.length;
  const from = [1, 2, 3].map((back) => at - back).find((i) => NEGATING_STATUS.includes(question.word(i)));
  if (from === undefined || !question.isFree(from, to)) return;
  const { match } = criterionOfPhrases(question.slice(at, to), entry.phrases);
  question.denied.push({ text: question.slice(from, to), match: { ...match, negated: true, isDecision: true } });
  question.take(from, to);
}

/** Takes denied statuses beside one that is asked for: `withdrawn, not approved`. */
function leaveOutDenied(question: QuestionWords): void {
  if (!question.filters.status) return;
  for (let i = 1; i < question.tokens.length; i++) {
    const entry = entryAt(question, i, STATUSES);
    if (entry && ['not', 'never'].includes(question.word(i - 1))) question.take(i - 1, i + entry.stems.length);
  }
}

export function readBodies(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const entry = entryAt(question, i, BODIES);
    if (!entry || isDenied(question, i)) continue;
    if (question.longest(i + entry.stems.length, ['recommended', 'recommends', 'recommendation', 'recommending'])) continue;
    const lead = ['by the', 'before the', 'at the', 'from the', 'by', 'the'].find((phrase) =>
      question.has(i - phrase.split(' ').length, phrase),
    );
    if (read(question, i, entry) && lead) question.take(i - lead.split(' ').length, i);
  }
}

interface FoundEntry {
  at: number;
  entry: Entry;
  /** words of the question that name it */
  length: number;
}

/**
 * Reads requests and uses in the head of the question: what follows `near`, `with` or `because` is no use of the project.
 * @param isOfAmount whether a token belongs to an amount that remains text: `50 memory care units`
 */
export function readUses(question: QuestionWords, headEnd: number, isOfAmount: (token: number) => boolean): void {
  const found: FoundEntry[] = [];
  for (let i = 0; i < headEnd; i++) {
    const named = entryAt(question, i, REQUESTS) ?? entryAt(question, i, USES);
    const longer = phraseLength(question.stems, i);
    // `pot shops` are no shops: a longer phrase of the thesaurus means something of its own.
    const isLonger = longer > (named?.stems.length ?? 0);
    const entry = isLonger ? entryMeant(question, i, longer) : named;
    const length = isLonger ? longer : (named?.stems.length ?? 1);
    if (entry && !isOfAmount(i) && !isDenied(question, i) && i + length <= headEnd) found.push({ at: i, entry, length });
    i += length - 1;
  }
  for (const { at, entry, length } of found.filter(({ entry: { filter } }) => filter === 'requestTypes'))
    read(question, at, entry, entry.orInText, length);
  const uses = found.filter(({ entry: { filter } }) => filter !== 'requestTypes');
  const [first, ...rest] = uses;
  if (!first) return;
  // `office or retail` are alternatives; `retail and apartments`, `office to residential` are two things that the text has to say.
  const alternatives = rest.every(({ at, entry }, i) => {
    const before = uses[i] as FoundEntry;
    const between = question.slice(before.at + before.length, at);
    return entry.filter === first.entry.filter && /^(?:,|or|, or|\/)$/.test(between.trim());
  });
  if (!rest.length || alternatives) for (const { at, entry, length } of uses) read(question, at, entry, entry.orInText, length);
}
