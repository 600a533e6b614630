/** The function that the threads of `QuoteReader` run; short documents are read by it in the calling thread. */
import type { CaseNames } from '../../core/domain/cases/caseNames.ts';
import { selectQuotesOfCase } from '../../core/domain/cases/casePassages.ts';

export interface QuotedText {
  text: string;
  quotes: readonly string[];
  names: CaseNames;
}

export default ({ quotes, text, names }: QuotedText): string[] => selectQuotesOfCase(quotes, text, names);

export const ready = () => {};
