import { ApiError } from '../../core/domain/errors.ts';
import { allOf, terms } from '../../core/query/clauses.ts';
import type { ProjectHit, ProjectStore } from '../../core/store/elastic/projects.ts';

export interface TieServices {
  store: Pick<ProjectStore, 'counts'>;
  /** most records that may have the same lastUpdated */
  tieLimit: number;
}

/**
 * Refuses when more records than the limit have one timestamp; checked only when a whole page does.
 * @param query of the walk
 * @param limit records a page; there is one hit more if more follow
 */
export async function throwIfTied(
  { store, tieLimit }: TieServices,
  query: Record<string, unknown>,
  limit: number,
  hits: readonly ProjectHit[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const first = hits[0]?.project.lastUpdated;
  const last = hits.at(-1)?.project.lastUpdated;
  if (hits.length <= limit || first === undefined || first !== last) return;
  const [tied = 0] = await store.counts([allOf([query, terms('lastUpdated', [first])])], signal);
  if (tied <= tieLimit) return;
  throw new ApiError('sync_tie_unresolved', `${tied} records share the timestamp ${first}; the walk cannot pass it`, {
    details: {
      suggestion: 'Split the walk by geography: one walk a state, or a county.',
      timestamp: first,
      records: tied,
      limit: tieLimit,
    },
  });
}
