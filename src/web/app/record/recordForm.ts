/** What every form of a record's actions is given. */
import type { FailedRequest } from '../shared/api.ts';
import type { ReadRecord } from '../shared/facts.ts';

export interface RecordFormProps {
  record: ReadRecord;
  /** Closes the form. */
  onDone: () => void;
  onProblem: (problem: FailedRequest | null) => void;
}
