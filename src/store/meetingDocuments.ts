/** Source documents: minutes and agendas, as the served generation holds them. */
import type { Client } from '@elastic/elasticsearch';
import type { Scope } from '../domain/principal.ts';
import { terms, withinScope } from '../query/clauses.ts';
import { askElastic } from './elastic.ts';
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
  text?: string | null;
}

export class MeetingDocumentStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.served('documents');
    this.#timeoutMs = timeoutMs;
  }

  /** The document, when it exists and lies within the scope. @throws ApiError `search_unavailable` */
  async find(id: number, scope: Scope, signal?: AbortSignal): Promise<MeetingDocument | undefined> {
    const within = withinScope(scope, { state: 'stateId', county: 'countyId' });
    const result = await askElastic(
      (options) =>
        this.#client.search<{ content: MeetingDocument }>(
          {
            index: this.#alias,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            query: { bool: { filter: [terms('id', [id]), ...within] } } as object,
            size: 1,
            track_total_hits: false,
            _source: ['content'],
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    return result.hits.hits[0]?._source?.content;
  }
}
