/** The parameters of `GET /ogc/collections/projects/items`: the filters of a search, and `bbox` and `datetime` of OGC API - Features. Pure. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { CONTROLS, included, LIMIT_DEFAULT, LIMIT_MAX, pickControls } from '../../core/filter/controls.ts';
import { ogcBox } from '../../core/filter/geometry.ts';
import { canonicalText, type ParameterReading, type RawParameters } from '../../core/filter/parse.ts';
import { FILTERS, type FilterValues } from '../../core/filter/table.ts';
import { allOf, type Clause } from '../../core/query/clauses.ts';
import { LOCATION } from '../../core/query/grid.ts';
import { findDerivedProblems } from '../../core/search/includeProblems.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { parseParameters, parseSelectionDay, selectionOf } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import { type SyncRequest, walkRequest } from '../sync/index.ts';

export const MEETING_DAY = 'derived.evidence.meetingDate';

/**
 * Only projects with a location and a hearing are features. By the standard, `bbox` and `datetime` match features that have none (17-069r4,
 * requirements 24 and 26), so that every move of a map would buy all records without a location.
 */
const IS_FEATURE: readonly Clause[] = [{ exists: { field: LOCATION } }, { exists: { field: MEETING_DAY } }];

export const featuresOf = (query: Clause): Clause => allOf([query, ...IS_FEATURE]);

export const ITEM_CONTROLS = {
  bbox: {
    ...FILTERS.bbox,
    summary: 'Inside this rectangle, edges included: west,south,east,north',
    example: '-105.7,39.9,-105,40.3',
    kind: ogcBox,
  },
  ...pickControls('datetime', 'filter', 'filter-lang', 'filter-crs', 'f', 'cursor', 'representation'),
  include: {
    ...CONTROLS.include,
    summary: 'derived, with representation=full',
    example: 'derived',
    kind: included('derived'),
  },
  limit: {
    ...CONTROLS.limit,
    kind: { ...CONTROLS.limit.kind, schema: { ...CONTROLS.limit.kind.schema, maximum: LIMIT_MAX, default: LIMIT_DEFAULT } },
  },
};

/** Filters that exclude `datetime`, since they mean the same. */
const BOUNDS = ['meetingDateFrom', 'meetingDateTo'] as const;

function findTimeProblems({ controls, sent }: ParameterReading): RequestRefusal[] {
  if (!controls.datetime) return [];
  return BOUNDS.flatMap((name) => sent.get(name) ?? []).map((param) =>
    contradiction(param, `${param} says what datetime says; send one of the two`),
  );
}

/** By default all dates match, since a GIS program cannot show the warning about a default date window. */
function makeFilters({ filters, controls }: ParameterReading): FilterValues {
  const { from, to } = controls.datetime ?? {};
  return { dateRange: 'all', ...filters, ...(from ? { meetingDateFrom: from } : {}), ...(to ? { meetingDateTo: to } : {}) };
}

/** Parses a request. @throws ApiError with every problem of the request */
export function parseItems(raw: RawParameters, principal: Principal, environment: Environment): SyncRequest {
  const reading = parseParameters(raw, ITEM_CONTROLS, principal, environment, (sent) => [
    ...findTimeProblems(sent),
    ...findDerivedProblems(sent),
  ]);
  const found = selectionOf(makeFilters(reading), principal, environment.today, reading.warnings);
  const { filter: cql } = reading.controls;
  const narrow = (query: Clause, today: string) => (cql ? allOf([query, cql.toClause({ ...found.context, today })]) : query);
  const selection = { ...found, query: narrow(found.query, environment.today), isNarrowed: true };
  const walk = walkRequest(selection, reading.controls, canonicalText(raw));
  return {
    ...walk,
    queryOn: (day) => featuresOf(narrow(walk.queryOn(day), parseSelectionDay(day).today)),
    meaning: { ...walk.meaning, features: true, ...(cql ? { cql: cql.text } : {}) },
  };
}
