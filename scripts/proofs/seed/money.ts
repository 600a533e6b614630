/** Customers of one team use two API processes and two workers at once: pages, documents, exports, look-ups, and lost files. */
import { pino } from 'pino';
import { ApiError } from '../../../src/core/domain/errors.ts';
import { PLANS, type PlanId } from '../../../src/core/domain/plans.ts';
import { revisionHash } from '../../../src/core/domain/record/revisionHash.ts';
import { makeRegistry } from '../../../src/core/jobs/defineJob.ts';
import { Runner } from '../../../src/core/jobs/runner.ts';
import { JobStore } from '../../../src/core/jobs/store.ts';
import { HoldingStore } from '../../../src/core/ledger/holdings.ts';
import { type CommittedOutcome, IdempotencyStore } from '../../../src/core/ledger/idempotencyStore.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';
import { OwnedPages } from '../../../src/core/ledger/ownedPages.ts';
import { Suppressions } from '../../../src/core/people/suppressions.ts';
import { UnlockStore } from '../../../src/core/people/unlocks.ts';
import { type Actor, payerOf } from '../../../src/core/search/actor.ts';
import { runOnce } from '../../../src/core/search/idempotentRequests.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import { CONTACT_EVENTS } from '../../../src/features/contacts/events.ts';
import { enrichmentJob } from '../../../src/features/contacts/job.ts';
import { EnrichmentStore } from '../../../src/features/contacts/store.ts';
import { EXPORT_EVENTS } from '../../../src/features/exports/events.ts';
import { exportJob } from '../../../src/features/exports/job.ts';
import { ExportStore } from '../../../src/features/exports/store.ts';
import type { ExportPayload } from '../../../src/features/exports/types.ts';
import { EventLog, type LogCursor } from '../../../src/features/webhooks/eventLog.ts';
import { waitSimulated } from './clock.ts';
import { makeActor } from './customer.ts';
import { type Action, API_COUNT, type MoneyPlan, makePage, WORKER_COUNT } from './moneyActions.ts';
import { itemsOf, makeDefinitions } from './moneyJobs.ts';
import { callInTurn, ProcessDied, type Program } from './program.ts';
import type { Simulation } from './simulation.ts';

const PEPPER = 'a pepper of more than 32 characters, for proofs';
/** Longer than the lease of a claim; the customer then gives up the answer, although the process may still work on it. */
const ANSWER_MS = 35_000;

async function giveUp(): Promise<never> {
  await waitSimulated(ANSWER_MS);
  throw new ProcessDied();
}

const SETTINGS = { pollMs: 6_000, sweepMs: 4_000 };
const LOOK_UPS_MAX = 6;
const LOST_AFTER_MS = 8_000;
const silent = pino({ level: 'silent' });

/** The parts of an API process. */
interface Api {
  database: Database;
  ledger: Ledger;
  idempotency: IdempotencyStore;
  holdings: HoldingStore;
  exports: ExportStore;
  enrichments: EnrichmentStore;
  events: EventLog;
}

/** Makes the stores of a process. @param control pool for look-ups during a transaction, as in the service */
function makeStores(database: Database, control = database) {
  const idempotency = new IdempotencyStore(database);
  const jobs = new JobStore(database);
  const suppressions = new Suppressions(control, PEPPER);
  const enrichments = new EnrichmentStore(jobs, { idempotency, unlocks: new UnlockStore(database), suppressions });
  return { idempotency, jobs, enrichments, exports: new ExportStore(jobs, idempotency, enrichments) };
}

function makeApi(database: Database): Api {
  const ledger = new Ledger(database, { owned: new OwnedPages(database) });
  const events = new EventLog(database, [...EXPORT_EVENTS, ...CONTACT_EVENTS]);
  return { database, ledger, holdings: new HoldingStore(database), events, ...makeStores(database) };
}

export interface CustomerAnswer {
  action: Action;
  outcome: string;
  cost: number;
  items: { id: number; revision: string }[];
  jobId?: string;
}

