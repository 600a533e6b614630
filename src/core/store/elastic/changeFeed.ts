/**
 * Projects in the order of their changes, with what a copy of them has to drop: records that were removed, and records that a query no longer
 * finds. Read page by page; the guide is src/docs/paging-and-sync.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { FetchedProject } from '../../domain/record/represent.ts';
import { allOf, range } from '../../query/clauses.ts';
import { askElastic, combined, unavailable } from './client.ts';
import type { IndexNames } from './indices.ts';
import { type PageRequest, type ProjectPage, pageBody, toPage, toRenderedPage } from './projects.ts';
import { type RenderedFetch, RenderedPages } from './renderedPages.ts';

/** The trace of a record that is no longer found on its own. */
interface Removal {
  id: number;
  mergedInto?: number;
  /** ISO 8601 */
  at: string;
  stateId?: string;
  countyId?: string;
}

/** A place in an order of (time, id): milliseconds since 1970, and id. */
export type TimeAndId = readonly [ms: number, id: number];

/** What a walk through the feed has seen, apart from its records. */
export interface FeedPosition {
  /** the last trace of a removal */
  removed: TimeAndId;
  /** the last change that took a record out of what the walk finds; null looks for none yet */
  departed: TimeAndId | null;
  /** newest change that the walk has been shown, milliseconds since 1970 */
  seen: number;
  /** newest lastUpdated that there was, milliseconds since 1970: where to look for newer ones; null looks everywhere */
  highWater: number | null;
  /** the same of the numbers of loads; absent for a walk that goes by times alone */
  load?: number | null;
}

export interface FeedRequest extends PageRequest {
  /** finds the records that have departed; absent for all that `query` does not find */
  departedQuery?: Record<string, unknown> | undefined;
  /**
   * Milliseconds since 1970, up to which to look first. Elasticsearch reads all that lies before the place where a page begins, but not with
   * both bounds, so that a page deep in a large index takes no longer than the first.
   */
  lookUntilMs?: number | undefined;
}

export interface FeedPage extends ProjectPage {
  /** newest committed lastUpdated, ISO 8601; null when there is no record */
  highWater: string | null;
  /** newest committed change or removal, milliseconds since 1970; 0 when there is neither */
  seen: number;
  /** number of the newest load that wrote a record which is there, and no less than where it was looked for; 0 where it was not */
  load: number;
  /** traces of removed records, oldest first */
  removals: Removal[];
  /** records that are there and that the query does not find (or that `departedQuery` finds), by the time of their change, oldest first */
  departures: TimeAndId[];
  /** removals or departures remain that this page was too full for */
  moreToDrop: boolean;
}

/** Removals, and departures, that one page reads at most; the rest follow with the next. */
const REMOVALS_MAX = 1000;
const DEPARTURES_MAX = 5000;

/** How often, and how long apart, a node that has not applied the newest commit yet is asked again. */
const LATE_NODE_RETRIES = 20;
const LATE_NODE_WAIT_MS = 50;

/** The greatest committed value of a field, as a search. Without a value to begin at it reads every record: the newest ones come last. */
const newest = (field: string, from: string | number | null = null) => ({
  size: 1,
  sort: [{ [field]: 'desc' }],
  _source: [field],
  ...(from === null ? {} : { query: range(field, { gte: from }) }),
});

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The fields of a trace that a walk reports. A trace also keeps what an absorbed record stated, which no walk reads. */
const TRACE = ['id', 'mergedInto', 'at', 'stateId', 'countyId'] satisfies (keyof Removal)[];

const removalsAfter = ([ms, id]: TimeAndId) => ({
  size: REMOVALS_MAX,
  sort: [{ at: 'asc' }, { id: 'asc' }],
  search_after: [ms, id],
  _source: TRACE,
});

const allBut = (query: Record<string, unknown>) => ({ bool: { must_not: [query] } });

/** Answers with sort values alone. */
function departuresAfter(
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

/** Finds the same page as long as it is full: what lies beyond the bound comes after it in the order of changes. */
function bounded(request: FeedRequest): FeedRequest | undefined {
  const { query, departedQuery = allBut(query), lookUntilMs, searchAfter: [after] = [] } = request;
  if (lookUntilMs === undefined || typeof after !== 'number') return undefined;
  const iso = (ms: number) => new Date(ms).toISOString();
  return { ...request, departedQuery, query: allOf([query, range('lastUpdated', { gte: iso(after), lte: iso(lookUntilMs) })]) };
}

const milliseconds = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time));

