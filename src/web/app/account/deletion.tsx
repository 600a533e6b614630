/** Deletion of what can be restored: at once, with a message that takes it back. */
import { ask } from '../api.ts';
import { showToast } from '../toasts.tsx';

/** The routes of what can be restored for 30 days. */
export type RestorableKind = 'alerts' | 'lists';

/** Restores an alert or a list. */
export const restoreEntry = (kind: RestorableKind, id: string) => ask(`/${kind}/${id}/restore`, { method: 'POST' });

/** Deletes an alert or a list. @param onRestored after the reader has taken it back */
export async function deleteWithUndo(kind: RestorableKind, { id, name }: { id: string; name: string }, onRestored: () => void) {
  await ask(`/${kind}/${id}`, { method: 'DELETE' });
  showToast(`“${name}” is deleted. It can be restored for 30 days.`, async () => {
    await restoreEntry(kind, id);
    onRestored();
  });
}
