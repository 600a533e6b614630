/** Reading projects from Elasticsearch. A search that is late, partial or refused is an outage, never fewer matches. */
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { Representation } from '../domain/project.ts';
import type { FetchedProject } from '../domain/representation.ts';
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

/** `_source` paths that a representation needs. */
const SOURCE_OF: Record<Representation, readonly string[]> = {
  compact: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact'],
  standard: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact', 'standard'],
  full: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact', 'standard', 'full'],
};

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
    totals: answers.map(({ hits }) => (typeof hits.total === 'object' ? hits.total.value : 0)),
  };
}

export class ProjectStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.served('projects');
    this.#timeoutMs = timeoutMs;
  }

  /** @throws ApiError `search_unavailable` */
  async page(request: PageRequest): Promise<ProjectPage> {
    const { query, sort, size, representation } = request;
    const result = await askElastic(
      (options) =>
        this.#client.search<FetchedProject>(
          {
            index: this.#alias,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            query: query as object,
            sort: sort as never,
            size,
            ...(request.from ? { from: request.from } : {}),
            ...(request.searchAfter ? { search_after: request.searchAfter as string[] } : {}),
            track_total_hits: request.count,
            _source: [...SOURCE_OF[representation], ...(request.alsoFetch ?? [])],
          },
          options,
        ),
      this.#timeoutMs,
      request.signal,
    );
    const total = typeof result.hits.total === 'object' ? result.hits.total : { value: 0, relation: 'gte' };
    return {
      hits: result.hits.hits.map((hit) => ({
        project: hit._source as FetchedProject,
        matched: Array.isArray(hit.matched_queries) ? hit.matched_queries : [],
        sort: (hit.sort ?? []) as unknown[],
      })),
      total: total.value,
      totalIsExact: total.relation === 'eq',
    };
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
    return result.totals;
  }

  /** True when a generation is served and its shards answer. */
  async isReady(): Promise<boolean> {
    return this.counts([{ match_none: {} }]).then(
      () => true,
      () => false,
    );
  }
}
