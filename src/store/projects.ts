/** Reading projects from Elasticsearch. A search that is late, partial or refused is an outage, never fewer matches. */
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { Representation } from '../domain/project.ts';
import type { FetchedProject } from '../domain/representation.ts';
import type { Clause } from '../query/clauses.ts';
import { askElastic } from './elastic.ts';
import type { IndexNames } from './indices.ts';

export interface ProjectHit {
  project: FetchedProject;
  /** names of the named clauses that the record matched */
  matched: string[];
  sort: unknown[];
}

export interface ProjectPage {
  hits: ProjectHit[];
  /** matches, as far as they were counted */
  total: number;
  totalIsExact: boolean;
}

export interface PageRequest {
  query: Record<string, unknown>;
  sort: Record<string, unknown>[];
  from?: number;
  size: number;
  searchAfter?: unknown[];
  representation: Representation;
  /** further `_source` paths */
  alsoFetch?: readonly string[];
  /** matches to count at most; true counts all, false none */
  count: number | boolean;
  signal?: AbortSignal | undefined;
}

/** The trace of a record that is no longer found on its own. */
export interface Removal {
  id: number;
  mergedInto?: number;
  /** ISO 8601 */
  at: string;
}

export type RemovalPosition = Pick<Removal, 'at' | 'id'>;

export interface WalkPage extends ProjectPage {
  /** newest committed lastUpdated, ISO 8601; null when there is no record */
  highWater: string | null;
  removed: Removal[];
}

/** Traces that one page tells at most; the rest follow with the next. */
export const REMOVALS_MAX = 1000;

/** `_source` paths that a representation needs. */
const SOURCE_OF: Record<Representation, readonly string[]> = {
  compact: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact'],
  standard: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact', 'standard'],
  full: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact', 'standard', 'full'],
};

function pageBody(request: PageRequest, timeoutMs: number): object {
  return {
    timeout: `${timeoutMs}ms`,
    query: request.query,
    sort: request.sort,
    size: request.size,
    ...(request.from ? { from: request.from } : {}),
    ...(request.searchAfter ? { search_after: request.searchAfter } : {}),
    track_total_hits: request.count,
    _source: [...SOURCE_OF[request.representation], ...(request.alsoFetch ?? [])],
  };
}

function toPage({ hits }: Pick<estypes.SearchResponse<FetchedProject>, 'hits'>): ProjectPage {
  const total = typeof hits.total === 'object' ? hits.total : { value: 0, relation: 'gte' };
  return {
    hits: hits.hits.map((hit) => ({
      project: hit._source as FetchedProject,
      matched: Array.isArray(hit.matched_queries) ? hit.matched_queries : [],
      sort: (hit.sort ?? []) as unknown[],
    })),
    total: total.value,
    totalIsExact: total.relation === 'eq',
  };
}

function removalSearch(after: RemovalPosition | null, scope: readonly Clause[]): object {
  if (!after) return { size: 0, query: { match_none: {} } };
  return {
    size: REMOVALS_MAX,
    query: { bool: { filter: [...scope] } },
    sort: [{ at: 'asc' }, { id: 'asc' }],
    search_after: [after.at, after.id],
  };
}

/** Several answers as one, whole only when each of them is. @throws ResponseError of the first that failed */
function combined(responses: estypes.MsearchResponseItem<unknown>[]) {
  const answers = responses.map((response) => {
    if ('error' in response)
      throw new errors.ResponseError({ statusCode: response.status, body: response, headers: {}, warnings: [], meta: {} as never });
    return response;
  });
  const sum = (pick: (shards: estypes.ShardStatistics) => number) => answers.reduce((total, { _shards }) => total + pick(_shards), 0);
  return {
    timed_out: answers.some((answer) => answer.timed_out),
    _shards: { total: sum((s) => s.total), successful: sum((s) => s.successful), failed: sum((s) => s.failed) },
    answers,
  };
}

export class ProjectStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #removals: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.served('projects');
    this.#removals = names.served('removals');
    this.#timeoutMs = timeoutMs;
  }

  /** @throws ApiError `search_unavailable` */
  async page(request: PageRequest): Promise<ProjectPage> {
    const result = await askElastic(
      (options) =>
        this.#client.search<FetchedProject>(
          { index: this.#alias, allow_partial_search_results: false, ...pageBody(request, this.#timeoutMs) },
          options,
        ),
      this.#timeoutMs,
      request.signal,
    );
    return toPage(result);
  }

  /**
   * One page of a walk with what a copy kept by it has to know besides: the newest change there is, and which records went.
   * @param removedAfter position behind which traces of removals are read; null reads none
   * @throws ApiError `search_unavailable`
   */
  async walk(request: PageRequest, removedAfter: RemovalPosition | null, scope: Clause[]): Promise<WalkPage> {
    const limits = { timeout: `${this.#timeoutMs}ms`, track_total_hits: false };
    const newest = { ...limits, size: 1, sort: [{ lastUpdated: { order: 'desc' } }], _source: ['lastUpdated'] };
    const removals = { ...limits, ...removalSearch(removedAfter, scope) };
    const result = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch<unknown>(
          {
            searches: [
              { index: this.#alias, allow_partial_search_results: false },
              pageBody(request, this.#timeoutMs),
              { index: this.#alias, allow_partial_search_results: false },
              newest as object,
              { index: this.#removals, allow_partial_search_results: false },
              removals as object,
            ],
          },
          options,
        );
        return combined(responses);
      },
      this.#timeoutMs,
      request.signal,
    );
    const [page, top, gone] = result.answers;
    const highest = top?.hits.hits[0]?._source as { lastUpdated: string } | undefined;
    return {
      ...toPage(page as estypes.SearchResponseBody<FetchedProject>),
      highWater: highest?.lastUpdated ?? null,
      removed: gone?.hits.hits.map((hit) => hit._source as Removal) ?? [],
    };
  }

  /** Where the traces of removals end now: a walk that begins here has nothing of what went before. @throws ApiError */
  async lastRemoval(signal?: AbortSignal): Promise<RemovalPosition> {
    const result = await askElastic(
      (options) =>
        this.#client.search<Removal>(
          {
            index: this.#removals,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            size: 1,
            track_total_hits: false,
            sort: [{ at: 'desc' }, { id: 'desc' }],
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    const last = result.hits.hits[0]?._source;
    return last ? { at: last.at, id: last.id } : { at: new Date(0).toISOString(), id: 0 };
  }

  /** Exact numbers of matches, at any size, in one round trip. @throws ApiError `search_unavailable` */
  async counts(queries: readonly Record<string, unknown>[], signal?: AbortSignal): Promise<number[]> {
    const search = { size: 0, track_total_hits: true, timeout: `${this.#timeoutMs}ms` };
    const searches = queries.flatMap((query) => [{ allow_partial_search_results: false }, { ...search, query: query as object }]);
    const result = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch({ index: this.#alias, searches }, options);
        return combined(responses);
      },
      this.#timeoutMs,
      signal,
    );
    return result.answers.map(({ hits }) => (typeof hits.total === 'object' ? hits.total.value : 0));
  }

  /** True when a generation is served and its shards answer. */
  async isReady(): Promise<boolean> {
    return this.counts([{ match_none: {} }]).then(
      () => true,
      () => false,
    );
  }
}
