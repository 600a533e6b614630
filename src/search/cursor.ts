/** Sync cursors: opaque base64url, signed, bound to the filters and the licence that made them (decisions §3). Pure. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';

/** Where a walk stands. */
export interface Position {
  /** the last emitted record: milliseconds since 1970, and id; null before the first */
  after: [number, number] | null;
  /** the last trace of a removal that was told: ISO 8601, and id */
  removed: [string, number];
}

interface Payload extends Position {
  v: 1;
  /** hash of filters and licence */
  bound: string;
}

/** What a cursor is bound to, as a short hash of canonical text. */
export const bindingOf = (canonical: unknown): string =>
  createHash('sha256').update(JSON.stringify(canonical)).digest('base64url').slice(0, 22);

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');

export function writeCursor(position: Position, bound: string, secret: string): string {
  const payload: Payload = { v: 1, bound, ...position };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${sign(text, secret)}`;
}

const refuse = (message: string) =>
  new ApiError('invalid_cursor', message, {
    param: 'cursor',
    details: {
      recovery: 'Repeat the request without cursor: it starts a new walk of the same filters; records you hold unchanged are free.',
    },
  });

/** @throws ApiError `invalid_cursor` when it was not made here, or for other filters or another licence */
export function readCursor(cursor: string, bound: string, secret: string): Position {
  const [text = '', signature = '', ...more] = cursor.split('.');
  const expected = Buffer.from(sign(text, secret));
  const given = Buffer.from(signature);
  if (more.length || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refuse('The cursor is malformed; send meta.sync.cursor of the last page as it was');
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
  if (payload.bound !== bound) throw refuse('The cursor belongs to other filters or to another licence');
  return { after: payload.after, removed: payload.removed };
}
