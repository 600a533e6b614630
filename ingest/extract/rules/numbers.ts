/** Numbers in words. Pure. */
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const WORDS = ONES.split(' ');
const TENS = 'twenty thirty forty fifty'.split(' ');
export const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
/** `nine`, `twenty-two`; not `zero` */
export const NUMBER_WORD = `(?:${TENS.join('|')})(?:-(?:${WORDS.slice(1, 10).join('|')}))?|${WORDS.slice(1).join('|')}`;

/** The number of `1,200`, `nine` or `twenty-two`; -1 for another word. */
export function readNumber(words: string): number {
  if (/\d/.test(words)) return Number(words.replace(/,/g, ''));
  const [ten = '', one = 'zero'] = words.toLowerCase().split('-');
  return TENS.includes(ten) ? (TENS.indexOf(ten) + 2) * 10 + WORDS.indexOf(one) : WORDS.indexOf(ten);
}

/** The place that the mark of a list counts: 4 for `4`, `d` and `D`. */
export const placeOfMark = (mark: string): number => (/\d/.test(mark) ? Number(mark) : mark.toLowerCase().charCodeAt(0) - 96);

const MARK_KINDS = { decimal: /^\W*\d{1,2}\.\d/, digit: /^\W*#?\d/, roman: /^\W*[IVX]{2,}/, small: /^\W*[a-z]/, capital: /^\W*[A-Z]/ };
/** What counts in the mark of an item: `decimal` of `1.2`, `small` of `(a)`; empty for none. */
export const readMarkKind = (mark: string): string => Object.entries(MARK_KINDS).find(([, pattern]) => pattern.test(mark))?.[0] ?? '';
/** The place that the mark of an item counts: 4 for `4.`, `(d)` and `D)`. */
export const readMarkPlace = (mark: string): number => placeOfMark(/[A-Za-z]+|\d+/.exec(mark)?.[0] ?? '');
