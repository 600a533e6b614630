/** Words and phrases by which questions and texts are read (`src/catalogue/questionLists.json`), and which words have content. */
import lists from '../../../catalogue/questionLists.json' with { type: 'json' };
import { stemsOf, type Token } from './tokens.ts';

type ListName = keyof typeof lists;

/** The words of a list, in lower case. */
export const listWords = (name: ListName): ReadonlySet<string> => new Set(lists[name].split(' '));
/** The stems of a list's words. */
export const listStems = (name: ListName): ReadonlySet<string> => new Set(stemsOf(lists[name]));

/** Phrases in lower case, one space between words; of those at one place the longest counts. */
export class Phrases {
  readonly #byFirstWord: ReadonlyMap<string, readonly (readonly string[])[]>;

  /** @param list separated by a comma and a space */
  constructor(list: string) {
    const phrases = list.split(', ').map((phrase) => phrase.split(' '));
    this.#byFirstWord = Map.groupBy(
      phrases.sort((a, b) => b.length - a.length),
      ([first]) => first as string,
    );
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

export const listPhrases = (name: ListName): Phrases => new Phrases(lists[name]);

const NEGATING = listWords('negating');
/** Words that ask, join, or name what every record is. */
const FILLERS = listWords('fillers');
/** Words that describe, move or join, and name nothing of land use: a text need not contain them. */
const PLAIN = listWords('plain');
const PLAIN_PHRASES = new Set(lists.plainPhrases.split(', ').map((text) => stemsOf(text).join(' ')));
/** What follows a verb: `remodeling a practice`, `drawing more than 200 megawatts`, not `bowling alley`. */
const BEHIND_VERBS = listWords('behindVerbs');

export const isNegating = (word: string): boolean => NEGATING.has(word);

/** Whether a word by itself is worth searching for. @param word in lower case */
export const isContent = (word: string): boolean => !FILLERS.has(word);

/** Whether a text need not contain a word. @param next the word after it */
export const isPlain = (word: string, next = ''): boolean =>
  PLAIN.has(word) || (word.length > 5 && word.endsWith('ing') && BEHIND_VERBS.has(next));

export const isPlainPhrase = (stems: readonly string[]): boolean => PLAIN_PHRASES.has(stems.join(' '));

/** Whether a text has to contain a word. */
export const isNeeded = (word: string): boolean => isContent(word) && !isPlain(word);
