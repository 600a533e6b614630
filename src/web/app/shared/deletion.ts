/** Deletes alerts and lists at once, with a message that can undo it. */
import { ask } from './api.ts';
import { showToast } from './toasts.tsx';

/** The routes of things that can be restored for 30 days. */
export type RestorableKind = 'alerts' | 'lists';

/** Restores an alert or a list. */
export const restoreEntry = (kind: RestorableKind, id: string) => ask(`/${kind}/${id}/restore`, { method: 'POST' });

/** Deletes an alert or a list. @param onRestored called after the reader has undone it */
export async function deleteWithUndo(kind: RestorableKind, { id, name }: { id: string; name: string }, onRestored: () => void) {
  await ask(`/${kind}/${id}`, { method: 'DELETE' });
  showToast(`“${name}” is deleted. It can be restored for 30 days.`, async () => {
    await restoreEntry(kind, id);
    onRestored();
  });
}
