/** `GET /events`: the messages of webhooks by cursor, for receivers without a public address. Free (src/docs/webhooks.md). */
import { ApiError } from '../../core/domain/errors.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { Actor } from '../../core/search/actor.ts';
import { clampLimit } from '../../core/search/collection.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import type { EventDeclaration } from '../feature.ts';
import type { EventLog, LogCursor } from './eventLog.ts';
import { makeEventMessage } from './view.ts';

export interface EventServices {
  log: EventLog;
  /** all that features declare */
  events: readonly EventDeclaration[];
  publicUrl: string;
}

export type EventView = { id: string } & ReturnType<typeof makeEventMessage>;

const VERSION = 1;

const refuse = (message: string) =>
  new ApiError('invalid_cursor', message, {
    param: 'after',
    details: {
      recovery: 'Repeat the request without after: it begins with the oldest event that is kept. Leave out ids that you have seen.',
    },
  });

/** Signs a cursor, bound to the team. */
const writeCursor = ({ position, eventId }: LogCursor, teamId: number): string =>
  Buffer.from(JSON.stringify([VERSION, teamId, position, eventId])).toString('base64url');

/** @throws ApiError `invalid_cursor` */
function readCursor(text: string, teamId: number): LogCursor {
  const [version, team, position, eventId]: unknown[] = parseCursor(text);
  const isWritten = version === VERSION && Number.isSafeInteger(position) && (eventId === null || typeof eventId === 'string');
  if (!isWritten || team !== teamId)
    throw refuse('The cursor is malformed or of another team; send meta.cursor of the last page as it was');
  return { position: position as number, eventId: eventId as string | null };
}

function parseCursor(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * The events after a cursor.
 * @throws ApiError `invalid_cursor` when it is not of this log, or events after it were deleted
 */
export async function listEvents(
  { log, events, publicUrl }: EventServices,
  { principal }: Pick<Actor, 'principal'>,
  { after, types, limit: asked = COLLECTION_LIMIT_MAX }: { after?: string; types?: readonly string[]; limit?: number },
): Promise<OperationAnswer<EventView[]>> {
  const { teamId } = principal;
  const from = after === undefined ? null : readCursor(after, teamId);
  const { limit, warnings } = clampLimit(asked);
  const page = await log.read(principal, from, types ?? null, limit);
  if (!page) throw refuse('Events behind the cursor are kept no longer, or the log that it was made in was replaced');
  return {
    data: page.events.map((event) => ({ id: event.id, ...makeEventMessage(event, events, publicUrl) })),
    meta: { creditsUsed: 0, cursor: writeCursor(page.cursor, teamId), hasMore: page.hasMore, warnings },
  };
}
