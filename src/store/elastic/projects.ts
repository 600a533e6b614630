/** Reading projects from Elasticsearch. A search that is late, partial or refused is an outage, never fewer matches. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { FetchedProject } from '../../domain/record/represent.ts';
import type { Representation } from '../../domain/record/statement.ts';
import { allOf, range } from '../../query/clauses.ts';
import { bodyText } from './bodyText.ts';
import { askElastic, combined, unavailable } from './client.ts';
import { hearingHasCome, type IndexNames } from './indices.ts';

export interface ProjectHit {
  project: FetchedProject;
  /** names of the named clauses that the record matched */
  matched: string[];
  sort: unknown[];
}

export interface ProjectPage {
  hits: ProjectHit[];
  /** matches, as far as they were counted */
  total: number;
  totalIsExact: boolean;
}

export interface PageRequest {
  query: Record<string, unknown>;
  sort: Record<string, unknown>[];
  from?: number;
  size: number;
  searchAfter?: unknown[];
  representation: Representation;
  /** further `_source` paths */
  alsoFetch?: readonly string[];
  /** matches to count at most; true counts all, false none */
  count: number | boolean;
  /** of a walk: what finds the records that are told as gone; absent for all that `query` does not find */
  gone?: Record<string, unknown> | undefined;
  /**
   * of a walk: milliseconds since 1970, up to which to look first. Elasticsearch reads all that lies before the place where a page begins, but
   * not with both bounds, so that a page deep in a large index takes no longer than the first.
   */
  until?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The trace of a record that is no longer found on its own. */
export interface Removal {
  id: number;
  mergedInto?: number;
  /** ISO 8601 */
  at: string;
  stateId?: string;
  countyId?: string;
}

/** A place in an order of (time, id): milliseconds since 1970, and id. */
export type TimeAndId = readonly [ms: number, id: number];

/** What a walk has seen, apart from its records. */
export interface WalkPosition {
  /** the last trace of a removal */
  removed: TimeAndId;
  /** the last change that took a record out of what the walk finds; null looks for none yet */
  left: TimeAndId | null;
  /** newest change that the walk has been shown, milliseconds since 1970 */
  seen: number;
  /** newest lastUpdated that there was, milliseconds since 1970: where to look for newer ones; null looks everywhere */
  highWater: number | null;
}

export interface WalkPage extends ProjectPage {
  /** newest committed lastUpdated, ISO 8601; null when there is no record */
  highWater: string | null;
  /** newest committed change or removal, milliseconds since 1970; 0 when there is neither */
  seen: number;
  /** traces of removed records, oldest first */
  removed: Removal[];
  /** records that are there and that the query does not find (or that `gone` finds), by the time of their change, oldest first */
  left: TimeAndId[];
  /** traces or changes remain that this page was too full for */
  moreGone: boolean;
}

/** Traces, and changes out of the query, that one page reads at most; the rest follow with the next. */
const REMOVALS_MAX = 1000;
const LEFT_MAX = 5000;

/** How often, and how long apart, a node that has not applied the newest commit yet is asked again. */
const LATE_NODE_RETRIES = 20;
const LATE_NODE_WAIT_MS = 50;

/** `_source` paths that a representation needs. */
export const SOURCE_OF: Record<Representation, readonly string[]> = {
  compact: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact'],
  standard: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact', 'standard'],
  full: ['id', 'lastUpdated', 'contentRevision', 'hearings', 'compact', 'standard', 'full'],
};

function pageBody(request: PageRequest, timeoutMs: number): object {
  return {
    timeout: `${timeoutMs}ms`,
    query: request.query,
    sort: request.sort,
    size: request.size,
    ...(request.from ? { from: request.from } : {}),
    ...(request.searchAfter ? { search_after: request.searchAfter } : {}),
    track_total_hits: request.count,
    _source: [...SOURCE_OF[request.representation], ...(request.alsoFetch ?? [])],
  };
}

function toPage({ hits }: Pick<estypes.SearchResponse<FetchedProject>, 'hits'>): ProjectPage {
  const total = typeof hits.total === 'object' ? hits.total : { value: 0, relation: 'gte' };
  return {
    hits: hits.hits.map((hit) => ({
      project: hit._source as FetchedProject,
      matched: Array.isArray(hit.matched_queries) ? hit.matched_queries : [],
      sort: (hit.sort ?? []) as unknown[],
    })),
    total: total.value,
    totalIsExact: total.relation === 'eq',
  };
}

/**
 * The newest committed time of an index, as a search. Without a time to begin at it reads every record: the newest ones come last.
 * @param from milliseconds since 1970
 */
const newest = (field: string, from: number | null = null) => ({
  size: 1,
  sort: [{ [field]: 'desc' }],
  _source: [field],
  ...(from === null ? {} : { query: range(field, { gte: new Date(from).toISOString() }) }),
});

const removalsAfter = ([ms, id]: TimeAndId) => ({
  size: REMOVALS_MAX,
  sort: [{ at: 'asc' }, { id: 'asc' }],
  search_after: [ms, id],
});

/** Answers with sort values alone. */
function leftAfter(position: TimeAndId | null, { query, gone = allBut(query) }: Pick<PageRequest, 'query' | 'gone'>): object {
  if (!position) return { size: 0, query: { match_none: {} } };
  return {
    size: LEFT_MAX,
    query: gone,
    sort: [{ lastUpdated: { order: 'asc', missing: '_first' } }, { id: 'asc' }],
    search_after: [...position],
    stored_fields: '_none_',
  };
}

/** Finds the same page as long as it is full: what lies beyond the bound comes after it in the order of changes. */
function bounded(request: PageRequest): PageRequest | undefined {
  const { query, gone = allBut(query), until, searchAfter: [after] = [] } = request;
  if (until === undefined || typeof after !== 'number') return undefined;
  const iso = (ms: number) => new Date(ms).toISOString();
  return { ...request, gone, query: allOf([query, range('lastUpdated', { gte: iso(after), lte: iso(until) })]) };
}

const allBut = (query: Record<string, unknown>) => ({ bool: { must_not: [query] } });

const milliseconds = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time));

