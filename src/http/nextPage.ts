/** The URL of the next page (RFC 8288), computed from `meta` of the current one. Pure. */

/** Longer URLs are left out, since programs accept only a few kilobytes of headers. */
const ADDRESS_CHARACTERS_MAX = 6_000;

/** The part of `meta` that describes a page of a search, a collection or a walk. */
interface PageMeta {
  hasMore?: boolean;
  offset?: number;
  pageCount?: number;
  delivery?: { mode?: string; ledgerApplied?: boolean };
  /** set when a trial has no credits for further pages */
  trialTruncation?: object;
  sync?: { hasMore: boolean; cursor: string };
}

/** The parameters that differ on the next page; undefined when there is none or it cannot be paid for. */
function planNextParameters({ hasMore, offset, pageCount, delivery, trialTruncation, sync }: PageMeta): Record<string, string> | undefined {
  if (trialTruncation) return undefined;
  if (sync) return sync.hasMore ? { cursor: sync.cursor } : undefined;
  if (!hasMore || !pageCount || offset === undefined) return undefined;
  // Delivered records have left the set, so the same request returns the next ones.
  if (delivery?.mode === 'new') return delivery.ledgerApplied ? {} : undefined;
  return { offset: String(offset + pageCount) };
}

/**
 * The URL of the next page, if any.
 * @param url without its query
 * @param querystring as it was sent
 */
export function makeNextPageUrl(url: string, querystring: string, meta: PageMeta = {}): string | undefined {
  const changes = planNextParameters(meta);
  if (!changes) return undefined;
  const query = new URLSearchParams(querystring);
  if ('offset' in changes) query.delete('page');
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  const next = query.size ? `${url}?${query}` : url;
  return next.length > ADDRESS_CHARACTERS_MAX ? undefined : next;
}
