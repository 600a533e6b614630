/** The tab of alerts: standing searches; one of them open. */
import { useState } from 'preact/hooks';
import type { SavedAlert } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { CriteriaWords } from '../shared/criteria.tsx';
import { deleteWithUndo } from '../shared/deletion.ts';
import { Field } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { toFilters } from '../shared/state.ts';
import { Action, Badge } from '../shared/ui.tsx';
import { moment, nameInWords } from '../shared/words.ts';
import { describeCadence } from './alertDraft.ts';
import { CadenceFields } from './alertFields.tsx';
import { Collection, DeletedEntries, FromFilters, NAME_CHARACTERS_MAX } from './collection.tsx';
import { FirstDigest } from './firstDigest.tsx';
import { OpenAlert } from './openAlert.tsx';

const WEEKLY: SavedAlert['cadence'] = { frequency: 'weekly', weekday: 1, day: null, beforeHearings: false };

function NewAlert() {
  const { state, go, account } = usePage();
  const [name, setName] = useState('');
  const [cadence, setCadence] = useState(WEEKLY);
  const save = async () => {
    const body = { name: name.trim(), filters: toFilters(state.filters), cadence };
    go({ ...state, open: (await call('createAlert', { body })).data.id });
  };
  return (
    <FromFilters>
      <p>
        Saving is free; a run{' '}
        {account.creditRate ? 'charges a credit for each record that is new to your team or has changed' : 'charges nothing on your plan'}.
      </p>
      <div class="row">
        <Field id="alert-name" label="Name of the alert" value={name} maxLength={NAME_CHARACTERS_MAX} onChange={setName} />
        <CadenceFields id="new" cadence={cadence} onChange={setCadence} />
        <Action kind="primary" disabled={!name.trim()} work={save}>
          Save the alert
        </Action>
      </div>
      <p class="note">Runs {describeCadence(cadence)}.</p>
      <FirstDigest />
    </FromFilters>
  );
}

/** Pauses an active alert, or sets a paused one active. */
const toggleAlert = ({ id, status }: SavedAlert) =>
  call('changeAlert', { id, body: { status: status === 'active' ? 'paused' : 'active' } });

const AllAlerts = () => (
  <Collection
    title="Alerts"
    lead="Standing searches: each run brings what is new or has changed."
    load={(signal, page) => call('listAlerts', page, { signal })}
    none="No alert yet. Name one above: it watches the filters of the map."
    heads={['Name', 'Watches', 'Runs', 'Status', 'Next run', 'Actions']}
    start={() => <NewAlert />}
    end={({ again }) => <DeletedEntries kind="alerts" onRestored={again} />}
    row={(one, { act, again }) => [
      <StateLink to={{ open: one.id }}>{one.name}</StateLink>,
      <CriteriaWords filters={one.filters} />,
      describeCadence(one.cadence),
      <Badge token={one.status} label={nameInWords(one.status)} />,
      moment(one.nextRunAt),
      <span class="cell-actions">
        <Action kind="small" work={act(() => toggleAlert(one))}>
          {one.status === 'active' ? 'Pause' : 'Resume'}
          <span class="hidden"> {one.name}</span>
        </Action>
        <Action kind="small danger" work={act(() => deleteWithUndo('alerts', one, again))}>
          Delete<span class="hidden"> {one.name}</span>
        </Action>
      </span>,
    ]}
  />
);

export function Alerts() {
  const { open } = usePage().state;
  return open?.startsWith('alr_') ? <OpenAlert key={open} id={open} /> : <AllAlerts />;
}