/** The programs of the proof, and what the customers of a run received. */
export class MoneyWorld {
  readonly simulation: Simulation;
  readonly #apis = new Map<Program, Api>();
  readonly #wakes = new Map<Program, (kind: string | null) => void>();
  teamId = 0;
  userId = 0;
  plan: PlanId = 'api_only';
  credits = 0;
  answers: CustomerAnswer[] = [];
  /** every request, even if its customer gave up: a frozen process may resume it */
  asked: Promise<unknown>[] = [];
  /** unexpected answers */
  surprises: string[] = [];
  followed: string[][] = [];
  /** exports whose files were lost */
  lost: string[] = [];

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    for (let i = 0; i < API_COUNT; i++)
      simulation.addProgram(`api${i}`, { requests: {} }, (program) => void this.#apis.set(program, makeApi(program.database('requests'))));
    // A job may wait for a connection longer than its lease lasts.
    const pools = {
      jobs: { connections: 2, statementTimeoutMs: 30_000, patience: 50 },
      control: { connections: 3, idleInTransactionMs: 2_000 },
    };
    for (let i = 0; i < WORKER_COUNT; i++) simulation.addProgram(`worker${i}`, pools, (program) => this.#startWorker(program));
  }

  #startWorker(program: Program): void {
    const control = program.database('control');
    const { jobs, ...stores } = makeStores(program.database('jobs'), control);
    const runner = new Runner({
      registry: makeRegistry(makeDefinitions(stores)),
      jobs,
      control: new JobStore(control),
      log: silent,
      settings: SETTINGS,
      listener: (onWake) => ({
        start: async () => void this.#wakes.set(program, onWake),
        close: async () => void this.#wakes.delete(program),
      }),
    });
    void runner.start();
  }

  /** Resets the state before a run. */
  reset({ plan, credits }: MoneyPlan, teamId: number, userId: number): void {
    Object.assign(this, { plan, credits, teamId, userId, answers: [], asked: [], surprises: [], followed: [], lost: [] });
  }

