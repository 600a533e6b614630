/** An open list: its records or criteria, notes, sharing. */
import { useState } from 'preact/hooks';
import type { Input } from '../../../clients/client/prepare.ts';
import { call, forgetAnswers } from '../shared/api.ts';
import { TextField } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { viewOfList } from '../shared/savedView.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Notice, ProblemNotice, Problems } from '../shared/ui.tsx';
import { useCall } from '../shared/useAnswer.ts';
import { date } from '../shared/words.ts';
import { OpenHeading, Opening, useDeletion } from './heading.tsx';
import { ListCriteria } from './listCriteria.tsx';
import { ListRecords } from './listRecords.tsx';
import { Sharing } from './sharing.tsx';

const NOTES_CHARACTERS_MAX = 2000;

interface NotesProps {
  notes: string;
  onSave: (notes: string) => Promise<void>;
}

function Notes({ notes, onSave }: NotesProps) {
  const [text, setText] = useState(notes);
  const save = async () => {
    await onSave(text.trim());
    showToast('The notes are saved.', async () => {
      await onSave(notes);
      setText(notes);
    });
  };
  return (
    <section class="card part-card">
      <h2>Notes</h2>
      <TextField
        id="notes"
        label="For everyone who sees the list"
        rows={4}
        maxLength={NOTES_CHARACTERS_MAX}
        value={text}
        onChange={setText}
      />
      <p class="actions">
        <Action disabled={text.trim() === notes} work={save}>
          Save the notes
        </Action>
      </p>
    </section>
  );
}

function DeleteButton({ list }: { list: { id: string; name: string } }) {
  return (
    <Action kind="danger" work={useDeletion('lists', list)}>
      Delete
    </Action>
  );
}

export function OpenList({ id }: { id: string }) {
  const opened = useCall('getList', { id });
  const { answer, problem, again } = opened;
  const change = async (body: Input<'changeList'>['body']) => {
    await call('changeList', { id, body });
    forgetAnswers();
    again();
  };
  if (!answer) return <Opening title="List" asked={opened} />;
  const list = answer.data;
  const isOwn = list.kind !== 'alert';
  return (
    <Problems>
      <div class="sheet">
        <OpenHeading back="All lists" name={list.name} onRename={isOwn ? (name) => change({ name }) : undefined}>
          {isOwn && <DeleteButton list={list} />}
          <StateLink to={{ ...viewOfList(list), tab: 'table', open: id }}>Open as the table</StateLink>
          <span class="note">Made {date(list.createdAt)}</span>
        </OpenHeading>
        <ProblemNotice />
        {problem && <Notice problem={problem} again={again} />}
        {list.alertId && (
          <p>
            It holds what an alert has matched: <StateLink to={{ tab: 'alerts', open: list.alertId }}>open the alert</StateLink>, to which
            its name and sharing belong.
          </p>
        )}
        {list.projectCount === null ? (
          <ListCriteria list={list} onChange={(filters) => change({ filters })} />
        ) : (
          <ListRecords key={id} list={list} onChanged={again} />
        )}
        {isOwn && (
          <div class="grid">
            <Notes key={id} notes={list.description ?? ''} onSave={(notes) => change({ description: notes || null })} />
            <Sharing share={list.share} createdBy={list.createdBy} what="list" onChange={(share) => change({ share })} />
          </div>
        )}
      </div>
    </Problems>
  );
}
