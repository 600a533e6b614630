/** `GET /hearings`: the days on which bodies meet, with the number of matching records on the agenda. Free, since it shows no record. */

import type { Places } from '../../core/domain/places.ts';
import { readBodyKey, readMeetingKey } from '../../core/domain/record/bodyMeetings.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import { allOf, anyOf, type Clause, range } from '../../core/query/clauses.ts';
import type { Aggregate, Aggregations } from '../../core/query/facets.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeHeldClause, UNHELD_SHOWN_MIN } from '../../core/search/held.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { readEvidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { ProjectStore } from '../../core/store/elastic/projects.ts';
import { viewPlace } from '../freshness/index.ts';
import type { HearingsRequest } from './request.ts';
import type { BodyHearing } from './types.ts';

export const HEARINGS_MAX = 500;
/** Most ids in one hearing. */
export const PROJECT_IDS_MAX = 100;

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

/** Keys of meetings begin with their day, so that buckets are ordered by day. @param after the key of a meeting, or the first day */
function makeHearingAggregations(after: string, shown: Clause): Aggregations {
  const ids = { terms: { field: 'id', size: PROJECT_IDS_MAX, order: { _key: 'asc' } } };
  const composite = { size: HEARINGS_MAX + 1, sources: [{ meeting: { terms: { field: MEETINGS } } }], after: { meeting: after } };
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

/** Matches records with a meeting from one day to another. '~' sorts after every character of a key, so the day `to` is included. */
const meetsWithin = (from: string, to: string): Clause => range(MEETINGS, { gte: from, lt: `${to}~` });

const readBuckets = (answer: Aggregate) => (answer.meetings as unknown as { buckets: Bucket[] } | undefined)?.buckets ?? [];

/** The records whose hearings are shown, and among them those whose ids are. */
interface ShownRecords {
  query: Clause;
  held: Clause;
  /** whether records that the pool does not hold are left out */
  suppressed: boolean;
}

/** The records that a metered pool may learn of: those that it holds, and from today on others, unless they are few or named by ids. */
async function selectHeldRecords(
  { holdings, store }: HearingServices,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { selection, from, to }: HearingsRequest,
): Promise<ShownRecords> {
  const { today } = selection.context;
  const asked = allOf([selection.query, meetsWithin(from, to)]);
  const held = await makeHeldClause({ holdings, store }, principal, asked, signal);
  const ahead = allOf([selection.query, meetsWithin(from < today ? today : from, to)]);
  const [unheld = 0] = selection.filters.projectIds ? [] : await store.counts([{ bool: { filter: [ahead], must_not: [held] } }], signal);
  if (unheld < UNHELD_SHOWN_MIN) return { query: allOf([asked, held]), held, suppressed: true };
  return { query: allOf([asked, anyOf([held, meetsWithin(today, to)])]), held, suppressed: false };
}

/** Hearings that may be shown, by day; one more than are listed if there are more. */
async function findHearings(
  { aggregations, places }: HearingServices,
  { selection, from, to }: HearingsRequest,
  { query, held }: ShownRecords,
  actor: Pick<Actor, 'principal' | 'signal'>,
): Promise<BodyHearing[]> {
  const found: BodyHearing[] = [];
  for (let after = from; ; ) {
    const { answer } = await aggregations.aggregate(query, makeHearingAggregations(after, held), actor);
    const buckets = readBuckets(answer);
    const hearings = buckets.map((bucket) => toHearing(bucket, places, selection.context.today)).filter(({ date }) => date <= to);
    found.push(...hearings.filter(({ projectCount }) => projectCount > 0));
    if (hearings.length <= HEARINGS_MAX || found.length > HEARINGS_MAX) return found;
    after = (buckets.at(-1) as Bucket).key.meeting;
  }
}

/** The hearings of a request. @throws ApiError `search_unavailable`, `service_unavailable` */
export async function listHearings(
  services: HearingServices,
  actor: Pick<Actor, 'principal' | 'signal'>,
  request: HearingsRequest,
): Promise<OperationAnswer<BodyHearing[]>> {
  const { selection, from, to, ofEveryMeeting, sentFrom, sentTo } = request;
  const isMetered = actor.principal.plan.recordCredit > 0;
  const all = { query: allOf([selection.query, meetsWithin(from, to)]), held: { match_all: {} }, suppressed: false };
  const meeting = isMetered ? await selectHeldRecords(services, actor, request) : all;
  const [found, unconfirmed] = await Promise.all([
    findHearings(services, request, meeting, actor),
    readEvidenceWarning(services.store, { ...selection, query: meeting.query }, actor),
  ]);
  const { dateRange: _, ...appliedFilters } = selection.appliedFilters;
  return {
    data: found.slice(0, HEARINGS_MAX),
    meta: {
      creditsUsed: 0,
      from,
      to,
      truncated: found.length > HEARINGS_MAX,
      suppressed: meeting.suppressed,
      warnings: [...selection.warnings, ...unconfirmed],
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
