/** Whether a count selects its projects by ids only. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import type { ParameterReading } from '../filter/parse.ts';
import { FILTER_NAMES, filterOf } from '../filter/table.ts';
import { contradiction } from './parameterProblems.ts';

/** Parameters that shape a page, not the set, and that a count ignores, so that the path is all that differs from a search. */
export const IGNORED_BY_COUNT = ['limit', 'offset', 'page', 'sort', 'order', 'representation'] as const;

const ALONE = FILTER_NAMES.filter((name) => filterOf(name).countedAlone);

/** Problems of a count that combines `projectIds` with other filters, which only a search may. */
export function findIdsAloneProblems({ sent }: ParameterReading): RequestRefusal[] {
  const ids = ALONE.map((name) => sent.get(name)).find((name) => name !== undefined);
  if (ids === undefined) return [];
  const others = FILTER_NAMES.flatMap((name) => (ALONE.includes(name) ? [] : (sent.get(name) ?? [])));
  return others.map((param) =>
    contradiction(param, `${ids} must be the only filter of a count, without ${param}; use GET /projects/search to combine them`, {
      alternative: '/projects/search',
    }),
  );
}
