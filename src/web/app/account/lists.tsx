/** The tab of lists: projects or filters saved under a name. */
import { useState } from 'preact/hooks';
import { ask, onceKey } from '../api.ts';
import { queryOf } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Action } from '../ui.tsx';
import { counted, date } from '../words.ts';
import { Collection, type CollectionWork, NameField, Quote } from './collection.tsx';
import { deleteWithUndo } from './deletion.tsx';
import { describeFilters, filtersInAddress } from './filterWords.ts';
import type { SavedList } from './types.ts';

type NewListProps = Pick<CollectionWork, 'act' | 'onProblem'> & Pick<TabProps['state'], 'filters'>;

function NewList({ filters, act, onProblem }: NewListProps) {
  const [name, setName] = useState('');
  const save = async () => {
    await ask('/lists', { method: 'POST', body: { name: name.trim(), filters }, headers: { 'Idempotency-Key': onceKey() } });
    setName('');
  };
  return (
    <Quote filters={filters}>
      {() => (
        <div class="row">
          <NameField id="list-name" label="Name of the list" value={name} onChange={setName} />
          <Action kind="primary" disabled={!name.trim()} onProblem={onProblem} work={act(save)}>
            Save these filters
          </Action>
        </div>
      )}
    </Quote>
  );
}

export const Lists = ({ state: { filters } }: TabProps) => (
  <Collection<SavedList>
    title="Lists"
    lead="Projects or filters saved under a name, and shared with the team."
    load={(signal) => ask('/lists', { signal })}
    none="No list yet. Save the filters of the map under a name."
    heads={['Name', 'Holds', 'Made', 'Actions']}
    start={(work) => <NewList filters={filters} {...work} />}
    row={(one, { act, onProblem, again }) => [
      one.filters ? <a href={`/map${queryOf(filtersInAddress(one.filters))}`}>{one.name}</a> : one.name,
      one.projectCount === null ? describeFilters(one.filters) : counted(one.projectCount, 'project'),
      date(one.createdAt),
      one.kind !== 'alert' && (
        <Action kind="small danger" onProblem={onProblem} work={act(() => deleteWithUndo('lists', one, again))}>
          Delete
        </Action>
      ),
    ]}
  />
);
