/** `GET /hearings`: the days on which bodies meet, with the number of matching records on the agenda. Free, since it shows no record. */

import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { readBodyKey, readMeetingKey } from '../../core/domain/record/bodyMeetings.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';
import { allOf, anyOf, type Clause, range, terms } from '../../core/query/clauses.ts';
import type { Aggregate, Aggregations } from '../../core/query/facets.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeHeldClause, paidClause, UNHELD_SHOWN_MIN } from '../../core/search/held.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';
import { readEvidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import { viewPlace } from '../freshness/index.ts';
import type { HearingsRequest, SelectedHearings } from './request.ts';
import type { BodyHearing, CalendarHearing } from './types.ts';

export const HEARINGS_MAX = 500;
/** Most ids in one hearing. */
export const PROJECT_IDS_MAX = 100;

/** Projects that one hearing, and one answer, names. */
export const NAMED_MAX = 5;
const NAMED_TOTAL_MAX = 1_000;

const MEETINGS = 'derived.bodyMeetings';
const CANCELLED = 'derived.cancelledMeetings';

/** A team that reads hearings: with a key, or by a feed. */
export interface HearingReader {
  principal: Pick<Principal, 'teamId' | 'plan'>;
  signal?: AbortSignal;
}

export interface HearingServices extends Pick<ProjectServices, 'holdings' | 'store' | 'places'> {
  aggregations: Pick<AggregationStore, 'aggregate'>;
}

interface Bucket {
  key: { meeting: string };
  doc_count: number;
  shown: { doc_count: number; ids: { buckets: { key: number }[] }; updated: { value: number | null } };
}

/** Keys of meetings begin with their day, so that buckets are ordered by day. @param after the key of a meeting, or the first day */
function makeHearingAggregations(field: string, after: string, shown: Clause): Aggregations {
  const ids = { terms: { field: 'id', size: PROJECT_IDS_MAX, order: { _key: 'asc' } } };
  const updated = { max: { field: 'lastUpdated' } };
  const composite = { size: HEARINGS_MAX + 1, sources: [{ meeting: { terms: { field } } }], after: { meeting: after } };
  return { meetings: { composite, aggs: { shown: { filter: shown, aggs: { ids, updated } } } } } as Aggregations;
}

/** A hearing with what its event in a calendar needs. */
interface FoundHearing {
  hearing: BodyHearing;
  key: string;
  /** when a record last changed that is on, or was, of those whose ids are shown; milliseconds since 1970 */
  updated: number;
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
    projects: [],
  };
}

/** Matches records with a meeting from one day to another. '~' sorts after every character of a key, so the day `to` is included. */
const meetsWithin = (from: string, to: string, field = MEETINGS): Clause => range(field, { gte: from, lt: `${to}~` });

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
  { principal, signal }: HearingReader,
  { selection, from, to }: SelectedHearings,
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
  { selection, from, to }: SelectedHearings,
  { query, held }: ShownRecords,
  reader: HearingReader,
  field = MEETINGS,
): Promise<FoundHearing[]> {
  const found: FoundHearing[] = [];
  for (let after = from; ; ) {
    const { answer } = await aggregations.aggregate(query, makeHearingAggregations(field, after, held), reader);
    const buckets = readBuckets(answer);
    const all = buckets.map((bucket) => ({
      hearing: toHearing(bucket, places, selection.context.today),
      key: bucket.key.meeting,
      updated: bucket.shown.updated.value ?? 0,
    }));
    const hearings = all.filter(({ hearing }) => hearing.date <= to);
    found.push(...hearings.filter(({ hearing }) => hearing.projectCount > 0));
    if (hearings.length <= HEARINGS_MAX || found.length > HEARINGS_MAX) return found;
    after = (buckets.at(-1) as Bucket).key.meeting;
  }
}

