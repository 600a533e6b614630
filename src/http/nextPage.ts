/** The address of the page that follows an answer (RFC 8288), read from what `meta` says of the page. Pure. */

/** A longer address is left out: programs read headers of a few kilobytes alone. */
const ADDRESS_CHARACTERS_MAX = 6_000;

/** What `meta` may say of a page; of a search, of a collection, of a walk. */
interface PageMeta {
  hasMore?: boolean;
  offset?: number;
  pageCount?: number;
  delivery?: { mode?: string; ledgerApplied?: boolean };
  /** a trial has no credits for what follows */
  trialTruncation?: object;
  sync?: { hasMore: boolean; cursor: string };
}

/** The parameters to change for the page that follows; undefined where none follows, or none that could be fetched. */
function changesFor({ hasMore, offset, pageCount, delivery, trialTruncation, sync }: PageMeta): Record<string, string> | undefined {
  if (trialTruncation) return undefined;
  if (sync) return sync.hasMore ? { cursor: sync.cursor } : undefined;
  if (!hasMore || !pageCount || offset === undefined) return undefined;
  // What was delivered has left the set: the same request brings the next of it.
  if (delivery?.mode === 'new') return delivery.ledgerApplied ? {} : undefined;
  return { offset: String(offset + pageCount) };
}

/** @param url without its query @param querystring as it was sent */
export function nextPageUrl(url: string, querystring: string, meta: PageMeta = {}): string | undefined {
  const changes = changesFor(meta);
  if (!changes) return undefined;
  const query = new URLSearchParams(querystring);
  if ('offset' in changes) query.delete('page');
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  const next = query.size ? `${url}?${query}` : url;
  return next.length > ADDRESS_CHARACTERS_MAX ? undefined : next;
}
