/** Whole match sets: read page by page out of one point in time, so that what is loaded meanwhile changes nothing in them. */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { FetchedProject } from '../../domain/record/represent.ts';
import { askElastic, unavailable } from './client.ts';
import type { IndexNames } from './indices.ts';
import { type PageRequest, type ProjectPage, pageBody, toPage } from './projects.ts';

/** What one page of a set holds in memory at most. */
const PAGE_RECORDS = 200;
/** Longer than a page takes to be written. */
const KEEP_ALIVE = '2m';

type SetRequest = Pick<PageRequest, 'query' | 'sort' | 'representation' | 'toConfirm'>;

export interface Revision {
  id: number;
  contentRevision: string;
  /** of the records merged into it, its own among them */
  memberIds: number[];
}

export class ProjectSets {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  get #alias(): string {
    return this.#names.served('projects');
  }

  /** Revisions of the first matches of an order, without their records. @throws ApiError `search_unavailable` */
  revisions(request: Pick<SetRequest, 'query' | 'sort'>, max: number, signal?: AbortSignal): Promise<Revision[]> {
    return this.#names.read(this.#client, () => this.#revisions(request, max, signal));
  }

  async #revisions({ query, sort }: Pick<SetRequest, 'query' | 'sort'>, max: number, signal?: AbortSignal): Promise<Revision[]> {
    const { hits } = await askElastic(
      (options) =>
        this.#client.search<FetchedProject>(
          {
            index: this.#alias,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            query,
            sort: sort as estypes.Sort,
            size: max,
            track_total_hits: false,
            _source: ['id', 'contentRevision', 'compact.mergedFrom'],
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    return hits.hits.map(({ _source }) => {
      const { id, contentRevision, compact } = _source as FetchedProject;
      return { id, contentRevision, memberIds: compact?.mergedFrom ?? [id] };
    });
  }

  /**
   * The first `max` matches, a page at a time, as they stood when the first page was asked for. `total` counts all matches of that moment.
   * @throws ApiError `search_unavailable`, also where the point in time is lost; from the start it can be read again
   */
  async *frozen(request: SetRequest, max: number, signal: AbortSignal): AsyncGenerator<ProjectPage> {
    let pit = await this.#open(signal);
    try {
      let searchAfter: unknown[] | undefined;
      for (let left = max; left > 0; ) {
        const size = Math.min(PAGE_RECORDS, left);
        const body = pageBody({ ...request, size, count: true, ...(searchAfter ? { searchAfter } : {}) }, this.#timeoutMs);
        const result = await askElastic(
          (options) =>
            this.#client.search<FetchedProject>(
              { pit: { id: pit, keep_alive: KEEP_ALIVE }, allow_partial_search_results: false, ...body },
              options,
            ),
          this.#timeoutMs,
          signal,
        );
        pit = result.pit_id ?? pit;
        const page = toPage(result);
        yield page;
        if (page.hits.length < size) return;
        left -= page.hits.length;
        searchAfter = page.hits.at(-1)?.sort;
      }
    } finally {
      // One that is not closed ends by itself.
      await this.#client.closePointInTime({ id: pit }).catch(() => undefined);
    }
  }

  async #open(signal: AbortSignal): Promise<string> {
    try {
      const { id } = await this.#client.openPointInTime(
        { index: this.#alias, keep_alive: KEEP_ALIVE, allow_partial_search_results: false },
        { signal, requestTimeout: this.#timeoutMs },
      );
      return id;
    } catch (error) {
      throw signal.aborted ? signal.reason : unavailable(error);
    }
  }
}
