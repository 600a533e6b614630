/** How alerts end: by their members, by an operator, or with their team. */
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { removeCompanionLists } from '../lists/index.ts';

/** Also removes their lists, which nothing else does. */
export async function archiveAlerts(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(`update alert set status = 'archived', next_run_at = null, updated_at = service_now() where id = any ($1)`, [ids]);
  await removeCompanionLists(tx, ids);
}
