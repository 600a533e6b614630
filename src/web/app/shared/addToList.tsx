/** Adds the selected records to a list: one that there is, or a new one. Free. */
import { useState } from 'preact/hooks';
import type { SelectionFormProps } from '../table/selectionForm.ts';
import type { AddedProjects, SavedList } from './answers.ts';
import { ask, newIdempotencyKey } from './api.ts';
import { showToast } from './toasts.tsx';
import { Action, Loading, Notice, useAnswer } from './ui.tsx';
import { countInWords } from './words.ts';

/** Most ids of one request. */
const CALL_MAX = 100;
const NEW = '';

const splitIntoCalls = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / CALL_MAX) }, (_, i) => ids.slice(i * CALL_MAX, (i + 1) * CALL_MAX));

/** @returns the ids that the list did not have before */
async function addToList({ id }: SavedList, ids: readonly number[]): Promise<number[]> {
  const added: number[] = [];
  for (const projectIds of splitIntoCalls(ids)) {
    const { data }: { data: AddedProjects } = await ask(`/lists/${id}/projects`, { method: 'POST', body: { projectIds } });
    added.push(...data.added);
  }
  return added;
}

async function addWithUndo(list: SavedList, ids: readonly number[]): Promise<void> {
  const added = await addToList(list, ids);
  const present = ids.length - added.length;
  const remove = async () => {
    for (const id of added) await ask(`/lists/${list.id}/projects/${id}`, { method: 'DELETE' });
  };
  if (!added.length) return showToast(`“${list.name}” had ${countInWords(present, 'project')} of these before.`);
  const words = `${countInWords(added.length, 'project')} added to “${list.name}”${present ? `; it had the other ${present}` : ''}.`;
  return showToast(words, remove);
}

async function makeList(name: string, ids: readonly number[]): Promise<void> {
  const body = { name, projectIds: ids.slice(0, CALL_MAX) };
  const { data: made }: { data: SavedList } = await ask('/lists', {
    method: 'POST',
    body,
    headers: { 'Idempotency-Key': newIdempotencyKey() },
  });
  await addToList(made, ids.slice(CALL_MAX));
  showToast(`${countInWords(ids.length, 'project')} saved as the new list “${name}”.`, () =>
    ask(`/lists/${made.id}`, { method: 'DELETE' }),
  );
}

export function SelectionList({ ids, onDone, onProblem }: Pick<SelectionFormProps, 'ids' | 'onDone' | 'onProblem'>) {
  const [listId, setListId] = useState<string | null>(null);
  const [name, setName] = useState('');
  const { answer, problem, again } = useAnswer(async (signal) => {
    const lists: SavedList[] = (await ask('/lists', { signal })).data;
    return lists.filter(({ kind }) => kind === 'membership');
  }, []);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!answer) return <Loading what="Looking for lists" />;
  const chosen = listId === NEW ? undefined : (answer.find((list) => list.id === listId) ?? answer[0]);
  const save = async () => {
    await (chosen ? addWithUndo(chosen, ids) : makeList(name.trim(), ids));
    onDone();
  };
  return (
    <div class="row">
      {answer.length > 0 && (
        <div class="field">
          <label for="selection-list">List</label>
          <select id="selection-list" value={chosen?.id ?? NEW} onChange={(event) => setListId(event.currentTarget.value)}>
            {answer.map((list) => (
              <option key={list.id} value={list.id}>
                {list.name}
              </option>
            ))}
            <option value={NEW}>A new list</option>
          </select>
        </div>
      )}
      {!chosen && (
        <div class="field">
          <label for="selection-list-name">Name of the new list</label>
          <input id="selection-list-name" value={name} maxLength={200} onInput={(event) => setName(event.currentTarget.value)} />
        </div>
      )}
      <Action kind="primary" work={save} disabled={!chosen && !name.trim()} onProblem={onProblem}>
        Add {countInWords(ids.length, 'project')}, free
      </Action>
    </div>
  );
}
