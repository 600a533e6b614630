/** A question, its interpretation and its state in words. Pure. */
import type { AiSearchData, MatchEvidence, PartialReason } from '../../../clients/client/generated.ts';
import { countInWords, filtersInAddress, nameInWords, number } from '../shared/words.ts';

/** Some words of a question, and their interpretation. */
export interface QuestionPart {
  /** as in the question, including a preceding negation */
  words: string;
  /** filters as in the address; none if the text of a record has to contain it */
  filters: Readonly<Record<string, string>>;
}

const DENIAL = /\b(?:no|not|without|never|except|excluding|lacking)\s+(?:an?\s+|the\s+|any\s+)?$/i;

function withDenial(words: string, question: string): string {
  const at = question.indexOf(words);
  return at < 0 ? words : `${DENIAL.exec(question.slice(0, at))?.[0] ?? ''}${words}`;
}

/** The parts of a question, in its order. */
export function partsOf({ interpretation, query }: AiSearchData): QuestionPart[] {
  const filters = filtersInAddress(interpretation.filters);
  const pick = (names: readonly string[]) => Object.fromEntries(Object.entries(filters).filter(([name]) => names.includes(name)));
  const parts = [
    ...interpretation.readings.map((reading) => ({ words: reading.words, filters: pick(reading.filters) })),
    ...interpretation.criteria.map((words) => ({ words, filters: {} })),
  ];
  return parts
    .sort((one, other) => query.indexOf(one.words) - query.indexOf(other.words))
    .map((part) => ({ ...part, words: withDenial(part.words, query) }));
}

/** The question with other words in place of a part's; unchanged if it does not contain the words. */
export const withWords = (question: string, { words }: QuestionPart, others: string): string =>
  question
    .replace(words, () => others)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** All filters that were read from a question, as the address has them. */
export const filtersRead = ({ interpretation }: AiSearchData) => filtersInAddress(interpretation.filters);

/** Why the answers are not all, by `partialReason`. */
export const PARTIAL_WORDS: Readonly<Record<PartialReason, string>> = {
  cancelled_by_user: 'You ended the search; these are the answers that it had confirmed.',
  daily_ai_budget_exhausted: 'Your team’s searches have looked at as many records as a day allows; these are the answers until then.',
  review_ceiling_reached: 'The search has judged as many records as one search may. A narrower question finds more.',
  deadline_reached: 'The time of a search, 10 minutes, was over; these are the answers until then.',
};

export function describeQuoteSource({ source, documentId, field }: MatchEvidence): string {
  if (source === 'document') return `minutes, document ${documentId}`;
  if (source === 'field') return `field: ${nameInWords((field ?? '').replace(/Label$/, ''))}`;
  return source === 'summary' ? 'summary' : 'words of the minutes';
}

/** What a question costs, before it is asked. @param rate credits for a record; 0 on plans that pay otherwise */
export function priceInWords(rate: number, limit: number, balance: number): string {
  if (rate === 0) return 'Free on your plan.';
  const most = rate * limit;
  const price = `Costs at most ${countInWords(most, 'credit')}: ${rate} for each answer that your team does not hold as it is now.`;
  if (balance < rate) return `${price} Your team has no credits left.`;
  if (balance < most)
    return `${price} Your balance is ${number(balance)}: ask for ${countInWords(Math.floor(balance / rate), 'answer')} at most.`;
  return `${price} ${number(most)} of your ${number(balance)} are set aside while it runs; what is not needed comes back.`;
}
