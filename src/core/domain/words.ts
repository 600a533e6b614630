/** Everything between words but one space: a mark (an accent, the selector that follows an emoji) belongs to the letter before it, if there is one. */
const BETWEEN_WORDS = /^\p{M}+| [^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M} ][^\p{L}\p{N}]*/gu;

const ASCII = /^[\0-\x7f]*$/;
/** Accents, and the hyphen that shows only where a line ends. */
const ACCENTS = /[\u0300-\u036f\u00ad]/g;
/** Letters that Unicode does not take apart, as they are written without them. */
// biome-ignore format: a row for the letters of languages, and one for those that print joins
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i',
  ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl',
};
const UNDIVIDED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/** Every character that is written for an apostrophe, or for the ʻokina of Hawaiian names. */
export const APOSTROPHE = "['’‘‛`´ʹʻʼʽʾʿˈ′＇]";
/** Between letters it joins them (`O’Brien`), but for an `s` that ends the word (`owner’s`): see `listSpellings`. */
const JOINING_APOSTROPHE = new RegExp(`${APOSTROPHE}(?<=\\p{L}.)(?!s(?![\\p{L}\\p{N}\\p{M}]))(?=\\p{L})`, 'gu');
const THOUSANDS_COMMA = /,(?<=\d,)(?=\d{3}(?!\d))/g;

/** Lower case, without accents: `Café` is `cafe`. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  return bare.replace(UNDIVIDED, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Words of a text in any case: punctuation separates. One space between words. Accents count. */
export function separateWords(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(BETWEEN_WORDS, ' ').trim();
}

/**
 * Words of a text as filters match them: any case, no accents, punctuation separates, but for an apostrophe between letters and the comma of
 * thousands, which count for nothing: `O’Brien` is `obrien`, `Kāneʻohe` is `kaneohe`, `1,200` is `1200`. One space between words.
 */
export function normalizeWords(text: string): string {
  return separateWords(foldLetters(text).replace(JOINING_APOSTROPHE, '').replace(THOUSANDS_COMMA, ''));
}

const SPELLINGS_MAX = 8;
/** Where a phrase may have lost or gained an apostrophe: `kohls` and `kohl s` stand for `Kohl’s`, `d alene` for `d’Alene`. */
const MAYBE_APOSTROPHE = /(?<=[\p{L}\p{M}]{2})(?<blank> ?)s(?![\p{L}\p{N}\p{M}])|(?<![\p{L}\p{N}\p{M}])(?<particle>[dlo]) (?=\p{L}{2})/gu;

/**
 * A phrase, and the other ways in which an apostrophe in it may be stored: the phrase itself comes first, at most eight in all.
 * @param phrase made by `normalizeWords`
 */
export function listSpellings(phrase: string): string[] {
  let spellings = [phrase];
  for (const { 0: found, index, groups = {} } of [...phrase.matchAll(MAYBE_APOSTROPHE)].reverse()) {
    if (spellings.length * 2 > SPELLINGS_MAX) break;
    const other = groups.particle ?? (groups.blank ? 's' : ' s');
    const respelled = spellings.map((text) => text.slice(0, index) + other + text.slice(index + found.length));
    spellings = [...spellings, ...respelled];
  }
  return spellings;
}
