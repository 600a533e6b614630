/**
 * Reads projects in the order of their changes, page by page, and what a copy has to drop: removed records, and records that no longer
 * match the query. The guide is src/docs/paging-and-sync.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { FetchedProject } from '../../domain/record/represent.ts';
import { allOf, range } from '../../query/clauses.ts';
import { askElastic, combineAnswers, searchElastic, searchUnavailable } from './client.ts';
import type { IndexNames } from './indices.ts';
import { type PageRequest, type ProjectPage, pageBody, toPage, toRenderedPage } from './projects.ts';
import { type RenderedFetch, RenderedPages } from './renderedPages.ts';

/** The removal of a record: it was removed, or merged into another. */
interface Removal {
  id: number;
  mergedInto?: number;
  /** time of the removal, ISO 8601 */
  at: string;
  stateId?: string;
  countyId?: string;
  /** when the last version of the record was made, ISO 8601 */
  lastUpdated: string;
  /** whether that version matched */
  matched: boolean;
}

/** A position in an order of (time, id): milliseconds since 1970, and id. */
export type TimeAndId = readonly [ms: number, id: number];

/** The position of a walk in the feed, apart from that of its records. */
export interface FeedPosition {
  /** the last removal that was read */
  removed: TimeAndId;
  /** the last change that took a record out of the selection; null reads no departures yet */
  departed: TimeAndId | null;
  /** newest change that the walk has seen, milliseconds since 1970 */
  seen: number;
  /** newest lastUpdated at the previous page, milliseconds since 1970, from which newer ones are searched; null searches all */
  highWater: number | null;
  /** newest load at the previous page; absent for a walk that goes by times alone */
  load?: number | null;
}

export interface FeedRequest extends PageRequest {
  /** matches the records that have departed; by default every record that `query` does not match */
  departedQuery?: Record<string, unknown> | undefined;
  /** matches removed records by their last version */
  removedQuery?: Record<string, unknown> | undefined;
  /**
   * Milliseconds since 1970; records up to it are searched first. With both bounds Elasticsearch need not read everything before the page,
   * so that a page deep in a large index is as fast as the first one.
   */
  lookUntilMs?: number | undefined;
}

export interface FeedPage extends ProjectPage {
  /** newest committed lastUpdated, ISO 8601; null when there are no records */
  highWater: string | null;
  /** newest committed change or removal, milliseconds since 1970; 0 when there is none */
  seen: number;
  /** number of the newest load that wrote an existing record, and at least the one searched from; 0 when loads were not searched */
  load: number;
  /** removals, oldest first */
  removals: Removal[];
  /** existing records that the query does not match (or that `departedQuery` matches), by time of change, oldest first */
  departures: TimeAndId[];
  /** whether more removals or departures remain for the next page */
  moreToDrop: boolean;
}

/** Most removals, and most departures, that a page reads. */
const REMOVALS_MAX = 1000;
const DEPARTURES_MAX = 5000;

/** How often, and after what pauses, a node that has not applied the newest commit yet is asked again. */
const LATE_NODE_RETRIES = 20;
const LATE_NODE_WAIT_MS = 50;

/** A search for the greatest committed value of a field. Without a lower bound it reads every record, since the newest ones come last. */
const makeNewestSearch = (field: string, from: string | number | null = null) => ({
  size: 1,
  sort: [{ [field]: 'desc' }],
  _source: [field],
  ...(from === null ? {} : { query: range(field, { gte: from }) }),
});

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The fields of a removal that a walk reports. The index also keeps what a merged record stated, which no walk reads. */
const TRACE = ['id', 'mergedInto', 'at', 'stateId', 'countyId', 'lastUpdated'] satisfies (keyof Removal)[];

const MATCHED = 'matched';

const makeRemovalsSearch = ([ms, id]: TimeAndId, removedQuery: object | undefined) => ({
  ...(removedQuery
    ? { query: { bool: { must: [{ match_all: {} }], should: [{ bool: { filter: [removedQuery], _name: MATCHED } }] } } }
    : {}),
  size: REMOVALS_MAX,
  sort: [{ at: 'asc' }, { id: 'asc' }],
  search_after: [ms, id],
  _source: TRACE,
});

const allBut = (query: Record<string, unknown>) => ({ bool: { must_not: [query] } });

/** A search that returns sort values only. */
function makeDeparturesSearch(
  position: TimeAndId | null,
  { query, departedQuery = allBut(query) }: Pick<FeedRequest, 'query' | 'departedQuery'>,
): object {
  if (!position) return { size: 0, query: { match_none: {} } };
  return {
    size: DEPARTURES_MAX,
    query: departedQuery,
    sort: [{ lastUpdated: { order: 'asc', missing: '_first' } }, { id: 'asc' }],
    search_after: [...position],
    stored_fields: '_none_',
  };
}

/** The request with an upper bound of time. Gives the same page if that is full: everything beyond the bound comes later in the order. */
function boundRequest(request: FeedRequest): FeedRequest | undefined {
  const { query, departedQuery = allBut(query), lookUntilMs, searchAfter: [after] = [] } = request;
  if (lookUntilMs === undefined || typeof after !== 'number') return undefined;
  const iso = (ms: number) => new Date(ms).toISOString();
  return { ...request, departedQuery, query: allOf([query, range('lastUpdated', { gte: iso(after), lte: iso(lookUntilMs) })]) };
}

const toRemoval = ({ _source, matched_queries: matched }: Pick<estypes.SearchHit, '_source' | 'matched_queries'>): Removal => ({
  ...(_source as Removal),
  matched: [matched ?? []].flat().includes(MATCHED),
});

const milliseconds = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time));

