/** The parameters of `GET /projects/search`. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import type { Representation } from '../domain/record/schemas.ts';
import type { Warning } from '../domain/warnings.ts';
import { type ControlValues, type Direction, pickControls, SCAN_CEILING_RECORDS, SORTS, type SortField } from '../filter/controls.ts';
import { canonicalText, type ParameterReading, type RawParameters } from '../filter/parse.ts';
import { type Includes, includeProblems, includesOf } from './includeProblems.ts';
import { makeLimitWarnings, readLimit } from './pageSize.ts';
import { areParsed, contradiction } from './parameterProblems.ts';
import { parseSelection, type Selection } from './select.ts';
import type { Environment } from './services.ts';

export interface SearchRequest extends Includes {
  selection: Selection;
  representation: Representation;
  sort: { field: SortField; direction: Direction };
  limit: number;
  offset: number;
  deliveryMode: 'all' | 'new';
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  /** URL that prices the whole set, if not a count with its filters */
  priceUrl?: string;
  /** text that is equal for equal requests */
  same: string;
}

export const SEARCH_CONTROLS = pickControls(
  ...(['sort', 'order', 'limit', 'offset', 'page', 'representation', 'format', 'maxCredits', 'maxContactCredits', 'include'] as const),
  'contactOptions',
  'deliveryMode',
);

/** The sort order given by `sort` and `order`. */
export function orderOf({ sort = 'meetingDate', order }: ControlValues): SearchRequest['sort'] {
  const { field, direction } = SORTS[sort] ?? { field: 'meetingDate' as const };
  return { field, direction: direction ?? order ?? 'desc' };
}

/** Index of the first record of the page. */
const readOffset = (controls: ControlValues): number => controls.offset ?? ((controls.page ?? 1) - 1) * readLimit(controls);

/** A page has to end before the scan ceiling. `deliveryMode=new` has only a first page: delivered records have left the set. */
export function findPageProblems(reading: ParameterReading): RequestRefusal[] {
  const { controls } = reading;
  if (!areParsed(reading, 'limit', 'offset', 'page', 'deliveryMode')) return [];
  const [limit, offset] = [readLimit(controls), readOffset(controls)];
  const param = controls.offset === undefined && controls.page !== undefined ? 'page' : 'offset';
  if (controls.deliveryMode === 'new' && offset > 0) {
    const message = `deliveryMode=new has no page but the first, since what was delivered has left the set; leave ${param} out and repeat the request for more`;
    return [contradiction(param, message)];
  }
  if (offset + limit <= SCAN_CEILING_RECORDS) return [];
  const message = `offset + limit reaches ${offset + limit}; a search reaches ${SCAN_CEILING_RECORDS}. Use GET /projects/sync to read every record`;
  return [contradiction(param, message, { candidateScanCeiling: SCAN_CEILING_RECORDS, alternative: '/projects/sync' })];
}

export function orderProblems({ controls: { sort = '', order } }: ParameterReading): RequestRefusal[] {
  const direction = SORTS[sort]?.direction;
  if (!direction || !order || direction === order) return [];
  return [contradiction('order', `order=${order} contradicts sort=${sort}, which means ${direction}; send one of the two`)];
}

function findFormatProblems(reading: ParameterReading): RequestRefusal[] {
  const { controls } = reading;
  if (controls.format === 'csv' || !areParsed(reading, 'format')) return [];
  const sent = (['maxCredits', 'maxContactCredits'] as const).filter((name) => controls[name] !== undefined);
  return sent.map((name) => contradiction(name, `${name} is for format=csv; leave it out of a JSON search`));
}

/** Whether the matches are requested as a file instead of a page. */
export const asksForCsv = (raw: RawParameters) => (raw.get('format') ?? []).some((value) => String(value).trim().toLowerCase() === 'csv');

/** Parses a search. @throws ApiError with every problem of the request */
export function parseSearch(raw: RawParameters, principal: Principal, environment: Environment): SearchRequest {
  const { selection, controls } = parseSelection(raw, SEARCH_CONTROLS, principal, environment, (reading) => [
    ...findFormatProblems(reading),
    ...includeProblems(reading, principal),
    ...orderProblems(reading),
    ...findPageProblems(reading),
  ]);
  return toSearchRequest(selection, controls, canonicalText(raw));
}

/** A page of a selection, by the parameters that shape pages. @param same text that is equal for equal requests */
export function toSearchRequest(selection: Selection, controls: ControlValues, same: string): SearchRequest {
  const sort = orderOf(controls);
  const limit = readLimit(controls);
  const representation = controls.representation ?? 'standard';
  return {
    selection,
    representation,
    sort,
    limit,
    offset: readOffset(controls),
    same,
    deliveryMode: controls.deliveryMode ?? 'all',
    ...includesOf(controls),
    warnings: [...selection.warnings, ...makeLimitWarnings(controls)],
    appliedDefaults: {
      ...selection.appliedDefaults,
      ...(controls.representation ? {} : { representation }),
      ...(controls.sort ? {} : { sort: sort.field }),
      ...(controls.order || SORTS[controls.sort ?? '']?.direction ? {} : { order: sort.direction }),
      ...(controls.limit === undefined ? { limit } : {}),
    },
  };
}
