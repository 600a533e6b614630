/** The tab of lists: projects or filters saved under a name; one of them open. */
import { useState } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { ask, newIdempotencyKey } from '../shared/api.ts';
import { deleteWithUndo } from '../shared/deletion.ts';
import { StateLink } from '../shared/links.tsx';
import type { TabProps } from '../shared/tabs.tsx';
import { Action } from '../shared/ui.tsx';
import { countInWords, date } from '../shared/words.ts';
import { Collection, type CollectionWork, FromFilters, NameField } from './collection.tsx';
import { CriteriaWords } from './criteria.tsx';
import { DeletedEntries } from './deletedEntries.tsx';
import { OpenList } from './openList.tsx';
import { SHARED_WITH } from './sharing.tsx';

type NewListProps = Pick<CollectionWork, 'act' | 'onProblem'> & Pick<TabProps['state'], 'filters'>;

function NewList({ filters, act, onProblem }: NewListProps) {
  const [name, setName] = useState('');
  const save = (parts: object) => async () => {
    await ask('/lists', { method: 'POST', body: { name: name.trim(), ...parts }, headers: { 'Idempotency-Key': newIdempotencyKey() } });
    setName('');
  };
  return (
    <FromFilters filters={filters}>
      <div class="row">
        <NameField id="list-name" label="Name of the list" value={name} onChange={setName} />
        <Action kind="primary" disabled={!name.trim()} onProblem={onProblem} work={act(save({ filters }))}>
          Save these filters
        </Action>
        <Action disabled={!name.trim()} onProblem={onProblem} work={act(save({ projectIds: [] }))}>
          Make an empty list
        </Action>
      </div>
    </FromFilters>
  );
}

const AllLists = ({ state, go, words }: Pick<TabProps, 'state' | 'go' | 'words'>) => (
  <Collection<SavedList>
    title="Lists"
    lead="Projects or filters saved under a name, and shared with the team."
    load={(signal, query) => ask(`/lists${query}`, { signal })}
    none="No list yet. Save the filters of the map under a name."
    heads={['Name', 'Holds', 'Shared with', 'Made', 'Actions']}
    start={(work) => <NewList filters={state.filters} {...work} />}
    end={({ again }) => <DeletedEntries kind="lists" onRestored={again} />}
    row={(one, { act, onProblem, again }) => [
      <StateLink {...{ state, go }} to={{ open: one.id }}>
        {one.name}
      </StateLink>,
      one.projectCount === null ? <CriteriaWords filters={one.filters ?? {}} words={words} /> : countInWords(one.projectCount, 'project'),
      SHARED_WITH[one.share.mode],
      date(one.createdAt),
      one.kind !== 'alert' && (
        <Action kind="small danger" onProblem={onProblem} work={act(() => deleteWithUndo('lists', one, again))}>
          Delete<span class="hidden"> {one.name}</span>
        </Action>
      ),
    ]}
  />
);

export const Lists = (tab: TabProps) =>
  tab.state.open?.startsWith('lst_') ? <OpenList key={tab.state.open} id={tab.state.open} {...tab} /> : <AllLists {...tab} />;
