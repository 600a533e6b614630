/** Compares the versions of two sets by what identifies them (the record and the load that wrote it), and finds those that only one set has. */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import { type StoredVersion, sortValuePages, UNIQUE_FIELD } from './versions.ts';

export type VersionIdentity = Pick<StoredVersion, 'key' | 'loadedIn'>;
type Identified = [unique: string | number, loadedIn: number];

export interface VersionDifference {
  version: VersionIdentity;
  isIn: 'first' | 'second';
}

/**
 * Reads the versions that an index or alias shows, page by page, ordered by the unique field and then by load.
 * @param query selects some of them
 * @param onRead called with the number of further versions that were read
 */
export async function* readIdentityPages(
  client: Client,
  index: string,
  kind: Kind,
  { query, onRead }: { query?: object; onRead?: ((more: number) => void) | undefined } = {},
): AsyncGenerator<Identified[]> {
  const sort: estypes.SortCombinations[] = [{ [UNIQUE_FIELD[kind]]: 'asc' }, { loadedIn: 'asc' }];
  for await (const page of sortValuePages(client, index, sort, query)) {
    onRead?.(page.length);
    yield page as Identified[];
  }
}

/** A cursor over pages of versions. */
class PageCursor {
  readonly #pages: AsyncGenerator<Identified[]>;
  #page: Identified[] = [];
  #at = 0;

  constructor(pages: AsyncGenerator<Identified[]>) {
    this.#pages = pages;
  }

  /** the current version; undefined at the end of a page, after which `fetchPage` reads the next */
  get head(): Identified | undefined {
    return this.#page[this.#at];
  }

  step(): void {
    this.#at += 1;
  }

  /** Fetches the next page if the current one is used up. */
  async fetchPage(): Promise<void> {
    while (this.#at >= this.#page.length) {
      const next = await this.#pages.next();
      if (next.done) return;
      this.#page = next.value;
      this.#at = 0;
    }
  }
}

/** Yields the versions that only one of two ascending scans has; versions of one record are adjacent. */
export async function* compareVersions(
  firstPages: AsyncGenerator<Identified[]>,
  secondPages: AsyncGenerator<Identified[]>,
): AsyncGenerator<VersionDifference> {
  const [first, second] = [new PageCursor(firstPages), new PageCursor(secondPages)];
  for (;;) {
    await Promise.all([first.fetchPage(), second.fetchPage()]);
    if (!first.head && !second.head) return;
    // Compares synchronously up to the end of either page.
    do {
      const [a, b] = [first.head, second.head];
      const order = a && b ? compare(a, b) : a ? -1 : 1;
      if (order < 0 && a) yield { version: toIdentity(a), isIn: 'first' };
      if (order > 0 && b) yield { version: toIdentity(b), isIn: 'second' };
      if (order <= 0) first.step();
      if (order >= 0) second.step();
    } while (first.head && second.head);
  }
}

const toIdentity = ([unique, loadedIn]: Identified): VersionIdentity => ({ key: String(unique), loadedIn: Number(loadedIn) });

/** Elasticsearch orders texts by their bytes. */
function compare([a, loadA]: Identified, [b, loadB]: Identified): number {
  const byKey = typeof a === 'number' && typeof b === 'number' ? a - b : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  return byKey || loadA - loadB;
}
