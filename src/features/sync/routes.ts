import { Type } from 'typebox';
import { flag, nullable, object, place } from '../../core/domain/record/field.ts';
import { environmentOf } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import {
  balance,
  CHARGE_ERRORS,
  CONTACT_ERRORS,
  filterEchoSchemas,
  METERED_RECORDS,
  PAGE_WARNINGS,
  record,
  representation,
  SELECTION_ERRORS,
} from '../../http/pageSchemas.ts';
import { deliverySummary, moment, trialTruncation, whole } from '../../http/schemas.ts';
import { parseSync, SYNC_CONTROLS } from './request.ts';
import { syncProjects } from './syncProjects.ts';
import type { SyncServices } from './walk.ts';

const syncMeta = object({
  representation,
  limit: whole,
  creditsUsed: whole,
  creditsRemaining: balance,
  pageCount: whole,
  sync: object({
    cursor: Type.String(),
    hasMore: flag,
    watermark: nullable(moment),
    highWater: nullable(moment),
    emitted: whole,
    pageSize: whole,
    candidatesScanned: whole,
    removed: Type.Array(object({ id: place, mergedInto: nullable(place), at: moment })),
  }),
  delivery: deliverySummary,
  trialTruncation: Type.Optional(trialTruncation),
  ...filterEchoSchemas(...PAGE_WARNINGS, 'sync_records_unpositionable'),
});

/** The route. @param services with stores that read what sync shows */
export function syncRoute(services: SyncServices): Route {
  return route('Projects', 'syncProjects', 'GET /projects/sync', {
    summary: 'Lossless walk in the order of change',
    metered: METERED_RECORDS,
    idempotent: 'honoured',
    query: {
      table: {
        filters: true,
        controls: SYNC_CONTROLS,
        parse: (sent, { principal }) => parseSync(sent, principal, environmentOf(services)),
      },
    },
    answers: [json(Type.Array(record), { description: 'One page of the walk', meta: syncMeta })],
    errors: [...SELECTION_ERRORS, ...CHARGE_ERRORS, ...CONTACT_ERRORS, 'invalid_cursor', 'sync_tie_unresolved'],
    example: { path: '/v1/projects/sync?states=CO&dateRange=all&limit=100&representation=compact' },
    handle: ({ actor, query }) => syncProjects(services, actor, query),
  });
}
