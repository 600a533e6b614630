/** What can be done with the selected records: a list, an export, contacts, a file. */
import { useState } from 'preact/hooks';
import { SelectionList } from '../shared/addToList.tsx';
import type { FailedRequest } from '../shared/api.ts';
import { Notice } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { SelectionContacts } from './selectionContacts.tsx';
import { SelectionExport } from './selectionExport.tsx';
import type { SelectionFormProps } from './selectionForm.ts';

const FORMS = {
  list: { label: 'Add to a list', Form: SelectionList },
  export: { label: 'Export', Form: SelectionExport },
  contacts: { label: 'Find contacts', Form: SelectionContacts },
} as const;
type FormName = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as FormName[];

interface SelectionBarProps extends Pick<SelectionFormProps, 'ids' | 'onSpent' | 'onReload'> {
  /** Saves the selected rows with their shown columns. */
  onSave: () => void;
  onClear: () => void;
}

export function SelectionBar({ ids, onSpent, onReload, onSave, onClear }: SelectionBarProps) {
  const [open, setOpen] = useState<FormName | null>(null);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  if (!ids.length) return null;
  const choose = (name: FormName | null) => {
    setProblem(null);
    setOpen(name === open ? null : name);
  };
  const Form = open && FORMS[open].Form;
  return (
    <section class="selection" aria-label="Selected rows">
      <div class="selection-actions">
        <p role="status">
          <strong>{countInWords(ids.length, 'row')}</strong> selected
        </p>
        {FORM_NAMES.map((name) => (
          <button key={name} type="button" class="small" aria-expanded={open === name} onClick={() => choose(name)}>
            {FORMS[name].label}
          </button>
        ))}
        <button type="button" class="small" onClick={onSave}>
          Save as CSV
        </button>
        <button type="button" class="small quiet" onClick={onClear}>
          Select none
        </button>
      </div>
      {problem && <Notice problem={problem} />}
      {Form && (
        <div class="selection-form" key={`${open} ${ids.join()}`}>
          <Form ids={ids} onDone={() => choose(null)} onProblem={setProblem} onSpent={onSpent} onReload={onReload} />
        </div>
      )}
    </section>
  );
}
