/** From hits to billed public records, for requests and for jobs, and what a match set costs. */

import assert from 'node:assert/strict';
import { ApiError } from '../../src/core/domain/errors.ts';
import { PLANS, type PlanId } from '../../src/core/domain/plans.ts';
import type { Principal } from '../../src/core/domain/principal.ts';
import type { ServedRecord } from '../../src/core/domain/record/rendered.ts';
import type { PublicRecord } from '../../src/core/domain/record/represent.ts';
import type { Payer } from '../../src/core/ledger/ledger.ts';
import type { PageOutcome } from '../../src/core/ledger/pageOutcome.ts';
import { type Actor, CLIENT_GONE, payerOf } from '../../src/core/search/actor.ts';
import type { PageDelivery } from '../../src/core/search/delivery.ts';
import { computePrice } from '../../src/core/search/price.ts';
import { selectionOf } from '../../src/core/search/select.ts';
import { joinDeliveries, type ServingServices, serveAgain, servePage, toPublicRecords } from '../../src/core/search/servePage.ts';
import type { ProjectHit } from '../../src/core/store/elastic/projects.ts';
import { pluck } from '../support/lists.ts';
import { NO_PEOPLE, STRANGER } from '../support/noPeople.ts';

const TODAY = '2026-11-20';
const principalOf = (plan: PlanId): Principal => ({
  ...{ keyId: '00000000-0000-4000-8000-000000000000', teamId: 3, userId: 5, role: 'member', plan: PLANS[plan], monthlyCredits: null },
  licence: { nationwide: true },
  rotatingUntil: null,
});
const cause = { kind: 'request', requestId: 'req', route: 'GET /projects/search' } as const;
const job = { kind: 'job', jobId: 'job-1', attempt: 2 } as const;
const actorOf = (plan: PlanId, more: Partial<Actor> = {}): Actor => ({ principal: principalOf(plan), cause, ...more });

const hit = (id: number): ProjectHit => ({
  project: {
    id,
    lastUpdated: `${TODAY}T00:00:00.000Z`,
    contentRevision: `r${id}`,
    compact: { id, state: 'CO', propertyType: 'residential' },
  },
  ...{ matched: [], sort: [] },
});
const hits = [hit(1), hit(2), hit(3)];
const page = { hits, selection: selectionOf({ acreageMin: 5 }, principalOf('api_only'), TODAY), representation: 'compact' as const };
const quoteOf = () => ({ matchCount: 9, matchCountIsExact: true, countUrl: 'http://landuse.test/count', offset: 20 });

const outcomeOf = (more: Partial<PageOutcome> = {}): PageOutcome => ({
  ...{ outcome: 'delivered', balance: 40, cost: 1, served: 3, affordable: 3 },
  knownRevisions: [null, 'r2', 'an older one'],
  lastDeliveries: [null, new Date(0), new Date(0)],
  costs: [1, 0, 0],
  ...more,
});

/** A ledger that gives one answer to every page, and notes who paid. */
function ledgerWith(answer: () => PageOutcome): { services: ServingServices; payers: Payer[] } {
  const payers: Payer[] = [];
  const ledger: ServingServices['ledger'] = {
    deliverPage: async (payer) => {
      payers.push(payer);
      return answer();
    },
    deliverDocument: () => assert.fail('no document'),
    balance: async () => 40,
  };
  return { services: { ledger, publicUrl: 'http://landuse.test', ...NO_PEOPLE }, payers };
}

const outage = () => {
  throw new ApiError('service_unavailable', 'The ledger cannot be read');
};
const bodiesOf = (records: readonly ServedRecord[]) => JSON.parse(JSON.stringify(records)) as PublicRecord[];
const deliveriesOf = (records: readonly ServedRecord[]) => bodiesOf(records).map(({ id, delivery }) => ({ id, ...(delivery as object) }));