/** How long it is taken as known whether hearings have come, until it is looked up again. */
const HEARINGS_KNOWN_MS = 10_000;

export class ProjectStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #removals: string;
  readonly #timeoutMs: number;
  #hearings: { today: string; until: number; anyHasCome: Promise<boolean> } | undefined;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.served('projects');
    this.#removals = names.served('removals');
    this.#timeoutMs = timeoutMs;
  }

  /** @throws ApiError `search_unavailable` */
  async page(request: PageRequest): Promise<ProjectPage> {
    const result = await askElastic(
      (options) =>
        this.#client.search<FetchedProject>(
          { index: this.#alias, allow_partial_search_results: false, ...pageBody(request, this.#timeoutMs) },
          options,
        ),
      this.#timeoutMs,
      request.signal,
    );
    return toPage(result);
  }

  /**
   * Whether the meeting date of a merged development lies after the one that it is ordered by. Looked up for each day, and again behind the
   * requests every few seconds: only a switch to an older generation can make it true within a day.
   * @param today `YYYY-MM-DD`
   * @throws ApiError `search_unavailable`
   */
  anyHearingHasCome(today: string, now: Date): Promise<boolean> {
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
    const [behind = 0] = await this.counts([hearingHasCome(today)]);
    return behind > 0;
  }

  /**
   * One page of a walk with what a copy kept by it has to know besides: the newest change there is, and which records went. A node may
   * not have applied a commit yet that another one has shown to this walk: it is asked again until it has, so that no walk goes back.
   * @throws ApiError `search_unavailable`
   */
  async walk(request: PageRequest, position: WalkPosition): Promise<WalkPage> {
    const near = bounded(request);
    for (let attempt = 0; ; attempt++) {
      const close = near && (await this.#walkPage(near, position, position.highWater));
      const page =
        (close?.hits.length === request.size ? close : null) ??
        // The page goes on beyond where it was looked for.
        (await this.#walkPage(request, position, position.highWater)) ??
        // What was newest is gone.
        (await this.#walkPage(request, position, null));
      if (page && page.seen >= position.seen) return page;
      if (attempt === LATE_NODE_RETRIES) throw unavailable(`newest change ${page?.seen} lies before ${position.seen}, which was served`);
      await sleep(LATE_NODE_WAIT_MS);
    }
  }

  /**
   * The searches run one after the other, the page last: each sees what the one before it saw, or later. What is told as gone can thus
   * at worst be back on the page, never the other way round.
   * @param from where to look for the newest record, milliseconds since 1970, or null for everywhere
   * @returns null where no record is as new as `from`
   */
  async #walkPage(request: PageRequest, position: WalkPosition, from: number | null): Promise<WalkPage | null> {
    const limits = { timeout: `${this.#timeoutMs}ms`, track_total_hits: false };
    const on = (index: string, body: object) => [
      { index, allow_partial_search_results: false },
      { ...limits, ...body },
    ];
    const result = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch<unknown>(
          {
            max_concurrent_searches: 1,
            searches: [
              ...on(this.#alias, newest('lastUpdated', from)),
              ...on(this.#removals, newest('at')),
              ...on(this.#removals, removalsAfter(position.removed)),
              ...on(this.#alias, leftAfter(position.left, request)),
              ...on(this.#alias, pageBody(request, this.#timeoutMs)),
            ],
          },
          options,
        );
        return combined(responses);
      },
      this.#timeoutMs,
      request.signal,
    );
    const [change, removal, gone, left, page] = result.answers.map(({ hits }) => hits.hits);
    if (from !== null && !change?.length) return null;
    const { lastUpdated } = (change?.[0]?._source ?? {}) as { lastUpdated?: string };
    const { at } = (removal?.[0]?._source ?? {}) as { at?: string };
    const found = toPage({ hits: { hits: (page ?? []) as estypes.SearchHit<FetchedProject>[] } });
    const last = found.hits.findLast(({ project }) => project.lastUpdated !== undefined)?.project.lastUpdated;
    return {
      ...found,
      highWater: (milliseconds(last) > milliseconds(lastUpdated) ? last : lastUpdated) ?? null,
      seen: Math.max(milliseconds(lastUpdated), milliseconds(at)),
      removed: gone?.map((hit) => hit._source as Removal) ?? [],
      left: left?.map((hit) => hit.sort as unknown as TimeAndId) ?? [],
      moreGone: gone?.length === REMOVALS_MAX || left?.length === LEFT_MAX,
    };
  }

  /** Where the traces of removals end now: a walk that begins here has nothing of what went before. @throws ApiError */
  async lastRemoval(signal?: AbortSignal): Promise<TimeAndId> {
    const result = await askElastic(
      (options) =>
        this.#client.search<Removal>(
          {
            index: this.#removals,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            size: 1,
            track_total_hits: false,
            sort: [{ at: 'desc' }, { id: 'desc' }],
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    const last = result.hits.hits[0]?._source;
    return last ? [Date.parse(last.at), last.id] : [0, 0];
  }

  /** Exact numbers of matches, at any size, in one round trip. @throws ApiError `search_unavailable` */
  async counts(queries: readonly Record<string, unknown>[], signal?: AbortSignal): Promise<number[]> {
    const search = { size: 0, track_total_hits: true, timeout: `${this.#timeoutMs}ms` };
    const bodies = queries.map((query) => bodyText({ ...search, query }) as unknown as object); // the client sends text as it is
    const searches = bodies.flatMap((body) => [{ allow_partial_search_results: false }, body]);
    const result = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch({ index: this.#alias, searches }, options);
        return combined(responses);
      },
      this.#timeoutMs,
      signal,
    );
    return result.answers.map(({ hits }) => (typeof hits.total === 'object' ? hits.total.value : 0));
  }

  /** Ids of the matches, ascending, `max` at most. @throws ApiError `search_unavailable` */
  async ids(query: Record<string, unknown>, max: number, signal?: AbortSignal): Promise<number[]> {
    const { hits } = await askElastic(
      (options) =>
        this.#client.search<FetchedProject>(
          {
            index: this.#alias,
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            query,
            sort: [{ id: 'asc' }],
            size: max,
            track_total_hits: false,
            _source: ['id'],
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    return hits.hits.map((hit) => (hit._source as FetchedProject).id);
  }
}
