/** Records ranked by what they and their documents say, and the texts of documents. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { allOf, anyOf, type Clause, terms } from '../../core/query/clauses.ts';
import {
  mentionClause,
  PROSE,
  relevanceClause,
  resemblanceClause,
  type Saying,
  sayingClause,
  type Topic,
  topicClause,
} from '../../core/query/relevance.ts';
import { askElastic, combineAnswers, searchElastic } from '../../core/store/elastic/client.ts';
import type { IndexNames } from '../../core/store/elastic/indices.ts';
import { fuseRanks } from './rankFusion.ts';

/** Documents searched for each saying, the best first. */
const DOCUMENTS_MAX = 10_000;
/** Documents in which records of a topic are looked for: minutes belong to every case of their meeting. */
const TOPIC_DOCUMENTS_MAX = 20;
/** Documents in one answer: each text may have ten million characters. */
const TEXTS_AT_ONCE = 10;
/** Routes all such searches to one copy of the index: copies may count deleted records differently. */
const PREFERENCE = 'relevance';
/** Word frequencies of all shards together, so that a score does not depend on the shard of its record. */
const WEIGHED_OVER_ALL = 'dfs_query_then_fetch';

export interface RankedRequest {
  filters: readonly Clause[];
  sayings: readonly Saying[];
  /** order of equal scores */
  tieBreak: readonly Clause[];
}

export interface Ranking {
  /** the first matches, best first */
  ids: number[];
  total: number;
}

interface DocumentText {
  id: number;
  text: string;
}

