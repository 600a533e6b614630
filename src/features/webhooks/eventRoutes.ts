import { Type } from 'typebox';
import { flag, object } from '../../core/domain/record/field.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import { choices, textUpTo } from '../../core/filter/kinds.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import type { Payload } from '../../http/openapiWebhooks.ts';
import { collectionQuery } from '../../http/pageSchemas.ts';
import { moment, warnings, whole } from '../../http/schemas.ts';
import { type EventServices, listEvents } from './listEvents.ts';

const CURSOR_CHARACTERS_MAX = 200;

const payload = Type.Unsafe<Payload>({ type: ['string', 'integer', 'object', 'null'] });

/** `GET /events`. */
export function eventRoutes(services: EventServices): Route[] {
  const names = [...services.events.map(({ type }) => type), 'ping'];
  const { limit } = collectionQuery('Events');
  const chosen = choices(names.length, ...names);
  const types = { ...chosen, schema: { ...chosen.schema, items: { type: 'string', enum: names, title: 'MessageType' } } };
  const message = object({
    id: Type.String({ description: 'The `webhook-id` of the same message at every endpoint' }),
    type: Type.Unsafe<string>({ type: 'string', enum: names, title: 'MessageType' }),
    timestamp: moment,
    data: Type.Record(Type.String(), payload, { description: 'Ids, and the address that has the rest; nothing of a record' }),
  });
  return [
    route('Webhooks', 'listEvents', 'GET /events', {
      summary: 'What webhooks are sent, by cursor: for receivers without a public address',
      description: `The messages of the last 30 days that the key's user may see, whether there are webhooks or not, the first committed first; type, timestamp and data are letter for letter what a webhook is sent. Keep \`meta.cursor\` and send it as \`after\`: every message comes once, and none is left out. At most ${COLLECTION_LIMIT_MAX} a page.`,
      query: {
        own: {
          after: {
            summary: 'Reads on behind this cursor: `meta.cursor` of the last page',
            example: 'WzEsMSwwLG51bGxd',
            kind: textUpTo(CURSOR_CHARACTERS_MAX),
          },
          types: { summary: 'Types of events; every type unless given', example: 'export.ready', kind: types },
          limit,
        },
      },
      answers: [
        json(Type.Array(message), {
          meta: object({ creditsUsed: whole, cursor: Type.String(), hasMore: flag, warnings: warnings('limit_clamped_to_page_size') }),
        }),
      ],
      errors: ['invalid_filter', 'invalid_cursor'],
      example: { path: '/v1/events?limit=10' },
      handle: ({ actor, query }) => listEvents(services, actor, query),
    }),
  ];
}
