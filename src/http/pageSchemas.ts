/** Schemas of pages of records and of collections, shared by several routes. */
import { Type } from 'typebox';
import { flag, nullable, object, place } from '../core/domain/record/field.ts';
import type { FieldName } from '../core/domain/record/fields.ts';
import type { ServedRecord } from '../core/domain/record/rendered.ts';
import { REPRESENTATIONS, recordSchema } from '../core/domain/record/schemas.ts';
import type { WarningCode } from '../core/domain/warnings.ts';
import { COLLECTION_LIMIT_MAX } from '../core/filter/controls.ts';
import { boolean, integer } from '../core/filter/kinds.ts';
import { recordReference } from './openapi.ts';
import { anyObject, deliverySummary, trialTruncation, warnings, whole } from './schemas.ts';

/** What a route that delivers records may charge. */
export const METERED_RECORDS =
  'API Only and trial: 1 for each record that is new to the pool or changed since its last delivery; free on other plans';

/** What an answer with one record, or something of one, says of `data: null`. */
export const NULL_OF_REPEATED =
  'Null for a repeated request whose record changed since, while your pool has not paid for its new version: `delivery.changedSince` names it';

export const record = Type.Unsafe<ServedRecord>({ anyOf: REPRESENTATIONS.map(recordReference) });
export const recordOrNull = Type.Unsafe<ServedRecord | null>({ anyOf: [...REPRESENTATIONS.map(recordReference), { type: 'null' }] });
/** Schemas of a record in each representation with fields of the answer that shows it, some of them not always. */
export const recordsWith = (
  fields: Readonly<Record<string, object>>,
  sometimes: Readonly<Record<string, object>> = {},
  included: readonly FieldName[] = [],
): object[] =>
  REPRESENTATIONS.map((one) => {
    const { properties, required, ...schema } = recordSchema(one, one === 'full' ? included : []) as {
      properties: object;
      required: string[];
    };
    return { ...schema, properties: { ...properties, ...fields, ...sometimes }, required: [...required, ...Object.keys(fields)] };
  });
export const representation = Type.String({ enum: [...REPRESENTATIONS], title: 'Representation' });
export const balance = nullable(place);

/** Error codes of routes that read records, by what they do: select, charge, may be repeated, use contacts. */
export const SELECTION_ERRORS = ['invalid_filter', 'geographic_access_denied', 'search_unavailable'] as const;
export const CHARGE_ERRORS = ['credits_exhausted', 'insufficient_credits'] as const;
export const ENRICHMENT_ERRORS = ['enrichment_unavailable', 'enrichment_allowance_exceeded'] as const;
export const CONTACT_ERRORS = [
  'enrichment_incompatible_representation',
  'enrichment_requires_async',
  'enrichment_requires_paid_plan',
] as const;

/** Warnings on how filters were interpreted. */
const FILTER_WARNINGS = [
  'bounds_reversed',
  'default_date_window_applied',
  'taxonomy_filter_rolled_up',
  'geography_narrowed_to_smallest_scope',
  'place_renamed',
  'government_decisions_excluded',
] as const;
/** Warnings on how filters were interpreted, and on what matched them. */
export const MATCH_WARNINGS = [...FILTER_WARNINGS, 'filter_evidence_unconfirmed'] as const;
export const PAGE_WARNINGS = [...MATCH_WARNINGS, 'limit_clamped_to_page_size'] as const;

/**
 * Schema of how the filters were interpreted.
 * @param codes warnings that the route may give
 */
export const filterEchoSchemas = (...codes: WarningCode[]) => ({
  warnings: warnings(...codes),
  appliedDefaults: anyObject,
  appliedFilters: anyObject,
});

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
  suggestions: Type.Optional(
    Type.Array(object({ without: Type.String(), matchCount: whole }), {
      description: 'Where nothing matches: how many records the same search without one of its filters has',
    }),
  ),
  ...filterEchoSchemas(...PAGE_WARNINGS, 'people_withheld'),
});

/**
 * `limit` and `offset` of a collection.
 * @param entries what it contains, such as 'Exports'
 */
export const collectionQuery = (entries: string) => ({
  limit: {
    summary: `${entries} a page, 1 to ${COLLECTION_LIMIT_MAX} (default ${COLLECTION_LIMIT_MAX}); more is clamped`,
    example: '20',
    kind: integer(1),
    refusal: 'invalid_request' as const,
  },
  offset: { summary: `${entries} to skip`, example: '20', kind: integer(0), refusal: 'invalid_request' as const },
});

/** Control of a collection whose entries can be restored for some days after their deletion. */
export const deletedQuery = {
  summary: 'true: what was deleted and can still be restored, newest deletion first, in place of what is kept',
  example: 'true',
  kind: boolean,
  refusal: 'invalid_request' as const,
};

/** `meta` of a page of a collection. */
export const collectionMeta = object({
  creditsUsed: whole,
  limit: whole,
  offset: whole,
  pageCount: whole,
  hasMore: flag,
  total: whole,
  warnings: warnings('limit_clamped_to_page_size'),
});
