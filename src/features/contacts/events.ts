/** Events of enrichments. */
import type { EventDeclaration } from '../feature.ts';

export const CONTACT_EVENTS: readonly EventDeclaration[] = [
  {
    type: 'enrichment.settled',
    summary: 'an enrichment has completed or failed',
    example: 'enr_5hJ2sLm8Qa3Uf6Zw1CxKtB',
    place: 6,
    data: ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/enrichments/${id}` }),
  },
];