/** Adds the names of projects. On metered plans only of records that the pool was delivered as they are: a name is content. */
async function nameProjects<T extends BodyHearing>(
  services: HearingServices,
  { principal, signal }: HearingReader,
  hearings: readonly T[],
): Promise<T[]> {
  const firstIds = ({ projectIds }: T) => projectIds.slice(0, NAMED_MAX);
  const ids = [...new Set(hearings.flatMap(firstIds))].slice(0, NAMED_TOTAL_MAX);
  if (!ids.length) return [...hearings];
  const asked = terms('id', ids);
  const query = principal.plan.recordCredit > 0 ? allOf([asked, await paidClause(services, principal, asked, signal)]) : asked;
  const names = await services.store.projectNames(query, NAMED_TOTAL_MAX, signal);
  return hearings.map((hearing) => ({
    ...hearing,
    projects: firstIds(hearing).flatMap((id) => (names.has(id) ? [{ id, projectName: names.get(id) ?? null }] : [])),
  }));
}

async function selectShownRecords(services: HearingServices, reader: HearingReader, request: SelectedHearings): Promise<ShownRecords> {
  const { selection, from, to } = request;
  if (reader.principal.plan.recordCredit > 0) return selectHeldRecords(services, reader, request);
  return { query: allOf([selection.query, meetsWithin(from, to)]), held: { match_all: {} }, suppressed: false };
}

/**
 * The hearings of a request for its calendar: also those ahead that every shown record has left. On metered plans only records that the pool
 * holds say so.
 * @throws ApiError `search_unavailable`, `service_unavailable`
 */
export async function listCalendarHearings(
  services: HearingServices,
  reader: HearingReader,
  request: SelectedHearings,
): Promise<CalendarHearing[]> {
  const { selection, from, to } = request;
  const { today } = selection.context;
  const first = from < today ? today : from;
  const shown = await selectShownRecords(services, reader, request);
  const live = (await findHearings(services, request, shown, reader)).slice(0, HEARINGS_MAX);
  const left = allOf([selection.query, meetsWithin(first, to, CANCELLED)]);
  const held = reader.principal.plan.recordCredit > 0 ? await makeHeldClause(services, reader.principal, left, reader.signal) : shown.held;
  const cancelled =
    first > to
      ? []
      : await findHearings(
          services,
          { ...request, from: first },
          { query: allOf([left, held]), held, suppressed: false },
          reader,
          CANCELLED,
        );
  const leftAt = new Map(cancelled.map(({ key, updated }) => [key, updated]));
  const isLive = new Set(live.map(({ key }) => key));
  const named = await nameProjects(
    services,
    reader,
    live.map(({ hearing }) => hearing),
  );
  return [
    // A record that left a hearing may have changed after those that stay.
    ...live.map(({ key, updated }, i) => ({
      ...(named[i] as BodyHearing),
      isCancelled: false,
      updated: Math.max(updated, leftAt.get(key) ?? 0),
    })),
    ...cancelled.flatMap(({ hearing, key, updated }) => (isLive.has(key) ? [] : [{ ...hearing, isCancelled: true, updated }])),
  ];
}

/** The hearings of a request. @throws ApiError `search_unavailable`, `service_unavailable` */
export async function listHearings(
  services: HearingServices,
  actor: Pick<Actor, 'principal' | 'signal'>,
  request: HearingsRequest,
): Promise<OperationAnswer<BodyHearing[]>> {
  const { selection, from, to, ofEveryMeeting, sentFrom, sentTo } = request;
  const meeting = await selectShownRecords(services, actor, request);
  const [found, unconfirmed] = await Promise.all([
    findHearings(services, request, meeting, actor),
    readEvidenceWarning(services.store, { ...selection, query: meeting.query }, actor),
  ]);
  const { dateRange: _, ...appliedFilters } = selection.appliedFilters;
  return {
    data: await nameProjects(
      services,
      actor,
      found.slice(0, HEARINGS_MAX).map(({ hearing }) => hearing),
    ),
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
