/** How many of the records that an alert matches are heard on the days that a due run announces. */
import { allOf, type Clause, range } from '../../core/query/clauses.ts';
import { makeHeldClause } from '../../core/search/held.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { HearingDays } from './cadence.ts';
import { findCriteriaProblems, readStoredCriteria, selectByCriteria } from './criteria.ts';
import type { AlertServices } from './manage.ts';
import { findRefusalOfCost } from './run.ts';
import type { StoredAlert } from './types.ts';

const NEXT_MEETING = 'derived.evidence.nextMeetingDate';
/** Records heard on the same days that are looked up among the matches of an alert with a requirement. */
const HEARD_MAX = 10_000;

/**
 * Counts the records whose `nextMeetingDate` is one of the days and that the filters match; with a requirement those among them that the
 * alert delivered, since only they are known to satisfy it. Of filters that cannot run nothing is counted.
 * @throws ApiError `search_unavailable`, `service_unavailable`
 */
export async function countHeardRecords(
  services: AlertServices,
  alert: StoredAlert,
  { from, to }: Pick<HearingDays, 'from' | 'to'>,
  signal: AbortSignal,
): Promise<number> {
  if (alert.status !== 'active') return 0;
  const principal = { teamId: alert.teamId, ...(await services.accounts.principalOf(alert.teamId)) };
  const criteria = readStoredCriteria(alert, services.places);
  if (findCriteriaProblems(criteria, principal, services.places).length) return 0;
  const selection = selectByCriteria(criteria, principal, environmentOf(services).today);
  const heard = allOf([selection.query, range(NEXT_MEETING, { gte: from, lte: to })]);
  if (alert.specificRequirement !== null) return countDelivered(services, alert.id, heard, signal);
  // Otherwise an alert on one id, or one whose run cannot be paid, would reveal the hearings of a record that the pool does not hold.
  const isUnpaid = async () =>
    selection.filters.projectIds !== undefined ||
    (await findRefusalOfCost(services, { alert, principal }, selection.query, signal)) !== undefined;
  const query =
    principal.plan.recordCredit > 0 && (await isUnpaid())
      ? allOf([heard, await makeHeldClause(services, principal, heard, signal)])
      : heard;
  const [count = 0] = await services.store.counts([query], signal);
  return count;
}

async function countDelivered({ sets, matches }: AlertServices, alertId: string, query: Clause, signal: AbortSignal): Promise<number> {
  const records = await sets.revisions({ query, sort: [{ id: 'asc' }] }, HEARD_MAX, signal);
  const delivered = await matches.find(
    alertId,
    records.flatMap(({ memberIds }) => memberIds),
  );
  return records.filter(({ memberIds }) => memberIds.some((id) => delivered.has(id))).length;
}
