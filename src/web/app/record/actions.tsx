/** What can be done with a record that was read: quotes, link, list, alert, file, print. */
import type { ComponentType } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { AddToList } from '../shared/addToList.tsx';
import { copyText } from '../shared/clipboard.ts';
import type { ReadRecord } from '../shared/facts.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, ProblemNotice, Problems, useProblems } from '../shared/ui.tsx';
import { ExportForm } from './exportForm.tsx';
import { useProofs } from './proofs.tsx';
import type { RecordFormProps } from './recordForm.ts';
import { WatchForm } from './watchForm.tsx';

const SaveForm = ({ record: { id }, onDone }: RecordFormProps) => <AddToList ids={[id]} onDone={onDone} />;
const FORMS: Readonly<Record<string, ComponentType<RecordFormProps>>> = { Save: SaveForm, Watch: WatchForm, Export: ExportForm };

function QuotesButton() {
  const { open, showAll, hideAll } = useProofs();
  const show = async () => {
    if (!(await showAll())) showToast('The generation has no quotes for this record.');
  };
  if (open.size > 0)
    return (
      <button type="button" class="small" onClick={hideAll}>
        Hide quotes
      </button>
    );
  return (
    <Action kind="small" work={show}>
      Show every quote
    </Action>
  );
}

function Actions({ record }: { record: ReadRecord }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { report } = useProblems();
  /** where the focus goes back to when a form is done */
  const pressed = useRef<HTMLButtonElement | null>(null);
  const id = useId();
  const choose = (name: string | null) => {
    report(null);
    setChosen(name);
  };
  const close = () => {
    choose(null);
    pressed.current?.focus();
  };
  const copyLink = async () => {
    await copyText(record.serviceLink);
    showToast('The link is copied. It opens the record for everybody whose key may see it.');
  };
  const Form = chosen ? FORMS[chosen] : null;
  return (
    <div class="record-actions">
      <div class="buttons">
        {Object.keys(FORMS).map((name) => (
          <button
            type="button"
            class="small"
            key={name}
            aria-expanded={name === chosen}
            aria-controls={name === chosen ? id : undefined}
            onClick={(event) => {
              pressed.current = event.currentTarget;
              choose(name === chosen ? null : name);
            }}
          >
            {name}
          </button>
        ))}
        <Action kind="small" work={copyLink}>
          Copy link
        </Action>
        <button type="button" class="small" onClick={() => print()}>
          Print
        </button>
        <QuotesButton />
      </div>
      <ProblemNotice />
      {Form && (
        <div class="record-form" id={id}>
          <Form record={record} onDone={close} />
        </div>
      )}
    </div>
  );
}

export const RecordActions = ({ record }: { record: ReadRecord }) => (
  <Problems>
    <Actions record={record} />
  </Problems>
);
