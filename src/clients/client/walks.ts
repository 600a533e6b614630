/** Loops over pages: the matches of a search, and the changes of a copy. */
import type { CompactProject, FullProject, Operations, PageMeta, StandardProject, SyncProjectsMeta } from './generated.ts';

export type ClientRepresentation = 'compact' | 'standard' | 'full';
export type RecordOf<R extends ClientRepresentation> = { compact: CompactProject; standard: StandardProject; full: FullProject }[R];

/** Full records are asked for with what the service reads from them. */
export const withDerived = <Q extends { representation?: unknown; include?: unknown }>(query: Q): Q =>
  query.representation === 'full' ? { ...query, include: query.include ? `${query.include},derived` : 'derived' } : query;

type Search = Operations['searchProjects'];
type Sync = Operations['syncProjects'];

/** Requests a page; pages are numbered from 1. */
type AskPage<O extends Search | Sync> = (query: O['input'], page: number) => Promise<O['answer']>;

export type SearchQuery<R extends ClientRepresentation> = Omit<
  Search['input'],
  'representation' | 'format' | 'page' | 'maxCredits' | 'maxContactCredits'
> & {
  representation?: R;
};
export type SyncQuery<R extends ClientRepresentation> = Omit<Sync['input'], 'representation' | 'cursor'> & { representation?: R };

export type ProjectQuery<R extends ClientRepresentation> = Omit<Operations['getProject']['input'], 'id' | 'representation'> & {
  representation?: R;
};
export interface ProjectAnswer<R extends ClientRepresentation> {
  /** null where a call was repeated under its key, and the record has changed and was not paid for since */
  data: RecordOf<R> | null;
  meta: Operations['getProject']['answer']['meta'];
}

export interface SearchPage<R extends ClientRepresentation> {
  records: RecordOf<R>[];
  meta: PageMeta;
}

/** More records match than a search reaches. Count them by `matchCount`, and read them all by sync. */
export class SearchTooWide extends Error {
  override name = 'SearchTooWide';
}

/** The records of a search one by one, or page by page. Each loop sends new requests. */
export class RecordWalk<R extends ClientRepresentation> implements AsyncIterable<RecordOf<R>> {
  readonly #query: SearchQuery<R>;
  readonly #ask: AskPage<Search>;

  constructor(query: SearchQuery<R>, ask: AskPage<Search>) {
    this.#query = query;
    this.#ask = ask;
  }

  /** @throws SearchTooWide after the last page that a search reaches, if more records match */
  async *pages(): AsyncGenerator<SearchPage<R>, void> {
    let offset = this.#query.offset ?? 0;
    for (let number = 1; ; number++) {
      const { data, meta } = await this.#ask({ ...withDerived(this.#query), offset }, number);
      if (!Array.isArray(data)) throw new TypeError('A search that is walked is answered as JSON');
      const page = meta as PageMeta;
      if (page.pageCount) yield { records: data as RecordOf<R>[], meta: page };
      if (!page.hasMore || page.total === offset) {
        if (!page.matchCountIsExact)
          throw new SearchTooWide(`A search reaches ${page.total} records, and more match: narrow it, or use sync`);
        return;
      }
      // Under `deliveryMode=new` delivered records leave the match set, so the next page is the first one again.
      if (this.#query.deliveryMode !== 'new') offset = page.total;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordOf<R>, void> {
    for await (const { records } of this.pages()) yield* records;
  }
}

export interface SyncOptions {
  /** the cursor at which an earlier walk ended */
  cursor?: string | undefined;
  /** called with the cursor after a page when the loop requests the next one, since it has then stored the page */
  onCheckpoint?: (cursor: string) => void | Promise<void>;
}

/** Apply `removed` first, then `records`, then keep `cursor`. */
export interface SyncPage<R extends ClientRepresentation> {
  removed: { id: number; mergedInto: number | null; at: string }[];
  records: RecordOf<R>[];
  /** continue from here: now for the next page, or later for changes until then */
  cursor: string;
  hasMore: boolean;
  meta: SyncProjectsMeta;
}

/** Pages of changes until nothing is new. */
export class SyncWalk<R extends ClientRepresentation> implements AsyncIterable<SyncPage<R>> {
  readonly #query: SyncQuery<R>;
  readonly #options: SyncOptions;
  readonly #ask: AskPage<Sync>;

  constructor(query: SyncQuery<R>, options: SyncOptions, ask: AskPage<Sync>) {
    this.#query = query;
    this.#options = options;
    this.#ask = ask;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SyncPage<R>, void> {
    let { cursor } = this.#options;
    for (let number = 1; ; number++) {
      const { data, meta } = await this.#ask({ ...withDerived(this.#query), ...(cursor === undefined ? {} : { cursor }) }, number);
      const { removed, hasMore, ...position } = meta.sync;
      cursor = position.cursor;
      yield { removed, records: data as RecordOf<R>[], cursor, hasMore, meta };
      await this.#options.onCheckpoint?.(cursor);
      if (!hasMore) return;
    }
  }
}
