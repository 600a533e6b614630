/** The tab of alerts: standing searches; one of them open. */
import { useState } from 'preact/hooks';
import type { SavedAlert } from '../shared/answers.ts';
import { ask, newIdempotencyKey } from '../shared/api.ts';
import { deleteWithUndo } from '../shared/deletion.ts';
import { StateLink } from '../shared/links.tsx';
import type { TabProps } from '../shared/tabs.tsx';
import { Action, Badge } from '../shared/ui.tsx';
import { moment, nameInWords } from '../shared/words.ts';
import { describeCadence } from './alertDraft.ts';
import { CadenceFields } from './cadenceFields.tsx';
import { Collection, type CollectionWork, FromFilters, NameField } from './collection.tsx';
import { CriteriaWords } from './criteria.tsx';
import { DeletedEntries } from './deletedEntries.tsx';
import { OpenAlert } from './openAlert.tsx';

type NewAlertProps = Pick<CollectionWork, 'onProblem'> & Pick<TabProps, 'state' | 'go' | 'account'>;

const WEEKLY: SavedAlert['cadence'] = { frequency: 'weekly', weekday: 1, day: null, beforeHearings: false };

function NewAlert({ state, go, account, onProblem }: NewAlertProps) {
  const [name, setName] = useState('');
  const [cadence, setCadence] = useState(WEEKLY);
  const { filters } = state;
  const save = async () => {
    const body = { name: name.trim(), filters, cadence };
    const { data } = await ask('/alerts', { method: 'POST', body, headers: { 'Idempotency-Key': newIdempotencyKey() } });
    go({ ...state, open: data.id });
  };
  return (
    <FromFilters filters={filters}>
      <p>
        Saving is free, and shows what the first run would deliver; a run{' '}
        {account.creditRate ? 'charges a credit for each record that is new to your team or has changed' : 'charges nothing on your plan'}.
      </p>
      <div class="row">
        <NameField id="alert-name" label="Name of the alert" value={name} onChange={setName} />
        <CadenceFields id="new" cadence={cadence} onChange={setCadence} />
        <Action kind="primary" disabled={!name.trim()} onProblem={onProblem} work={save}>
          Save the alert
        </Action>
      </div>
    </FromFilters>
  );
}

/** Pauses an active alert, or sets a paused one active. */
const toggleAlert = ({ id, status }: SavedAlert) =>
  ask(`/alerts/${id}`, { method: 'PATCH', body: { status: status === 'active' ? 'paused' : 'active' } });

const AllAlerts = ({ state, go, account, words }: TabProps) => (
  <Collection<SavedAlert>
    title="Alerts"
    lead="Standing searches: each run brings what is new or has changed."
    load={(signal, query) => ask(`/alerts${query}`, { signal })}
    none="No alert yet. Name one above: it watches the filters of the map."
    heads={['Name', 'Watches', 'Runs', 'Status', 'Next run', 'Actions']}
    start={({ onProblem }) => <NewAlert {...{ state, go, account, onProblem }} />}
    end={({ again }) => <DeletedEntries kind="alerts" onRestored={again} />}
    row={(one, { act, onProblem, again }) => [
      <StateLink {...{ state, go }} to={{ open: one.id }}>
        {one.name}
      </StateLink>,
      <CriteriaWords filters={one.filters} words={words} />,
      describeCadence(one.cadence),
      <Badge token={one.status} label={nameInWords(one.status)} />,
      moment(one.nextRunAt),
      <span class="cell-actions">
        <Action kind="small" onProblem={onProblem} work={act(() => toggleAlert(one))}>
          {one.status === 'active' ? 'Pause' : 'Resume'}
          <span class="hidden"> {one.name}</span>
        </Action>
        <Action kind="small danger" onProblem={onProblem} work={act(() => deleteWithUndo('alerts', one, again))}>
          Delete<span class="hidden"> {one.name}</span>
        </Action>
      </span>,
    ]}
  />
);

export const Alerts = (tab: TabProps) =>
  tab.state.open?.startsWith('alr_') ? <OpenAlert key={tab.state.open} id={tab.state.open} {...tab} /> : <AllAlerts {...tab} />;
