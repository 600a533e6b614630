/** The parameters of `GET /coverage`. Pure. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { type ControlValues, pickControls } from '../../core/filter/controls.ts';
import type { ParameterReading, RawParameters } from '../../core/filter/parse.ts';
import { restrictsMeetings } from '../../core/filter/resolve.ts';
import { namesIn } from '../../core/filter/table.ts';
import { findIdsAloneProblems, IGNORED_BY_COUNT } from '../../core/search/idsAlone.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { parseParameters, parseSelection, type Selection, selectionOf, withoutIgnored } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';

export const COVERAGE_CONTROLS = pickControls('groupBy', 'by');

export interface CoverageRequest {
  selection: Selection;
  groupBy: ControlValues['groupBy'];
  /** true if no filter restricts the meetings; all are then included, since the default of the last year would hide old data */
  ofEveryMeeting: boolean;
  /** true for decision bodies instead of groups of records */
  byBody: boolean;
}

/** Filters of a list of bodies. */
const BODY_FILTERS = new Set(['states', 'counties', 'cities', 'decisionBodies']);

/** Parameters about records, which `by=body` refuses. */
function findBodyProblems({ controls, filters, sent }: ParameterReading): RequestRefusal[] {
  if (controls.by !== 'body') return [];
  const others = [...namesIn(filters).filter((name) => !BODY_FILTERS.has(name)), ...(controls.groupBy ? ['groupBy'] : [])];
  return others.map((name) => {
    const param = sent.get(name) ?? name;
    return contradiction(
      param,
      `by=body lists bodies by all their meetings: send states, counties, cities or decisionBodies with it, not ${param}`,
    );
  });
}

function findGroupProblems({ controls: { groupBy = [] } }: ParameterReading): RequestRefusal[] {
  if (!groupBy.includes('state') || !groupBy.includes('county')) return [];
  return [contradiction('groupBy', 'a county lies in one state: group by county, or by state, each with month or without')];
}

/** Parses a request. @throws ApiError with every problem of the request */
export function parseCoverage(raw: RawParameters, principal: Principal, environment: Environment): CoverageRequest {
  const { filters, controls, warnings } = parseParameters(raw, COVERAGE_CONTROLS, principal, environment, (reading) => [
    ...findGroupProblems(reading),
    ...findBodyProblems(reading),
  ]);
  const ofEveryMeeting = !restrictsMeetings(filters);
  const meant = ofEveryMeeting ? { ...filters, dateRange: 'all' as const } : filters;
  const selection = selectionOf(meant, principal, environment.today, warnings);
  return { selection, groupBy: controls.groupBy, ofEveryMeeting, byBody: controls.by === 'body' };
}

/** Parses `GET /coverage/answerable`, whose filters are those of a count. @throws ApiError with every problem of the request */
export const parseAnswerable = (raw: RawParameters, principal: Principal, environment: Environment): Selection =>
  parseSelection(withoutIgnored(IGNORED_BY_COUNT, raw), {}, principal, environment, findIdsAloneProblems).selection;
