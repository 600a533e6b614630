/** How many records each place has, of every meeting: counted by Elasticsearch once a minute at most, and kept meanwhile. */
import { PLACE_KINDS, type PlaceKind } from '../../core/domain/placeSearch.ts';
import { compileFilters } from '../../core/filter/compile.ts';
import { resolveFilters } from '../../core/filter/resolve.ts';
import { facetPath, TERMS_MAX } from '../../core/query/facets.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';

type Counts = Readonly<Record<PlaceKind, ReadonlyMap<number, number>>>;

const KEPT_MS = 60_000;
/** Somebody is typing: the first counts of a process are awaited no longer than this. */
const FIRST_WAIT_MS = 300;

export class PlaceCounts {
  readonly #aggregations: Pick<AggregationStore, 'aggregate'>;
  #known: Counts | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(aggregations: Pick<AggregationStore, 'aggregate'>) {
    this.#aggregations = aggregations;
  }

  /** By kind and id; a place without records is absent. null where Elasticsearch has not answered. @param today by the service clock */
  async read(today: string): Promise<Counts | null> {
    if (performance.now() - this.#askedAt > KEPT_MS) {
      this.#askedAt = performance.now();
      // Without an answer the counts from before stay, and are asked for again in a minute.
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

  /** What a search counts that names nothing but the place and every date, in any licence. */
  async #ask(today: string): Promise<Counts> {
    const { filters, roles } = resolveFilters({ dateRange: 'all' });
    const groups = PLACE_KINDS.map((kind) => [kind, { terms: { field: facetPath(kind), size: TERMS_MAX } }] as const);
    const query = compileFilters(filters, null, { roles, today });
    const { answer } = await this.#aggregations.aggregate(query, Object.fromEntries(groups), undefined);
    const countsOf = (kind: PlaceKind) => {
      const { buckets = [] } = answer[kind] as { buckets?: { key: string; doc_count: number }[] };
      return new Map(buckets.map(({ key, doc_count }) => [Number(key), doc_count]));
    };
    return { state: countsOf('state'), county: countsOf('county'), city: countsOf('city') };
  }
}
