/** What can be done with a record that was read: quotes, link, list, alert, file, print. */
import type { ComponentType } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Frequency } from '../../../clients/client/generated.ts';
import { AddToList } from '../shared/addToList.tsx';
import { call } from '../shared/api.ts';
import { BriefForm } from '../shared/briefForm.tsx';
import { copyText } from '../shared/clipboard.ts';
import { ExportForm } from '../shared/exportForm.tsx';
import { nameOfRecord, type ReadRecord } from '../shared/facts.ts';
import { optionsOf, Select } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { showToast } from '../shared/toasts.tsx';
import { PrimaryAction, ProblemNotice, Problems, SmallAction, SmallButton, useProblems } from '../shared/ui.tsx';
import { moment } from '../shared/words.ts';
import { useProofs } from './proofs.tsx';

interface RecordFormProps {
  record: ReadRecord;
  /** Closes the form. */
  onDone: () => void;
}

const RHYTHMS: Readonly<Record<Frequency, string>> = { daily: 'Every day', weekly: 'Every Monday', monthly: 'On the 1st of the month' };
const NAME_MAX = 100;

/** On plans that are not nationwide an alert names a place, too. */
function watchedFilters({ id, countyId, stateId }: ReadRecord, isNationwide: boolean) {
  if (isNationwide) return { projectIds: [id] };
  return { projectIds: [id], ...(countyId ? { counties: [countyId] } : stateId ? { states: [stateId] } : {}) };
}

function WatchForm({ record, onDone }: RecordFormProps) {
  const { account } = usePage();
  const [frequency, setFrequency] = useState<Frequency>('weekly');
  const watch = async () => {
    const body = {
      name: `Changes of ${nameOfRecord(record)}`.slice(0, NAME_MAX),
      filters: watchedFilters(record, account.plan.geography === 'nationwide'),
      cadence: { frequency },
    };
    const { id, nextRunAt } = (await call('createAlert', { body })).data;
    showToast(`Watched. The alert runs first on ${moment(nextRunAt)}.`, () => call('deleteAlert', { id }));
    onDone();
  };
  return (
    <>
      <div class="row">
        <Select
          id="record-rhythm"
          label="Look for changes"
          value={frequency}
          options={optionsOf(RHYTHMS)}
          onChange={(name) => setFrequency(name as Frequency)}
        />
        <PrimaryAction work={watch}>Watch it</PrimaryAction>
      </div>
      <p class="note">
        An alert with a mail when the record has changed. Saving it is free
        {account.creditRate > 0 ? '; a run that brings a change charges 1 credit, another run nothing.' : ', and so are its runs.'}
      </p>
    </>
  );
}

const FileForm = ({ record: { id }, onDone }: RecordFormProps) => <ExportForm source={{ projectIds: [id] }} onDone={onDone} />;
const SaveForm = ({ record: { id }, onDone }: RecordFormProps) => <AddToList ids={[id]} onDone={onDone} />;
const SiteBriefForm = ({ record: { id } }: RecordFormProps) => <BriefForm place={{ projectId: id }} />;
const FORMS: Readonly<Record<string, ComponentType<RecordFormProps>>> = {
  Save: SaveForm,
  Watch: WatchForm,
  Export: FileForm,
  'Site brief': SiteBriefForm,
};

function QuotesButton() {
  const { open, showAll, hideAll } = useProofs();
  const show = async () => {
    if (!(await showAll())) showToast('The generation has no quotes for this record.');
  };
  if (open.size > 0) return <SmallButton onClick={hideAll}>Hide quotes</SmallButton>;
  return <SmallAction work={show}>Show every quote</SmallAction>;
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
          <SmallButton
            key={name}
            aria-expanded={name === chosen}
            aria-controls={name === chosen ? id : undefined}
            onClick={(event) => {
              pressed.current = event.currentTarget;
              choose(name === chosen ? null : name);
            }}
          >
            {name}
          </SmallButton>
        ))}
        <SmallAction work={copyLink}>Copy link</SmallAction>
        <SmallButton onClick={() => print()}>Print</SmallButton>
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
