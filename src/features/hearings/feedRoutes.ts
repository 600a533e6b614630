/** Routes of feeds of hearings: managed with a key, and read without one by the secret in the address. */
import { Type } from 'typebox';
import { nullable, object } from '../../core/domain/record/field.ts';
import { file, json, type Route, route } from '../../http/declaration.ts';
import { filtersField } from '../../http/filterFields.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { anyObject, moment, warnings, whole } from '../../http/schemas.ts';
import {
  createHearingFeed,
  deleteHearingFeed,
  getHearingFeed,
  type HearingFeedServices,
  listHearingFeeds,
  readFeedFilters,
  readHearingFeed,
  unknownHearingFeedError,
} from './feeds.ts';

const id = opaqueId('feed', 'Id of the feed', 'hfd');
const secret = opaqueId('feed', 'The secret of the feed', 'hfs');
const free = { creditsUsed: whole };
const text = Type.String();

const feed = object({
  id: text,
  icsUrl: nullable(Type.String({ format: 'uri', description: 'In the answer that makes the feed only; its secret is not stored' })),
  filters: Type.Unsafe<Readonly<Record<string, unknown>>>(anyObject),
  createdAt: moment,
});

export const hearingFeedRoutes = (services: HearingFeedServices): Route[] => [
  route({
    id: 'createHearingFeed',
    section: 'Projects',
    method: 'post',
    path: '/hearings/feeds',
    summary: 'An address at which calendars fetch the hearings of a selection without a key; it is shown once',
    idempotent: 'honoured',
    body: object({ filters: filtersField('Filters', 'Which projects count; all of your licence where it is empty', 'object') }),
    readBody: ({ filters }, principal) => ({ problems: readFeedFilters(filters, principal, services).problems, value: undefined }),
    answers: [json(feed, { status: 201, description: 'Made', meta: object({ ...free, warnings: warnings('secret_not_repeated') }) })],
    errors: [
      ...(['invalid_filter', 'geographic_access_denied', 'forbidden', 'resource_not_found'] as const),
      ...(['idempotency_in_flight', 'idempotency_key_reuse'] as const),
    ],
    example: { body: { filters: { states: ['CO'] } } },
    handle: ({ actor, body }) => createHearingFeed(services, actor, body.filters),
  }),
  route({
    id: 'listHearingFeeds',
    section: 'Projects',
    method: 'get',
    path: '/hearings/feeds',
    summary: 'Your feeds of hearings, without their addresses, newest first',
    answers: [json(Type.Array(feed), { meta: object({ ...free, pageCount: whole }) })],
    errors: [],
    handle: ({ actor }) => listHearingFeeds(services, actor),
  }),
  route({
    id: 'getHearingFeed',
    section: 'Projects',
    method: 'get',
    path: '/hearings/feeds/{id}',
    summary: 'One of your feeds of hearings, without its address',
    params: { id },
    answers: [json(feed, { meta: object(free) })],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => getHearingFeed(services, actor, params.id),
  }),
  route({
    id: 'deleteHearingFeed',
    section: 'Projects',
    method: 'delete',
    path: '/hearings/feeds/{id}',
    summary: 'Delete a feed of hearings; its address is unknown from then on',
    params: { id },
    answers: [json(object({ id: text, deleted: Type.Literal(true) }), { meta: object(free) })],
    errors: ['resource_not_found'],
    handle: ({ actor, params }) => deleteHearingFeed(services, actor, params.id),
  }),
];

const BELOW = '/feeds/hearings/';

export const hearingCalendarRoute = (services: HearingFeedServices): OpenRoute => ({
  rate: 'feed',
  paths: [],
  below: BELOW,
  type: 'text/calendar; charset=utf-8',
  // Revalidated each time, so that a deleted feed disappears at once.
  lifetime: { seconds: 0, scope: 'private' },
  handle: (rest) => {
    const known = secret.parse(rest);
    if (known === undefined) throw unknownHearingFeedError();
    return readHearingFeed(services, known);
  },
  reference: {
    id: 'readHearingFeed',
    summary: 'Hearings of the next year as iCalendar, all-day events',
    path: `${BELOW}{secret}`,
    params: { secret },
    answers: [file('text/calendar')],
    errors: ['resource_not_found', 'feed_gone', 'subscription_required', 'search_unavailable', 'service_unavailable'],
  },
});
