/** SQL for what can be restored after its deletion (src/docs/lists.md, src/docs/alerts.md). */
import { RESTORABLE_DAYS } from '../../domain/restoring.ts';

/** SQL: whether something that was deleted can still be restored. @param deletedAt an SQL expression */
export const isRestorableSql = (deletedAt: string) => `${deletedAt} > service_now() - interval '${RESTORABLE_DAYS} days'`;
