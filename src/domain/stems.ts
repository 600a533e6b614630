import { stem } from './question/stem.ts';
import { words } from './words.ts';

/** Words of a text without their endings, as AI search looks for them; the same when a record is written and when it is looked for. */
export const stems = (text: string): string => words(text).split(' ').map(stem).join(' ');