describe('servePage', () => {
  it('shows each delivered record with how the pool stands to it, and what the page cost', async () => {
    const { services } = ledgerWith(outcomeOf);
    const { records, deliveries, ...rest } = await servePage(services, actorOf('api_only'), { ...page, quoteOf });
    const epoch = new Date(0).toISOString();
    assert.deepEqual(deliveriesOf(records), [
      { id: 1, alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: true },
      { id: 2, alreadyExported: true, updatedSinceExport: false, lastExportedAt: epoch, billed: false },
      { id: 3, alreadyExported: true, updatedSinceExport: true, lastExportedAt: epoch, billed: false },
    ]);
    assert.deepEqual(deliveries, pluck(bodiesOf(records), 'delivery'));
    const delivery = {
      ...{ notPreviouslyExported: 1, previouslyExported: 2, updatedSinceExport: 1, billed: 1, notRebilled: 2, ledgerApplied: true },
    };
    assert.deepEqual(
      { ...rest, warnings: rest.warnings.map(({ code }) => code) },
      {
        ...{ creditsUsed: 1, creditsRemaining: 40, delivery, warnings: ['filter_evidence_unconfirmed'] },
      },
    );
  });

  it('cuts the page of a trial to what was delivered, and says so', async () => {
    const { services } = ledgerWith(() => outcomeOf({ served: 1, balance: 0 }));
    const { records, trialTruncation } = await servePage(services, actorOf('trial'), { ...page, quoteOf });
    assert.deepEqual(pluck(bodiesOf(records), 'id'), [1]);
    assert.deepEqual(trialTruncation, { policy: 'trial_truncate', requested: 3, delivered: 1, creditsRemaining: 0 });
  });

  it('charges nothing before the rate limit has admitted the request, and nothing if it refuses', async () => {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const { services, payers } = ledgerWith(outcomeOf);
    const serving = servePage(services, actorOf('api_only', { admitted }), { ...page, quoteOf });
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(payers.length, 0);
    admit();
    await serving;
    assert.equal(payers.length, 1);
    const refused = Promise.reject(new ApiError('rate_limit_exceeded', 'too many'));
    await assert.rejects(servePage(services, actorOf('api_only', { admitted: refused }), { ...page, quoteOf }), {
      code: 'rate_limit_exceeded',
    });
    assert.equal(payers.length, 1);
  });

  it('refuses a page that is too dear with its quote, which is looked up only then', async () => {
    const { services } = ledgerWith(() => outcomeOf({ outcome: 'insufficient', cost: 3, balance: 2, affordable: 2 }));
    await assert.rejects(servePage(services, actorOf('api_only'), { ...page, quoteOf }), (error: ApiError) => {
      assert.equal(error.code, 'insufficient_credits');
      assert.match(error.message, /Repeat it with limit=2 and offset=20\.$/);
      const { quote } = error.details as { quote: Record<string, unknown> };
      assert.deepEqual([quote.matchCount, quote.creditsRequired, quote.creditsRemaining, quote.creditRate], [9, 3, 2, 1]);
      return true;
    });
    const exhausted = ledgerWith(() => outcomeOf({ outcome: 'exhausted' })).services;
    const unasked = () => assert.fail('no quote is needed');
    await assert.rejects(servePage(exhausted, actorOf('api_only'), { ...page, quoteOf: unasked }), { code: 'credits_exhausted' });
  });

  it('serves free records without a ledger, but not to a job or under an idempotency key, which come again', async () => {
    const { services } = ledgerWith(outage);
    const { records, creditsRemaining, delivery } = await servePage(services, actorOf('national'), { ...page, quoteOf });
    assert.deepEqual([records.length, creditsRemaining, delivery.ledgerApplied, delivery.notPreviouslyExported], [3, null, false, 0]);
    const claim = { route: cause.route, key: 'once', owner: 'one' };
    for (const actor of [actorOf('api_only'), actorOf('national', { cause: job }), actorOf('national', { cause: { ...cause, claim } })])
      await assert.rejects(servePage(services, actor, { ...page, quoteOf }), { code: 'service_unavailable' });
  });

  it('charges nobody when the client is gone', async () => {
    const { services, payers } = ledgerWith(outcomeOf);
    const actor = actorOf('api_only', { signal: AbortSignal.abort(CLIENT_GONE) });
    await assert.rejects(servePage(services, actor, { ...page, quoteOf }), { code: 'service_unavailable' });
    assert.deepEqual(payers, []);
  });

  it('notes the request or the job that a charge is for, and keeps what a repetition needs with the claim', async () => {
    const { services, payers } = ledgerWith(outcomeOf);
    const claim = { route: cause.route, key: 'once', owner: 'one' };
    const { keyId, userId } = principalOf('api_only');
    await servePage(services, actorOf('api_only', { cause: { ...cause, idempotencyKey: 'once', claim } }), { ...page, quoteOf, keep: [1] });
    await servePage(services, actorOf('api_only', { cause: job }), { ...page, quoteOf, keep: [1] });
    assert.deepEqual(
      payers.map((payer) => [payer.teamId, payer.cause, payer.claim]),
      [
        [3, { requestId: 'req', route: cause.route, keyId, userId, idempotencyKey: 'once' }, { ...claim, keep: [1] }],
        [3, { keyId, userId, jobId: 'job-1' }, undefined],
      ],
    );
    assert.deepEqual(payerOf(actorOf('api_only')).cause, { requestId: 'req', route: cause.route, keyId, userId });
  });
});

