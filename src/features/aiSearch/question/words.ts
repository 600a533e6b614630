/** Words and phrases by which questions and texts are read (`src/catalogue/questionLists.json`, `questionRelations.json`), and which words have content. */
import plainLists from '../../../catalogue/questionLists.json' with { type: 'json' };
import relations from '../../../catalogue/questionRelations.json' with { type: 'json' };
import { stemsOf, type Token, tokensOf } from './tokens.ts';

const lists = { ...relations.words, ...plainLists };
export type ListName = keyof typeof lists;
export type ActName = keyof typeof relations.acts;
export type LinkName = 'cause' | 'despite' | 'unless' | 'after' | 'before';

/** Phrases are separated by a comma and a space, words by a space. */
const splitList = (list: string): readonly string[] => list.split(list.includes(', ') ? ', ' : ' ');

export const listPhrases = (name: ListName): readonly string[] => splitList(lists[name]);
export const listWords = (name: ListName): ReadonlySet<string> => new Set(listPhrases(name));
/** The stems of a list's words. */
export const listStems = (name: ListName): ReadonlySet<string> => new Set(stemsOf(lists[name]));

/** Phrases in lower case, one space between words; of those at one place the longest counts. */
export class Phrases {
  readonly #byFirstWord: ReadonlyMap<string, readonly (readonly string[])[]>;

  constructor(list: readonly string[]) {
    const phrases = list.map((phrase) => phrase.split(' ')).sort((a, b) => b.length - a.length);
    this.#byFirstWord = Map.groupBy(phrases, ([first]) => first as string);
  }

  /** Number of words of the phrase that begins at a token; 0 for none. @param end behind which it may not reach */
  lengthAt(tokens: readonly Token[], at: number, end = tokens.length): number {
    const stands = (phrase: readonly string[]) => at + phrase.length <= end && phrase.every((word, i) => tokens[at + i]?.word === word);
    return this.#byFirstWord.get(tokens[at]?.word ?? '')?.find(stands)?.length ?? 0;
  }

  /** Number of words of the phrase that ends before a token; 0 for none. */
  lengthBefore(tokens: readonly Token[], at: number): number {
    return [5, 4, 3, 2, 1].find((length) => at >= length && this.lengthAt(tokens, at - length, at) === length) ?? 0;
  }
}

const tables = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, new Phrases(splitList(list))])) as Readonly<
  Record<ListName, Phrases>
>;

/** Words of a text: the first token, and the one behind the last. */
export interface WordSpan {
  from: number;
  to: number;
}

/** A text, and its words. Tokens before the first and behind the last have no text. */
export class TextWords {
  readonly text: string;
  readonly tokens: readonly Token[];

  constructor(text: string, tokens: readonly Token[] = tokensOf(text)) {
    this.text = text;
    this.tokens = tokens;
  }

  word(at: number): string {
    return this.tokens[at]?.word ?? '';
  }

  /** Number of words of the longest phrase of a list that begins at a token; 0 for none. @param end behind which it may not reach */
  phraseAt(at: number, list: ListName, end?: number): number {
    return tables[list].lengthAt(this.tokens, at, end);
  }

  /** Number of words of the longest phrase of a list that ends before a token; 0 for none. */
  phraseBefore(at: number, list: ListName): number {
    return tables[list].lengthBefore(this.tokens, at);
  }

  is(at: number, list: ListName): boolean {
    return this.phraseAt(at, list) > 0;
  }

  /** the text's own words from one token up to another */
  slice(from: number, to: number): string {
    return this.text.slice(this.tokens[from]?.start, this.tokens[to - 1]?.end);
  }

  /** the text between a token and the next one */
  textAfter(at: number): string {
    return this.text.slice(this.tokens[at]?.end, this.tokens[at + 1]?.start);
  }

  isCapital(at: number): boolean {
    return /^\p{Lu}/u.test(this.tokens[at] ? this.slice(at, at + 1) : '');
  }
}

const NEGATING = listWords('negating');
const FILLERS = listWords('fillers');
const PLAIN = listWords('plain');
const PLAIN_PHRASES = new Set(splitList(lists.plainPhrases).map((text) => stemsOf(text).join(' ')));

/** `they've`, `who'd` */
const CONTRACTED = /^(\w+)['’](?:re|ve|ll|d|m|s)$/;

export const isNegating = (word: string): boolean => NEGATING.has(word);

/** Whether a word by itself is worth searching for. @param word in lower case */
export const isContent = (word: string): boolean => !FILLERS.has(word) && !FILLERS.has(CONTRACTED.exec(word)?.[1] ?? '');

/** The words of a text that have content, in lower case. */
export const contentWords = (text: string): string[] => tokensOf(text).flatMap(({ word }) => (isContent(word) ? [word] : []));

/** Whether a text need not contain a word: it names nothing of land use. */
export const isPlain = (word: string): boolean => PLAIN.has(word);

export const isPlainPhrase = (stems: readonly string[]): boolean => PLAIN_PHRASES.has(stems.join(' '));

/** Whether a text has to contain a word. */
export const isNeeded = (word: string): boolean => isContent(word) && !isPlain(word);
