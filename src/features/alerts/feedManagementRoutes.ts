/** Routes by which members create and revoke feeds of an alert. */
import { Type } from 'typebox';
import { nullable, object, id as positive } from '../../core/domain/record/field.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { moment, warnings, whole } from '../../http/schemas.ts';
import { createFeed, deleteFeed, type FeedServices, listFeeds } from './feeds.ts';
import { free, id, text } from './schemas.ts';

const feedId = opaqueId('feed', 'Id of the feed', 'fed');
const feedUrlSchema = nullable(
  Type.String({ format: 'uri', description: 'In this answer only; null where an Idempotency-Key repeats it' }),
);

export const feedManagementRoutes = (services: FeedServices): Route[] => [
  route('Alerts', 'createAlertFeed', 'POST /alerts/{id}/feeds', {
    summary: 'Addresses at which readers and calendars fetch the matches without a key; they are shown once',
    idempotent: 'honoured',
    params: { id },
    body: object({}),
    answers: [
      json(object({ id: text, rssUrl: feedUrlSchema, jsonUrl: feedUrlSchema, icsUrl: feedUrlSchema }), {
        status: 201,
        description: 'Made',
        meta: object({ ...free, warnings: warnings('secret_not_repeated') }),
      }),
    ],
    errors: ['forbidden'],
    handle: ({ actor, params }) => createFeed(services, actor, params.id),
  }),
  route('Alerts', 'listAlertFeeds', 'GET /alerts/{id}/feeds', {
    summary: 'Feeds of an alert, without their addresses, newest first',
    params: { id },
    answers: [
      json(Type.Array(object({ id: text, createdBy: positive, createdAt: moment })), { meta: object({ ...free, pageCount: whole }) }),
    ],
    handle: ({ actor, params }) => listFeeds(services, actor, params.id),
  }),
  route('Alerts', 'deleteAlertFeed', 'DELETE /alerts/{id}/feeds/{feedId}', {
    summary: 'Revoke a feed; its addresses are unknown from then on',
    params: { id, feedId },
    answers: [json(object({ id: text, deleted: Type.Literal(true) }), { meta: object(free) })],
    handle: ({ actor, params }) => deleteFeed(services, actor, params.id, params.feedId),
  }),
];
