/** What webhooks are sent of AI searches. */
import type { EventDeclaration } from '../feature.ts';

export const AI_SEARCH_EVENTS: readonly EventDeclaration[] = [
  {
    type: 'ai_search.settled',
    summary: 'an AI search has ended',
    example: 'ais_1kC0pWq7Tz2Rb9Xe4VnYdM',
    place: 5,
    data: ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/projects/ai-search/jobs/${id}` }),
  },
];
