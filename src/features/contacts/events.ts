/** What webhooks are sent of enrichments. */
import type { EventDeclaration } from '../feature.ts';

export const CONTACT_EVENTS: readonly EventDeclaration[] = [
  { type: 'enrichment.settled', place: 6, data: ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/enrichments/${id}` }) },
];
