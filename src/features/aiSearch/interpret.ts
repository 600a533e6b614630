/** `GET /interpret`: what a sentence means as filters. It reads words alone: no record, no credit. */

import type { Principal } from '../../core/domain/principal.ts';
import { selectionOf } from '../../core/search/select.ts';
import { environmentOf, type ProjectServices } from '../../core/search/services.ts';
import { ambiguityWarnings } from './ambiguity.ts';
import { readQuestion } from './question/index.ts';
import type { QuestionWords } from './question/questionWords.ts';
import { parseReadFilters } from './questionPlan.ts';

/** A person who types sends a request at every pause. */
export const INTERPRETATIONS_PER_MINUTE = 120;

export type InterpretServices = Pick<ProjectServices, 'places' | 'now'>;

/** Free. What filters do not know stays in `rest`, in the words of the sentence. */
export function interpretSentence(services: InterpretServices, principal: Pick<Principal, 'licence'>, q: string) {
  const { today } = environmentOf(services);
  const { question } = readQuestion(q, { today, places: services.places });
  const { filters, readings } = question;
  const { appliedFilters } = selectionOf(parseReadFilters({ filters }, services.places), principal, today);
  return {
    data: {
      filters,
      readings: readings.flatMap((one) =>
        one.filters.map((filter) => ({ words: one.text, filter, value: filters[filter] as string | string[] })),
      ),
      rest: unreadWords(question).join(', ') || null,
      appliedFilters,
    },
    meta: { creditsUsed: 0, warnings: ambiguityWarnings(question, services.places) },
  };
}

/** The stretches of words that no filter says, in their order, without words of asking at their ends. */
function unreadWords(question: QuestionWords): string[] {
  const stretches: { from: number; to: number }[] = [];
  let isOpen = false;
  for (let i = 0; i < question.tokens.length; i++) {
    const isRead = question.read.has(i);
    const asking = isRead ? 0 : question.phraseAt(i, 'asking');
    const last = stretches.at(-1);
    if (asking) i += asking - 1;
    else if (isOpen && last && !isRead) last.to = i + 1;
    else if (!isRead) stretches.push({ from: i, to: i + 1 });
    isOpen = !isRead && (isOpen || !asking);
  }
  return stretches.map(({ from, to }) => question.slice(from, to));
}
