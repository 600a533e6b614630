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
