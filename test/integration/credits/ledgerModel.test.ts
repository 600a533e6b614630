/** Random work of several keys of one pool, with crashes and retries, against a reference ledger of a few lines. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Grant } from '../../../src/core/domain/credits.ts';
import { ApiError } from '../../../src/core/domain/errors.ts';
import { PLANS, type Plan } from '../../../src/core/domain/plans.ts';
import type { Principal } from '../../../src/core/domain/principal.ts';
import type { FetchedProject } from '../../../src/core/domain/record/represent.ts';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { HoldingStore } from '../../../src/core/ledger/holdings.ts';
import { IdempotencyStore } from '../../../src/core/ledger/idempotencyStore.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';
import { OwnedPages } from '../../../src/core/ledger/ownedPages.ts';
import type { Actor } from '../../../src/core/search/actor.ts';
import { deliverDocument, deliverPage, readBalance, repeatDelivery } from '../../../src/core/search/charge.ts';
import { runOnce } from '../../../src/core/search/idempotentRequests.ts';
import { setClock, testDatabase } from '../../support/database.ts';
import { sumOf } from '../../support/lists.ts';
import { provide } from '../../support/provide.ts';

/** set LEDGER_SEED to repeat a failure, or to look elsewhere */
const SEED = Number(process.env.LEDGER_SEED ?? 20_261_120);
const RUNS = 100;
const COMMANDS_MAX = 25;
const LEASE_MS = 30_000;
const KEPT_MS = 30 * 86_400_000;

/** What the two metered plans and a free one grant here: little, so that it runs out. */
const GRANTS = { api_only: 12, national: 7, trial: 9 };
type PlanName = keyof typeof GRANTS;
const planOf = (name: PlanName): Plan => (name === 'trial' ? { ...PLANS.trial, lifetimeCredits: GRANTS.trial } : PLANS[name]);

/** `id:revision` of a record, `document id` of a document. */
type Item = string;

/** What the ledger has to do, with nothing of how it does it. */
class Reference {
  balance = 0;
  grant = '';
  readonly left = new Map<string, number>();
  readonly paid = new Set<Item>();
  readonly sold = new Set<Item>();
  readonly keys = new Map<string, { request: string; at: number; delivered?: Item[] }>();

  open(plan: PlanName, month: string): void {
    const grant = `${plan} ${plan === 'trial' ? 'lifetime' : month}`;
    if (grant === this.grant || (grant.split(' ')[0] === this.grant.split(' ')[0] && grant < this.grant)) return;
    this.left.set(this.grant, this.balance);
    this.balance = this.left.get(grant) ?? GRANTS[plan];
    this.grant = grant;
  }

  /** Items delivered, or why none were. */
  take(items: readonly Item[], plan: PlanName, month: string): Item[] | 'insufficient_credits' | 'credits_exhausted' {
    this.open(plan, month);
    const costs = (count: number) => (plan === 'national' ? [] : items.slice(0, count).filter((item) => !this.paid.has(item)));
    const fits = (count: number) => costs(count).length <= this.balance;
    let count = items.length;
    if (!fits(count) && this.balance === 0) return 'credits_exhausted';
    if (!fits(count) && plan !== 'trial') return 'insufficient_credits';
    while (!fits(count)) count -= 1;
    this.balance -= costs(count).length;
    for (const item of costs(count)) this.sold.add(item);
    for (const item of items.slice(0, count)) this.paid.add(item);
    return items.slice(0, count);
  }

  /** `run`: nothing was committed under this key that answers the request. */
  claim(key: string, request: string, at: number): 'run' | 'replay' | 'idempotency_in_flight' | 'idempotency_key_reuse' {
    const kept = this.keys.get(key);
    if (!kept || kept.at <= at - KEPT_MS) return 'run';
    if (kept.request !== request) return 'idempotency_key_reuse';
    if (kept.delivered) return 'replay';
    return kept.at + LEASE_MS > at ? 'idempotency_in_flight' : 'run';
  }
}

