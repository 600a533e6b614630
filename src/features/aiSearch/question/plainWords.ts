/** Words of a question by their weight: without content, plain, or content. */
import { listPhrases, listWords } from './lists.ts';
import { stemsOf } from './tokens.ts';

/** Words that ask, join, or name what every record is. */
const FILLERS = listWords('fillers');
/** Words that a text need not contain if the criterion has others. */
const OPTIONAL = listWords('optional');
/** Words that describe, move or join, and name nothing of land use: a text need not contain them. */
const PLAIN = listWords('plain');
const PLAIN_PHRASES = new Set(listPhrases('plainPhrases').map((text) => stemsOf(text).join(' ')));
/** What follows a verb: `remodeling a practice`, `drawing more than 200 megawatts`, not `bowling alley`. */
const BEHIND_VERBS = listWords('behindVerbs');

/** Whether a word by itself is worth searching for. @param word in lower case */
export const isContent = (word: string): boolean => !FILLERS.has(word);

export const isPlainPhrase = (stems: readonly string[]): boolean => PLAIN_PHRASES.has(stems.join(' '));

/** `needed` words have to occur, `optional` ones only if there are no needed ones, `plain` ones never. */
export type Weight = 'needed' | 'optional' | 'plain';

/** The weight of a word. @param next the word after it; empty at the end */
export function weightOf(word: string, next = ''): Weight {
  if (PLAIN.has(word)) return 'plain';
  if (OPTIONAL.has(word)) return 'optional';
  return word.length > 5 && word.endsWith('ing') && BEHIND_VERBS.has(next) ? 'plain' : 'needed';
}
