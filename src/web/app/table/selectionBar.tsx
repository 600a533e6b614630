/** What can be done with the selected records: a list, an export, contacts, a file. */
import { useState } from 'preact/hooks';
import { AddToList } from '../shared/addToList.tsx';
import { ProblemNotice, Problems, useProblems } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { SelectionContacts } from './selectionContacts.tsx';
import { SelectionExport } from './selectionExport.tsx';
import type { SelectionFormProps } from './selectionForm.ts';

const FORMS = {
  list: { label: 'Add to a list', Form: AddToList },
  export: { label: 'Export', Form: SelectionExport },
  contacts: { label: 'Find contacts', Form: SelectionContacts },
} as const;
type FormName = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as FormName[];

interface SelectionBarProps extends Pick<SelectionFormProps, 'ids' | 'onReload'> {
  /** Saves the selected rows with their shown columns. */
  onSave: () => void;
  onClear: () => void;
}

function Bar({ ids, onReload, onSave, onClear }: SelectionBarProps) {
  const [open, setOpen] = useState<FormName | null>(null);
  const { report } = useProblems();
  if (!ids.length) return null;
  const choose = (name: FormName | null) => {
    report(null);
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
      <ProblemNotice />
      {Form && (
        <div class="selection-form" key={`${open} ${ids.join()}`}>
          <Form ids={ids} onDone={() => choose(null)} onReload={onReload} />
        </div>
      )}
    </section>
  );
}

export const SelectionBar = (given: SelectionBarProps) => (
  <Problems>
    <Bar {...given} />
  </Problems>
);
