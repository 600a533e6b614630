/** Everything between words: a mark (an accent, the selector that follows an emoji) belongs to the letter before it, if there is one. */
const BETWEEN_WORDS = /^\p{M}+|[^\p{L}\p{N}\p{M}][^\p{L}\p{N}]*/gu;

/** Words of a text as filters match them: any case, punctuation separates. One space between words. */
export function normalizeWords(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(BETWEEN_WORDS, ' ').trim();
}
