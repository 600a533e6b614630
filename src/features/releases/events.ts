/** Events of releases: every team gets them. */
import type { EventDeclaration } from '../feature.ts';

export const RELEASE_EVENTS: readonly EventDeclaration[] = [
  {
    type: 'release.published',
    summary:
      'sync shows other records than before: a generation, an increment of one, or one that was served before; `id` is the generation',
    example: '12',
    data: ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/releases` }),
  },
];
