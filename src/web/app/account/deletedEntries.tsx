/** Deleted alerts or lists of the last 30 days, which can be restored. */
import { useState } from 'preact/hooks';
import { type RestorableKind, readDeleted, restoreEntry } from '../shared/deletion.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Empty, Pending, ProblemNotice, Problems, Table } from '../shared/ui.tsx';
import { useAnswer } from '../shared/useAnswer.ts';
import { date } from '../shared/words.ts';

interface DeletedProps {
  kind: RestorableKind;
  onRestored: () => void;
}

function DeletedTable({ kind, onRestored }: DeletedProps) {
  const deleted = useAnswer((signal) => readDeleted(kind, signal), [kind]);
  const entries = deleted.answer ?? [];
  const restore = async ({ id, name }: { id: string; name: string }) => {
    await restoreEntry(kind, id);
    deleted.again();
    onRestored();
    showToast(`“${name}” is back.`);
  };
  if (deleted.problem || !deleted.answer) return <Pending asked={deleted} />;
  return (
    <Problems>
      <ProblemNotice />
      {!entries.length && <Empty>Nothing was deleted in the last 30 days.</Empty>}
      {entries.length > 0 && (
        <Table
          label={`Deleted ${kind}`}
          heads={['Name', 'Can be restored until', 'Actions']}
          rows={entries.map((entry) => [
            entry.name,
            date(entry.restorableUntil),
            <Action kind="small" work={() => restore(entry)}>
              Restore
            </Action>,
          ])}
        />
      )}
    </Problems>
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
