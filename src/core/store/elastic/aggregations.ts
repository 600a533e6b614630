/** Aggregations over projects in Elasticsearch. They take much longer than pages, so a process runs only a few at a time. */
import { type Client, errors } from '@elastic/elasticsearch';
import { ApiError } from '../../domain/errors.ts';
import { type Aggregate, type Aggregations, GroupsCut } from '../../query/facets.ts';
import { Turns } from '../teamTurns.ts';
import { searchByText } from './bodyText.ts';
import { askElastic, searchUnavailable, untilAborted } from './client.ts';
import type { IndexNames } from './indices.ts';

/** Most aggregations that a process runs at a time, so that searches keep most of Elasticsearch. */
const AT_ONCE = 2;
/** Most aggregations of a team that wait; each waits no longer than the deadline of its request. */
const WAITING_MAX = 100;

/** Who waits for aggregations. */
export interface Asking {
  principal: { teamId: number };
  signal?: AbortSignal;
}

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
  readonly #turns = new Turns({ running: AT_ONCE, team: { running: AT_ONCE, waiting: WAITING_MAX } });

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs aggregations over the matches of a query when it is the team's turn.
   * @param actor whose turn it is; its signal takes the request out of the queue, or cancels it in Elasticsearch. Absent for the service itself
   * @throws ApiError `search_unavailable`; `rate_limit_exceeded` when too many of the team wait
   * @throws GroupsCut when there are more groups than Elasticsearch returns
   */
  async aggregate(query: Record<string, unknown>, aggs: Aggregations, actor?: Asking): Promise<Aggregated> {
    const { signal } = actor ?? {};
    const work = this.#turns.run({ teamId: actor?.principal.teamId, signal }, () => this.#ask(query, aggs, signal));
    work.catch(() => undefined);
    return untilAborted(work, signal);
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
