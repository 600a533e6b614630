/** Pages, counts and ids of projects in Elasticsearch. A late, partial or refused search is an outage; it never shows fewer matches. */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { RenderedProject } from '../../domain/record/rendered.ts';
import type { FetchedProject } from '../../domain/record/represent.ts';
import { listParts, type Representation } from '../../domain/record/schemas.ts';
import { terms } from '../../query/clauses.ts';
import type { Aggregate, Aggregations } from '../../query/facets.ts';
import { searchByText } from './bodyText.ts';
import { askElastic, searchElastic, searchUnavailable } from './client.ts';
import { type CountAnswer, CountSearches } from './countSearches.ts';
import { hearingHasPassed, type IndexNames } from './indices.ts';
import { BY_TIME, KeptRecords } from './keptRecords.ts';
import { RecordReads, type RecordRequest } from './recordReads.ts';
import { fetchClause, type RecordFetch, type RenderedFetch, RenderedPages, readRendered } from './renderedPages.ts';
import { ServedVersion } from './servedVersion.ts';

export interface ProjectHit {
  project: FetchedProject;
  /** names of the named clauses that the record matched */
  matched: string[];
  sort: unknown[];
  /** its rendered text, if the page was read as text; `project` then has only the fields stored outside of it */
  rendered?: RenderedProject | undefined;
}

export interface ProjectPage {
  hits: ProjectHit[];
  /** number of matches, up to the requested count */
  total: number;
  totalIsExact: boolean;
}

export interface PageRequest extends RecordFetch {
  query: Record<string, unknown>;
  sort: Record<string, unknown>[];
  from?: number;
  size: number;
  searchAfter?: unknown[];
  /** most matches to count; true counts all, false none */
  count: number | boolean;
  signal?: AbortSignal | undefined;
}

const ALWAYS = ['id', 'lastUpdated', 'contentRevision', 'hearings', 'locationDoubtful', 'servedRevisions'];

/** The `_source` paths of each representation. */
export const SOURCE_OF: Record<Representation, readonly string[]> = {
  compact: [...ALWAYS, ...listParts('compact')],
  standard: [...ALWAYS, ...listParts('standard')],
  full: [...ALWAYS, ...listParts('full')],
};

const sourceOf = ({ representation, alsoFetch = [], toConfirm = [] }: PageRequest) => [
  ...SOURCE_OF[representation],
  ...alsoFetch,
  ...toConfirm,
];

/**
 * The body of the search for one page.
 * @param timeoutMs after which Elasticsearch gives up
 */
export function pageBody(request: PageRequest, timeoutMs: number, rendered?: RenderedFetch): object {
  return {
    timeout: `${timeoutMs}ms`,
    query: request.query,
    sort: request.sort,
    size: request.size,
    ...(request.from ? { from: request.from } : {}),
    ...(request.searchAfter ? { search_after: request.searchAfter } : {}),
    track_total_hits: request.count,
    ...(rendered ? fetchClause(rendered) : { _source: sourceOf(request) }),
  };
}

type Found = Pick<estypes.SearchResponse<FetchedProject>, 'hits'>;

/** Reads a page from an answer. */
export function toPage(found: Found): ProjectPage {
  return mapPage(found, (hit) => ({ project: hit._source as FetchedProject }));
}

/** Reads a page of rendered texts from an answer; undefined when a record lacks its text. */
export function toRenderedPage(found: Found, fetch: RenderedFetch): ProjectPage | undefined {
  return withRecords(
    found,
    found.hits.hits.map((hit) => readRendered(hit, fetch)),
  );
}

/** A page of rendered records; undefined when one of them is. */
function withRecords(found: Found, records: readonly (RenderedProject | undefined)[]): ProjectPage | undefined {
  if (!records.every((record) => record !== undefined)) return undefined;
  return mapPage(found, (_, i) => ({ project: (records[i] as RenderedProject).project, rendered: records[i] }));
}

