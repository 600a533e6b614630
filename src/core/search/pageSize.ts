/** Page size of a search and of a walk. Pure. */

import type { Warning } from '../domain/warnings.ts';
import { type ControlValues, LIMIT_DEFAULT, LIMIT_MAX } from '../filter/controls.ts';

/** Largest number of records a page. */
export const readLimit = ({ limit = LIMIT_DEFAULT }: ControlValues): number => Math.min(limit, LIMIT_MAX);

export function makeLimitWarnings({ limit = LIMIT_DEFAULT }: ControlValues): Warning[] {
  if (limit <= LIMIT_MAX) return [];
  return [
    {
      code: 'limit_clamped_to_page_size',
      message: `limit ${limit} is above the largest page; ${LIMIT_MAX} applies`,
      params: { requested: limit, applied: LIMIT_MAX },
    },
  ];
}
