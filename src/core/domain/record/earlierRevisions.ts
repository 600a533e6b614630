/** What a record remembers of its replaced revisions. Pure. */
import type { EarlierRevision } from './storedProject.ts';

type Step = Pick<EarlierRevision, 'revision' | 'changed'>;

/**
 * The changes since a record last had a revision, oldest first; null when that is not remembered.
 * @param earlier replaced revisions, oldest first
 */
export function findStepsSince<T extends Step>(revision: string, current: string, earlier: readonly T[]): readonly T[] | null {
  if (revision === current) return [];
  const from = earlier.findLastIndex((one) => one.revision === revision);
  return from < 0 ? null : earlier.slice(from);
}

/** Names of the fields that changed in some steps, ascending. */
export const listChangedFields = (steps: readonly Step[]): string[] => [...new Set(steps.flatMap(({ changed }) => changed))].sort();
