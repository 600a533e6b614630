/** What `GET /projects/count` takes. Pure. */

import type { Principal } from '../../core/domain/principal.ts';
import { CONTROLS, type Controls, type ControlValues, pickControls } from '../../core/filter/controls.ts';
import type { RawParameters } from '../../core/filter/parse.ts';
import type { LookUpOptions } from '../../core/people/enrichment.ts';
import { optionsAloneProblems } from '../../core/search/contactProblems.ts';
import { idsAloneProblems } from '../../core/search/idsAlone.ts';
import { orderOf, orderProblems, type SearchRequest } from '../../core/search/searchRequest.ts';
import { select, without } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';

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
