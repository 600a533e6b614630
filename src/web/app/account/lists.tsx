/** The tab of lists: projects or filters saved under a name; one of them open. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Input } from '../../../clients/client/prepare.ts';
import { call } from '../shared/api.ts';
import { CriteriaWords, useCriteriaChips } from '../shared/criteria.tsx';
import { deleteWithUndo } from '../shared/deletion.ts';
import { Field } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { NEW_LIST, toFilters } from '../shared/state.ts';
import { Action } from '../shared/ui.tsx';
import { countInWords, date } from '../shared/words.ts';
import { Collection, DeletedEntries, FromFilters, NAME_CHARACTERS_MAX } from './collection.tsx';
import { OpenList } from './openList.tsx';
import { SHARED_WITH } from './sharing.tsx';

/** @param given `act`: runs work, after which the lists are read again */
function NewList({ act }: { act: (work: () => Promise<void>) => () => Promise<void> }) {
  const { filters, open } = usePage().state;
  const [typed, setName] = useState<string | null>(null);
  const chips = useCriteriaChips(filters);
  const isNaming = open === NEW_LIST;
  const proposed = isNaming ? chips.map(({ text }) => text).join(', ') : '';
  const name = typed ?? proposed.slice(0, NAME_CHARACTERS_MAX);
  useLayoutEffect(() => {
    if (isNaming) document.getElementById('list-name')?.focus();
  }, [isNaming]);
  const save = (parts: Partial<Input<'createList'>['body']>) => async () => {
    await call('createList', { body: { name: name.trim(), ...parts } });
    setName('');
  };
  return (
    <FromFilters>
      <div class="row">
        <Field id="list-name" label="Name of the list" value={name} maxLength={NAME_CHARACTERS_MAX} onChange={setName} />
        <Action kind="primary" disabled={!name.trim()} work={act(save({ filters: toFilters(filters) }))}>
          Save these filters
        </Action>
        <Action disabled={!name.trim()} work={act(save({ projectIds: [] }))}>
          Make an empty list
        </Action>
      </div>
    </FromFilters>
  );
}

const AllLists = () => (
  <Collection
    title="Lists"
    lead="Projects or filters saved under a name, and shared with the team."
    load={(signal, page) => call('listLists', page, { signal })}
    none="No list yet. Save the filters of the map under a name."
    heads={['Name', 'Holds', 'Shared with', 'Made', 'Actions']}
    start={({ act }) => <NewList act={act} />}
    end={({ again }) => <DeletedEntries kind="lists" onRestored={again} />}
    isShown={({ kind, projectCount }) => kind !== 'alert' || projectCount !== 0}
    row={(one, { act, again }) => [
      <StateLink to={{ open: one.id }}>{one.name}</StateLink>,
      one.projectCount === null ? <CriteriaWords filters={one.filters ?? {}} /> : countInWords(one.projectCount, 'project'),
      SHARED_WITH[one.share.mode],
      date(one.createdAt),
      one.kind !== 'alert' && (
        <Action kind="small danger" work={act(() => deleteWithUndo('lists', one, again))}>
          Delete<span class="hidden"> {one.name}</span>
        </Action>
      ),
    ]}
  />
);

export function Lists() {
  const { open } = usePage().state;
  return open?.startsWith('lst_') ? <OpenList key={open} id={open} /> : <AllLists />;
}
