/** The parameters of `GET /projects/count`. Pure. */

import type { Principal } from '../../core/domain/principal.ts';
import { CONTROLS, type Controls, type ControlValues, pickControls } from '../../core/filter/controls.ts';
import type { RawParameters } from '../../core/filter/parse.ts';
import type { LookUpOptions } from '../../core/people/enrichment.ts';
import { findIdsAloneProblems, IGNORED_BY_COUNT } from '../../core/search/idsAlone.ts';
import { findOptionsAloneProblems } from '../../core/search/includeProblems.ts';
import { orderOf, orderProblems, type SearchRequest } from '../../core/search/searchRequest.ts';
import { parseSelection, withoutIgnored } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';

/** With contacts, these determine which rows are looked up if not all are. */
const ORDER = ['sort', 'order'] as const;

/** `deliveryMode` selects records, so a count accepts it: otherwise a refused search under `new` could not be priced. */
export const COUNT_CONTROLS: Controls = {
  ...pickControls('deliveryMode'),
  include: { ...CONTROLS.include, summary: '`contacts` prices them too; `derived` costs nothing' },
  contactOptions: {
    ...CONTROLS.contactOptions,
    summary: 'JSON object that bounds which contacts are priced, as on a CSV; cachedOnly true prices none',
  },
};

export interface CountRequest extends Pick<SearchRequest, 'selection' | 'sort' | 'deliveryMode'> {
  /** the options of look-ups; undefined when contacts are not priced, null when they are only read from earlier look-ups */
  contacts: LookUpOptions | null | undefined;
}

/**
 * Parses a request.
 * @throws ApiError with every problem of the request
 */
export function parseCount(raw: RawParameters, principal: Principal, environment: Environment): CountRequest {
  const ordered = raw.has('include');
  const taken = withoutIgnored(ordered ? IGNORED_BY_COUNT.filter((name) => !ORDER.some((one) => one === name)) : IGNORED_BY_COUNT, raw);
  const controlled = ordered ? { ...COUNT_CONTROLS, ...pickControls(...ORDER) } : COUNT_CONTROLS;
  const { selection, controls } = parseSelection(taken, controlled, principal, environment, (reading) => [
    ...findIdsAloneProblems(reading),
    ...findOptionsAloneProblems(reading),
    ...orderProblems(reading),
  ]);
  return { selection, sort: orderOf(controls), deliveryMode: controls.deliveryMode ?? 'all', contacts: readContactOptions(controls) };
}

function readContactOptions({ include, contactOptions: { cachedOnly, ...options } = {} }: ControlValues): CountRequest['contacts'] {
  if (!include?.includes('contacts')) return undefined;
  return cachedOnly ? null : options;
}
