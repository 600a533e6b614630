/** Pages of collections such as exports, lists and alerts. Pure. */

import type { Warning } from '../domain/warnings.ts';
import { COLLECTION_LIMIT_MAX } from '../filter/controls.ts';

/**
 * `meta` of a page of a collection.
 * @param asked the request's limit and offset; a limit above the maximum is lowered to it
 */
export function makeCollectionMeta(asked: { limit: number; offset: number }, pageCount: number, total: number) {
  const { limit, warnings } = clampLimit(asked.limit);
  const hasMore = asked.offset + pageCount < total;
  return { creditsUsed: 0, limit, offset: asked.offset, pageCount, hasMore, total, warnings };
}

/** The entries a page, and the warning when the request asked for more. */
export const clampLimit = (requested: number): { limit: number; warnings: Warning[] } => ({
  limit: Math.min(requested, COLLECTION_LIMIT_MAX),
  warnings: clampWarnings(requested),
});

function clampWarnings(requested: number): Warning[] {
  if (requested <= COLLECTION_LIMIT_MAX) return [];
  const message = `limit ${requested} is above the largest page; ${COLLECTION_LIMIT_MAX} applies`;
  return [{ code: 'limit_clamped_to_page_size', message, params: { requested, applied: COLLECTION_LIMIT_MAX } }];
}
