/**
 * Fetches the page that a walk will ask for next while the client still takes in this one. A page fetched ahead is served only while it is
 * a moment old, and only when more comes after it: what changed meanwhile lies further on in the walk, and the end of a walk is always looked
 * up again.
 */

import type { ChangeFeed, FeedPage, FeedPosition, FeedRequest } from '../../core/store/elastic/changeFeed.ts';
import { untilAborted } from '../../core/store/elastic/client.ts';

/** Pages held at once; a page of full records is a megabyte or two. */
const PAGES_MAX = 16;
const KEPT_MS = 1000;

type Sought = Omit<FeedRequest, 'signal'>;

const keyOf = (request: Sought, { removed, departed, seen, highWater }: FeedPosition) =>
  JSON.stringify([request, removed, departed, seen, highWater]);

/** Records without a place in the walk come last. */
const goesOn = ({ hits }: FeedPage, { size }: Sought) => hits.length === size && hits.at(-1)?.project.lastUpdated !== undefined;

export class ReadAhead {
  readonly #changes: Pick<ChangeFeed, 'page'>;
  readonly #pages = new Map<string, Promise<FeedPage>>();

  constructor(changes: Pick<ChangeFeed, 'page'>) {
    this.#changes = changes;
  }

  /** Fetches a page that will most likely be asked for. A failure is thrown to one who waits for the page by then, and else forgotten. */
  prepare(request: Sought, position: FeedPosition): void {
    const key = keyOf(request, position);
    if (this.#pages.size >= PAGES_MAX || this.#pages.has(key)) return;
    const page = this.#changes.page(request, position);
    this.#pages.set(key, page);
    const forget = () => {
      if (this.#pages.get(key) === page) this.#pages.delete(key);
    };
    page.catch(forget);
    setTimeout(forget, KEPT_MS).unref();
  }

  /** @throws ApiError `search_unavailable` */
  async page(request: Sought, position: FeedPosition, signal?: AbortSignal): Promise<FeedPage> {
    const key = keyOf(request, position);
    const prepared = this.#pages.get(key);
    this.#pages.delete(key);
    const page = prepared && (await untilAborted(prepared, signal));
    return page && goesOn(page, request) ? page : this.#changes.page({ ...request, signal }, position);
  }
}
