/** SQL for what can be restored after its deletion (src/docs/lists.md, src/docs/alerts.md). */

/** Days for which something deleted can be restored; then it is deleted for good. */
export const RESTORABLE_DAYS = 30;

/** SQL: whether something that was deleted can still be restored. @param deletedAt an SQL expression */
export const isRestorable = (deletedAt: string) => `${deletedAt} > service_now() - interval '${RESTORABLE_DAYS} days'`;
