import type { FailedRequest } from '../shared/api.ts';

/** What each form of the selection is given. */
export interface SelectionFormProps {
  ids: readonly number[];
  /** Closes the form. */
  onDone: () => void;
  onProblem: (problem: FailedRequest | null) => void;
  /** Reads the balance again, after a purchase. */
  onSpent: () => void;
  /** Reads the rows again, after their records have changed. */
  onReload: () => void;
}
