/** Runs the queries of many rows in few round trips to Elasticsearch. */
import type { Client } from '@elastic/elasticsearch';
import PQueue from 'p-queue';
import type { Clause } from '../../core/query/clauses.ts';
import { askElastic, combineAnswers } from '../../core/store/elastic/client.ts';
import type { IndexNames } from '../../core/store/elastic/indices.ts';
import { READ_FIELDS, toComparable } from './queries.ts';
import type { Comparable } from './types.ts';

/** Round trips of a process at a time, few so that searches keep most of Elasticsearch. A request asks for one or two, so that requests take turns. */
const BATCHES_AT_ONCE = 2;
/** Most records that are read for a row: at first, and again for those rows that have so many. */
const FIRST_READ_RECORDS_MAX = 30;
const READ_RECORDS_MAX = 1_000;
/** Most records of a round trip, whose answer is parsed at once. */
const RECORDS_AT_ONCE = 5_000;

export class MatchStore {
  readonly #client: Client;
  readonly #alias: string;
  /** of a round trip; the deadline of its request ends it sooner */
  readonly #timeoutMs: number;
  readonly #queue = new PQueue({ concurrency: BATCHES_AT_ONCE });

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /** The records that each query finds, in the order of the queries. @throws ApiError `search_unavailable` */
  async find(queries: readonly Clause[], signal?: AbortSignal): Promise<Comparable[][]> {
    const found = await this.#searchAll(queries, FIRST_READ_RECORDS_MAX, signal);
    const cut = found.flatMap(({ length }, i) => (length === FIRST_READ_RECORDS_MAX ? [i] : []));
    const further = cut.map((i) => queries[i] as Clause);
    const whole = await this.#searchAll(further, READ_RECORDS_MAX, signal);
    for (const [i, records] of whole.entries()) found[cut[i] as number] = records;
    return found;
  }

  /** Whether each query finds anything, in the order of the queries. @throws ApiError `search_unavailable` */
  async findsAny(queries: readonly Clause[], signal?: AbortSignal): Promise<boolean[]> {
    return (await this.#searchAll(queries, 1, signal)).map(({ length }) => length > 0);
  }

  async #searchAll(queries: readonly Clause[], size: number, signal: AbortSignal | undefined): Promise<Comparable[][]> {
    const found: Comparable[][] = [];
    const atOnce = Math.ceil(RECORDS_AT_ONCE / size);
    for (let start = 0; start < queries.length; start += atOnce)
      found.push(...(await this.#queue.add(() => this.#search(queries.slice(start, start + atOnce), size, signal))));
    return found;
  }

  async #search(queries: readonly Clause[], size: number, signal: AbortSignal | undefined): Promise<Comparable[][]> {
    const fields = [...READ_FIELDS];
    const search = { size, _source: false, docvalue_fields: fields, track_total_hits: false, timeout: `${this.#timeoutMs}ms` };
    const searches = queries.flatMap((query) => [{ allow_partial_search_results: false }, { ...search, query }]);
    const { answers } = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch({ index: this.#alias, searches }, { ...options, requestTimeout: this.#timeoutMs });
        return combineAnswers(responses);
      },
      this.#timeoutMs,
      signal,
    );
    return answers.map(({ hits }) => hits.hits.map(({ fields }) => toComparable(fields ?? {})));
  }
}
