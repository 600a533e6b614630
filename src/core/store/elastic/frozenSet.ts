/**
 * All of what sync shows at one moment: its records in the order of their ids, and the newest change and removal, after which a walk goes on
 * from a copy of them. Loads, switches and rollbacks do not change what is read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import { ApiError } from '../../domain/errors.ts';
import type { FetchedProject } from '../../domain/record/represent.ts';
import { allOf } from '../../query/clauses.ts';
import type { TimeAndId } from './changeFeed.ts';
import { limitToDeadline, searchElastic, searchUnavailable } from './client.ts';
import { type IndexNames, parseView, type SetName } from './indices.ts';
import { type PageRequest, type ProjectHit, type ProjectPage, pageBody, toPage, toRenderedPage } from './projects.ts';
import { type RenderedFetch, RenderedPages } from './renderedPages.ts';

/** Longer than the caller takes for a page. */
const KEEP_ALIVE = '5m';
/** How often, and after what pause, a moment is looked for again when a load was published meanwhile. */
const LOOKS_MAX = 20;
const LOOK_AGAIN_MS = 50;
/** More than there are counties. */
const VALUES_MAX = 10_000;

type Clause = Record<string, unknown>;
type FrozenRequest = Pick<PageRequest, 'query' | 'sort' | 'size' | 'representation' | 'toConfirm' | 'toShow'> & {
  /** the last hit of the page before; undefined for the first page */
  after: ProjectHit | undefined;
  /** whether to count all matches */
  count: boolean;
};

/** An index, and the filter that shows what is committed of it. */
interface ShownIndex {
  index: string;
  filter: Clause;
}

type ShownIndices = Record<'projects' | 'removals', ShownIndex>;

/** What was shown at one moment, as a cursor needs it. */
export interface ShownMoment {
  set: SetName;
  commit: number;
  /** newest lastUpdated, milliseconds since 1970; 0 where there is no record */
  newestChange: number;
  lastRemoval: TimeAndId;
}

export class FrozenSets {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #timeoutMs: number;