function mapPage(
  { hits }: Found,
  contentOf: (hit: estypes.SearchHit<FetchedProject>, i: number) => Pick<ProjectHit, 'project' | 'rendered'>,
) {
  const total = typeof hits.total === 'object' ? hits.total : { value: 0, relation: 'gte' };
  return {
    hits: hits.hits.map((hit, i) => ({
      ...contentOf(hit, i),
      matched: Array.isArray(hit.matched_queries) ? hit.matched_queries : [],
      sort: (hit.sort ?? []) as unknown[],
    })),
    total: total.value,
    totalIsExact: total.relation === 'eq',
  };
}

const partsOf = ({ parts, stored }: RenderedFetch) => [...parts, ...stored];
const NAMES_ALONE: RenderedFetch = { parts: [], stored: [], named: true };

const readTotal = ({ hits }: Pick<CountAnswer, 'hits'>) => (typeof hits.total === 'object' ? hits.total.value : 0);

const REVISION_HASH = 'derived.revisionHash';
/** Fields with a number of a record that a pool may hold: its id, or the hash of it and its revision. */
export type HeldField = 'id' | typeof REVISION_HASH;
/** Most hits that Elasticsearch returns, and how many of a range are expected: more than that by twenty standard deviations is too many. */
const [HASHES_MAX, HASHES_A_RANGE] = [10_000, 8_000];
/** Ranges that are read in one round trip. */
const RANGES_AT_ONCE = 4;

/** Equal ranges that cover all signed 64-bit numbers, as text because they exceed what a JavaScript number holds. */
function splitNumbers(count: number): { gte: string; lte: string }[] {
  const bound = (i: number) => (2n ** 64n * BigInt(i)) / BigInt(count) - 2n ** 63n;
  return Array.from({ length: count }, (_, i) => ({ gte: String(bound(i)), lte: String(bound(i + 1) - 1n) }));
}

/** How long the result of `anyHearingHasPassed` is cached. */
const HEARINGS_KNOWN_MS = 10_000;

export class ProjectStore {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #timeoutMs: number;
  readonly #rendered = new RenderedPages();
  readonly #kept: KeptRecords;
  readonly #served: ServedVersion;
  readonly #counts: CountSearches;
  readonly #reads = new RecordReads<ProjectHit>((request) => this.page(request));
  #hearings: { today: string; until: number; anyHasCome: Promise<boolean> } | undefined;

  /** @param publicUrl root of the service, with which records are kept */
  constructor(client: Client, names: IndexNames, timeoutMs: number, publicUrl = '') {
    this.#client = client;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
    this.#kept = new KeptRecords(publicUrl);
    this.#served = new ServedVersion(client, names, timeoutMs);
    this.#counts = new CountSearches(client, names, timeoutMs);
  }

