/** Searches that count and aggregate and fetch nothing, those of concurrent requests together. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { GatheredCalls } from '../gatheredCalls.ts';
import { searchByText, toBodyText } from './bodyText.ts';
import { askElastic, asSearchError, combineAnswers, limitToDeadline, throwIfPartial, untilAborted } from './client.ts';
import type { IndexNames } from './indices.ts';

/** Round trips under way at once, beyond which requests share the next one, and how many share it: each waits for the slowest of them. */
const COUNTS = { callsMax: 2, itemsMax: 8 };

export type CountAnswer = Pick<estypes.SearchResponse<unknown>, 'hits' | 'aggregations' | 'timed_out' | '_shards'>;
type Response = estypes.MsearchResponseItem<unknown>;

export class CountSearches {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;
  readonly #gathered = new GatheredCalls<readonly object[], readonly Response[]>({ ...COUNTS, call: (asked) => this.#askTogether(asked) });

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The answers to the searches of one request, all of the same moment.
   * @param searches parts of bodies, such as a query
   * @throws ApiError `search_unavailable`
   */
  async ask(searches: readonly object[], signal?: AbortSignal): Promise<CountAnswer[]> {
    const responses = await untilAborted(this.#gathered.ask(searches), signal);
    try {
      return throwIfPartial(combineAnswers([...responses])).answers;
    } catch (error) {
      throw asSearchError(error);
    }
  }

  /**
   * As `ask`, in a round trip of its own, for searches that fetch much.
   * @throws ApiError `search_unavailable`
   */
  async askAlone(searches: readonly object[], signal?: AbortSignal): Promise<CountAnswer[]> {
    const ask = async (options: object) => combineAnswers(await this.#send(searches, options));
    return (await askElastic(ask, this.#timeoutMs, signal)).answers;
  }

  async #askTogether(asked: readonly (readonly object[])[]): Promise<Response[][]> {
    const responses = await limitToDeadline((options) => this.#send(asked.flat(), options), this.#timeoutMs);
    let from = 0;
    return asked.map(({ length }) => {
      from += length;
      return responses.slice(from - length, from);
    });
  }

  async #send(searches: readonly object[], options: object): Promise<Response[]> {
    const bodies = searches.map((one) => ({ size: 0, track_total_hits: true, timeout: `${this.#timeoutMs}ms`, ...one }));
    const [only, ...others] = bodies;
    if (only && !others.length) return [{ ...(await searchByText<unknown>(this.#client, this.#alias, only, options)), status: 200 }];
    const texts = bodies.map((body) => toBodyText(body) as unknown as object); // the client sends strings unchanged
    const lines = texts.flatMap((text) => [{ allow_partial_search_results: false }, text]);
    return (await this.#client.msearch({ index: this.#alias, searches: lines }, options)).responses;
  }
}
