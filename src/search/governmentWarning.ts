import type { Warning } from '../domain/warnings.ts';
import { compileFilters } from '../filter/compile.ts';
import { PROJECT_IDS_MAX } from '../filter/kinds.ts';
import { allOf, terms } from '../query/clauses.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { Selection } from './select.ts';

/**
 * Says which of the records that were asked for by id are left out as government items, and nothing else. Looked up only where ids were
 * sent. @param remedy what to send instead
 */
export async function governmentWarning(
  store: ProjectStore,
  { filters, scope, context }: Pick<Selection, 'filters' | 'scope' | 'context'>,
  remedy: string,
  signal: AbortSignal | undefined,
): Promise<Warning[]> {
  if (!filters.projectIds || filters.includeGovernmentDecisions) return [];
  const others = compileFilters({ ...filters, includeGovernmentDecisions: true }, scope, context);
  const query = allOf([others, terms('derived.isGovernmentDecision', [true])]);
  const ids = await store.ids(query, PROJECT_IDS_MAX, signal);
  if (!ids.length) return [];
  const message = `${ids.length} of the projects named by projectIds are government items and were left out; ${remedy}`;
  return [{ code: 'government_decisions_excluded', message, params: { ids } }];
}

export const SEND_THE_FLAG = 'send includeGovernmentDecisions=true to have them';
