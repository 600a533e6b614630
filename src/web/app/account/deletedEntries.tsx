/** Deleted alerts or lists of the last 30 days, which can be restored. */
import { useState } from 'preact/hooks';
import type { SavedAlert, SavedList } from '../shared/answers.ts';
import { ask, type FailedRequest } from '../shared/api.ts';
import { type RestorableKind, restoreEntry } from '../shared/deletion.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Empty, Loading, Notice, Table, useAnswer } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';

interface DeletedProps {
  kind: RestorableKind;
  onRestored: () => void;
}

function DeletedTable({ kind, onRestored }: DeletedProps) {
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const { answer, problem: refused, again } = useAnswer((signal) => ask(`/${kind}?deleted=true`, { signal }), [kind]);
  const restore = async ({ id, name }: { id: string; name: string }) => {
    await restoreEntry(kind, id);
    again();
    onRestored();
    showToast(`“${name}” is back.`);
  };
  if (refused) return <Notice problem={refused} again={again} />;
  if (!answer) return <Loading />;
  const entries: (SavedAlert | SavedList)[] = answer.data;
  return (
    <>
      {problem && <Notice problem={problem} />}
      {!entries.length && <Empty>Nothing was deleted in the last 30 days.</Empty>}
      {entries.length > 0 && (
        <Table
          label={`Deleted ${kind}`}
          heads={['Name', 'Can be restored until', 'Actions']}
          rows={entries.map((entry) => [
            entry.name,
            date(entry.restorableUntil),
            <Action kind="small" onProblem={setProblem} work={() => restore(entry)}>
              Restore
            </Action>,
          ])}
        />
      )}
    </>
  );
}

/** A collapsed section that is loaded when it is opened. */
export function DeletedEntries({ kind, onRestored }: DeletedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Deleted {kind}</summary>
      {isOpen && <DeletedTable kind={kind} onRestored={onRestored} />}
    </details>
  );
}
