/** Counts the records of each place, of all dates, in Elasticsearch; cached for a minute. */
import { PLACE_KINDS, type PlaceKind } from '../../core/domain/placeSearch.ts';
import { compileFilters } from '../../core/filter/compile.ts';
import { resolveFilters } from '../../core/filter/resolve.ts';
import { facetPath, TERMS_MAX } from '../../core/query/facets.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';

type Counts = Readonly<Record<PlaceKind, ReadonlyMap<number, number>>>;

const KEPT_MS = 60_000;
/** Longest wait for the first counts of a process, since a person is typing. */
const FIRST_WAIT_MS = 300;

export class PlaceCounts {
  readonly #aggregations: Pick<AggregationStore, 'aggregate'>;
  #known: Counts | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(aggregations: Pick<AggregationStore, 'aggregate'>) {
    this.#aggregations = aggregations;
  }

  /** Counts by kind and id, without places that have no records; null if Elasticsearch has not answered yet. @param today by the service clock */
  async read(today: string): Promise<Counts | null> {
    if (performance.now() - this.#askedAt > KEPT_MS) {
      this.#askedAt = performance.now();
      // If this fails, the previous counts stay, and the next attempt is in a minute.
      const asked = this.#ask(today).then(
        (counts) => {
          this.#known = counts;
        },
        () => undefined,
      );
      if (!this.#known) await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS).unref())]);
    }
    return this.#known;
  }

  /** The counts of a search for a place with `dateRange=all`, regardless of licence. */
  async #ask(today: string): Promise<Counts> {
    const { filters, roles } = resolveFilters({ dateRange: 'all' });
    const groups = PLACE_KINDS.map((kind) => [kind, { terms: { field: facetPath(kind), size: TERMS_MAX } }] as const);
    const query = compileFilters(filters, null, { roles, today });
    const { answer } = await this.#aggregations.aggregate(query, Object.fromEntries(groups));
    const countsOf = (kind: PlaceKind) => {
      const { buckets = [] } = answer[kind] as { buckets?: { key: string; doc_count: number }[] };
      return new Map(buckets.map(({ key, doc_count }) => [Number(key), doc_count]));
    };
    return { state: countsOf('state'), county: countsOf('county'), city: countsOf('city') };
  }
}
