/** The parameters of `GET /projects/sync`. Pure. */
import type { Principal } from '../../core/domain/principal.ts';
import { compileFilters } from '../../core/filter/compile.ts';
import { CACHED_CONTACTS, type ControlValues, EVERY_RECORD, pickControls } from '../../core/filter/controls.ts';
import { meaningOf } from '../../core/filter/meaning.ts';
import { canonicalText, type RawParameters } from '../../core/filter/parse.ts';
import { includeProblems, includesOf } from '../../core/search/includeProblems.ts';
import { makeLimitWarnings, readLimit } from '../../core/search/pageSize.ts';
import type { SearchRequest } from '../../core/search/searchRequest.ts';
import { parseSelection, parseSelectionDay, type Selection } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import type { QueryOn } from './dayRollover.ts';

export interface SyncRequest extends Omit<SearchRequest, 'sort' | 'offset' | 'deliveryMode' | 'priceUrl'> {
  cursor: string | undefined;
  /** the walk's query on a day, without `lastUpdatedFrom`, which only determines where it begins */
  queryOn: QueryOn;
  /** `lastUpdatedFrom`, ISO 8601 */
  from: string | undefined;
  /** the meaning of the walk's filters, to which cursors are bound */
  meaning: Record<string, unknown>;
}

export const SYNC_CONTROLS = { ...pickControls('limit', 'representation', 'include', 'cursor'), ...CACHED_CONTACTS, ...EVERY_RECORD };

/** Parses a request. @throws ApiError with every problem of the request */
export function parseSync(raw: RawParameters, principal: Principal, environment: Environment): SyncRequest {
  const { selection, controls } = parseSelection(raw, SYNC_CONTROLS, principal, environment, (reading) =>
    includeProblems(reading, principal),
  );
  return walkRequest(selection, controls, canonicalText(raw));
}

/** A page of a walk through a selection. @param same text that is equal for equal requests */
export function walkRequest(selection: Selection, controls: ControlValues, same: string): SyncRequest {
  const limit = readLimit(controls);
  const representation = controls.representation ?? 'standard';
  const { lastUpdatedFrom, ...walked } = selection.filters;
  return {
    selection,
    representation,
    limit,
    ...includesOf(controls),
    cursor: controls.cursor,
    same,
    queryOn: (day) => compileFilters(walked, selection.scope, { ...selection.context, ...parseSelectionDay(day) }),
    from: lastUpdatedFrom?.start,
    meaning: meaningOf(walked),
    warnings: [...selection.warnings, ...makeLimitWarnings(controls)],
    appliedDefaults: {
      ...selection.appliedDefaults,
      ...(controls.representation ? {} : { representation }),
      ...(controls.limit === undefined ? { limit } : {}),
    },
  };
}