  get #alias(): string {
    return this.#names.readAlias('projects');
  }

  /**
   * Differs whenever readers see other records.
   * @throws ApiError `search_unavailable`
   */
  readServedVersion(signal?: AbortSignal): Promise<string> {
    return this.#served.current(signal);
  }

  /** @throws ApiError `search_unavailable` */
  page(request: PageRequest): Promise<ProjectPage> {
    return this.#rendered.read(request, (rendered) => (rendered ? this.#renderedPage(request, rendered) : this.#storedPage(request)));
  }

  /**
   * A record by its id or that of a record merged into it; undefined where there is none.
   * @throws ApiError `search_unavailable`
   */
  record(id: number, request: RecordRequest, signal?: AbortSignal): Promise<ProjectHit | undefined> {
    return this.#reads.read(id, request, signal);
  }

  #search(request: PageRequest, fetch?: RenderedFetch): Promise<Found> {
    const asked = { client: this.#client, timeoutMs: this.#timeoutMs, signal: request.signal };
    return searchElastic<FetchedProject>(asked, { index: this.#alias, ...pageBody(request, this.#timeoutMs, fetch) });
  }

  async #storedPage(request: PageRequest): Promise<ProjectPage> {
    return toPage(await this.#search(request));
  }

  /** Asks for names of writings alone where the records are probably kept, and then for the records that are not. */
  async #renderedPage(request: PageRequest, fetch: RenderedFetch): Promise<ProjectPage | undefined> {
    const findKept = ({ hits: { hits } }: Found) => hits.map((hit) => this.#kept.find(hit, partsOf(fetch)));
    if (this.#kept.areLikely) {
      const named = await this.#search(request, NAMES_ALONE);
      const kept = findKept(named);
      const missing = named.hits.hits.filter((_, i) => !kept[i]);
      this.#kept.note(kept.length - missing.length, kept.length);
      if (!missing.length) return withRecords(named, kept);
      const ids = missing.map(({ sort = [] }) => sort.at(-1) as number);
      const { representation, signal } = request;
      await this.#readTexts({ query: terms('id', ids), sort: BY_TIME, size: ids.length, count: false, representation, signal }, fetch);
      const page = withRecords(named, findKept(named));
      if (page) return page; // else one was written again meanwhile, or lacks its text
    }
    return this.#readTexts(request, fetch, (found) => this.#kept.note(findKept(found).filter(Boolean).length, found.hits.hits.length));
  }

  /** Reads a page of texts, and keeps them. */
  async #readTexts(request: PageRequest, fetch: RenderedFetch, note?: (found: Found) => void): Promise<ProjectPage | undefined> {
    const found = await this.#search(request, { ...fetch, named: true });
    note?.(found);
    const page = toRenderedPage(found, fetch);
    const records = page?.hits.map(({ rendered }) => rendered as RenderedProject);
    if (records) this.#kept.keep(found.hits.hits, records, partsOf(fetch));
    return page;
  }

  /**
   * Whether any merged project has a hearing that was held after the record was written, so that its sort date is outdated. Cached by day,
   * and refreshed in the background every few seconds, since a rollback can make it true within a day.
   * @param today `YYYY-MM-DD`
   * @throws ApiError `search_unavailable`
   */
  anyHearingHasPassed(today: string, now: Date): Promise<boolean> {
    const known = this.#hearings;
    if (known?.today === today && now.getTime() < known.until) return known.anyHasCome;
    const anyHasCome = this.#lookForHearings(today);
    const until = now.getTime() + HEARINGS_KNOWN_MS;
    if (known?.today === today) {
      known.until = until;
      anyHasCome.then(() => Object.assign(known, { anyHasCome })).catch(() => undefined);
      return known.anyHasCome;
    }
    const looked = { today, until, anyHasCome };
    this.#hearings = looked;
    anyHasCome.catch(() => {
      if (this.#hearings === looked) this.#hearings = undefined;
    });
    return anyHasCome;
  }

  async #lookForHearings(today: string): Promise<boolean> {
    const [behind = 0] = await this.counts([hearingHasPassed(today)]);
    return behind > 0;
  }

  /**
   * Exact counts of matches, without an upper limit, in one round trip.
   * @throws ApiError `search_unavailable`
   */
  async counts(queries: readonly Record<string, unknown>[], signal?: AbortSignal): Promise<number[]> {
    const searches = queries.map((query) => ({ query }));
    return (await this.#counts.ask(searches, signal)).map(readTotal);
  }

  /**
   * Exact counts, and aggregations over the matches of one more query, in one round trip.
   * @throws ApiError `search_unavailable`
   */
  async countAndAggregate(
    queries: readonly Record<string, unknown>[],
    also: { query: Record<string, unknown>; aggs: Aggregations },
    signal?: AbortSignal,
  ): Promise<{ counts: number[]; answer: Aggregate }> {
    const answers = await this.#counts.ask([...queries.map((query) => ({ query })), also], signal);
    return { counts: answers.slice(0, queries.length).map(readTotal), answer: { ...answers.at(-1)?.aggregations } };
  }

  /**
   * A number of each match, as signed decimal text, some thousands at a time. Hashes of revisions are spread evenly, so that as many lie in
   * each of some equal ranges.
   * @param count matches that there are
   * @throws ApiError `search_unavailable`, also when there are many more than that
   */
  async *listNumbers(field: HeldField, query: Record<string, unknown>, count: number, signal?: AbortSignal): AsyncGenerator<string[]> {
    const ranges = splitNumbers(Math.ceil(count / HASHES_A_RANGE));
    for (let from = 0; from < ranges.length; from += RANGES_AT_ONCE) {
      const searches = ranges.slice(from, from + RANGES_AT_ONCE).map((bounds) => ({
        query: { bool: { filter: [query, { range: { [REVISION_HASH]: bounds } }] } },
        size: HASHES_MAX,
        sort: ['_doc'],
        _source: false,
        stored_fields: '_none_',
        docvalue_fields: [{ field, format: '#' }],
      }));
      for (const answer of await this.#counts.askAlone(searches, signal)) {
        const { hits } = answer.hits;
        if (hits.length !== readTotal(answer))
          throw searchUnavailable(`${readTotal(answer)} matches in one of ${ranges.length} ranges of ${count}`);
        yield hits.map(({ fields }) => fields?.[field][0] as string);
      }
    }
  }

  /**
   * Matches in an order that ends with the id, from a place in it on.
   * @throws ApiError `search_unavailable`
   */
  async listPlaces(
    {
      query,
      sort,
      size,
      after,
    }: { query: Record<string, unknown>; sort: Record<string, unknown>[]; size: number; after: unknown[] | undefined },
    signal?: AbortSignal,
  ): Promise<{ id: number; place: unknown[] }[]> {
    const body = { timeout: `${this.#timeoutMs}ms`, query, sort, size, track_total_hits: false, _source: false, stored_fields: '_none_' };
    const search = after ? { ...body, search_after: after } : body;
    const { hits } = await askElastic((options) => searchByText(this.#client, this.#alias, search, options), this.#timeoutMs, signal);
    return hits.hits.map(({ sort: place = [] }) => ({ id: place.at(-1) as number, place }));
  }

  /**
   * Ids of at most `max` matches, ascending.
   * @throws ApiError `search_unavailable`
   */
  async ids(query: Record<string, unknown>, max: number, signal?: AbortSignal): Promise<number[]> {
    return (await this.#readIdentities(query, max, ['id'], signal)).map(({ id }) => id);
  }

  /**
   * For at most `max` matches, by id ascending, the ids of the record and of those merged into it.
   * @throws ApiError `search_unavailable`
   */
  async listMembers(query: Record<string, unknown>, max: number, signal?: AbortSignal): Promise<{ id: number; memberIds: number[] }[]> {
    const found = await this.#readIdentities(query, max, ['id', 'compact.mergedFrom'], signal);
    return found.map(({ id, compact }) => ({ id, memberIds: compact?.mergedFrom ?? [id] }));
  }

  /**
   * Names of at most `max` matches by id; null for one without a name.
   * @throws ApiError `search_unavailable`
   */
  async projectNames(query: Record<string, unknown>, max: number, signal?: AbortSignal): Promise<Map<number, string | null>> {
    const found = await this.#readIdentities(query, max, ['id', 'compact.projectName'], signal);
    return new Map(found.map(({ id, compact }) => [id, compact?.projectName ?? null]));
  }

  async #readIdentities(
    query: Record<string, unknown>,
    max: number,
    fields: string[],
    signal: AbortSignal | undefined,
  ): Promise<FetchedProject[]> {
    const search = {
      timeout: `${this.#timeoutMs}ms`,
      query,
      sort: [{ id: 'asc' }],
      size: max,
      track_total_hits: false,
      _source: fields,
    };
    const { hits } = await askElastic(
      (options) => searchByText<FetchedProject>(this.#client, this.#alias, search, options),
      this.#timeoutMs,
      signal,
    );
    return hits.hits.map((hit) => hit._source as FetchedProject);
  }
}

/** The first `size` matches of a query, by id. @throws ApiError `search_unavailable` */
export async function fetchHits(
  store: Pick<ProjectStore, 'page'>,
  request: RecordFetch & Pick<PageRequest, 'query' | 'size' | 'signal'>,
): Promise<ProjectHit[]> {
  return (await store.page({ ...request, sort: [{ id: 'asc' }], count: false })).hits;
}
