/** Where the words of a quote stand in the text of a document. Pure. */

export interface MarkedPassage {
  before: string;
  words: string;
  after: string;
  /** whether text was left out before and after it */
  cut: readonly [boolean, boolean];
}

/**
 * The first place of the quote, letter for letter. Null where the text does not have it, since the document was loaded again without it.
 * @param around characters kept on each side, up to a whole word; all of them unless given
 */
export function findPassage(text: string, quote: string, around = Number.POSITIVE_INFINITY): MarkedPassage | null {
  const start = text.indexOf(quote);
  if (start < 0) return null;
  const before = text.slice(0, start);
  const after = text.slice(start + quote.length);
  const isCutBefore = before.length > around;
  const isCutAfter = after.length > around;
  return {
    before: isCutBefore ? before.slice(-around).replace(/^\S*\s/, '') : before,
    words: quote,
    after: isCutAfter ? after.slice(0, around).replace(/\s\S*$/, '') : after,
    cut: [isCutBefore, isCutAfter],
  };
}
