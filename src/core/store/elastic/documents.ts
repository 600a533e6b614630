/** Source documents of the served generation: minutes and agendas. */
import type { Client } from '@elastic/elasticsearch';
import type { Scope } from '../../domain/principal.ts';
import type { DocumentVersion } from '../../domain/record/quotes.ts';
import { scopeClauses, terms } from '../../query/clauses.ts';
import { askElastic, combineAnswers, searchElastic } from './client.ts';
import type { IndexNames } from './indices.ts';

export interface MeetingDocument {
  id: number;
  state: string | null;
  county: string | null;
  city: string | null;
  decisionBody?: string | null;
  meetingDate?: string | null;
  title?: string | null;
  url?: string | null;
  version?: DocumentVersion | null;
  text?: string | null;
}

/** Name of the clause that a document matches by its own place. */
const LICENSED = 'licensed';

export class MeetingDocumentStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #projects: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('documents');
    this.#projects = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Finds a document that the scope covers: by its own place, or because a project within the scope refers to it. Both are checked in one
   * round trip.
   * @returns undefined when there is none
   * @throws ApiError `search_unavailable`
   */
  async find(id: number, scope: Scope, signal?: AbortSignal): Promise<MeetingDocument | undefined> {
    const licensed = scopeClauses(scope, { state: 'stateId', county: 'countyId' });
    const document = {
      query: { bool: { filter: [terms('id', [id])], should: [{ bool: { filter: licensed, _name: LICENSED } }] } },
      size: 1,
      _source: ['content'],
    };
    const naming = {
      query: { bool: { filter: [terms('derived.documentIds', [id]), ...scopeClauses(scope)] } },
      size: 0,
      track_total_hits: 1,
    };
    const { answers } = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch<{ content: MeetingDocument }>(
          { searches: [...this.#search(this.#alias, document), ...this.#search(this.#projects, naming)] },
          options,
        );
        return combineAnswers(responses);
      },
      this.#timeoutMs,
      signal,
    );
    const [found, named] = answers.map(({ hits }) => hits);
    const [hit] = found?.hits ?? [];
    const isNamed = typeof named?.total === 'object' && named.total.value > 0;
    const isOpen = isNamed || (Array.isArray(hit?.matched_queries) && hit.matched_queries.includes(LICENSED));
    return isOpen ? hit?._source?.content : undefined;
  }

  /**
   * Documents by id; those not loaded are absent.
   * @param withText otherwise they come without it
   * @throws ApiError `search_unavailable`
   */
  async readReferences(ids: readonly number[], signal?: AbortSignal, withText = false): Promise<Map<number, MeetingDocument>> {
    if (!ids.length) return new Map();
    const { hits } = await searchElastic<{ content: MeetingDocument }>(
      { client: this.#client, timeoutMs: this.#timeoutMs, signal },
      {
        index: this.#alias,
        query: terms('id', ids),
        size: ids.length,
        track_total_hits: false,
        _source: withText ? ['content'] : { includes: ['content'], excludes: ['content.text'] },
      },
    );
    return new Map(hits.hits.flatMap(({ _source }) => (_source ? [[_source.content.id, _source.content] as const] : [])));
  }

  #search(index: string, body: object): [object, object] {
    return [
      { index, allow_partial_search_results: false },
      { timeout: `${this.#timeoutMs}ms`, ...body },
    ];
  }
}
