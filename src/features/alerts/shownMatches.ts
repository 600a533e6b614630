/**
 * The matches of an alert that can be shown: their records, or the records that they were merged into, still exist and are covered by the
 * licence.
 */
import type { Principal } from '../../core/domain/principal.ts';
import type { FetchedProject } from '../../core/domain/record/represent.ts';
import { terms } from '../../core/query/clauses.ts';
import type { Actor } from '../../core/search/actor.ts';
import { type Selection, selectionOf } from '../../core/search/select.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { AlertServices } from './manage.ts';

type MatchServices = Pick<AlertServices, 'store' | 'places' | 'now' | 'matches'>;

export type Reader = Pick<Actor, 'signal'> & { principal: Pick<Principal, 'teamId' | 'plan' | 'licence'> };

interface ShownMatches {
  /** ids of matches, in order; not all of them can be shown */
  ids: readonly number[];
  /** the selection of the records of these ids that can be shown */
  recordsOf(ids: readonly number[]): Selection;
}

/** Matches looked up at once when some cannot be shown. */
const LOOKED_UP = 1_000;

/**
 * The matches that can be shown.
 * @param deliveryId only those that this run delivered, dismissed or not; otherwise everything that nobody dismissed
 */
export async function listShownMatches(
  services: MatchServices,
  { principal }: Reader,
  alertId: string,
  deliveryId: string | undefined,
): Promise<ShownMatches> {
  const places = await services.matches.listMatchOrder(alertId, deliveryId);
  const isHidden = (dismissed: boolean) => dismissed && deliveryId === undefined;
  const hidden = places.flatMap(({ projectId, dismissed }) => (isHidden(dismissed) ? [projectId] : []));
  const { today } = environmentOf(services);
  const recordsOf = (projectIds: readonly number[]) => {
    const selection = selectionOf({ projectIds: [...projectIds], includeGovernmentDecisions: true }, principal, today);
    // Records merged into a dismissed one are hidden too.
    const query = hidden.length ? { bool: { filter: [selection.query], must_not: [terms('id', hidden)] } } : selection.query;
    return { ...selection, query };
  };
  return { ids: places.flatMap(({ projectId, dismissed }) => (isHidden(dismissed) ? [] : [projectId])), recordsOf };
}

/** The id of the match under which a record is shown: its own, or that of a record merged into it. */
export const matchOf = ({ id, compact }: Pick<FetchedProject, 'id' | 'compact'>, isMatch: (id: number) => boolean): number | undefined =>
  [id, ...(compact.mergedFrom ?? [])].find(isMatch);

/** A page of the matches that can be shown, each record once. @throws ApiError `search_unavailable` */
export async function selectPageOfMatches(
  { store }: MatchServices,
  { ids, recordsOf }: ShownMatches,
  { limit, offset }: { limit: number; offset: number },
  signal: AbortSignal | undefined,
): Promise<{ ids: readonly number[]; total: number }> {
  if (!ids.length) return { ids, total: 0 };
  const [total = 0] = await store.counts([recordsOf(ids).query], signal);
  const end = Math.min(offset + limit, total);
  if (total === ids.length || end <= offset) return { ids: ids.slice(offset, end), total };
  const all = new Set(ids);
  const shown: number[] = [];
  const records = new Set<number>();
  for (let from = 0; shown.length < end && from < ids.length; from += LOOKED_UP) {
    const some = ids.slice(from, from + LOOKED_UP);
    const found = await store.listMembers(recordsOf(some).query, some.length, signal);
    const recordOf = new Map(found.flatMap(({ id, memberIds }) => memberIds.map((member) => [member, id] as const)));
    for (const id of some) {
      const record = recordOf.get(id);
      // A record's own match takes precedence over those of records merged into it.
      if (record === undefined || records.has(record) || (record !== id && all.has(record))) continue;
      records.add(record);
      shown.push(id);
    }
  }
  return { ids: shown.slice(offset, end), total };
}
