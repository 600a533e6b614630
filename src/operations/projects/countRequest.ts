/** What `GET /projects/count` takes. Pure. */
import type { Refusal } from '../../domain/errors.ts';
import type { Principal } from '../../domain/principal.ts';
import { pickControls } from '../../filter/controls.ts';
import type { RawParameters, Reading } from '../../filter/parse.ts';
import { FILTER_NAMES } from '../../filter/table.ts';
import { contradiction } from '../../search/problems.ts';
import { type Selection, select, without } from '../../search/select.ts';
import type { Environment } from '../../search/services.ts';

/** What shapes a page and not the set, so that a search becomes its count by changing the path. */
export const IGNORED_BY_COUNT = ['limit', 'offset', 'page', 'sort', 'order', 'representation'] as const;

/** `deliveryMode` chooses the set, so that it counts here too: a refused search under `new` could not be priced without it. */
export const COUNT_CONTROLS = pickControls('deliveryMode');

export interface CountRequest {
  selection: Selection;
  deliveryMode: 'all' | 'new';
}

/** @throws ApiError with everything that is wrong with the request */
export function parseCount(raw: RawParameters, principal: Principal, environment: Environment): CountRequest {
  const { selection, controls } = select(without(IGNORED_BY_COUNT, raw), COUNT_CONTROLS, principal, environment, idsAloneProblems);
  return { selection, deliveryMode: controls.deliveryMode ?? 'all' };
}

/** A count takes `projectIds` alone: to combine them is a search. */
export function idsAloneProblems({ sent }: Reading): Refusal[] {
  const ids = sent.get('projectIds');
  if (ids === undefined) return [];
  const others = FILTER_NAMES.flatMap((name) => (name === 'projectIds' ? [] : (sent.get(name) ?? [])));
  return others.map((param) =>
    contradiction(param, `${ids} must be the only filter of a count, without ${param}; use GET /projects/search to combine them`, {
      alternative: '/projects/search',
    }),
  );
}
