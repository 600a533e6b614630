/** Customers keep copies by sync through two API processes, while a loader publishes and is killed. */
import { PLANS, type PlanId } from '../../../src/core/domain/plans.ts';
import { HoldingStore } from '../../../src/core/ledger/holdings.ts';
import { type CommittedOutcome, IdempotencyStore } from '../../../src/core/ledger/idempotencyStore.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';
import { OwnedPages } from '../../../src/core/ledger/ownedPages.ts';
import { type Actor, payerOf } from '../../../src/core/search/actor.ts';
import { runOnce } from '../../../src/core/search/idempotentRequests.ts';
import { ChangeFeed } from '../../../src/core/store/elastic/changeFeed.ts';
import { SyncedNames } from '../../../src/core/store/elastic/indices.ts';
import { LineageWatch } from '../../../src/core/store/lineageWatch.ts';
import { LineageStore } from '../../../src/core/store/postgres/lineageStore.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import { bindingOf, readCursor, refuseLineage, writeCursor } from '../../../src/features/sync/cursor.ts';
import { fromKept, positionAfter, positioned, type ShownPage, shownPage, toKept } from '../../../src/features/sync/page.ts';
import { ReadAhead } from '../../../src/features/sync/readAhead.ts';
import { removalNotices } from '../../../src/features/sync/removals.ts';
import { nextPage, prepareNext, type SyncServices, type WalkRequest } from '../../../src/features/sync/walk.ts';
import type { Elastic } from '../../lib/sandbox.ts';
import { waitSimulated } from './clock.ts';
import { makeActor } from './customer.ts';
import { names, PREFIX, runLoad, type SmallLoad } from './loads.ts';
import type { Marks } from './marks.ts';
import { callInTurn, ProcessDied, type Program } from './program.ts';
import { type Doc, SearchMemory } from './searchMemory.ts';
import type { Simulation } from './simulation.ts';
import { API_COUNT, type PlannedLoad, type WalkPlan } from './walkPlans.ts';

const SECRET = 'a secret of cursors, for proofs';
const BINDING = bindingOf({}, null);
const TIMEOUT_MS = 30_000;
const PAGES_MAX = 150;

interface Api extends Pick<SyncServices, 'changes' | 'ahead'> {
  lineage: LineageWatch;
  ledger: Ledger;
  holdings: HoldingStore;
  idempotency: IdempotencyStore;
}

interface Page {
  records: { id: number; revision: string }[];
  removed: number[];
  cursor: string;
  hasMore: boolean;
}

export class WalkWorld {
  readonly simulation: Simulation;
  readonly memory: SearchMemory;
  readonly #marks: Marks;
  readonly #apis = new Map<Program, Api>();
  readonly #loader: Program;
  #loads: Database | undefined;
  teamId = 0;
  userId = 0;
  plan: PlanId = 'api_only';
  surprises: string[] = [];
  copies: Map<number, string>[] = [];
  #isLoaded = false;
  /** walks with further pages */
  readonly #midway = new Set<object>();

  constructor(simulation: Simulation, marks: Marks) {
    this.simulation = simulation;
    this.#marks = marks;
    this.memory = new SearchMemory((label) => simulation.step(label));
    for (let i = 0; i < API_COUNT; i++) simulation.addProgram(`api${i}`, { requests: {} }, (program) => this.#startApi(program));
    this.#loader = simulation.addProgram('loader', { loads: { connections: 2 } }, (program) => {
      this.#loads = program.database('loads');
    });
    simulation.onInterruption = ({ what }, program) => {
      if (what === 'kill' && program === this.#loader) this.#noteDeath();
    };
  }

