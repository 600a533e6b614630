/** Sync cursors: opaque base64url, signed, bound to the filters and the licence that made them. Pure. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../core/domain/errors.ts';
import type { LineageMark } from '../../core/domain/lineage.ts';
import type { Scope } from '../../core/domain/principal.ts';
import type { FeedPosition, TimeAndId } from '../../core/store/elastic/changeFeed.ts';

/** Where a walk stands. */
export interface WalkPosition extends FeedPosition {
  /** the last emitted record; null before the first */
  after: TimeAndId | null;
  /** true once records were served that the pool's history does not list */
  unlisted: boolean;
  /** milliseconds of changes that the last page held; null before the first, and at the end, where no full page is to be found */
  pageSpanMs: number | null;
  /** the day of the service clock, `YYYY-MM-DD`, whose date windows chose the records up to `after` */
  day: string;
  /** the change to another day, while its pages are being served; null otherwise */
  rollover: DayRollover | null;
}

/** Date windows end today: a new day lets in records, and drops others, that have not changed and lie behind the walk. */
export interface DayRollover {
  /** the new day, `YYYY-MM-DD` */
  to: string;
  /** the last that was emitted of those let in */
  after: TimeAndId | null;
  /** the last that was reported of those dropped */
  departed: TimeAndId | null;
}

const VERSION = 4;

/** A position as it is written down: clients keep cursors for as long as they like, so that these names stay. */
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

/** Equal positions are written alike, however they came about. */
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
  /** hash of filters and licence */
  bound: string;
  /** lineage and commit of the index; absent in cursors of a version that kept none */
  index?: [lineage: string, commit: number];
}

const hashOf = (canonical: unknown): string => createHash('sha256').update(JSON.stringify(canonical)).digest('base64url').slice(0, 22);

/** What a cursor may be bound to. */
export interface Binding {
  /** what new cursors are bound to: what the filters mean, and the licence */
  meaning: string;
  /** what older ones are bound to: how the filters are written, and the licence. They go on working where they are written as then. */
  spelling: string;
}

const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

/** @param meaning and @param spelling of the filters, as canonical JSON */
export function bindingOf(meaning: unknown, spelling: unknown, scope: Scope): Binding {
  const licence = scope && { stateIds: ascending(scope.stateIds), countyIds: ascending(scope.countyIds) };
  return { meaning: hashOf(['meaning', meaning, licence]), spelling: hashOf([spelling, scope]) };
}

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** Equal positions have equal cursors, however they came about. */
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

/** The answer to a cursor over an index that was given up: what its copy holds cannot be told apart any more. */
export const refuseLineage = () =>
  refuse('The index was replaced since this cursor was made, and not all that its copy holds is part of it');

/** What a cursor says. */
export interface CursorContent {
  position: WalkPosition;
  /** null in cursors of a version that kept no lineage */
  mark: LineageMark | null;
}

/** @throws ApiError `invalid_cursor` when it was not made here, or for other filters or another licence */
export function readCursor(cursor: string, { meaning, spelling }: Binding, secret: string): CursorContent {
  const [text = '', signature = '', ...more] = cursor.split('.');
  const expected = Buffer.from(sign(text, secret));
  const given = Buffer.from(signature);
  if (more.length || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refuse('The cursor is malformed; send meta.sync.cursor of the last page as it was');
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
  const { v, bound: madeFor, index, ...written } = payload;
  if (v !== VERSION) throw refuse('The cursor was made by another version of this service');
  if (madeFor !== meaning && madeFor !== spelling) throw refuse('The cursor belongs to other filters or to another licence');
  return { position: fromWritten(written), mark: index ? { lineage: index[0], commit: index[1] } : null };
}
