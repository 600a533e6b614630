/** Stores what a run delivered, and what it judged and refused, in the transaction that ends it. */
import { findStepsSince, listChangedFields } from '../../core/domain/record/earlierRevisions.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { NewBecause } from './newlyRead.ts';
import type { DeliveredItem, RunItem } from './runTypes.ts';
import type { StoredDelivery } from './types.ts';

/** A delivered record, and what is new about it. */
export interface News extends Omit<DeliveredItem, 'newBecause'> {
  newBecause: NewBecause;
  /** names of the fields that changed since the alert delivered it before, ascending; null for a new record, or where that is not remembered */
  changedFields: string[] | null;
}

/** Compares delivered records with what the alert delivered before. */
export async function compareWithDelivered(on: Queryable, alertId: string, items: readonly DeliveredItem[]): Promise<News[]> {
  const sql = 'select project_id::float8 as id, revision from alert_match where alert_id = $1 and project_id = any ($2::bigint[])';
  const rows = await on.query<{ id: number; revision: string }>(sql, [alertId, items.map(({ id }) => id)]);
  const before = new Map(rows.map(({ id, revision }) => [id, revision]));
  return items.map((item) => {
    const revision = before.get(item.id);
    const steps = revision === undefined ? null : findStepsSince(revision, item.revision, item.earlier);
    const newBecause = revision === undefined ? item.newBecause : 'changed';
    return { ...item, newBecause, changedFields: steps && listChangedFields(steps) };
  });
}

/** Stores revisions that no later run judges. */
export async function writeRefusedRevisions(on: Queryable, alertId: string, refused: readonly RunItem[]): Promise<void> {
  if (!refused.length) return;
  await on.query(
    `insert into alert_refused (alert_id, project_id, revision_hash, last_updated)
     select $1, id, hash, updated from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as item (id, hash, updated)
     on conflict (alert_id, project_id) do update set revision_hash = excluded.revision_hash, last_updated = excluded.last_updated`,
    [alertId, refused.map(({ id }) => id), refused.map(({ revisionHash }) => revisionHash), refused.map(({ lastUpdated }) => lastUpdated)],
  );
}

export async function writeMatches(
  on: Queryable,
  alertId: string,
  { id: deliveryId, startedAt }: StoredDelivery,
  items: readonly News[],
): Promise<void> {
  if (!items.length) return;
  const ids = items.map(({ id }) => id);
  await on.query(
    'insert into alert_delivered (delivery_id, place, project_id) select $1, n, id from unnest($2::bigint[]) with ordinality as item (id, n)',
    [deliveryId, ids],
  );
  await on.query(
    `insert into alert_match (alert_id, project_id, delivery_id, revision, revision_hash, last_updated, delivered_at, why, evidence, place,
       shown, shown_revision, changed_fields, new_because)
     select $1, id, $2, revision, hash, updated, $3, why, evidence, place, shown, revision,
       case when changed is not null then array(select jsonb_array_elements_text(changed)) end, because
     from unnest($4::bigint[], $5::text[], $6::bigint[], $7::timestamptz[], $8::text[], $9::jsonb[], $10::jsonb[], $11::jsonb[], $12::text[])
       with ordinality as item (id, revision, hash, updated, why, evidence, shown, changed, because, place)
     on conflict (alert_id, project_id) do update set delivery_id = excluded.delivery_id, revision = excluded.revision,
       revision_hash = excluded.revision_hash, last_updated = excluded.last_updated, delivered_at = excluded.delivered_at,
       why = excluded.why, evidence = excluded.evidence, place = excluded.place,
       shown = excluded.shown, shown_revision = excluded.shown_revision,
       changed_fields = excluded.changed_fields, new_because = excluded.new_because`,
    [
      alertId,
      deliveryId,
      startedAt,
      ids,
      items.map(({ revision }) => revision),
      items.map(({ revisionHash }) => revisionHash),
      items.map(({ lastUpdated }) => lastUpdated),
      items.map(({ finding }) => finding?.whyThisMatched ?? null),
      items.map(({ finding }) => (finding ? JSON.stringify(finding.evidence) : null)),
      items.map(({ record }) => JSON.stringify(record)),
      items.map(({ changedFields }) => changedFields && JSON.stringify(changedFields)),
      items.map(({ newBecause }) => newBecause),
    ],
  );
}