  /** @param names of any kind: sync's aliases are read, and those of what is served where sync has none */
  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Freezes what sync shows now. The aliases are read before and after, so that records and removals are of one commit.
   * @throws ApiError `search_unavailable`
   */
  async open(signal: AbortSignal): Promise<FrozenSet> {
    for (let look = 0; look < LOOKS_MAX; look++) {
      const shown = await this.#readShown(signal);
      const set = await FrozenSet.open(this.#client, this.#names, shown, this.#timeoutMs, signal);
      if (set && JSON.stringify(await this.#readShown(signal)) === JSON.stringify(shown)) return set;
      await set?.close();
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
    }
    throw searchUnavailable('loads were published one after another, so that no moment could be read');
  }

  /** The indices of one commit, of one answer: aliases change together. */
  async #readShown(signal: AbortSignal): Promise<ShownIndices> {
    const index = [this.#names.indexPattern('projects'), this.#names.indexPattern('removals')];
    const ask = (options: object) => this.#client.indices.getAlias({ index, allow_no_indices: true }, options);
    const indices = await limitToDeadline(ask, this.#timeoutMs, signal);
    const [projects, removals] = (['projects', 'removals'] as const).map((kind) => findShownIndex(indices, this.#names.syncedAlias(kind)));
    if (!projects || !removals) throw searchUnavailable('nothing is served');
    return { projects, removals };
  }
}

function findShownIndex(indices: estypes.IndicesGetAliasResponse, alias: string): ShownIndex | undefined {
  for (const [index, { aliases }] of Object.entries(indices)) {
    const shown = aliases[alias];
    if (shown) return { index, filter: shown.filter as Clause };
  }
  return undefined;
}

const STATUS_ABSENT = 404;
const isAbsent = (error: unknown) => error instanceof errors.ResponseError && error.statusCode === STATUS_ABSENT;

/** The records of a moment, to be closed after use. */
export class FrozenSet {
  readonly moment: ShownMoment;
  readonly #client: Client;
  readonly #filter: Clause;
  readonly #timeoutMs: number;
  readonly #rendered = new RenderedPages();
  #pit: string;

  private constructor(client: Client, filter: Clause, timeoutMs: number, opened: { pit: string; moment: ShownMoment }) {
    this.#client = client;
    this.#filter = filter;
    this.#timeoutMs = timeoutMs;
    this.#pit = opened.pit;
    this.moment = opened.moment;
  }

  /** Undefined where an index is gone by now. @throws ApiError `search_unavailable` */
  static async open(
    client: Client,
    names: IndexNames,
    { projects, removals }: ShownIndices,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<FrozenSet | undefined> {
    const pit = await openPit(client, projects.index, timeoutMs, signal);
    if (pit === undefined) return undefined;
    try {
      const newest = await readNewest(client, { ...projects, pit }, ['lastUpdated', 'id'], timeoutMs, signal);
      const removed = await readNewest(client, removals, ['at', 'id'], timeoutMs, signal);
      const set = names.parse(projects.index);
      if (!set) throw new Error(`${projects.index} is no index of this product`);
      const moment = {
        set,
        commit: parseView(projects.filter).committed,
        newestChange: newest?.[0] ?? 0,
        lastRemoval: removed ?? NO_REMOVAL,
      };
      return new FrozenSet(client, projects.filter, timeoutMs, { pit, moment });
    } catch (error) {
      await closePit(client, pit);
      if (isAbsent(error instanceof ApiError ? error.cause : error)) return undefined;
      throw error;
    }
  }

  /**
   * A page of the matches in their order, which ends with `id`, so that it is one.
   * @throws ApiError `search_unavailable`, also when the set is lost; the caller can open another and start again
   */
  page(request: FrozenRequest, signal: AbortSignal): Promise<ProjectPage> {
    return this.#rendered.read(request, (rendered) => this.#page(request, signal, rendered));
  }

  async #page({ after, ...request }: FrozenRequest, signal: AbortSignal, rendered?: RenderedFetch): Promise<ProjectPage | undefined> {
    const query = allOf([this.#filter, request.query]);
    const body = pageBody({ ...request, query, ...(after ? { searchAfter: after.sort } : {}) }, this.#timeoutMs, rendered);
    const asked = { client: this.#client, timeoutMs: this.#timeoutMs, signal };
    const result = await searchElastic<FetchedProject>(asked, { pit: this.#kept(), ...body });
    this.#pit = result.pit_id ?? this.#pit;
    return rendered ? toRenderedPage(result, rendered) : toPage(result);
  }

  /** Numbers of matches by the values of a keyword field, null for those without one. @throws ApiError `search_unavailable` */
  async countBy(field: string, query: Clause, signal: AbortSignal): Promise<Map<string | null, number>> {
    const aggs = { values: { terms: { field, size: VALUES_MAX } }, none: { missing: { field } } };
    const asked = { client: this.#client, timeoutMs: this.#timeoutMs, signal };
    const search = { pit: this.#kept(), query: allOf([this.#filter, query]), size: 0, track_total_hits: false, aggs };
    const { aggregations } = await searchElastic<unknown, Counted>(asked, search);
    const { values, none } = aggregations as Counted;
    const counts = new Map<string | null, number>(values.buckets.map(({ key, doc_count }) => [key, doc_count]));
    return none.doc_count ? counts.set(null, none.doc_count) : counts;
  }

  #kept = () => ({ id: this.#pit, keep_alive: KEEP_ALIVE });

  /** Frees what Elasticsearch keeps for it; otherwise it does so after minutes. */
  close(): Promise<void> {
    return closePit(this.#client, this.#pit);
  }
}

interface Counted {
  values: { buckets: { key: string; doc_count: number }[] };
  none: { doc_count: number };
}

const NO_REMOVAL: TimeAndId = [0, 0];

async function openPit(client: Client, index: string, timeoutMs: number, signal: AbortSignal): Promise<string | undefined> {
  const ask = (options: object) => client.openPointInTime({ index, keep_alive: KEEP_ALIVE, allow_partial_search_results: false }, options);
  try {
    return (await limitToDeadline(ask, timeoutMs, signal)).id;
  } catch (error) {
    if (isAbsent(error instanceof ApiError ? error.cause : error)) return undefined;
    throw error;
  }
}

const closePit = (client: Client, id: string): Promise<void> =>
  client.closePointInTime({ id }).then(
    () => undefined,
    () => undefined,
  );

/** The newest of an index by these two fields; undefined where it shows nothing. */
async function readNewest(
  client: Client,
  { index, filter, pit }: ShownIndex & { pit?: string },
  fields: readonly [string, string],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<TimeAndId | undefined> {
  const place = pit === undefined ? { index } : { pit: { id: pit, keep_alive: KEEP_ALIVE } };
  const sort = fields.map((field) => ({ [field]: { order: 'desc' as const, missing: '_last' as const } }));
  const search = { ...place, query: filter, size: 1, sort, track_total_hits: false, _source: false };
  const { hits } = await searchElastic({ client, timeoutMs, signal }, search);
  const [ms, id] = (hits.hits[0]?.sort ?? []) as (number | null | undefined)[];
  return typeof ms === 'number' && typeof id === 'number' ? [ms, id] : undefined;
}
