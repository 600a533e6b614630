import { stem } from './stem.ts';
import { words } from './words.ts';

/** Words of a text without their endings, as AI search looks for them; the same when a record is written and when it is looked for. */
export const stems = (text: string): string => stemsOfWords(words(text));

/** The same of a text whose words are known already. @param known as `words` gives them */
export const stemsOfWords = (known: string): string => known.split(' ').map(stem).join(' ');
