import { stem } from './stem.ts';
import { normalizeWords } from './words.ts';

/** Words of a text without their endings, as AI search looks for them; the same when a record is written and when it is looked for. */
export const stemText = (text: string): string => stemWords(normalizeWords(text));

/** The same for a text that is normalised already. @param known made by `normalizeWords` */
export const stemWords = (known: string): string => known.split(' ').map(stem).join(' ');
