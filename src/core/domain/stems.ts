import { mayChange, stem } from './stem.ts';
import { normalizeWords } from './words.ts';

/** Words of a text without their endings, as AI search looks for them; the same when a record is written and when it is looked for. */
export const stemText = (text: string): string => stemWords(normalizeWords(text));

/** The same for a text that is normalised already: what stands between words that change is copied whole. @param known made by `normalizeWords` */
export function stemWords(known: string): string {
  let [stems, copied] = ['', 0];
  for (let begin = 0, end = 0; end < known.length; begin = end + 1) {
    const space = known.indexOf(' ', begin);
    end = space < 0 ? known.length : space;
    if (!mayChange(known, begin, end)) continue;
    const word = known.slice(begin, end);
    const made = stem(word);
    if (made === word) continue;
    stems += known.slice(copied, begin) + made;
    copied = end;
  }
  return stems + known.slice(copied);
}
