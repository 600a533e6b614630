/** What each form of the selection is given. */
export interface SelectionFormProps {
  ids: readonly number[];
  /** Closes the form. */
  onDone: () => void;
  /** Reads the rows again, after their records have changed. */
  onReload: () => void;
}

/** Most ids of a count, an export or a look-up. */
export const SELECTION_MAX = 100;