  /** Marks the step of a publication at which the loader was killed. */
  #noteDeath(): void {
    const last = this.simulation.trace.findLast((line) => line.startsWith('loader: ') && PUBLISHING.some((step) => step.test(line)));
    if (last && PUBLISHING[0].test(last)) this.#marks.reach('a loader dies between the row and the aliases of a publication');
    if (last && PUBLISHING[1].test(last)) this.#marks.reach('a loader dies between the aliases and the row of a publication');
  }

  #startApi(program: Program): void {
    const database = program.database('requests');
    const client = this.memory.client as unknown as Elastic;
    const lineage = new LineageWatch({ elastic: client, names, lineages: new LineageStore(database, PREFIX), timeoutMs: TIMEOUT_MS });
    const feed = new ChangeFeed(client, new SyncedNames(PREFIX), TIMEOUT_MS);
    this.#apis.set(program, {
      changes: feed,
      ahead: new ReadAhead(feed),
      lineage,
      ledger: new Ledger(database, { guard: lineage, owned: new OwnedPages(database) }),
      holdings: new HoldingStore(database),
      idempotency: new IdempotencyStore(database),
    });
    void lineage.start();
  }

  reset({ plan }: WalkPlan, teamId: number, userId: number): void {
    this.memory.clear();
    this.#midway.clear();
    Object.assign(this, { plan, teamId, userId, surprises: [], copies: [] });
    this.#isLoaded = false;
  }

  /** Repeats a load until it is done, as an operator does after a killed command, unless it is left. */
  async load({ isLeft, ...load }: SmallLoad & Pick<PlannedLoad, 'isLeft'>): Promise<void> {
    this.#loader.task = load.way;
    const now = () => new Date(this.simulation.clock.now);
    const run = () => this.#loader.call(() => runLoad(this.memory, this.#loads as Database, now, load)).then(() => true);
    const leave = (error: unknown) => {
      if (isLeft && error instanceof ProcessDied) return false;
      throw error;
    };
    try {
      const isDone = await callInTurn([this.#loader], 0, () => run().catch(leave));
      if (isDone && this.#midway.size) this.#marks.reach(MARKS_OF_WAYS[load.way]);
    } catch (error) {
      this.surprises.push(`${load.way}: ${(error as Error).stack}`);
    }
  }

  async loadAll({ loads }: WalkPlan): Promise<void> {
    for (const { afterMs, ...load } of loads) {
      if (afterMs) await waitSimulated(afterMs);
      await this.load(load);
    }
    this.#isLoaded = true;
  }

  /** Keeps a copy until it has walked to the end after the last load. */
  async keepCopy(walker: WalkPlan['walkers'][number], at: number): Promise<void> {
    const copy = new Map<number, string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const isLast = this.#isLoaded;
      const page = await this.#request(walker, cursor, `walk-${at}-${pages}`);
      if (!page) return;
      for (const id of page.removed) copy.delete(id);
      for (const { id, revision } of page.records) copy.set(id, revision);
      this.#checkForward(cursor, page.cursor);
      cursor = page.cursor;
      if (page.hasMore) this.#midway.add(walker);
      else this.#midway.delete(walker);
      if (!page.hasMore && isLast) {
        this.copies.push(copy);
        return;
      }
      if (!page.hasMore) await waitSimulated(walker.pauseMs);
    }
    this.surprises.push(`a walk has no end after ${PAGES_MAX} pages`);
  }

  #checkForward(before: string | undefined, after: string): void {
    const places = [before, after].map((cursor) => (cursor ? readCursor(cursor, BINDING, SECRET).position : undefined));
    for (const name of ['after', 'removed', 'departed'] as const) {
      const [was, is] = places.map((place) => place?.[name]);
      if (was && (!is || is[0] < was[0] || (is[0] === was[0] && is[1] < was[1])))
        this.surprises.push(`a cursor went back: ${name} ${was} to ${is}`);
    }
  }

  async #request(walker: WalkPlan['walkers'][number], cursor: string | undefined, key: string): Promise<Page | undefined> {
    const ask = (program: Program) =>
      program.call(() => this.#page(this.#apis.get(program) as Api, walker.limit, cursor, walker.isKeyed ? key : undefined));
    const noteRepeat = (why: unknown) => {
      if (why instanceof ProcessDied && walker.isKeyed) this.#marks.reach('a page is repeated under its key after its process died');
    };
    return callInTurn([...this.#apis.keys()], walker.api, ask, noteRepeat).catch((error: Error) => {
      this.surprises.push(`a page of a walk: ${error.stack}`);
      return undefined;
    });
  }

  /** A page as `GET /projects/sync` makes it (src/features/sync/syncProjects.ts), of records that are a revision each. */
  async #page(api: Api, limit: number, cursor: string | undefined, key: string | undefined): Promise<Page> {
    const actor = this.#actor(key);
    const from = cursor ? readCursor(cursor, BINDING, SECRET) : undefined;
    const isContinued = await api.lineage.continues(from?.mark);
    if (from && !isContinued) throw refuseLineage();
    const walk = { ...REQUEST, limit, bound: BINDING, at: from?.position } as unknown as WalkRequest;
    return runOnce(api, actor, `${cursor} ${limit}`, {
      run: async (claiming) => {
        const { start, page } = await nextPage(api, {}, walk);
        const hits = positioned(page).slice(0, limit);
        const pool = { teamId: this.teamId, scope: null, unlisted: start.unlisted, departed: start.departed, isByIds: false };
        const [removed, mark] = await Promise.all([removalNotices(api.holdings, pool, page), api.lineage.markOf(page.seen)]);
        const shown = shownPage(page, hits, { start, bound: BINDING, removed, mark });
        prepareNext(api as unknown as SyncServices, actor, walk, shown);
        const isApart = this.memory.indexOf(names.syncedAlias('projects')) !== this.memory.indexOf(names.readAlias('projects'));
        if (isApart) this.#marks.reach('a page is read while sync shows another set than searches');
        const items = hits.map(({ project: { id, contentRevision: revision } }) => ({ id, revision }));
        const terms = { rate: PLANS[this.plan].recordCredit, truncate: false };
        const { outcome } = await api.ledger.deliverPage(payerOf(claiming, toKept(shown)), items, terms);
        if (outcome !== 'delivered') throw new Error(`The page was ${outcome}`);
        return pageOf(shown, items);
      },
      replay: async (outcome) => this.#repeat(outcome),
    });
  }

  /** Answers a repeated request: the records of the page that was delivered, as they are now. */
  async #repeat({ ids, kept }: CommittedOutcome): Promise<Page> {
    const { hits } = await this.memory.client.search({
      index: names.syncedAlias('projects'),
      query: { terms: { id: ids } },
      size: ids.length,
    });
    const records = hits.hits.map(({ _source: { id, contentRevision } }) => ({ id, revision: String(contentRevision) }));
    return pageOf(fromKept(kept, ids.length), records);
  }

  #actor(key: string | undefined): Actor {
    const { teamId, userId, plan } = this;
    return makeActor({ teamId, userId, plan, monthlyCredits: 1_000 }, { route: 'walk', idempotencyKey: key });
  }

  /** What searches show now. */
  get served(): Map<number, string> {
    return new Map(this.memory.shown(names.readAlias('projects')).map(([, doc]: [string, Doc]) => [doc.id, String(doc.contentRevision)]));
  }
}

/** The steps of a publication, as a trace names them: the row is written, the aliases change, the row is confirmed. */
const PUBLISHING = [/update index_lineage set publishing|with recorded as/, /changes the aliases/, /with seen as/] as const;

const MARKS_OF_WAYS = {
  increment: 'a load is committed in the middle of a walk',
  full: 'a generation becomes visible in the middle of a walk',
  rollback: 'a rollback is stamped in the middle of a walk',
} as const;

const REQUEST = {
  selection: { filters: {}, scope: null, context: { today: '2026-11-10' } },
  representation: 'compact',
  queryOn: () => ({ match_all: {} }),
  from: undefined,
};

const pageOf = (shown: ShownPage, records: Page['records']): Page => ({
  records,
  removed: shown.removed.map(({ id }) => id),
  cursor: writeCursor({ ...positionAfter(shown, shown.positions.length), unlisted: false }, BINDING, SECRET, shown.mark ?? null),
  hasMore: shown.further || shown.start.rollover !== null,
});
