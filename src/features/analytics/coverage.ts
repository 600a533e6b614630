/** Coverage: what the data contains, how fresh and how complete it is, counted and hidden like the groups of analytics. */

import type { BodyAccuracy } from '../../core/domain/accuracy.ts';
import type { COVERAGE_DIMENSIONS } from '../../core/filter/controls.ts';
import { type FacetName, type GroupKey, MEASUREMENTS } from '../../core/query/dimensions.ts';
import { DAY_MS } from '../../core/query/intervals.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { KnownBody } from '../freshness/index.ts';
import { makeMeta, sortGroups } from './aggregate.ts';
import type { CoverageRequest } from './coverageRequest.ts';
import type { Totals } from './hideGroups.ts';
import { type AnalyticsServices, measureGroups } from './measure.ts';
import { type Metric, nameMetric } from './request.ts';

const GROUP_BY_DEFAULT = ['state'] as const;
const DIMENSION_OF = { state: 'state', county: 'county', month: 'meetingDate' } as const satisfies Record<
  (typeof COVERAGE_DIMENSIONS)[number],
  FacetName
>;

const NEWEST: Metric = { op: 'max', field: 'meetingDate' };
const LAG: Metric = { op: 'lag', field: 'meetingDate' };
const RICHNESS: Metric = { op: 'avg', field: 'dataRichness' };
const makeStatedMetric = (field: FacetName): Metric => ({ op: 'count', field });

/** The coverage of a group; a number that would rest on too few records is null. */
export interface Covered {
  records: number;
  /** `YYYY-MM-DD`; only past meetings */
  newestMeeting: string | null;
  /** days from that meeting to today by the service clock */
  daysSinceNewestMeeting: number | null;
  /** mean number of days from a record's meeting to the load with its last change */
  meanDaysToLoad: number | null;
  /** mean share of the extracted attributes that records state, from 0 to 1 */
  filledShare: number | null;
  /**
   * number of records that state each measurement; null for two dimensions, where deciding what to hide of ten tables would take too long
   */
  filled: Record<string, number | null> | null;
}

/** Further fields of a row that is a decision body (src/docs/coverage.md). */
export type BodyRhythm = Omit<KnownBody, 'stateId' | 'countyId' | 'cityId' | 'body' | 'recordCount' | 'lastExtractedAt'> & {
  lastExtractedAt: string | null;
  accuracy: BodyAccuracy | null;
};

export interface Coverage {
  groups: (Covered & { keys: Record<string, GroupKey>; labels: Record<string, string> } & Partial<BodyRhythm>)[];
  totals: Covered | null;
}

const roundValue = (value: number | null, digits: number) => (value === null ? null : Number(value.toFixed(digits)));
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function readCovered({ count, metrics }: Totals, measurements: readonly FacetName[], today: string): Covered {
  const value = (metric: Metric) => metrics[nameMetric(metric)] ?? null;
  const newest = value(NEWEST);
  const richness = value(RICHNESS);
  return {
    records: count,
    newestMeeting: newest === null ? null : dayOf(newest),
    daysSinceNewestMeeting: newest === null ? null : (Date.parse(today) - newest) / DAY_MS,
    meanDaysToLoad: roundValue(value(LAG), 1),
    filledShare: roundValue(richness === null ? null : richness / 100, 4),
    filled: measurements.length ? Object.fromEntries(measurements.map((field) => [field, value(makeStatedMetric(field))])) : null,
  };
}

/** `GET /coverage`: free, and never identifies a record. @throws ApiError */
export async function measureCoverage(
  services: AnalyticsServices,
  actor: Actor,
  { selection, groupBy: sentGroupBy, ofEveryMeeting }: CoverageRequest,
): Promise<OperationAnswer<Coverage>> {
  const { today } = selection.context;
  const groupBy = sentGroupBy ?? GROUP_BY_DEFAULT;
  const dimensions = groupBy.map((name) => DIMENSION_OF[name]);
  const measurements = dimensions.length > 1 ? [] : MEASUREMENTS;
  const metrics = [NEWEST, LAG, RICHNESS, ...measurements.map(makeStatedMetric)];
  const measured = await measureGroups(services, actor, { selection, dimensions, interval: 'month', metrics });
  const named = <T>(values: readonly T[]) => Object.fromEntries(groupBy.map((name, i) => [name, values[i] as T]));
  const { dateRange, ...appliedFilters } = selection.appliedFilters;
  const defaults = { ...(ofEveryMeeting ? { dateRange } : {}), ...(sentGroupBy ? {} : { groupBy }) };
  const groups = sortGroups(measured.groups, { by: 'key', direction: 'asc' });
  const covered = (of: Totals) => readCovered(of, measurements, today);
  return {
    data: {
      groups: groups.map((group) => ({ keys: named(group.keys), labels: named(measured.labelsOf(group.keys)), ...covered(group) })),
      totals: measured.totals && covered(measured.totals),
    },
    meta: {
      creditsUsed: 0,
      ...makeMeta(selection, dimensions, measured, defaults),
      asOf: today,
      ...(ofEveryMeeting ? { appliedFilters } : {}),
    },
  };
}
