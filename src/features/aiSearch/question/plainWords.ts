/** Words of a question by their weight: without content, plain, or content. */
import { listPhrases, listWords } from './lists.ts';
import { stemsOf } from './tokens.ts';

/** Words that ask, join, or name what every record is. */
const FILLERS = listWords('fillers');
/** Words that describe, move or join, and name nothing of land use: a text need not contain them. */
const PLAIN = listWords('plain');
const PLAIN_PHRASES = new Set(listPhrases('plainPhrases').map((text) => stemsOf(text).join(' ')));
/** What follows a verb: `remodeling a practice`, `drawing more than 200 megawatts`, not `bowling alley`. */
const BEHIND_VERBS = listWords('behindVerbs');

/** Whether a word by itself is worth searching for. @param word in lower case */
export const isContent = (word: string): boolean => !FILLERS.has(word);

/** Whether a text need not contain a word. @param next the word after it */
export const isPlain = (word: string, next = ''): boolean =>
  PLAIN.has(word) || (word.length > 5 && word.endsWith('ing') && BEHIND_VERBS.has(next));

export const isPlainPhrase = (stems: readonly string[]): boolean => PLAIN_PHRASES.has(stems.join(' '));

/** Whether a text has to contain a word. */
export const isNeeded = (word: string): boolean => isContent(word) && !isPlain(word);
