/**
 * Fetches the next page of a walk while the client still reads the current one. A prefetched page is only served for a moment, and only if
 * more pages follow: changes made meanwhile come later in the walk, and its end is always read again.
 */

import type { ChangeFeed, FeedPage, FeedPosition, FeedRequest } from '../../core/store/elastic/changeFeed.ts';
import { untilAborted } from '../../core/store/elastic/client.ts';

/** Most pages held at once; a page of full records has a megabyte or two. */
const PAGES_MAX = 16;
const KEPT_MS = 1000;

type Sought = Omit<FeedRequest, 'signal'>;

const makeKey = (request: Sought, { removed, departed, seen, highWater }: FeedPosition) =>
  JSON.stringify([request, removed, departed, seen, highWater]);

/** Whether more pages follow. Records without a position come last. */
const hasMorePages = ({ hits }: FeedPage, { size }: Sought) => hits.length === size && hits.at(-1)?.project.lastUpdated !== undefined;

export class ReadAhead {
  readonly #changes: Pick<ChangeFeed, 'readPage'>;
  readonly #pages = new Map<string, Promise<FeedPage>>();

  constructor(changes: Pick<ChangeFeed, 'readPage'>) {
    this.#changes = changes;
  }

  /**
   * Fetches a page that is probably requested next. A failure is thrown to a request that waits for the page by then, and otherwise
   * ignored.
   */
  prepare(request: Sought, position: FeedPosition): void {
    const key = makeKey(request, position);
    if (this.#pages.size >= PAGES_MAX || this.#pages.has(key)) return;
    const page = this.#changes.readPage(request, position);
    this.#pages.set(key, page);
    const forget = () => {
      if (this.#pages.get(key) === page) this.#pages.delete(key);
    };
    page.catch(forget);
    setTimeout(forget, KEPT_MS).unref();
  }

  /** The page, prefetched or read now. @throws ApiError `search_unavailable` */
  async readPage(request: Sought, position: FeedPosition, signal?: AbortSignal): Promise<FeedPage> {
    const key = makeKey(request, position);
    const prepared = this.#pages.get(key);
    this.#pages.delete(key);
    const page = prepared && (await untilAborted(prepared, signal));
    return page && hasMorePages(page, request) ? page : this.#changes.readPage({ ...request, signal }, position);
  }
}