interface Real {
  teamId: number;
  plan: PlanName;
  now: Date;
  /** every item that an answer called billed */
  billed: Item[];
}

interface Pull {
  items: Item[];
  apiKey: number;
  idempotencyKey?: string | undefined;
}

interface Told {
  used: number;
  remaining: number | null;
  delivered: Item[];
}

const monthOf = (now: Date) => now.toISOString().slice(0, 7);
const isDocument = ({ items }: Pull) => items[0]?.startsWith('document') ?? false;
const recordOf = (item: Item) => {
  const [id, revision] = item.split(':');
  return { id: Number(id), contentRevision: revision } as FetchedProject;
};

describe('The ledger against a reference', () => {
  const db = provide(() => testDatabase());
  let ledger: Ledger;
  let idempotency: IdempotencyStore;
  let holdings: HoldingStore;
  let accounts: AccountStore;
  before(async () => {
    ledger = new Ledger(db.database, { owned: new OwnedPages(db.database) });
    idempotency = new IdempotencyStore(db.another());
    holdings = new HoldingStore(db.database);
    accounts = new AccountStore(db.database, []);
  });

  const routeOf = (pull: Pull) => (isDocument(pull) ? 'GET /documents/{id}' : 'GET /projects/search');
  const requestOf = ({ items }: Pull) => JSON.stringify(items);

  function actorOf(real: Real, pull: Pull): Actor {
    const keyId = `00000000-0000-4000-8000-00000000000${pull.apiKey}`;
    const plan = planOf(real.plan);
    const monthlyCredits = real.plan === 'trial' ? null : GRANTS[real.plan];
    const principal: Principal = {
      ...{ keyId, teamId: real.teamId, userId: pull.apiKey, role: 'member', plan, monthlyCredits },
      licence: { nationwide: true },
      rotatingUntil: null,
    };
    return { principal, cause: { kind: 'request', requestId: 'model', route: routeOf(pull), idempotencyKey: pull.idempotencyKey } };
  }

  /** A request, through the code that every request takes. */
  async function pull(real: Real, asked: Pull): Promise<Told | string> {
    const services = { ledger, idempotency };
    const actor = actorOf(real, asked);
    const run = async (claiming: Actor): Promise<Told> => {
      if (isDocument(asked)) {
        const { creditsUsed, creditsRemaining } = await deliverDocument(services, claiming, Number(asked.items[0]?.split(' ')[1]));
        if (creditsUsed) real.billed.push(...asked.items);
        return { used: creditsUsed, remaining: creditsRemaining, delivered: asked.items };
      }
      const quote = () => ({ matchCount: asked.items.length, matchCountIsExact: true, countUrl: '' });
      const page = await deliverPage(services, claiming, asked.items.map(recordOf), quote);
      real.billed.push(...asked.items.filter((_, i) => page.deliveries[i]?.billed));
      assert.equal(page.deliveries.filter((delivery) => delivery.billed).length, page.creditsUsed);
      return { used: page.creditsUsed, remaining: page.creditsRemaining, delivered: asked.items.slice(0, page.deliveries.length) };
    };
    const replay = async (outcome: { ids: number[]; revisions?: string[]; cost: number; at: string }): Promise<Told> => {
      if (isDocument(asked)) return { used: 0, remaining: (await readBalance(services, actor)).creditsRemaining, delivered: asked.items };
      const delivered = outcome.ids.map((id, i) => `${id}:${outcome.revisions?.[i]}`);
      const page = await repeatDelivery(services, actor, delivered.map(recordOf), outcome);
      return { used: page.creditsUsed, remaining: page.creditsRemaining, delivered };
    };
    try {
      return await runOnce(services, actor, requestOf(asked), { run, replay });
    } catch (error) {
      if (error instanceof ApiError) return error.code;
      throw error;
    }
  }

  /** What the reference says to the same request. */
  function expected(model: Reference, real: Real, asked: Pull, now = real.now): Told | string {
    const { idempotencyKey, items } = asked;
    const key = idempotencyKey && `${routeOf(asked)} ${idempotencyKey}`;
    const request = requestOf(asked);
    const claim = key ? model.claim(key, request, now.getTime()) : 'run';
    if (claim === 'replay') {
      model.open(real.plan, monthOf(now));
      return { used: 0, remaining: model.balance, delivered: model.keys.get(key as string)?.delivered ?? [] };
    }
    if (claim !== 'run') return claim;
    const before = model.sold.size;
    const delivered = model.take(items, real.plan, monthOf(now));
    if (key) model.keys.delete(key);
    if (typeof delivered === 'string') return delivered;
    if (key) model.keys.set(key, { request, at: now.getTime(), delivered });
    return { used: model.sold.size - before, remaining: model.balance, delivered };
  }

  type Command = fc.AsyncCommand<Reference, Real>;
  const command = (name: string, run: (model: Reference, real: Real) => Promise<void>): Command => ({
    check: () => true,
    run,
    toString: () => name,
  });
  const record = fc.record({ id: fc.integer({ min: 1, max: 9 }), revision: fc.constantFrom('a', 'b', 'c') });
  const pageOf = fc
    .uniqueArray(record, { selector: ({ id }) => id, maxLength: 6 })
    .map((records) => records.map(({ id, revision }) => `${id}:${revision}`));
  const documentOf = fc.integer({ min: 1, max: 4 }).map((id) => [`document ${id}`]);
  const pullOf: fc.Arbitrary<Pull> = fc.record({
    items: fc.oneof({ weight: 5, arbitrary: pageOf }, { weight: 1, arbitrary: documentOf }),
    apiKey: fc.integer({ min: 1, max: 3 }),
    idempotencyKey: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  });
  const named = (asked: Pull) => `[${asked.items}]${asked.idempotencyKey ? ` under ${asked.idempotencyKey}` : ''} by ${asked.apiKey}`;

  const asks = pullOf.map((asked) =>
    command(`pull ${named(asked)}`, async (model, real) => {
      assert.deepEqual(await pull(real, asked), expected(model, real, asked));
    }),
  );
  /** The answer never arrived: the client asks again. */
  const asksAgain = pullOf.map((asked) =>
    command(`pull ${named(asked)}, lost after the commit, and again`, async (model, real) => {
      await pull(real, asked);
      expected(model, real, asked);
      assert.deepEqual(await pull(real, asked), expected(model, real, asked));
    }),
  );
  /** The process died between claim and commit. */
  const dies = pullOf.map((asked) =>
    command(`die with ${named(asked)} before the commit`, async (model, real) => {
      const key = asked.idempotencyKey;
      if (!key) return;
      const route = routeOf(asked);
      const doomed = new Error('the process died');
      const unreleased = { claim: idempotency.claim.bind(idempotency), release: async () => {} } as unknown as IdempotencyStore;
      const die = async (): Promise<never> => {
        throw doomed;
      };
      const services = { idempotency: unreleased };
      const died = await runOnce(services, actorOf(real, asked), requestOf(asked), { run: die, replay: async () => 'replay' }).catch(
        (e) => e,
      );
      const claim = model.claim(`${route} ${key}`, requestOf(asked), real.now.getTime());
      assert.equal(died instanceof ApiError ? died.code : died === doomed ? 'run' : died, claim);
      if (claim === 'run') model.keys.set(`${route} ${key}`, { request: requestOf(asked), at: real.now.getTime() });
    }),
  );
  const burst = fc.array(record, { minLength: 2, maxLength: 8 }).map((records) =>
    command(`all at once: ${records.map(({ id, revision }) => `${id}:${revision}`)}`, async (model, real) => {
      const pulls = records.map(({ id, revision }, i) => ({ items: [`${id}:${revision}`], apiKey: (i % 3) + 1 }));
      const told = await Promise.all(pulls.map((asked) => pull(real, asked)));
      const inOrderOfCharge = pulls.map((asked, i) => ({ asked, told: told[i] as Told | string }));
      // Which of them came first is open; those that were served, in any order, have to be served by the reference too, and then the refused refused.
      inOrderOfCharge.sort((a, b) => Number(typeof a.told === 'string') - Number(typeof b.told === 'string'));
      let used = 0;
      for (const { asked, told: answer } of inOrderOfCharge) {
        const wanted = expected(model, real, asked);
        assert.equal(typeof answer === 'string' ? answer : 'served', typeof wanted === 'string' ? wanted : 'served');
        if (typeof wanted !== 'string') used += wanted.used;
      }
      assert.equal(
        told.reduce((sum, answer) => sum + (typeof answer === 'string' ? 0 : answer.used), 0),
        used,
      );
    }),
  );
  const late = pageOf.map((items) =>
    command(`pull [${items}] while the clock is a month behind`, async (model, real) => {
      const before = new Date(real.now.getTime() - 31 * 86_400_000);
      const asked = { items, apiKey: 1 };
      await setClock(db.database, { at: before });
      assert.deepEqual(await pull(real, asked), expected(model, real, asked, before));
      await setClock(db.database, { at: real.now });
    }),
  );
  const waits = fc.constantFrom(1_000, 31_000, 31 * 86_400_000).map((ms) =>
    command(`wait ${ms / 1000} s`, async (_, real) => {
      real.now = new Date(real.now.getTime() + ms);
      await setClock(db.database, { at: real.now });
    }),
  );
  const changesPlan = fc.constantFrom<PlanName>('api_only', 'national', 'trial').map((plan) =>
    command(`change to ${plan}`, async (_, real) => {
      real.plan = plan;
    }),
  );
  const adjusts = fc.integer({ min: -5, max: 5 }).map((amount) =>
    command(`adjust by ${amount}`, async (model, real) => {
      const { plan, now, teamId } = real;
      const grant: Grant = { grantedFor: `${plan} ${plan === 'trial' ? 'lifetime' : 'month'}`, credits: GRANTS[plan] };
      const adjusted = await ledger.adjust({ teamId, grant }, amount, 'model').catch((error) => error.code);
      // A refused adjustment leaves nothing, not even the grant of a new month.
      const kept = { balance: model.balance, grant: model.grant };
      model.open(plan, monthOf(now));
      assert.equal(adjusted, model.balance + amount < 0 ? 'forbidden' : model.balance + amount);
      if (adjusted === 'forbidden') Object.assign(model, kept);
      else model.balance += amount;
    }),
  );

  /** Nothing of the reference beyond what it counted: the books of the pool, as they are kept. */
  async function checkBooks(model: Reference, real: Real): Promise<void> {
    assert.deepEqual((await auditLedger(db.database)).differences, []);
    const entries = await ledger.listReceipts(real.teamId, 1_000, null);
    assert.ok(entries.every((entry) => entry.balance >= 0));
    assert.equal(entries[0]?.balance ?? 0, model.balance);
    assert.equal(sumOf(entries, 'amount'), model.balance);
    assert.deepEqual(real.billed.toSorted(), [...model.sold].toSorted(), 'billed once each');
    const held = await holdings.revisions(real.teamId);
    assert.equal(held.size, [...model.paid].filter((item) => !item.startsWith('document')).length);
  }

  it(`agrees over ${RUNS} random histories (LEDGER_SEED=${SEED})`, async () => {
    const arbitraries = [asks, asks, asks, asksAgain, dies, burst, late, waits, changesPlan, adjusts];
    let now = new Date('2026-11-20T12:00:00Z'); // goes on from one history to the next
    const property = fc.asyncProperty(fc.commands(arbitraries, { maxCommands: COMMANDS_MAX, size: 'max' }), async (commands) => {
      const team = await accounts.createTeam({ name: 'Model', plan: 'api_only' });
      const model = new Reference();
      const real: Real = { teamId: team.id, plan: 'api_only', now, billed: [] };
      await setClock(db.database, { at: now });
      await fc.asyncModelRun(() => ({ model, real }), commands);
      now = real.now;
      await checkBooks(model, real);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  });
});
