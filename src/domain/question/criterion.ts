/** From words of a question to what a text has to say. */
import { phraseLength, synonymsOf } from './thesaurus.ts';
import { type Token, tokensOf } from './tokens.ts';
import type { Amount, Concept, Criterion, Match, VoteAsked } from './types.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words without content of their own: they ask, join or name what every record is. */
const FILLERS = wordSet(`
  a an the of in on at to for from by with and or as is are was were be been being has have had having do does did it its they them their there this that these those
  which who whose whom where when what how why me us we i my our you your all any some every each other please show find list give get search look looking need want
  see tell return fetch display anything something things stuff that's what's i'm ones one's can could would should will may might must shall about regarding concerning related relating
  involving involve involves including include includes included containing contain contains mention mentions mentioned mentioning discuss discussed discusses discussing
  into onto within upon during between among through over under near nearby around next close adjacent along also both either just only very more most much many such
  so than then too own same new recent recently latest project projects development developments proposal proposals proposed proposes proposing propose plan plans planned
  application applications applied applying apply case cases item items matter matters record records request requests requested requesting requests site sites property properties
  building buildings area areas location locations located facility facilities place places town city state county neighborhood use uses used using concern concerns concerned concerning issue issues problem
  problems because due owing result reason reasons cause caused citing cited involving feature features featuring featured called named
  old turn turned turning build builds built construct constructed constructs etc got get gets got made make makes making allow allows allowing allowed permit permits permitted permitting seeking seek seeks sought filed file filing submit submitted large big small huge major
  ask asks asked asking talk talks talked say says said saying speaks deal deals dealing dealt required require requires requiring requirement requirements needed must member members supervisor supervisors commissioner commissioners councilmember councilmembers official officials people person someone anyone after before been went go going come came`);

/** Whether a word by itself says what to look for. @param word in lower case */
export const isContent = (word: string): boolean => !FILLERS.has(word);

/** Words that a text needs not repeat where a criterion has others. */
const OPTIONAL = wordSet(
  'former patients shop shops store stores center centre complex community company reduced smaller larger keeping expanded raised voiced expressed strong strongly significant potential possible total least additional extra around',
);

const VOTE_COUNT = /\b(\d{1,2})\s?(?:-|–|to)\s?(\d{1,2})\b/;

/** The vote that a phrase asks for. */
export function voteAsked(text: string): VoteAsked | null {
  if (/\b(?:nay|dissenting|opposing|no) votes?\b|\bvot(?:ed|ing) (?:no|nay|against)\b|\bdissent/i.test(text)) return { kind: 'split' };
  if (/\bunanimous/i.test(text)) return { kind: 'unanimous' };
  if (/\b(?:split|divided|non-?unanimous) (?:vote|decision)/i.test(text) || /\bvote was (?:split|divided)/i.test(text))
    return { kind: 'split' };
  const [, yes, no] = VOTE_COUNT.exec(text) ?? [];
  const asked = /\bvot|\bcarried\b|\bpassed\b|\bby (?:a )?\d|^\s*\d{1,2}\s?(?:-|–|to)\s?\d{1,2}\s*$/i.test(text);
  if (yes === undefined || !asked) return null;
  return { kind: 'count', yes: Number(yes), no: Number(no) };
}

const concept = (text: string): Concept => ({ text, phrases: synonymsOf(text) });

/** `drainage or traffic` is one concept with the phrases of both. */
const either = (a: Concept, b: Concept): Concept => ({
  text: `${a.text} or ${b.text}`,
  phrases: [...new Set([...a.phrases, ...b.phrases])],
});

const isName = (text: string, token: Token) => /^\p{Lu}/u.test(text.slice(token.start, token.end));

