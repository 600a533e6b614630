/** Words of a text as filters match them: any case, punctuation separates (decisions §10). One space between words. */
export function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}
