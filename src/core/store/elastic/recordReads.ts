/** Reads of single records: those of concurrent requests that ask alike are one search. */
import type { FetchedProject } from '../../domain/record/represent.ts';
import { GatheredCalls } from '../gatheredCalls.ts';
import { untilAborted } from './client.ts';
import { BY_TIME } from './keptRecords.ts';
import type { RecordFetch } from './renderedPages.ts';

/** Searches under way at once, beyond which requests share the next one, and how many share it. */
const READS = { callsMax: 2, itemsMax: 50 };

/** How to read a single record. */
export interface RecordRequest extends RecordFetch {
  /** the query of records by their ids or those of records merged into them */
  queryOf(ids: number[]): Record<string, unknown>;
  /** equal where `queryOf` makes the same query of the same ids */
  sameAs: string;
}

interface PageOfRecords extends RecordFetch {
  query: Record<string, unknown>;
  sort: Record<string, unknown>[];
  size: number;
  count: false;
}

type ReadPage<Hit> = (request: PageOfRecords) => Promise<{ hits: readonly Hit[] }>;

export class RecordReads<Hit extends { project: FetchedProject }> {
  readonly #page: ReadPage<Hit>;
  /** by kind, while any is under way */
  readonly #reads = new Map<string, GatheredCalls<number, Hit | undefined>>();

  /** @param page reads a page */
  constructor(page: ReadPage<Hit>) {
    this.#page = page;
  }

  /**
   * A record by its id or that of a record merged into it; undefined where there is none.
   * @throws ApiError `search_unavailable`
   */
  read(id: number, { sameAs, queryOf, ...fetch }: RecordRequest, signal?: AbortSignal): Promise<Hit | undefined> {
    const kind = JSON.stringify([sameAs, fetch]);
    const call = (ids: readonly number[]) => this.#readAll(ids, queryOf, fetch);
    const reads = this.#reads.get(kind) ?? new GatheredCalls({ ...READS, call, onIdle: () => this.#reads.delete(kind) });
    this.#reads.set(kind, reads);
    return untilAborted(reads.ask(id), signal);
  }

  async #readAll(ids: readonly number[], queryOf: RecordRequest['queryOf'], fetch: RecordFetch): Promise<(Hit | undefined)[]> {
    const distinct = [...new Set(ids)];
    const { hits } = await this.#page({ ...fetch, query: queryOf(distinct), sort: BY_TIME, size: distinct.length, count: false });
    return ids.map((id) => hits.find(({ project }) => project.id === id || project.compact.mergedFrom?.includes(id)));
  }
}
