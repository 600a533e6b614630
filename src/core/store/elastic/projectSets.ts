/** Reads whole match sets page by page from one point in time, so that loads do not change them meanwhile. */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { FetchedProject } from '../../domain/record/represent.ts';
import { searchElastic, searchUnavailable } from './client.ts';
import type { IndexNames } from './indices.ts';
import { type PageRequest, type ProjectPage, pageBody, toPage } from './projects.ts';

/** Records of a page held in memory. */
const PAGE_RECORDS = 200;
/** Longer than the caller takes to write a page. */
const KEEP_ALIVE = '2m';

type SetRequest = Pick<PageRequest, 'query' | 'sort' | 'representation' | 'toConfirm'>;

export interface Revision {
  id: number;
  contentRevision: string;
  /** ids of the record and of those merged into it */
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
    return this.#names.readAlias('projects');
  }

  /**
   * Revisions of the first `max` matches in an order, without their records.
   * @throws ApiError `search_unavailable`
   */
  async revisions({ query, sort }: Pick<SetRequest, 'query' | 'sort'>, max: number, signal?: AbortSignal): Promise<Revision[]> {
    const { hits } = await searchElastic<FetchedProject>(
      { client: this.#client, timeoutMs: this.#timeoutMs, signal },
      {
        index: this.#alias,
        query,
        sort: sort as estypes.Sort,
        size: max,
        track_total_hits: false,
        _source: ['id', 'contentRevision', 'compact.mergedFrom'],
      },
    );
    return hits.hits.map(({ _source }) => {
      const { id, contentRevision, compact } = _source as FetchedProject;
      return { id, contentRevision, memberIds: compact?.mergedFrom ?? [id] };
    });
  }

  /**
   * The first `max` matches, page by page, as of the first page. `total` counts all matches at that time.
   * @throws ApiError `search_unavailable`, also when the point in time is lost; the caller can start again
   */
  async *frozen(request: SetRequest, max: number, signal: AbortSignal): AsyncGenerator<ProjectPage> {
    let pit = await this.#open(signal);
    try {
      let searchAfter: unknown[] | undefined;
      for (let left = max; left > 0; ) {
        const size = Math.min(PAGE_RECORDS, left);
        const body = pageBody({ ...request, size, count: true, ...(searchAfter ? { searchAfter } : {}) }, this.#timeoutMs);
        const asked = { client: this.#client, timeoutMs: this.#timeoutMs, signal };
        const result = await searchElastic<FetchedProject>(asked, { pit: { id: pit, keep_alive: KEEP_ALIVE }, ...body });
        pit = result.pit_id ?? pit;
        const page = toPage(result);
        yield page;
        if (page.hits.length < size) return;
        left -= page.hits.length;
        searchAfter = page.hits.at(-1)?.sort;
      }
    } finally {
      // A point in time that is not closed expires.
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
      throw signal.aborted ? signal.reason : searchUnavailable(error);
    }
  }
}
