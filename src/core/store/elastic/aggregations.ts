/** Aggregations over projects in Elasticsearch. They take much longer than pages, so a process runs only a few at a time. */
import { type Client, errors } from '@elastic/elasticsearch';
import PQueue from 'p-queue';
import { ApiError } from '../../domain/errors.ts';
import { type Aggregate, type Aggregations, GroupsCut } from '../../query/facets.ts';
import { searchByText } from './bodyText.ts';
import { askElastic, searchUnavailable, untilAborted } from './client.ts';
import type { IndexNames } from './indices.ts';

/** Most aggregations that a process runs at a time, so that searches keep most of Elasticsearch. */
const AT_ONCE = 2;
/** Most aggregations that wait; each waits no longer than the deadline of its request. */
const WAITING_MAX = 100;
const RETRY_AFTER_SECONDS = 2;

interface Aggregated {
  /** exact number of matches */
  total: number;
  answer: Aggregate;
}

const isCut = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error;
  return cause instanceof errors.ResponseError && JSON.stringify(cause.body ?? {}).includes('too_many_buckets_exception');
};

export class AggregationStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.served('projects');
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs aggregations over the matches of a query.
   * @param signal removes the request from the queue, or cancels it in Elasticsearch, when the client disconnects or the deadline passes
   * @throws ApiError `search_unavailable`; `service_unavailable` when too many wait
   * @throws GroupsCut when there are more groups than Elasticsearch returns
   */
  async aggregate(query: Record<string, unknown>, aggs: Aggregations, signal: AbortSignal | undefined): Promise<Aggregated> {
    if (this.#queue.size >= WAITING_MAX)
      throw new ApiError('service_unavailable', 'Too many analyses wait already; repeat this one shortly.', {
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      });
    const left = new AbortController();
    const leave = () => left.abort();
    signal?.addEventListener('abort', leave, { once: true });
    const work = this.#queue.add(() => this.#ask(query, aggs, signal), { signal: left.signal });
    work.catch(() => undefined);
    try {
      return await untilAborted(work, signal);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  async #ask(query: Record<string, unknown>, aggs: Aggregations, signal: AbortSignal | undefined): Promise<Aggregated> {
    if (signal?.aborted) throw searchUnavailable(signal.reason);
    const search = { size: 0, track_total_hits: true, timeout: `${this.#timeoutMs}ms`, query, aggs };
    try {
      const { hits, aggregations = {} } = await askElastic(
        (options) => searchByText(this.#client, this.#alias, search, options),
        this.#timeoutMs,
        signal,
      );
      const total = typeof hits.total === 'object' ? hits.total.value : 0;
      return { total, answer: { ...aggregations, doc_count: total } };
    } catch (error) {
      throw isCut(error) ? new GroupsCut() : error;
    }
  }
}
