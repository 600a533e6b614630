/** An open list: its records or criteria, notes, sharing. */
import { useState } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { ask, type FailedRequest, forgetAnswers } from '../shared/api.ts';
import { deleteWithUndo } from '../shared/deletion.ts';
import { StateLink } from '../shared/links.tsx';
import { viewOfList } from '../shared/savedView.ts';
import { readAddress } from '../shared/state.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';
import { OpenHeading } from './heading.tsx';
import { ListCriteria } from './listCriteria.tsx';
import { ListRecords } from './listRecords.tsx';
import { Sharing } from './sharing.tsx';

const NOTES_CHARACTERS_MAX = 2000;

interface NotesProps {
  notes: string;
  onSave: (notes: string) => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
}

function Notes({ notes, onSave, onProblem }: NotesProps) {
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
      <div class="field">
        <label for="notes">For everyone who sees the list</label>
        <textarea
          id="notes"
          rows={4}
          maxLength={NOTES_CHARACTERS_MAX}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <p class="actions">
        <Action disabled={text.trim() === notes} onProblem={onProblem} work={save}>
          Save the notes
        </Action>
      </p>
    </section>
  );
}

export function OpenList({ id, ...tab }: TabProps & { id: string }) {
  const { state, go, account, words, onSpent } = tab;
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const { answer, problem: refused, again } = useAnswer((signal) => ask(`/lists/${id}`, { signal }), [id]);
  const change = async (body: object) => {
    await ask(`/lists/${id}`, { method: 'PATCH', body });
    forgetAnswers();
    again();
  };
  if (!answer)
    return (
      <div class="sheet">
        <h1>List</h1>
        {refused ? <Notice problem={refused} again={again} /> : <Loading />}
      </div>
    );
  const list: SavedList = answer.data;
  const isOwn = list.kind !== 'alert';
  const remove = async () => {
    await deleteWithUndo('lists', list, () => go({ ...readAddress(location), tab: 'lists', open: id, project: null }));
    go({ ...state, open: null });
  };
  return (
    <div class="sheet">
      <OpenHeading
        {...{ state, go }}
        back="All lists"
        name={list.name}
        onRename={isOwn ? (name) => change({ name }) : undefined}
        onProblem={setProblem}
      >
        {isOwn && (
          <Action kind="danger" onProblem={setProblem} work={remove}>
            Delete
          </Action>
        )}
        <StateLink {...{ state, go }} to={{ ...viewOfList(list), tab: 'table', open: id }}>
          Open as the table
        </StateLink>
        <span class="note">Made {date(list.createdAt)}</span>
      </OpenHeading>
      {problem && <Notice problem={problem} />}
      {refused && <Notice problem={refused} again={again} />}
      {list.alertId && (
        <p>
          It holds what an alert has matched:{' '}
          <StateLink {...{ state, go }} to={{ tab: 'alerts', open: list.alertId }}>
            open the alert
          </StateLink>
          , to which its name and sharing belong.
        </p>
      )}
      {list.projectCount === null ? (
        <ListCriteria {...{ list, state, go, words }} onChange={(filters) => change({ filters })} onProblem={setProblem} />
      ) : (
        <ListRecords key={id} {...{ list, state, go, account, onSpent }} onChanged={again} />
      )}
      {isOwn && (
        <div class="grid">
          <Notes
            key={id}
            notes={list.description ?? ''}
            onSave={(notes) => change({ description: notes || null })}
            onProblem={setProblem}
          />
          <Sharing share={list.share} createdBy={list.createdBy} account={account} what="list" onChange={(share) => change({ share })} />
        </div>
      )}
    </div>
  );
}