type Answers = Awaited<ReturnType<typeof combineAnswers<unknown>>>['answers'];

/** Combines the answers to a page's searches, in the order in which they were sent; undefined when a record lacks the requested text. */
function toFeedPage(
  [change, removal, removals, departures, page]: Answers,
  { load: from = null }: FeedPosition,
  newestLoad: Answers[number] | undefined,
  rendered?: RenderedFetch,
): FeedPage | undefined {
  const { loadedIn = 0 } = (newestLoad?.hits.hits[0]?._source ?? {}) as { loadedIn?: number };
  const { lastUpdated } = (change?.hits.hits[0]?._source ?? {}) as { lastUpdated?: string };
  const { at } = (removal?.hits.hits[0]?._source ?? {}) as { at?: string };
  const { hits = [], total } = page?.hits ?? {};
  const asked = { hits: { hits: hits as estypes.SearchHit<FetchedProject>[], ...(total === undefined ? {} : { total }) } };
  const found = rendered ? toRenderedPage(asked, rendered) : toPage(asked);
  if (!found) return undefined;
  const last = found.hits.findLast(({ project }) => project.lastUpdated !== undefined)?.project.lastUpdated;
  return {
    ...found,
    highWater: (milliseconds(last) > milliseconds(lastUpdated) ? last : lastUpdated) ?? null,
    seen: Math.max(milliseconds(lastUpdated), milliseconds(at)),
    load: Math.max(loadedIn, from ?? 0),
    removals: removals?.hits.hits.map(toRemoval) ?? [],
    departures: departures?.hits.hits.map((hit) => hit.sort as unknown as TimeAndId) ?? [],
    moreToDrop: removals?.hits.hits.length === REMOVALS_MAX || departures?.hits.hits.length === DEPARTURES_MAX,
  };
}

export class ChangeFeed {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #timeoutMs: number;
  readonly #rendered = new RenderedPages();

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * One page of a walk, with the newest change and the removals and departures that a copy has to apply. A node that has not yet applied a
   * commit that this walk has already seen is asked again, so that no walk goes back.
   * @throws ApiError `search_unavailable`
   */
  async readPage(request: FeedRequest, position: FeedPosition): Promise<FeedPage> {
    const boundedRequest = boundRequest(request);
    for (let attempt = 0; ; attempt++) {
      const close = boundedRequest && (await this.#searchPage(boundedRequest, position, position.highWater));
      const page =
        (close?.hits.length === request.size ? close : null) ??
        // The page extends beyond the upper bound.
        (await this.#searchPage(request, position, position.highWater)) ??
        // The record that was newest no longer exists.
        (await this.#searchPage(request, position, null));
      if (page && page.seen >= position.seen) return page;
      if (attempt === LATE_NODE_RETRIES)
        throw searchUnavailable(`newest change ${page?.seen} lies before ${position.seen}, which was served`);
      await sleep(LATE_NODE_WAIT_MS);
    }
  }

  /**
   * Runs the searches in sequence, the page last: each sees the state of the previous one, or a later one. A record that is reported as
   * removed can thus be on the page again, but never the reverse.
   * @param from where to begin the search for the newest record, milliseconds since 1970; null for everywhere
   * @returns null when no record is as new as `from`
   */
  #searchPage(request: FeedRequest, position: FeedPosition, from: number | null): Promise<FeedPage | null> {
    return this.#rendered.read(request, (rendered) => this.#search(request, position, from, rendered));
  }

  /** @returns undefined where a record lacks the text that was asked for */
  async #search(
    request: FeedRequest,
    position: FeedPosition,
    from: number | null,
    rendered?: RenderedFetch,
  ): Promise<FeedPage | null | undefined> {
    const [projects, removals] = [this.#names.readAlias('projects'), this.#names.readAlias('removals')];
    const limits = { timeout: `${this.#timeoutMs}ms`, track_total_hits: false };
    const on = (index: string, body: object) => [
      { index, allow_partial_search_results: false },
      { ...limits, ...body },
    ];
    const { answers } = await askElastic(
      async (options) => {
        const { responses } = await this.#client.msearch<unknown>(
          {
            max_concurrent_searches: 1,
            searches: [
              ...(position.load === undefined ? [] : on(projects, makeNewestSearch('loadedIn', position.load))),
              ...on(projects, makeNewestSearch('lastUpdated', isoOf(from))),
              ...on(removals, makeNewestSearch('at')),
              ...on(removals, makeRemovalsSearch(position.removed, request.removedQuery)),
              ...on(projects, makeDeparturesSearch(position.departed, request)),
              ...on(projects, pageBody(request, this.#timeoutMs, rendered)),
            ],
          },
          options,
        );
        return combineAnswers(responses);
      },
      this.#timeoutMs,
      request.signal,
    );
    const [newestLoad, others] = position.load === undefined ? [undefined, answers] : [answers[0], answers.slice(1)];
    return from !== null && !others[0]?.hits.hits.length ? null : toFeedPage(others, position, newestLoad, rendered);
  }

  /**
   * The position of the newest removal, from which a new walk begins.
   * @throws ApiError `search_unavailable`
   */
  async readLastRemoval(signal?: AbortSignal): Promise<TimeAndId> {
    const result = await searchElastic<Removal>(
      { client: this.#client, timeoutMs: this.#timeoutMs, signal },
      {
        index: this.#names.readAlias('removals'),
        size: 1,
        track_total_hits: false,
        sort: [{ at: 'desc' }, { id: 'desc' }],
        _source: TRACE,
      },
    );
    const last = result.hits.hits[0]?._source;
    return last ? [Date.parse(last.at), last.id] : [0, 0];
  }
}