type Answers = Awaited<ReturnType<typeof combined<unknown>>>['answers'];

/** What the searches of a page found, in the order in which they were sent; undefined where a record lacks the text that was asked for. */
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
    removals: removals?.hits.hits.map((hit) => hit._source as Removal) ?? [],
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
   * One page of a walk with what a copy kept by it has to know besides: the newest change there is, and which records went. A node may
   * not have applied a commit yet that another one has shown to this walk: it is asked again until it has, so that no walk goes back.
   * @throws ApiError `search_unavailable`
   */
  async page(request: FeedRequest, position: FeedPosition): Promise<FeedPage> {
    const near = bounded(request);
    for (let attempt = 0; ; attempt++) {
      const close = near && (await this.#searchPage(near, position, position.highWater));
      const page =
        (close?.hits.length === request.size ? close : null) ??
        // The page goes on beyond where it was looked for.
        (await this.#searchPage(request, position, position.highWater)) ??
        // What was newest is gone.
        (await this.#searchPage(request, position, null));
      if (page && page.seen >= position.seen) return page;
      if (attempt === LATE_NODE_RETRIES) throw unavailable(`newest change ${page?.seen} lies before ${position.seen}, which was served`);
      await sleep(LATE_NODE_WAIT_MS);
    }
  }

  /**
   * The searches run one after the other, the page last: each sees what the one before it saw, or later. What is reported as removed can thus
   * at worst be back on the page, never the other way round.
   * @param from where to look for the newest record, milliseconds since 1970, or null for everywhere
   * @returns null where no record is as new as `from`
   */
  #searchPage(request: FeedRequest, position: FeedPosition, from: number | null): Promise<FeedPage | null> {
    return this.#read(() => this.#rendered.read(request, (rendered) => this.#search(request, position, from, rendered)));
  }

  #read<T>(work: () => Promise<T>): Promise<T> {
    return this.#names.read(this.#client, work);
  }

  /** @returns undefined where a record lacks the text that was asked for */
  async #search(
    request: FeedRequest,
    position: FeedPosition,
    from: number | null,
    rendered?: RenderedFetch,
  ): Promise<FeedPage | null | undefined> {
    const [projects, removals] = [this.#names.served('projects'), this.#names.served('removals')];
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
              ...(position.load === undefined ? [] : on(projects, newest('loadedIn', position.load))),
              ...on(projects, newest('lastUpdated', isoOf(from))),
              ...on(removals, newest('at')),
              ...on(removals, removalsAfter(position.removed)),
              ...on(projects, departuresAfter(position.departed, request)),
              ...on(projects, pageBody(request, this.#timeoutMs, rendered)),
            ],
          },
          options,
        );
        return combined(responses);
      },
      this.#timeoutMs,
      request.signal,
    );
    const [newestLoad, others] = position.load === undefined ? [undefined, answers] : [answers[0], answers.slice(1)];
    return from !== null && !others[0]?.hits.hits.length ? null : toFeedPage(others, position, newestLoad, rendered);
  }

  /** Where the traces of removals end now: a walk that begins here has nothing of what went before. @throws ApiError `search_unavailable` */
  lastRemoval(signal?: AbortSignal): Promise<TimeAndId> {
    return this.#read(() => this.#lastRemoval(signal));
  }

  async #lastRemoval(signal: AbortSignal | undefined): Promise<TimeAndId> {
    const result = await askElastic(
      (options) =>
        this.#client.search<Removal>(
          {
            index: this.#names.served('removals'),
            allow_partial_search_results: false,
            timeout: `${this.#timeoutMs}ms`,
            size: 1,
            track_total_hits: false,
            sort: [{ at: 'desc' }, { id: 'desc' }],
            _source: TRACE,
          },
          options,
        ),
      this.#timeoutMs,
      signal,
    );
    const last = result.hits.hits[0]?._source;
    return last ? [Date.parse(last.at), last.id] : [0, 0];
  }
}
