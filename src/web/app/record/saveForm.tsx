/** Saves a record to a list. Free. */
import { SelectionList } from '../shared/addToList.tsx';
import type { RecordFormProps } from './recordForm.ts';

export const SaveForm = ({ record: { id }, onDone, onProblem }: RecordFormProps) => (
  <SelectionList ids={[id]} onDone={onDone} onProblem={onProblem} />
);
