/** What can be done with the selected records: a list, an export, contacts, a file. */
import { useState } from 'preact/hooks';
import { AddToList } from '../shared/addToList.tsx';
import type { ContactsJob } from '../shared/answers.ts';
import { ExportForm } from '../shared/exportForm.tsx';
import { useCall, useStop } from '../shared/hooks.ts';
import { lookUpContacts } from '../shared/jobs.ts';
import { usePage } from '../shared/page.ts';
import { Button, Pending, PrimaryAction, ProblemNotice, Problems, QuietButton, useProblems } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';

interface SelectionFormProps {
  ids: readonly number[];
  /** Closes the form. */
  onDone: () => void;
  /** Reads the rows again, after their records have changed. */
  onReload: () => void;
}

/** Most ids of a count, an export or a look-up. */
const SELECTION_MAX = 100;

function SelectionExport({ ids, onDone }: SelectionFormProps) {
  if (ids.length > SELECTION_MAX)
    return (
      <p>
        An export of selected rows takes {SELECTION_MAX} projects, and {number(ids.length)} are selected. Save them with CSV above, or all
        that match with “All as a file”.
      </p>
    );
  return <ExportForm source={{ projectIds: [...ids] }} onDone={onDone} />;
}

function wordsOfJob({ found, accepted, creditsCharged, skipped }: ContactsJob): string {
  const known = skipped.alreadyEnriched.length;
  const charged = creditsCharged ? `${countInWords(creditsCharged, 'credit')} charged` : 'nothing was charged';
  const before = known ? ` ${countInWords(known, 'project')} had been looked up within the last 90 days.` : '';
  return `Found for ${number(found)} of ${countInWords(accepted.length, 'project')}; ${charged}.${before}`;
}

function SelectionContacts({ ids, onReload }: SelectionFormProps) {
  const { onSpent } = usePage();
  const [result, setResult] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const stop = useStop();
  const isTooLarge = ids.length > SELECTION_MAX;
  const price = useCall('countProjects', isTooLarge ? null : { projectIds: [...ids], include: 'contacts' });
  if (isTooLarge)
    return (
      <p>
        A look-up takes {SELECTION_MAX} projects, and {number(ids.length)} are selected.
      </p>
    );
  if (result && !price.problem)
    return (
      <div class="row">
        <p role="status">{result}</p>
        <Button onClick={onReload}>Read the rows again, with their contacts</Button>
      </div>
    );
  if (price.problem || !price.answer) return <Pending asked={price} what="Asking for the price" />;
  const { lookUps = 0, creditsRequired = 0, creditsRemaining = null } = price.answer.data.contacts ?? {};
  if (!lookUps) return <p>Your team looked all of these up within the last 90 days; the column Contacts has what was found.</p>;
  const run = async () => {
    setLooking(true);
    try {
      setResult(wordsOfJob(await lookUpContacts(ids, creditsRequired, stop)));
      onSpent();
    } finally {
      setLooking(false);
    }
  };
  const cost = creditsRequired ? `at most ${countInWords(creditsRequired, 'credit')}` : 'free';
  return (
    <div class="row">
      <p role="status">
        {isLooking
          ? 'Looking …'
          : `${countInWords(lookUps, 'look-up')}, ${cost}: a project costs only if an email or phone is found.${creditsRequired && creditsRemaining !== null ? ` Your balance is ${number(creditsRemaining)}.` : ''}`}
      </p>
      <PrimaryAction work={run}>Look up, {cost}</PrimaryAction>
    </div>
  );
}

const FORMS = {
  list: { label: 'Add to a list', Form: AddToList },
  export: { label: 'Export', Form: SelectionExport },
  contacts: { label: 'Find contacts', Form: SelectionContacts },
} as const;
type FormName = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as FormName[];

interface SelectionBarProps extends Pick<SelectionFormProps, 'ids' | 'onReload'> {
  onClear: () => void;
}

function Bar({ ids, onReload, onClear }: SelectionBarProps) {
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
        <QuietButton onClick={onClear}>Select none</QuietButton>
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
