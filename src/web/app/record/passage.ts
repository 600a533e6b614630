/** Finds the words of a quote in the text of a document. Pure. */
import type { CaseNames } from '../../../core/domain/cases/caseNames.ts';
import { findCasePassages } from '../../../core/domain/cases/casePassages.ts';

export interface MarkedPassage {
  before: string;
  words: string;
  after: string;
  /** whether text was left out before and after it */
  cut: readonly [boolean, boolean];
}

/** The position of a quote; in the record's own hearing if the minutes repeat the words for several cases, -1 if they do not contain them. */
function placeOfQuote(text: string, quote: string, names: CaseNames): number {
  const own = findCasePassages(text, names).find((passage) => passage.text.includes(quote));
  return own ? own.start + own.text.indexOf(quote) : text.indexOf(quote);
}

/**
 * The quote with the text around it; null if the document was reloaded and no longer contains it.
 * @param names of the record's case in the document
 * @param around characters kept on each side, up to a whole word; all of them unless given
 */
export function findPassage(text: string, quote: string, names: CaseNames, around = Number.POSITIVE_INFINITY): MarkedPassage | null {
  const start = placeOfQuote(text, quote, names);
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
