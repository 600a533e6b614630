/** `GET /coverage?by=body`: the decision bodies of a licence with their freshness, as the last check found it. */

import type { BodyAccuracy } from '../../core/domain/accuracy.ts';
import { ApiError } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import { type Scope, scopeOf } from '../../core/domain/principal.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';
import { DAY_MS } from '../../core/query/intervals.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { ValueReviewStore } from '../../core/store/postgres/valueReviews.ts';
import { BODIES_MAX, type BodyFilter, type KnownBody } from '../freshness/index.ts';
import type { Coverage } from './coverage.ts';
import type { CoverageRequest } from './coverageRequest.ts';

export interface BodyServices {
  reviews: Pick<ValueReviewStore, 'readByBody'>;
  freshness: { list(scope: Scope, filter: BodyFilter): Promise<KnownBody[]> };
  places: Places;
}

function toRow(
  known: KnownBody,
  accuracy: BodyAccuracy | null,
  { places, today }: { places: Places; today: string },
): Coverage['groups'][number] {
  const { stateId, countyId, cityId, body, recordCount, lastExtractedAt, lastMeetingDate, ...rhythm } = known;
  const [state, county, city] = [places.state(stateId), countyId && places.county(countyId), cityId && places.city(cityId)];
  return {
    keys: { state: stateId, ...(countyId ? { county: countyId } : {}), ...(cityId ? { city: cityId } : {}), decisionBody: body },
    labels: {
      state: state?.name ?? String(stateId),
      ...(county ? { county: places.labelOf(county) } : {}),
      ...(city ? { city: places.labelOf(city) } : {}),
      decisionBody: decisionBodies.label(body) ?? body,
    },
    records: recordCount,
    newestMeeting: lastMeetingDate,
    daysSinceNewestMeeting: lastMeetingDate === null ? null : (Date.parse(today) - Date.parse(lastMeetingDate)) / DAY_MS,
    meanDaysToLoad: null,
    filledShare: null,
    filled: null,
    ...rhythm,
    lastMeetingDate,
    lastExtractedAt: lastExtractedAt?.toISOString() ?? null,
    accuracy,
  };
}

/** @throws ApiError `invalid_request` if the licence has more bodies than an answer lists, `service_unavailable` */
export async function listBodies(
  { freshness, reviews, places }: BodyServices,
  { principal }: Actor,
  { selection }: CoverageRequest,
): Promise<OperationAnswer<Coverage>> {
  const { filters, context, warnings } = selection;
  const bodies = await freshness.list(scopeOf(principal), filters);
  if (bodies.length > BODIES_MAX) {
    const message = `These places have more than ${BODIES_MAX} decision bodies; name states, counties or decisionBodies.`;
    throw new ApiError('invalid_request', message, { param: 'by', details: { maxGroups: BODIES_MAX } });
  }
  const accuracies = await reviews.readByBody(bodies.map(({ bodyKey }) => bodyKey));
  const { dateRange: _, ...appliedFilters } = selection.appliedFilters;
  return {
    data: {
      groups: bodies.map((known) => toRow(known, accuracies.get(known.bodyKey) ?? null, { places, today: context.today })),
      totals: null,
    },
    meta: { creditsUsed: 0, suppressedGroups: false, asOf: context.today, warnings, appliedDefaults: {}, appliedFilters },
  };
}