export class RelevanceStore {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  get #projects(): string {
    return this.#names.readAlias('projects');
  }

  get #documents(): string {
    return this.#names.readAlias('documents');
  }

  /** The records that match the filters and say everything. @throws ApiError `search_unavailable` */
  async ranked({ filters, sayings, tieBreak }: RankedRequest, max: number, signal: AbortSignal): Promise<Ranking> {
    return this.#rank(await this.saying(filters, sayings, signal), tieBreak, max, signal);
  }

  /**
   * The records that match the filters and resemble texts, or say something of what is asked.
   * @throws ApiError `search_unavailable`
   */
  async resembling(
    { filters, sayings, tieBreak }: RankedRequest,
    texts: readonly string[],
    max: number,
    signal: AbortSignal,
  ): Promise<number[]> {
    return (await this.#rank(resemblanceClause(filters, sayings, texts), tieBreak, max, signal)).ids;
  }

  async #rank(query: Clause, tieBreak: readonly Clause[], max: number, signal: AbortSignal): Promise<Ranking> {
    const { hits } = await searchElastic(
      { client: this.#client, timeoutMs: this.#timeoutMs, signal },
      {
        index: this.#projects,
        preference: PREFERENCE,
        search_type: WEIGHED_OVER_ALL,
        query,
        sort: [{ _score: 'desc' }, ...tieBreak] as estypes.Sort,
        size: max,
        track_total_hits: true,
        docvalue_fields: ['id'],
        _source: false,
      },
    );
    return { ids: hits.hits.map(idOf), total: totalOf({ hits }) };
  }

  /**
   * The records within the filters that rank best by any of the topics, themselves or by one of their documents. The topics are searched in one
   * round trip, and what documents bring in a second one, if there are any.
   * @param also clauses that only rank
   * @returns `total` counts the records that were found; it exceeds `max` if more match
   * @throws ApiError `search_unavailable`
   */
  async united(
    { filters, topics, also }: { filters: readonly Clause[]; topics: readonly Topic[]; also: readonly Clause[] },
    max: number,
    signal: AbortSignal,
  ): Promise<Ranking> {
    const size = max + 1;
    const said = topics.filter(({ phrases }) => phrases.length);
    const first = await this.#searchedTogether(
      [
        ...topics.map((topic) => ({ index: this.#projects, query: topicClause(topic, filters, also), size })),
        ...said.map(({ phrases }) => ({
          index: this.#documents,
          query: mentionClause(PROSE.document, phrases),
          size: TOPIC_DOCUMENTS_MAX,
        })),
      ],
      signal,
    );
    const [own, documents] = [first.slice(0, topics.length), first.slice(topics.length)];
    const documented = said.flatMap((topic, i) => (documents[i]?.length ? [{ topic, ids: documents[i] }] : []));
    const second = await this.#searchedTogether(
      documented.map(({ topic, ids }) => ({ index: this.#projects, query: topicClause(topic, filters, also, ids), size })),
      signal,
    );
    const ids = fuseRanks([...own, ...second]);
    return { ids: ids.slice(0, max), total: ids.length };
  }

  /** For each search its ids, best first. */
  async #searchedTogether(
    searches: readonly { index: string; query: Clause; size: number }[],
    signal: AbortSignal,
  ): Promise<(readonly number[])[]> {
    if (!searches.length) return [];
    const bodies = searches.flatMap(({ index, query, size }) => [
      { index, allow_partial_search_results: false, preference: PREFERENCE, search_type: WEIGHED_OVER_ALL } as const,
      {
        timeout: `${this.#timeoutMs}ms`,
        query,
        size,
        track_total_hits: false,
        docvalue_fields: ['id'],
        _source: false,
        sort: [{ _score: 'desc' }, { id: 'asc' }] as estypes.Sort,
      },
    ]);
    const { answers } = await askElastic(
      async (options) => combineAnswers((await this.#client.msearch({ searches: bodies }, options)).responses),
      this.#timeoutMs,
      signal,
    );
    return answers.map(({ hits }) => hits.hits.map(idOf));
  }

  /** Finds the records within the filters that say everything, themselves or in a document. @throws ApiError `search_unavailable` */
  async saying(filters: readonly Clause[], sayings: readonly Saying[], signal: AbortSignal): Promise<Clause> {
    return relevanceClause(filters, sayings, await this.#documentsSaying(sayings, signal));
  }

  /** A list for each saying. */
  async #documentsSaying(sayings: readonly Saying[], signal: AbortSignal): Promise<number[][]> {
    const looked = sayings.filter(({ phrases }) => phrases.length);
    if (!looked.length) return [];
    const answers = await this.#searchedTogether(
      looked.map(({ phrases }) => ({ index: this.#documents, query: sayingClause(PROSE.document, phrases), size: DOCUMENTS_MAX })),
      signal,
    );
    const found = new Map(looked.map((saying, i) => [saying, answers[i] ?? []]));
    return sayings.map((saying) => [...(found.get(saying) ?? [])]);
  }

  /**
   * Texts of those of the documents that contain one of the sayings, a few at a time.
   * @param sayings phrases; empty for all documents
   * @throws ApiError `search_unavailable`
   */
  async *texts(ids: readonly number[], sayings: readonly (readonly string[])[], signal: AbortSignal): AsyncGenerator<DocumentText[]> {
    const said = sayings.every((phrases) => phrases.length) ? sayings.map((phrases) => sayingClause(PROSE.document, phrases)) : [];
    const query = allOf([terms('id', ids), ...(said.length ? [anyOf(said)] : [])]);
    let after: estypes.SortResults | undefined;
    for (;;) {
      const { hits } = await searchElastic<{ id: number; content: { text?: string | null } }>(
        { client: this.#client, timeoutMs: this.#timeoutMs, signal },
        {
          index: this.#documents,
          query,
          sort: [{ id: 'asc' }],
          size: TEXTS_AT_ONCE,
          track_total_hits: false,
          _source: ['id', 'content.text'],
          ...(after ? { search_after: after } : {}),
        },
      );
      yield hits.hits.flatMap(({ _source }) => (_source?.content.text ? [{ id: _source.id, text: _source.content.text }] : []));
      if (hits.hits.length < TEXTS_AT_ONCE) return;
      after = hits.hits.at(-1)?.sort;
    }
  }
}

const totalOf = ({ hits }: Pick<estypes.SearchResponse, 'hits'>): number => (typeof hits.total === 'object' ? hits.total.value : 0);

/** The id of a hit that was fetched with that field alone. */
function idOf({ fields }: Pick<estypes.SearchHit, 'fields'>): number {
  const [id] = (fields?.id ?? []) as number[];
  if (id === undefined) throw new Error('A hit came without its id');
  return id;
}
