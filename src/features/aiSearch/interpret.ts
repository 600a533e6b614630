/** `GET /interpret`: what a sentence means as filters. It reads words alone: no record, no credit. */
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { selectionOf } from '../../core/search/select.ts';
import { environmentOf } from '../../core/search/services.ts';
import { hasContent, understandQuestion } from './question/index.ts';
import { parseReadFilters } from './questionPlan.ts';

/** A person who types sends a request at every pause. */
export const INTERPRETATIONS_PER_MINUTE = 120;

export interface InterpretServices {
  places: Places;
  now: () => Date;
}

/** Free. What filters do not know stays in `rest`, in the words of the sentence. */
export function interpretSentence(services: InterpretServices, principal: Pick<Principal, 'licence'>, q: string) {
  const { today } = environmentOf(services);
  const { filters, readings, criteria } = understandQuestion(q, { today, places: services.places });
  const read = readings.flatMap(({ text }) => text.split(', ').map((words) => `${words} `));
  // `Denied because of traffic`: a decision is read as a filter, its reason is not.
  const unread = criteria.map(({ text }) => text.slice(read.find((words) => text.startsWith(words))?.length ?? 0)).filter(hasContent);
  const { appliedFilters } = selectionOf(parseReadFilters({ filters }, services.places), principal, today);
  return {
    data: {
      filters,
      readings: readings.flatMap((one) =>
        one.filters.map((filter) => ({ words: one.text, filter, value: filters[filter] as string | string[] })),
      ),
      rest: unread.join(', ') || null,
      appliedFilters,
    },
    meta: { creditsUsed: 0 },
  };
}
