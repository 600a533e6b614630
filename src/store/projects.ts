/** Reading projects from Elasticsearch. A search that is late, partial or refused is an outage, never fewer matches. */
import type { Client } from '@elastic/elasticsearch';
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

  /** Exact number of matches, at any size. @throws ApiError `search_unavailable` */
  async count(query: Record<string, unknown>, signal?: AbortSignal): Promise<number> {
    const result = await askElastic(
      (options) =>
        this.#client.search(
          {
            index: this.#alias,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            query: query as object,
            size: 0,
            track_total_hits: true,
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    return typeof result.hits.total === 'object' ? result.hits.total.value : 0;
  }

  /** True when a generation is served and its shards answer. */
  async isReady(): Promise<boolean> {
    return this.count({ match_none: {} }).then(
      () => true,
      () => false,
    );
  }
}