  #actor(route: string, key: string | null = null, maxCredits: number | null = null): Actor {
    const { teamId, userId, plan, credits: monthlyCredits } = this;
    return makeActor(
      { teamId, userId, plan, monthlyCredits },
      { route, idempotencyKey: key ?? undefined, maxCredits: maxCredits ?? undefined },
    );
  }

  /** Performs an action; the customer repeats a request until its outcome is known. */
  async act({ api, afterMs, ...one }: MoneyPlan['actions'][number]): Promise<void> {
    if (afterMs) await waitSimulated(afterMs);
    const ask = (program: Program) => {
      const asked = program.call(() => this.#request(this.#apis.get(program) as Api, one));
      this.asked.push(asked.catch(() => undefined));
      return Promise.race([asked, giveUp()]);
    };
    const noteRepeat = (why: unknown) =>
      this.simulation.note(`${one.what} is repeated after ${why instanceof ApiError ? why.code : 'a death'}`);
    try {
      const answer = await callInTurn([...this.#apis.keys()], api, ask, noteRepeat);
      if (answer) this.answers.push(answer);
      if (one.what === 'export' && one.isLost && answer?.jobId) await this.#loseFile(answer.jobId);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code !== 'invalid_request' && code !== 'idempotency_key_reuse') this.surprises.push(`${one.what}: ${(error as Error).stack}`);
    }
  }

  #request(api: Api, one: Action): Promise<CustomerAnswer | undefined> {
    switch (one.what) {
      case 'page':
        return this.#page(api, one);
      case 'document':
        return this.#document(api, one);
      case 'export':
        return this.#export(api, one);
      case 'look-up':
        return this.#lookUp(api, one);
      case 'price':
        return this.#buyAndPrice(api, one.bought).then(() => undefined);
      case 'follow':
        return this.#follow(api).then(() => undefined);
      case 'plan':
        return this.#changePlan(api, one.to).then(() => undefined);
    }
  }

  #once(api: Api, one: Action & { key: string | null }, run: (actor: Actor) => Promise<CustomerAnswer>, maxCredits: number | null = null) {
    const replay = async ({ ids: held, revisions = [], cost, kept }: CommittedOutcome): Promise<CustomerAnswer> => ({
      action: one,
      outcome: 'replayed',
      cost,
      items: revisions.map((revision, i) => ({ id: held[i] as number, revision })),
      ...(kept as object | undefined),
    });
    return runOnce(api, this.#actor(one.what, one.key, maxCredits), JSON.stringify(one), { run, replay });
  }

  #page(api: Api, one: Action & { what: 'page' }): Promise<CustomerAnswer> {
    const run = async (actor: Actor): Promise<CustomerAnswer> => {
      const items = itemsOf(one);
      const shown = items.map(({ id, revision }) => ({ id, revision }));
      const terms = { rate: PLANS[this.plan].recordCredit, truncate: one.truncate };
      const { outcome, cost, served } = await api.ledger.deliverPage(payerOf(actor), items, terms);
      return { action: one, outcome, cost, items: outcome === 'delivered' ? shown.slice(0, served) : [] };
    };
    return this.#once(api, one, run, one.maxCredits);
  }

  #document(api: Api, one: Action & { what: 'document' }): Promise<CustomerAnswer> {
    return this.#once(api, one, async (actor) => {
      const { outcome, cost } = await api.ledger.deliverDocument(payerOf(actor), one.id, PLANS[this.plan].recordCredit);
      return { action: one, outcome, cost, items: [] };
    });
  }

  async #export(api: Api, one: Action & { what: 'export' }): Promise<CustomerAnswer> {
    const answer = await this.#once(api, one, async (actor) => {
      const rate = PLANS[this.plan].recordCredit;
      const payload = { rate, maxCredits: null, rowsMax: 100, proof: { workMs: one.workMs, fails: one.fails, sought: one } };
      const accepted = await api.exports.accept(exportJob, payerOf(actor), {
        payload: payload as unknown as ExportPayload,
        source: { alertId: null, listId: null, projectIds: one.ids, filters: {} },
        matchCount: one.ids.length,
        unconfirmed: null,
        credits: one.ids.length * rate,
        keptBytesMax: 1e9,
      });
      if (accepted.outcome !== 'accepted') return { action: one, outcome: accepted.outcome, cost: 0, items: [] };
      this.#wake(exportJob.name);
      return { action: one, outcome: 'accepted', cost: one.ids.length * rate, items: [], jobId: accepted.row.id };
    });
    return answer;
  }

  #lookUp(api: Api, one: Action & { what: 'look-up' }): Promise<CustomerAnswer> {
    return this.#once(api, one, async (actor) => {
      const rate = PLANS[this.plan].contactCredit;
      const projects = one.ids.map((id) => ({ askedId: id, projectId: id }));
      const payload = { projects, options: {}, rate, proof: { workMs: one.workMs } };
      const credits = projects.length * rate;
      const accepted = await api.enrichments.accept(enrichmentJob, payerOf(actor), {
        payload,
        skipped: { alreadyEnriched: [], notPurchased: [], notFound: [] },
        allowance: { limit: LOOK_UPS_MAX, period: 'month' },
        credits,
      });
      if (accepted.outcome === 'accepted') this.#wake(enrichmentJob.name);
      return { action: one, outcome: accepted.outcome, cost: credits, items: [] };
    });
  }

  #wake(kind: string): void {
    for (const wake of this.#wakes.values()) wake(kind);
  }

  async #buyAndPrice(api: Api, bought: number[] | undefined): Promise<void> {
    if (bought) this.answers.push(await this.#page(api, makePage(bought)));
    await this.#price(api);
  }

  /** Prices a selection, which must count as held all that was delivered before. */
  async #price(api: Api): Promise<void> {
    const before = this.answers.flatMap(({ items }) => items);
    const { plan, monthlyCredits } = this.#actor('price').principal;
    const grant = payerOf(this.#actor('price')).grant;
    const { held, balance } = await api.holdings.revisionsAndBalance(this.teamId, grant);
    if (balance < 0) this.surprises.push(`a balance of ${balance} on ${plan.id} with ${monthlyCredits}`);
    if (this.lost.length) return;
    for (const { id, revision } of before)
      if (!held.has(revisionHash(id, revision))) this.surprises.push(`the price of ${id} ${revision}, which the pool holds, was not 0`);
  }

  /** Follows the log of events from its beginning to its end. */
  async #follow(api: Api): Promise<void> {
    const seen: string[] = [];
    let cursor: LogCursor | null = null;
    for (;;) {
      const page = await api.events.read({ teamId: this.teamId, userId: this.userId }, cursor, null, 2);
      if (!page) throw new Error('The log of events refused its own cursor');
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.cursor;
      if (!page.hasMore) break;
    }
    this.followed.push(seen);
  }

  async #changePlan({ database }: Api, to: PlanId): Promise<void> {
    await database.query('update team set plan = $2 where id = $1', [this.teamId, to]);
    this.plan = to;
  }

  /** For each process, what it believes that the pool holds. */
  async views(): Promise<{ program: string; has(number: string): boolean; size: number }[]> {
    const views = [];
    for (const [program, api] of this.#apis) {
      const held = await program.call(() => api.holdings.revisions(this.teamId));
      views.push({ program: program.name, has: (number: string) => held.has(number), size: held.size });
      await program.call(() => this.#follow(api));
    }
    return views;
  }

  /** Loses the file of an export if it is ready by then. */
  async #loseFile(jobId: string): Promise<void> {
    await waitSimulated(LOST_AFTER_MS);
    this.lost.push(jobId);
    await callInTurn([...this.#apis.keys()], 0, (program) =>
      program.call(() => (this.#apis.get(program) as Api).exports.markLost(this.teamId, jobId)),
    );
  }
}
