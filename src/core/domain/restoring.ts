/** What can be restored after its deletion (src/docs/lists.md, src/docs/alerts.md). Pure. */

/** Days for which something deleted can be restored; then it is deleted permanently. */
export const RESTORABLE_DAYS = 30;

const DAY_MS = 86_400_000;

/** Until when something can be restored, as answers show it; nothing for what was not deleted. */
export const restorableUntil = (deletedAt: Date | null): { restorableUntil?: string } =>
  deletedAt ? { restorableUntil: new Date(deletedAt.getTime() + RESTORABLE_DAYS * DAY_MS).toISOString() } : {};
