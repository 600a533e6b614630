/** Aggregations over projects in Elasticsearch. They take much longer than pages, so a process runs only a few at a time. */
import { type Client, errors } from '@elastic/elasticsearch';
import { ApiError } from '../../domain/errors.ts';
import { type Aggregate, type Aggregations, GroupsCut } from '../../query/facets.ts';
import { Longs } from '../../query/longs.ts';
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

/** A search that has not been sent yet, for all requests of a team that ask the same. */
interface Unsent {
  answer: Promise<Aggregated>;
  /** requests that still wait for it */
  askers: number;
  stop: AbortController;
}

const numbers = new WeakMap<Longs, number>();
let numbered = 0;

/** Long lists are told apart by numbers: as text, many would fill the memory. */
function numberList(list: Longs): number {
  const number = numbers.get(list) ?? numbered++;
  numbers.set(list, number);
  return number;
}

const nameSearch = (asked: object): string =>
  JSON.stringify(asked, (_, value) => (value instanceof Longs ? { list: numberList(value) } : value));

const isCut = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error;
  return cause instanceof errors.ResponseError && JSON.stringify(cause.body ?? {}).includes('too_many_buckets_exception');
};

export class AggregationStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;
  readonly #unsent = new Map<string, Unsent>();
  readonly #turns = new Turns({ running: AT_ONCE, team: { running: AT_ONCE, waiting: WAITING_MAX } });

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs aggregations over the matches of a query when it is the team's turn. Requests that ask the same share a search until it is sent, so that
   * it sees all that each of them may see.
   * @param actor whose turn it is; its signal takes the request out of the queue, or cancels it in Elasticsearch. Absent for the service itself
   * @throws ApiError `search_unavailable`; `rate_limit_exceeded` when too many of the team wait
   * @throws GroupsCut when there are more groups than Elasticsearch returns
   */
  async aggregate(query: Record<string, unknown>, aggs: Aggregations, actor?: Asking): Promise<Aggregated> {
    const { signal } = actor ?? {};
    if (signal?.aborted) throw searchUnavailable(signal.reason);
    const teamId = actor?.principal.teamId;
    const name = nameSearch({ teamId, query, aggs });
    const asked = this.#unsent.get(name) ?? this.#begin(name, teamId, (stopped) => this.#ask(query, aggs, stopped));
    asked.askers += 1;
    const leave = () => {
      asked.askers -= 1;
      if (!asked.askers) asked.stop.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    return untilAborted(asked.answer, signal).finally(() => signal?.removeEventListener('abort', leave));
  }

  #begin(name: string, teamId: number | undefined, ask: (stopped: AbortSignal) => Promise<Aggregated>): Unsent {
    const stop = new AbortController();
    const { signal } = stop;
    const forget = () => this.#unsent.get(name) === asked && this.#unsent.delete(name);
    signal.addEventListener('abort', forget, { once: true });
    const answer = this.#turns.run({ teamId, signal }, () => {
      setImmediate(forget); // what came with it was there before it was sent
      return ask(signal);
    });
    answer.catch(forget);
    const asked: Unsent = { answer, askers: 0, stop };
    this.#unsent.set(name, asked);
    return asked;
  }

  async #ask(query: Record<string, unknown>, aggs: Aggregations, signal: AbortSignal): Promise<Aggregated> {
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
