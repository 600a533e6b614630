import { stem } from './stem.ts';
import { normalizeWords } from './words.ts';

/** Words of a text without their endings, as AI search looks for them; the same when a record is written and when it is looked for. */
export const stemText = (text: string): string => stemWords(normalizeWords(text));

/** The same of a text whose words are known already. @param known as `normalizeWords` gives them */
export const stemWords = (known: string): string => known.split(' ').map(stem).join(' ');
