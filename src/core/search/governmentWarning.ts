import type { Warning } from '../domain/warnings.ts';
import { compileFilters } from '../filter/compile.ts';
import { PROJECT_IDS_MAX } from '../filter/kinds.ts';
import { allOf, terms } from '../query/clauses.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { Actor } from './actor.ts';
import type { Selection } from './select.ts';

/**
 * Warns which of the sent ids are left out as government items. Queried only when ids were sent, and on plans that pay for records without
 * the other filters: whether an id matches those would reveal what an unpaid record says.
 * @param remedy what to send instead
 */
export async function readGovernmentWarning(
  store: ProjectStore,
  { filters, scope, context }: Pick<Selection, 'filters' | 'scope' | 'context'>,
  remedy: string,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
): Promise<Warning[]> {
  const { projectIds } = filters;
  if (!projectIds || filters.includeGovernmentDecisions) return [];
  const asked = principal.plan.recordCredit ? { projectIds } : filters;
  const withThem = compileFilters({ ...asked, includeGovernmentDecisions: true }, scope, context);
  const query = allOf([withThem, terms('derived.isGovernmentDecision', [true])]);
  const found = await store.listMembers(query, PROJECT_IDS_MAX, signal);
  const members = new Set(found.flatMap(({ memberIds }) => memberIds));
  const ids = projectIds.filter((id) => members.has(id)).sort((a, b) => a - b);
  if (!ids.length) return [];
  const message = `${ids.length} of the projects named by projectIds are government items and were left out; ${remedy}`;
  return [{ code: 'government_decisions_excluded', message, params: { ids } }];
}

export const SEND_THE_FLAG = 'send includeGovernmentDecisions=true to have them';
