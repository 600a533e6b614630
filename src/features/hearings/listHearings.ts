/** `GET /hearings`: the days on which bodies meet, with the number of matching records on the agenda. Free, since it shows no record. */

import type { Places } from '../../core/domain/places.ts';
import { readBodyKey, readMeetingKey } from '../../core/domain/record/bodyMeetings.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import { allOf, type Clause, range } from '../../core/query/clauses.ts';
import type { Aggregate, Aggregations } from '../../core/query/facets.ts';
import type { Actor } from '../../core/search/actor.ts';
import { heldClause } from '../../core/search/held.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { ProjectStore } from '../../core/store/elastic/projects.ts';
import { viewPlace } from '../freshness/index.ts';
import type { HearingsRequest } from './request.ts';
import { type BodyHearing, HEARINGS_MAX, PROJECT_IDS_MAX } from './types.ts';

const MEETINGS = 'derived.bodyMeetings';

export interface HearingServices {
  aggregations: Pick<AggregationStore, 'aggregate'>;
  holdings: HoldingStore;
  store: ProjectStore;
  places: Places;
}

interface Bucket {
  key: { meeting: string };
  doc_count: number;
  shown: { doc_count: number; ids: { buckets: { key: number }[] } };
}

/** Keys of meetings begin with their day, so that buckets are ordered by day and `after: from` begins with the day `from`. */
function hearingAggregations(from: string, shown: Clause): Aggregations {
  const ids = { terms: { field: 'id', size: PROJECT_IDS_MAX, order: { _key: 'asc' } } };
  const composite = { size: HEARINGS_MAX + 1, sources: [{ meeting: { terms: { field: MEETINGS } } }], after: { meeting: from } };
  return { meetings: { composite, aggs: { shown: { filter: shown, aggs: { ids } } } } } as Aggregations;
}

/** A past hearing is content of a record, so past days count only records that are free or that the pool holds. */
function toHearing({ key, doc_count, shown }: Bucket, places: Places, today: string): BodyHearing {
  const { date, bodyKey } = readMeetingKey(key.meeting);
  const { body, ...place } = readBodyKey(bodyKey);
  return {
    date,
    body,
    bodyLabel: decisionBodies.label(body),
    place: viewPlace(place, places),
    projectCount: date < today ? shown.doc_count : doc_count,
    projectIds: shown.ids.buckets.map((bucket) => bucket.key),
  };
}

const bucketsIn = (answer: Aggregate) => (answer.meetings as unknown as { buckets: Bucket[] } | undefined)?.buckets ?? [];

/** The hearings of a request. @throws ApiError `search_unavailable`, `service_unavailable` */
export async function listHearings(
  { aggregations, holdings, store, places }: HearingServices,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { selection, from, to, ofEveryMeeting, sentFrom, sentTo }: HearingsRequest,
): Promise<OperationAnswer<BodyHearing[]>> {
  const isMetered = principal.plan.recordCredit > 0;
  // A key begins with its day; '~' sorts after every character of a key, so the range includes the day `to`.
  const within = range(MEETINGS, { gte: from, lt: `${to}~` });
  const ahead = allOf([selection.query, within]);
  const held: Clause = isMetered ? await heldClause({ holdings, store }, principal, ahead, signal) : { match_all: {} };
  // Otherwise a request for one id would reveal the hearings of a record that the pool does not hold.
  const query = isMetered && selection.filters.projectIds ? allOf([ahead, held]) : ahead;
  const { answer } = await aggregations.aggregate(query, hearingAggregations(from, held), signal);
  const found = bucketsIn(answer)
    .map((bucket) => toHearing(bucket, places, selection.context.today))
    .filter(({ date }) => date <= to);
  const { dateRange: _, ...appliedFilters } = selection.appliedFilters;
  return {
    data: found.slice(0, HEARINGS_MAX).filter(({ projectCount }) => projectCount > 0),
    meta: {
      creditsUsed: 0,
      from,
      to,
      truncated: found.length > HEARINGS_MAX,
      warnings: selection.warnings,
      appliedDefaults: {
        ...selection.appliedDefaults,
        ...(ofEveryMeeting ? { dateRange: 'all' } : {}),
        ...(sentFrom ? {} : { from }),
        ...(sentTo ? {} : { to }),
      },
      appliedFilters: ofEveryMeeting ? appliedFilters : selection.appliedFilters,
    },
  };
}
