/** What is charged for a page, to whom, and when nothing may be: which no answer shows. */

import assert from 'node:assert/strict';
import { ApiError } from '../../src/core/domain/errors.ts';
import { PLANS, type PlanId } from '../../src/core/domain/plans.ts';
import type { Principal } from '../../src/core/domain/principal.ts';
import type { Payer } from '../../src/core/ledger/ledger.ts';
import type { PageOutcome } from '../../src/core/ledger/pageOutcome.ts';
import { type Actor, payerOf } from '../../src/core/search/actor.ts';
import type { PageDelivery } from '../../src/core/search/delivery.ts';
import { selectionOf } from '../../src/core/search/select.ts';
import { joinDeliveries, type ServingServices, servePage, toPublicRecords } from '../../src/core/search/servePage.ts';
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

describe('servePage', () => {
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

  it('serves free records without a ledger, but not to a job or under an idempotency key, which come again', async () => {
    const { services } = ledgerWith(outage);
    const { records, creditsRemaining, delivery } = await servePage(services, actorOf('national'), { ...page, quoteOf });
    assert.deepEqual([records.length, creditsRemaining, delivery.ledgerApplied, delivery.notPreviouslyExported], [3, null, false, 0]);
    const claim = { route: cause.route, key: 'once', owner: 'one' };
    for (const actor of [actorOf('api_only'), actorOf('national', { cause: job }), actorOf('national', { cause: { ...cause, claim } })])
      await assert.rejects(servePage(services, actor, { ...page, quoteOf }), { code: 'service_unavailable' });
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
