/** Saved views and lists: each opens as the table; what the table shows is saved under a name, or as a change of the open one. */
import { useState } from 'preact/hooks';
import type { Input } from '../../../clients/client/prepare.ts';
import type { SavedList } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { deleteWithUndo } from '../shared/deletion.ts';
import { useCall } from '../shared/hooks.ts';
import { Field } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { holdsProjects, isUnchanged, listOfView, viewOfList } from '../shared/savedView.ts';
import type { PageState } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, PanelHead, Pending, ProblemNotice, Problems } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';

/** What opening a list changes of the page's state. */
const opened = (list: SavedList): Partial<PageState> => ({ ...viewOfList(list), open: list.id, project: null });

function SaveView({ onSaved }: { onSaved: () => void }) {
  const { state, go } = usePage();
  const [name, setName] = useState('');
  const save = async () => {
    const made = (await call('createList', { body: { name: name.trim(), ...listOfView(state) } })).data;
    showToast(`The view “${made.name}” is saved.`, () => call('deleteList', { id: made.id }));
    setName('');
    go({ ...state, open: made.id }, true);
    onSaved();
  };
  return (
    <div class="row">
      <Field
        id="view-name"
        label="Save these filters, columns and order as"
        value={name}
        maxLength={200}
        placeholder="Large sites"
        onChange={setName}
      />
      <Action kind="primary" disabled={!name.trim()} work={save}>
        Save the view
      </Action>
    </div>
  );
}

function ChangedView({ current, onSaved }: { current: SavedList; onSaved: () => void }) {
  const { state } = usePage();
  const write = async (body: Input<'changeList'>['body']) => {
    await call('changeList', { id: current.id, body });
    onSaved();
  };
  const save = async () => {
    await write(listOfView(state, current.kind));
    showToast(`“${current.name}” is changed.`, () => write(listOfView(viewOfList(current), current.kind)));
  };
  return (
    <div class="row">
      <p>The table differs from “{current.name}” as it is saved.</p>
      <Action work={save}>Save the change</Action>
    </div>
  );
}

const RowsOfLists = ({ lists, onDelete }: { lists: readonly SavedList[]; onDelete: (list: SavedList) => Promise<void> }) => (
  <ul class="views">
    {lists.map((list) => (
      <li key={list.id}>
        <StateLink to={opened(list)}>{list.name}</StateLink>{' '}
        <span class="note">
          {list.projectCount !== null
            ? countInWords(list.projectCount, 'project')
            : list.columns && countInWords(list.columns.length, 'column')}
        </span>
        {usePage().state.open === list.id && <span class="badge">open</span>}
        {list.kind !== 'alert' && (
          <Action kind="small quiet" work={() => onDelete(list)}>
            Delete<span class="hidden"> {list.name}</span>
          </Action>
        )}
      </li>
    ))}
  </ul>
);

interface ViewsProps {
  /** the open list; null if none is */
  current: SavedList | null;
  /** Reads the open list again. */
  onChanged: () => void;
  onClose: () => void;
}

export function Views({ current, onChanged, onClose }: ViewsProps) {
  const { state, go } = usePage();
  const saved = useCall('listLists', {});
  const refresh = () => {
    saved.again();
    onChanged();
  };
  const remove = async (list: SavedList) => {
    await deleteWithUndo('lists', list, saved.again);
    if (state.open === list.id) go({ ...state, open: null }, true);
  };
  const [views = [], lists = []] = [false, true].map((ofProjects) =>
    (saved.answer?.data ?? []).filter((list) => holdsProjects(list) === ofProjects),
  );
  return (
    <section class="table-panel" aria-labelledby="views-title">
      <PanelHead id="views-title" title="Views and lists" close="Close the views" onClose={onClose} />
      <Problems>
        <ProblemNotice />
        {saved.problem && <Pending asked={saved} />}
        {current && !isUnchanged(current, state) && <ChangedView current={current} onSaved={refresh} />}
        <SaveView onSaved={refresh} />
        {!saved.problem && <Pending asked={saved} />}
        {saved.answer && <h3>Views</h3>}
        {views.length > 0 && <RowsOfLists lists={views} onDelete={remove} />}
        {saved.answer && !views.length && <p class="note">None yet. They are lists of filters, with their columns.</p>}
        {lists.length > 0 && <h3>Lists of projects</h3>}
        {lists.length > 0 && <RowsOfLists lists={lists} onDelete={remove} />}
      </Problems>
    </section>
  );
}
