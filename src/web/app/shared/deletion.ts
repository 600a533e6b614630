/** Deletes alerts and lists at once, with a message that can undo it. */
import { call } from './api.ts';
import { showToast } from './toasts.tsx';

const CALLS = {
  alerts: { remove: 'deleteAlert', restore: 'restoreAlert', list: 'listAlerts' },
  lists: { remove: 'deleteList', restore: 'restoreList', list: 'listLists' },
} as const;

/** What can be restored for 30 days. */
export type RestorableKind = keyof typeof CALLS;

interface Restorable {
  id: string;
  name: string;
  restorableUntil?: string | null;
}

/** Restores an alert or a list. */
export const restoreEntry = (kind: RestorableKind, id: string) => call(CALLS[kind].restore, { id });

/** Deleted alerts or lists. */
export const readDeleted = async (kind: RestorableKind, signal: AbortSignal): Promise<Restorable[]> =>
  (await call(CALLS[kind].list, { deleted: true }, { signal })).data;

/** Deletes an alert or a list. @param onRestored called after the reader has undone it */
export async function deleteWithUndo(kind: RestorableKind, { id, name }: { id: string; name: string }, onRestored: () => void) {
  await call(CALLS[kind].remove, { id });
  showToast(`“${name}” is deleted. It can be restored for 30 days.`, async () => {
    await restoreEntry(kind, id);
    onRestored();
  });
}
