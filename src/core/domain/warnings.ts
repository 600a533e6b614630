/**
 * Every warning of a successful answer: what it means, and whether the result holds other records than the request says literally. Data in `src/catalogue`.
 */
import warnings from '../../catalogue/warnings.json' with { type: 'json' };

interface WarningDescription {
  meaning: string;
  /** true if the records of the answer are others than without what the warning says */
  changesResult: boolean;
}

export const WARNINGS = warnings satisfies Record<string, WarningDescription>;

export type WarningCode = keyof typeof WARNINGS;

/** What a client should know of a successful answer; never fails a request and never changes its price. */
export interface Warning {
  code: WarningCode;
  message: string;
  params: Record<string, unknown>;
}

/** How much of a result only evidence of earlier generations or of absorbed records confirms (src/docs/evidence.md). */
export interface Unconfirmed {
  /** those that at least one record does not confirm by a value that it serves */
  filters: string[];
  /** that do not confirm at least one of them; null if the number may not be shown */
  records: number | null;
}
