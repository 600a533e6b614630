/** What `GET /projects/count` takes. Pure. */
import type { LookUpOptions } from '../../domain/enrichment.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Principal } from '../../domain/principal.ts';
import { CONTROLS, type Controls, type ControlValues, pickControls } from '../../filter/controls.ts';
import type { RawParameters, Reading } from '../../filter/parse.ts';
import { FILTER_NAMES } from '../../filter/table.ts';
import { optionsAloneProblems } from '../../search/contactProblems.ts';
import { contradiction } from '../../search/problems.ts';
import { select, without } from '../../search/select.ts';
import type { Environment } from '../../search/services.ts';
import { orderOf, orderProblems, type SearchRequest } from './searchRequest.ts';

/** What shapes a page and not the set, so that a search becomes its count by changing the path. */
export const IGNORED_BY_COUNT = ['limit', 'offset', 'page', 'sort', 'order', 'representation'] as const;

/** With contacts they choose which rows are looked up, where not all are. */
const ORDER = ['sort', 'order'] as const;

/** `deliveryMode` chooses the set, so that it counts here too: a refused search under `new` could not be priced without it. */
export const COUNT_CONTROLS: Controls = {
  ...pickControls('deliveryMode'),
  include: { ...CONTROLS.include, summary: '`contacts` prices them too' },
  contactOptions: {
    ...CONTROLS.contactOptions,
    summary: 'JSON object that bounds which contacts are priced, as on a CSV; cachedOnly true prices none',
  },
};

export interface CountRequest extends Pick<SearchRequest, 'selection' | 'sort' | 'deliveryMode'> {
  /** how contacts would be looked up; undefined where they are not priced, null where they would only be read back */
  contacts: LookUpOptions | null | undefined;
}

/** @throws ApiError with everything that is wrong with the request */
export function parseCount(raw: RawParameters, principal: Principal, environment: Environment): CountRequest {
  const ordered = raw.has('include');
  const taken = without(ordered ? IGNORED_BY_COUNT.filter((name) => !ORDER.some((one) => one === name)) : IGNORED_BY_COUNT, raw);
  const controlled = ordered ? { ...COUNT_CONTROLS, ...pickControls(...ORDER) } : COUNT_CONTROLS;
  const { selection, controls } = select(taken, controlled, principal, environment, (reading) => [
    ...idsAloneProblems(reading),
    ...optionsAloneProblems(reading),
    ...orderProblems(reading),
  ]);
  return { selection, sort: orderOf(controls), deliveryMode: controls.deliveryMode ?? 'all', contacts: contactsOf(controls) };
}

function contactsOf({ include, contactOptions: { cachedOnly, ...options } = {} }: ControlValues): CountRequest['contacts'] {
  if (include !== 'contacts') return undefined;
  return cachedOnly ? null : options;
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
