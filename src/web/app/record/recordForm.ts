import type { ReadRecord } from '../shared/facts.ts';

/** What every form of a record's actions is given. */
export interface RecordFormProps {
  record: ReadRecord;
  /** Closes the form. */
  onDone: () => void;
}
