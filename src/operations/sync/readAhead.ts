/**
 * Fetches the page that a walk will ask for next while the client still takes in this one. A page fetched ahead is served only while it is
 * a moment old, and only when more comes after it: what changed meanwhile lies further on in the walk, and the end of a walk is always looked
 * up anew (decisions §3).
 */
import { untilAborted } from '../../store/elastic/client.ts';
import type { PageRequest, ProjectStore, WalkPage, WalkPosition } from '../../store/elastic/projects.ts';

/** Pages held at once; a page of full records is a megabyte or two. */
const PAGES_MAX = 16;
const KEPT_MS = 1000;

type Walked = Omit<PageRequest, 'signal'>;

const keyOf = (request: Walked, { removed, left, seen, highWater }: WalkPosition) =>
  JSON.stringify([request, removed, left, seen, highWater]);

/** Records without a place in the walk come last. */
const goesOn = ({ hits }: WalkPage, { size }: Walked) => hits.length === size && hits.at(-1)?.project.lastUpdated !== undefined;

export class ReadAhead {
  readonly #store: Pick<ProjectStore, 'walk'>;
  readonly #pages = new Map<string, Promise<WalkPage>>();

  constructor(store: Pick<ProjectStore, 'walk'>) {
    this.#store = store;
  }

  /** Fetches a page that will most likely be asked for. A failure is told to one who waits for the page by then, and else forgotten. */
  prepare(request: Walked, position: WalkPosition): void {
    const key = keyOf(request, position);
    if (this.#pages.size >= PAGES_MAX || this.#pages.has(key)) return;
    const page = this.#store.walk(request, position);
    this.#pages.set(key, page);
    const forget = () => {
      if (this.#pages.get(key) === page) this.#pages.delete(key);
    };
    page.catch(forget);
    setTimeout(forget, KEPT_MS).unref();
  }

  /** @throws ApiError `search_unavailable` */
  async walk(request: Walked, position: WalkPosition, signal?: AbortSignal): Promise<WalkPage> {
    const key = keyOf(request, position);
    const prepared = this.#pages.get(key);
    this.#pages.delete(key);
    const page = prepared && (await untilAborted(prepared, signal));
    return page && goesOn(page, request) ? page : this.#store.walk({ ...request, signal }, position);
  }
}
