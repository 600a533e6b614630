/** Zoning as it is compared. Pure. */

/** A zoning without case and blanks: `I-1 (CD)` and `i-1(cd)` are one. '' where nothing is left. */
export const normalizeZoning = (zoning: string): string => zoning.normalize('NFKC').replace(/\s+/gu, '').toUpperCase();

/**
 * A code: letters and digits, dots and dashes between them, and what stands in brackets behind it, such as `I-1 (CD)`: capitals, or at most four
 * letters, since longer words explain.
 */
const CODE =
  /^[\p{L}\p{N}]+(?:[.-][\p{L}\p{N}.]+)*(?:\s*\(\s*(?:[\p{Lu}\p{N}][\p{Lu}\p{N}.\s-]{0,11}|[\p{L}\p{N}][\p{L}\p{N}.-]{0,3}\s*)\))?/u;
/** Zoning in words, such as `Single family`: no code. */
const IN_WORDS = /^\p{L}\p{Ll}+$/u;
const LONGEST_SINGLE_CODE = 12;

/**
 * The first code of a zoning, as it is compared: `R-3` of `R-3, O-2`, `I-1(CD)` of `I-1 (CD) and R-20`.
 * @returns undefined if it begins with a word
 */
export function readFirstZoningCode(zoning: string): string | undefined {
  const text = zoning.normalize('NFKC').trim();
  const code = CODE.exec(text)?.[0];
  if (!code) return undefined;
  const isWord = IN_WORDS.test(code) && (code !== text || text.length > LONGEST_SINGLE_CODE);
  return isWord ? undefined : normalizeZoning(code);
}
