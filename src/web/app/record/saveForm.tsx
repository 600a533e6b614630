/** Saves a record to a list: one that there is, or a new one. Free. */
import { useState } from 'preact/hooks';
import { ask, type DataOf, onceKey } from '../api.ts';
import { showToast } from '../toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../ui.tsx';
import type { RecordFormProps } from './recordForm.ts';

type MembershipList = DataOf<'getList'>;

const NEW = '';

async function addToList(list: MembershipList, id: number): Promise<void> {
  const { alreadyPresent } = (await ask(`/lists/${list.id}/projects`, { method: 'POST', body: { projectIds: [id] } })).data;
  if (alreadyPresent.length) return showToast(`“${list.name}” has the record already.`);
  return showToast(`Saved to “${list.name}”.`, () => ask(`/lists/${list.id}/projects/${id}`, { method: 'DELETE' }));
}

async function makeList(name: string, id: number): Promise<void> {
  const made: MembershipList = (
    await ask('/lists', { method: 'POST', body: { name, projectIds: [id] }, headers: { 'Idempotency-Key': onceKey() } })
  ).data;
  showToast(`Saved to the new list “${made.name}”.`, () => ask(`/lists/${made.id}`, { method: 'DELETE' }));
}

export function SaveForm({ record: { id }, onDone, onProblem }: RecordFormProps) {
  const [listId, setListId] = useState<string | null>(null);
  const [name, setName] = useState('');
  const { answer, problem, again } = useAnswer(async (signal) => {
    const lists: MembershipList[] = (await ask('/lists', { signal })).data;
    return lists.filter(({ kind }) => kind === 'membership');
  }, []);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!answer) return <Loading what="Looking for lists" />;
  const chosen = listId === NEW ? undefined : (answer.find((list) => list.id === listId) ?? answer[0]);
  const save = async () => {
    await (chosen ? addToList(chosen, id) : makeList(name.trim(), id));
    onDone();
  };
  return (
    <>
      <div class="row">
        {answer.length > 0 && (
          <div class="field">
            <label for="record-list">List</label>
            <select id="record-list" value={chosen?.id ?? NEW} onChange={(event) => setListId(event.currentTarget.value)}>
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
            <label for="record-list-name">Name of the new list</label>
            <input id="record-list-name" value={name} maxLength={200} onInput={(event) => setName(event.currentTarget.value)} />
          </div>
        )}
        <Action kind="primary" work={save} disabled={!chosen && !name.trim()} onProblem={onProblem}>
          Save it
        </Action>
      </div>
      <p class="note">Free.</p>
    </>
  );
}
