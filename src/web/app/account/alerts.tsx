/** The tab of alerts: standing searches. */
import { useState } from 'preact/hooks';
import { ask, onceKey } from '../api.ts';
import { queryOf } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Action, Badge } from '../ui.tsx';
import { counted, moment, spaced } from '../words.ts';
import { Collection, type CollectionWork, NameField, Quote } from './collection.tsx';
import { deleteWithUndo } from './deletion.tsx';
import { describeFilters, filtersInAddress } from './filterWords.ts';
import type { SavedAlert } from './types.ts';

type NewAlertProps = Pick<CollectionWork, 'act' | 'onProblem'> & Pick<TabProps['state'], 'filters'>;

function NewAlert({ filters, act, onProblem }: NewAlertProps) {
  const [name, setName] = useState('');
  const save = async () => {
    await ask('/alerts', { method: 'POST', body: { name: name.trim(), filters }, headers: { 'Idempotency-Key': onceKey() } });
    setName('');
  };
  return (
    <Quote filters={filters}>
      {({ matchCount, creditRate }) => (
        <>
          <p>
            {counted(matchCount, 'project')} {matchCount === 1 ? 'matches' : 'match'} now. Saving is free; a run{' '}
            {creditRate ? 'charges a credit for each record that is new to your team or has changed' : 'charges nothing on your plan'}.
          </p>
          <div class="row">
            <NameField id="alert-name" label="Name of the alert" value={name} onChange={setName} />
            <Action kind="primary" disabled={!name.trim()} onProblem={onProblem} work={act(save)}>
              Save the alert
            </Action>
          </div>
        </>
      )}
    </Quote>
  );
}

/** Pauses an active alert, or sets a paused one active. */
const toggleAlert = ({ id, status }: SavedAlert) =>
  ask(`/alerts/${id}`, { method: 'PATCH', body: { status: status === 'active' ? 'paused' : 'active' } });

export const Alerts = ({ state: { filters } }: TabProps) => (
  <Collection<SavedAlert>
    title="Alerts"
    lead="Standing searches: each run brings what is new or has changed."
    load={(signal) => ask('/alerts', { signal })}
    none="No alert yet. Name one above: it watches the filters of the map."
    heads={['Name', 'Watches', 'Status', 'Next run', 'Actions']}
    start={(work) => <NewAlert filters={filters} {...work} />}
    row={(one, { act, onProblem, again }) => [
      <a href={`/map${queryOf(filtersInAddress(one.filters))}`}>{one.name}</a>,
      describeFilters(one.filters),
      <Badge token={one.status} label={spaced(one.status)} />,
      moment(one.nextRunAt),
      <>
        <Action kind="small" onProblem={onProblem} work={act(() => toggleAlert(one))}>
          {one.status === 'active' ? 'Pause' : 'Resume'}
        </Action>
        <Action kind="small danger" onProblem={onProblem} work={act(() => deleteWithUndo('alerts', one, again))}>
          Delete
        </Action>
      </>,
    ]}
  />
);