/** How many tokens from `at` on are one code without a space: `R-3`, `MUDD-O`, `40B`, `17SN0588`; 0 where none is. */
function codeLength(text: string, tokens: readonly Token[], at: number, usable: (index: number) => boolean): number {
  let to = at + 1;
  while (to < tokens.length && usable(to) && /^[-(/.=:]?$/.test(text.slice(tokens[to - 1]?.end, tokens[to]?.start))) to++;
  const code = text.slice(tokens[at]?.start, tokens[to - 1]?.end);
  return to > at + 1 && /\d/.test(code) && /[A-Z\d][^A-Za-z\s]?[A-Z\d]/.test(code) ? to - at : 0;
}

interface Found {
  concept: Concept;
  /** index of its first token, and the one behind its last */
  from: number;
  to: number;
  optional: boolean;
}

/** How many tokens from `at` on are one proper name: capitals in the middle of a question. */
function nameLength(text: string, tokens: readonly Token[], at: number, usable: (index: number) => boolean): number {
  let to = at;
  while (
    to < tokens.length &&
    usable(to) &&
    isName(text, tokens[to] as Token) &&
    (to === at || /^[ .'&-]{1,3}$/.test(text.slice(tokens[to - 1]?.end, tokens[to]?.start)))
  )
    to++;
  return to - at;
}

/** Concepts of the tokens that are usable, by the longest phrases of the thesaurus first. */
function conceptsIn(text: string, tokens: readonly Token[], usable: (index: number) => boolean): Found[] {
  const stems = tokens.map(({ stem }, i) => (usable(i) ? stem : '\0'));
  const found: Found[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!usable(i)) continue;
    const token = tokens[i] as Token;
    const known = Math.max(phraseLength(stems, i), codeLength(text, tokens, i, usable));
    const names = i > 0 ? nameLength(text, tokens, i, usable) : 0;
    const filler = FILLERS.has(token.word) && known < 2;
    if (filler && names < 2) continue;
    const length = Math.max(known, names > 1 ? names : 0, 1);
    const words = text.slice(token.start, tokens[i + length - 1]?.end);
    found.push({ concept: concept(words), from: i, to: i + length, optional: length === 1 && OPTIONAL.has(token.word) });
    i += length - 1;
  }
  return found;
}

/** Joins neighbours with `or` between them; drops what is optional where something else stays. */
function joined(found: readonly Found[], tokens: readonly Token[]): Concept[] {
  const kept = found.some(({ optional }) => !optional) ? found.filter(({ optional }) => !optional) : found;
  const concepts: Concept[] = [];
  for (const [i, one] of kept.entries()) {
    const before = kept[i - 1];
    const last = concepts.at(-1);
    if (last && before && one.from === before.to + 1 && tokens[before.to]?.word === 'or')
      concepts[concepts.length - 1] = either(last, one.concept);
    else concepts.push(one.concept);
  }
  return concepts;
}

export interface Parts {
  amounts?: Amount[];
  negated?: boolean;
  /** tokens of the text that say something else already, by index */
  taken?: (index: number) => boolean;
}

/** A criterion of a phrase; undefined where nothing in it can be looked for. */
export function criterionFrom(text: string, { amounts = [], negated = false, taken = () => false }: Parts = {}): Criterion | undefined {
  const tokens = tokensOf(text);
  const vote = voteAsked(text);
  const isVote = (i: number) =>
    vote !== null && /^(?:vot|unanimou|split|divid|\d+$|carry|pass|margin|nay|dissent|oppos|against|no$)/.test(tokens[i]?.stem ?? '');
  const concepts = joined(
    conceptsIn(text, tokens, (i) => !taken(i) && !isVote(i)),
    tokens,
  );
  if (!concepts.length && !amounts.length && !vote) return undefined;
  return { text, match: { concepts, amounts, negated, vote } };
}

/** A criterion that any of these phrases meets. @param text as the question has it */
export const criterionOfPhrases = (text: string, phrases: readonly string[]): Criterion => ({
  text,
  match: { ...EMPTY, concepts: [{ text, phrases: [...new Set([text.toLowerCase(), ...phrases.flatMap(synonymsOf)])] }] },
});

const EMPTY: Match = { concepts: [], amounts: [], negated: false, vote: null };
