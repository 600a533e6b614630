/** Pages of records and of collections, as several routes answer them. */
import { Type } from 'typebox';
import { flag, nullable, object, place } from '../domain/record/field.ts';
import type { PublicRecord } from '../domain/record/represent.ts';
import { REPRESENTATIONS } from '../domain/record/schemas.ts';
import { COLLECTION_LIMIT_MAX } from '../filter/controls.ts';
import { integer } from '../filter/kinds.ts';
import { recordReference } from '../http/openapi.ts';
import { anyObject, deliverySummary, trialTruncation, warnings, whole } from './schemas.ts';

/** What a route that delivers records may charge. */
export const METERED_RECORDS =
  'API Only and trial: 1 for each record that is new to the pool or changed since its last delivery; free on other plans';

export const record = Type.Unsafe<PublicRecord>({ anyOf: REPRESENTATIONS.map(recordReference) });
export const representation = Type.String({ enum: [...REPRESENTATIONS] });
export const balance = nullable(place);

export const echoes = { warnings, appliedDefaults: anyObject, appliedFilters: anyObject };

/** `meta` of a page of records. */
export const pageMeta = object({
  representation,
  limit: whole,
  offset: whole,
  creditsUsed: whole,
  creditsRemaining: balance,
  pageCount: whole,
  hasMore: flag,
  total: whole,
  matchCount: whole,
  matchCountIsExact: flag,
  matchCountBasis: Type.String(),
  delivery: deliverySummary,
  trialTruncation: Type.Optional(trialTruncation),
  ...echoes,
});

/** `limit` and `offset` of a collection. @param entries what it holds: 'Exports' */
export const collectionQuery = (entries: string) => ({
  limit: {
    summary: `${entries} a page, 1 to ${COLLECTION_LIMIT_MAX} (default ${COLLECTION_LIMIT_MAX}); more is clamped`,
    example: '20',
    kind: integer(1),
  },
  offset: { summary: `${entries} to skip`, example: '20', kind: integer(0) },
});

/** `meta` of a page of a collection. */
export const collectionMeta = object({
  creditsUsed: whole,
  limit: whole,
  offset: whole,
  pageCount: whole,
  hasMore: flag,
  total: whole,
  warnings,
});