describe('serveAgain', () => {
  it('shows the records whose current version is paid for, in the same shape and without charge, and names the others', async () => {
    const { services, payers } = ledgerWith(outcomeOf);
    const [firstAt, lastAt] = [new Date(TODAY), new Date(TODAY)];
    const pageHoldings = async () => new Map([1, 2].map((id) => [id, { revision: 'r', firstAt, lastAt, paid: id === 1 || isPaid }]));
    let isPaid = true;
    const at = `${TODAY}T01:00:00.000Z`;
    const committed = { ids: [1, 2], revisions: ['r1', 'an older one'], requested: 3, cost: 2, at };
    const again = await serveAgain(
      { ...services, holdings: { pageHoldings } },
      actorOf('trial'),
      { ...page, hits: hits.slice(0, 2) },
      committed,
    );
    assert.deepEqual(deliveriesOf(again.records), [
      { id: 1, alreadyExported: true, updatedSinceExport: false, lastExportedAt: at, billed: false },
      { id: 2, alreadyExported: true, updatedSinceExport: true, lastExportedAt: at, billed: false },
    ]);
    assert.deepEqual([again.creditsUsed, again.creditsRemaining, payers.length], [0, 40, 0]);
    assert.deepEqual(again.trialTruncation, { policy: 'trial_truncate', requested: 3, delivered: 2, creditsRemaining: 40 });
    isPaid = false;
    const left = async (plan: 'trial' | 'national') => {
      const { records, delivery } = await serveAgain(
        { ...services, holdings: { pageHoldings } },
        actorOf(plan),
        { ...page, hits: hits.slice(0, 2) },
        committed,
      );
      return [records.length, delivery.changedSince];
    };
    assert.deepEqual(
      [await left('trial'), await left('national')],
      [
        [1, [2]],
        [2, undefined],
      ],
    );
  });
});

describe('served', () => {
  it('warns of a filter that a delivered record does not confirm, and not of one that was not delivered', () => {
    const sized = (id: number, acreage?: number): ProjectHit => {
      const { project } = hit(id);
      return {
        ...hit(id),
        project: { ...project, compact: { ...project.compact, ...(acreage ? { acreage } : {}) } as typeof project.compact },
      };
    };
    const found = { ...page, hits: [sized(1, 8), sized(2)] };
    const records = () => toPublicRecords(found, principalOf('api_only'), 'http://landuse.test', STRANGER);
    const delivery = { alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: false };
    const of = (count: number): PageDelivery => ({
      ...{ deliveries: Array.from({ length: count }, () => delivery), creditsUsed: 0, creditsRemaining: 0 },
      meta: { notPreviouslyExported: 0, previouslyExported: 0, updatedSinceExport: 0, billed: 0, notRebilled: 0, ledgerApplied: true },
    });
    assert.deepEqual(joinDeliveries(found, records(), of(1)).warnings, []);
    assert.deepEqual(pluck(joinDeliveries(found, records(), of(2)).warnings, 'params'), [{ filters: ['acreageMin'], records: 1 }]);
  });
});

describe('priceOf', () => {
  const affordability = (matchCount: number, unchangedCount: number, creditRate: number, creditsRemaining: number | null) => {
    const price = computePrice({ matchCount, unchangedCount, creditRate, creditsRemaining });
    return [price.billableRecordCount, price.creditsRequired, price.affordability.affordable, price.affordability.maxAffordableRecords];
  };

  it('bills what the pool does not hold unchanged, and counts what it holds as affordable', () => {
    assert.deepEqual(affordability(10, 4, 1, 6), [6, 6, true, 10]);
    assert.deepEqual(affordability(10, 4, 1, 5), [6, 6, false, 9]);
    assert.deepEqual(affordability(10, 10, 1, 0), [0, 0, true, 10]);
    assert.deepEqual(affordability(0, 0, 1, 0), [0, 0, true, 0]);
  });

  it('is nothing on a plan whose records are free, also when its balance cannot be read', () => {
    assert.deepEqual(affordability(10, 0, 0, 3), [0, 0, true, 10]);
    assert.deepEqual(affordability(10, 0, 0, null), [0, 0, true, 10]);
  });
});
