/** Adds records to a list: one that there is, or a new one. Free. */
import { useState } from 'preact/hooks';
import type { SavedList } from './answers.ts';
import { call } from './api.ts';
import { useCall } from './hooks.ts';
import { Field, Select } from './inputs.tsx';
import { showToast } from './toasts.tsx';
import { Pending, PrimaryAction } from './ui.tsx';
import { countInWords } from './words.ts';

/** Most ids of one request. */
const CALL_MAX = 100;
const NEW = '';

const splitIntoCalls = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / CALL_MAX) }, (_, i) => ids.slice(i * CALL_MAX, (i + 1) * CALL_MAX));

/** @returns the ids that the list did not have before */
async function addToList({ id }: SavedList, ids: readonly number[]): Promise<number[]> {
  const added: number[] = [];
  for (const projectIds of splitIntoCalls(ids)) added.push(...(await call('addListProjects', { id, body: { projectIds } })).data.added);
  return added;
}

async function addWithUndo(list: SavedList, ids: readonly number[]): Promise<SavedList> {
  const added = await addToList(list, ids);
  const present = ids.length - added.length;
  const remove = async () => {
    for (const projectId of added) await call('removeListProject', { id: list.id, projectId });
  };
  if (!added.length) {
    showToast(`“${list.name}” had ${countInWords(present, 'project')} of these before.`);
    return list;
  }
  const words = `${countInWords(added.length, 'project')} added to “${list.name}”${present ? `; it had the other ${present}` : ''}.`;
  showToast(words, remove);
  return list;
}

async function makeList(name: string, ids: readonly number[]): Promise<SavedList> {
  const made = (await call('createList', { body: { name, projectIds: ids.slice(0, CALL_MAX) } })).data;
  await addToList(made, ids.slice(CALL_MAX));
  showToast(`${countInWords(ids.length, 'project')} saved as the new list “${name}”.`, () => call('deleteList', { id: made.id }));
  return made;
}

interface AddToListProps {
  ids: readonly number[];
  /** called after they were added */
  onDone: () => void;
}

export function AddToList({ ids, onDone }: AddToListProps) {
  const [listId, setListId] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [why, setWhy] = useState('');
  const known = useCall('listLists', {});
  if (known.problem || !known.answer) return <Pending asked={known} what="Looking for lists" />;
  const lists = known.answer.data.filter(({ kind }) => kind === 'membership');
  const chosen = listId === NEW ? undefined : (lists.find((list) => list.id === listId) ?? lists[0]);
  const save = async () => {
    const { id } = await (chosen ? addWithUndo(chosen, ids) : makeList(name.trim(), ids));
    const [projectId] = ids;
    if (why.trim() && projectId !== undefined) await call('noteListProject', { id, projectId, body: { note: why.trim() } });
    onDone();
  };
  const options = [...lists.map((list) => ({ value: list.id, label: list.name })), { value: NEW, label: 'A new list' }];
  return (
    <div class="row">
      {lists.length > 0 && <Select id="selection-list" label="List" value={chosen?.id ?? NEW} options={options} onChange={setListId} />}
      {!chosen && <Field id="selection-list-name" label="Name of the new list" value={name} maxLength={200} onChange={setName} />}
      {ids.length === 1 && (
        <Field id="selection-list-why" label="Why, for those who see the list" value={why} maxLength={500} onChange={setWhy} />
      )}
      <PrimaryAction work={save} disabled={!chosen && !name.trim()}>
        Add {countInWords(ids.length, 'project')}, free
      </PrimaryAction>
    </div>
  );
}
