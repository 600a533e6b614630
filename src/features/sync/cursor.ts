/** Sync cursors: opaque base64url, signed, bound to the filters and the licence that made them. Pure. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../core/domain/errors.ts';
import type { LineageMark } from '../../core/domain/lineage.ts';
import type { Scope } from '../../core/domain/principal.ts';
import type { FeedPosition, TimeAndId } from '../../core/store/elastic/changeFeed.ts';

export interface WalkPosition extends FeedPosition {
  /** the last record returned; null before the first */
  after: TimeAndId | null;
  /** whether records were served that the pool's history does not list */
  unlisted: boolean;
  /** milliseconds of changes on the last page; null before the first page, and at the end, when no full page can follow */
  pageSpanMs: number | null;
  /** the day of the service clock, `YYYY-MM-DD`, whose date windows selected the records up to `after` */
  day: string;
  /** the rollover to another day, while its pages are being served; null otherwise */
  rollover: DayRollover | null;
}

/**
 * Date windows end today: a new day adds records to the selection, and removes others, that have not changed and lie before the walk's
 * position.
 */
export interface DayRollover {
  /** the new day, `YYYY-MM-DD` */
  to: string;
  /** the last added record that was returned */
  after: TimeAndId | null;
  /** the last removed record that was reported */
  departed: TimeAndId | null;
}

const VERSION = 4;

/** A position as serialised in cursors. Clients may keep cursors for as long as they like, so these names must not change. */
export interface WrittenPosition {
  after: TimeAndId | null;
  removed: TimeAndId;
  left: TimeAndId | null;
  seen: number;
  highWater: number | null;
  unlisted: boolean;
  pace: number | null;
  day: string;
  turn: { to: string; after: TimeAndId | null; left: TimeAndId | null } | null;
}

/** The serialised form; equal positions have equal ones. */
export function toWritten({
  after,
  removed,
  departed,
  seen,
  highWater,
  unlisted,
  pageSpanMs,
  day,
  rollover,
}: WalkPosition): WrittenPosition {
  const turn = rollover && { to: rollover.to, after: rollover.after, left: rollover.departed };
  return { after, removed, left: departed, seen, highWater, unlisted, pace: pageSpanMs, day, turn };
}

export function fromWritten({ left, pace, turn, ...same }: WrittenPosition): WalkPosition {
  const rollover = turn && { to: turn.to, after: turn.after, departed: turn.left };
  return { ...same, departed: left, pageSpanMs: pace, rollover };
}

interface Payload extends WrittenPosition {
  v: typeof VERSION;
  /** hash of the filters and the licence */
  bound: string;
  /** lineage and commit of the index; absent where nothing was loaded yet */
  index?: [lineage: string, commit: number];
}

const hashText = (canonical: unknown): string => createHash('sha256').update(JSON.stringify(canonical)).digest('base64url').slice(0, 22);

const sortAscending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

/** The hash to which a cursor is bound. @param meaning of the filters, as canonical JSON */
export function bindingOf(meaning: unknown, scope: Scope): string {
  const licence = scope && { stateIds: sortAscending(scope.stateIds), countyIds: sortAscending(scope.countyIds) };
  return hashText(['meaning', meaning, licence]);
}

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** Serialises and signs a cursor; equal positions have equal cursors. */
export function writeCursor(position: WalkPosition, bound: string, secret: string, mark: LineageMark | null = null): string {
  const payload: Payload = { v: VERSION, bound, ...toWritten(position), ...(mark ? { index: [mark.lineage, mark.commit] } : {}) };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${sign(text, secret)}`;
}

const refuse = (message: string) =>
  new ApiError('invalid_cursor', message, {
    param: 'cursor',
    details: {
      recovery:
        'Repeat the request without cursor and build the copy again: drop what the new walk does not bring. Records you hold unchanged are free.',
    },
  });

/** The refusal of a cursor over an index that was given up: how the client's copy differs from the present index is unknown. */
export const refuseLineage = () =>
  refuse('The index was replaced since this cursor was made, and not all that its copy holds is part of it');

export interface CursorContent {
  position: WalkPosition;
  /** null where nothing was loaded yet */
  mark: LineageMark | null;
}

/**
 * Verifies and reads a cursor.
 * @throws ApiError `invalid_cursor` when its signature is wrong, or it belongs to other filters or another licence
 */
export function readCursor(cursor: string, binding: string, secret: string): CursorContent {
  const [text = '', signature = '', ...more] = cursor.split('.');
  const expected = Buffer.from(sign(text, secret));
  const given = Buffer.from(signature);
  if (more.length || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refuse('The cursor is malformed; send meta.sync.cursor of the last page as it was');
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
  const { v, bound: madeFor, index, ...written } = payload;
  if (v !== VERSION) throw refuse('The cursor was made by another version of this service');
  if (madeFor !== binding) throw refuse('The cursor belongs to other filters or to another licence');
  return { position: fromWritten(written), mark: index ? { lineage: index[0], commit: index[1] } : null };
}
