/** Saved views and lists: each opens as the table; what the table shows is saved under a name, or as a change of the open one. */
import { useState } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { ask, type FailedRequest, newIdempotencyKey } from '../shared/api.ts';
import { deleteWithUndo } from '../shared/deletion.ts';
import { StateLink } from '../shared/links.tsx';
import { holdsProjects, isUnchanged, listOfView, viewOfList } from '../shared/savedView.ts';
import type { PageState } from '../shared/state.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';

/** What opening a list changes of the page's state. */
const opened = (list: SavedList): Partial<PageState> => ({ ...viewOfList(list), open: list.id, project: null });

interface ViewsProps extends Pick<TabProps, 'state' | 'go'> {
  /** the open list; null if none is */
  current: SavedList | null;
  /** Reads the open list again. */
  onChanged: () => void;
  onClose: () => void;
}

function SaveView({ state, go, onSaved, onProblem }: Pick<ViewsProps, 'state' | 'go'> & SaveProps) {
  const [name, setName] = useState('');
  const save = async () => {
    const body = { name: name.trim(), ...listOfView(state) };
    const { data: made }: { data: SavedList } = await ask('/lists', {
      method: 'POST',
      body,
      headers: { 'Idempotency-Key': newIdempotencyKey() },
    });
    showToast(`The view “${made.name}” is saved.`, () => ask(`/lists/${made.id}`, { method: 'DELETE' }));
    setName('');
    go({ ...state, open: made.id }, true);
    onSaved();
  };
  return (
    <div class="row">
      <div class="field">
        <label for="view-name">Save these filters, columns and order as</label>
        <input
          id="view-name"
          value={name}
          maxLength={200}
          placeholder="Large sites"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <Action kind="primary" disabled={!name.trim()} work={save} onProblem={onProblem}>
        Save the view
      </Action>
    </div>
  );
}

interface SaveProps {
  onSaved: () => void;
  onProblem: (problem: FailedRequest | null) => void;
}

function ChangedView({ state, current, onSaved, onProblem }: Pick<ViewsProps, 'state'> & SaveProps & { current: SavedList }) {
  const write = async (body: object) => {
    await ask(`/lists/${current.id}`, { method: 'PATCH', body });
    onSaved();
  };
  const save = async () => {
    await write(listOfView(state, current.kind));
    showToast(`“${current.name}” is changed.`, () => write(listOfView(viewOfList(current), current.kind)));
  };
  return (
    <div class="row">
      <p>The table differs from “{current.name}” as it is saved.</p>
      <Action work={save} onProblem={onProblem}>
        Save the change
      </Action>
    </div>
  );
}

const RowsOfLists = ({ lists, state, go, onDelete, onProblem }: RowsProps) => (
  <ul class="views">
    {lists.map((list) => (
      <li key={list.id}>
        <StateLink state={state} go={go} to={opened(list)}>
          {list.name}
        </StateLink>{' '}
        <span class="note">
          {list.projectCount !== null
            ? countInWords(list.projectCount, 'project')
            : list.columns && countInWords(list.columns.length, 'column')}
        </span>
        {state.open === list.id && <span class="badge">open</span>}
        {list.kind !== 'alert' && (
          <Action kind="small quiet" work={() => onDelete(list)} onProblem={onProblem}>
            Delete<span class="hidden"> {list.name}</span>
          </Action>
        )}
      </li>
    ))}
  </ul>
);

interface RowsProps extends Pick<ViewsProps, 'state' | 'go'> {
  lists: readonly SavedList[];
  onDelete: (list: SavedList) => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
}

export function Views({ state, go, current, onChanged, onClose }: ViewsProps) {
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const { answer, problem: refused, again } = useAnswer(async (signal): Promise<SavedList[]> => (await ask('/lists', { signal })).data, []);
  const refresh = () => {
    again();
    onChanged();
  };
  const remove = async (list: SavedList) => {
    await deleteWithUndo('lists', list, again);
    if (state.open === list.id) go({ ...state, open: null }, true);
  };
  const rows = { state, go, onDelete: remove, onProblem: setProblem };
  const [views, lists] = [false, true].map((ofProjects) => (answer ?? []).filter((list) => holdsProjects(list) === ofProjects));
  return (
    <section class="table-panel" aria-labelledby="views-title">
      <header>
        <h2 id="views-title" tabIndex={-1}>
          Views and lists
        </h2>
        <button type="button" class="quiet" aria-label="Close the views" onClick={onClose}>
          ✕
        </button>
      </header>
      {problem && <Notice problem={problem} />}
      {refused && <Notice problem={refused} again={again} />}
      {current && !isUnchanged(current, state) && <ChangedView {...{ state, current }} onSaved={refresh} onProblem={setProblem} />}
      <SaveView {...{ state, go }} onSaved={refresh} onProblem={setProblem} />
      {!answer && !refused && <Loading />}
      {answer && <h3>Views</h3>}
      {answer &&
        (views?.length ? (
          <RowsOfLists lists={views} {...rows} />
        ) : (
          <p class="note">None yet. They are lists of filters, with their columns.</p>
        ))}
      {lists && lists.length > 0 && <h3>Lists of projects</h3>}
      {lists && lists.length > 0 && <RowsOfLists lists={lists} {...rows} />}
    </section>
  );
}
