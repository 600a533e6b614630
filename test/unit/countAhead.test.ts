/** The count of a match set begins with what the pool held a moment ago, and counts only if it holds the same now. */
import assert from 'node:assert/strict';
import { PLANS } from '../../src/core/domain/plans.ts';
import type { Principal } from '../../src/core/domain/principal.ts';
import { HeldNumbers } from '../../src/core/ledger/heldNumbers.ts';
import type { HeldRevisions, HoldingStore } from '../../src/core/ledger/holdings.ts';
import type { Ledger } from '../../src/core/ledger/ledger.ts';
import { priceMatches } from '../../src/core/search/price.ts';
import type { ProjectStore } from '../../src/core/store/elastic/projects.ts';

const principal: Principal = {
  ...{ keyId: 'k', teamId: 3, userId: 5, role: 'member', plan: PLANS.api_only, monthlyCredits: null },
  ...{ licence: { nationwide: true }, rotatingUntil: null },
};

const heldAt = (version: string, ...numbers: string[]): HeldRevisions => {
  const held = new HeldNumbers();
  held.add(numbers);
  return { ...held.makeView(), version };
};

describe('A count while holdings are looked up', () => {
  /** @returns what was counted before the look-up was answered, how often in all, and the price */
  async function priceWith(expected: HeldRevisions | undefined, held: HeldRevisions) {
    const asked: number[] = [];
    let before = 0;
    const store = {
      counts: async (queries: readonly object[]) => {
        asked.push(queries.length);
        return [10, queries.length - 1];
      },
    } as unknown as ProjectStore;
    const holdings = {
      guessRevisions: () => expected,
      revisionsAndBalance: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        before = asked.length;
        return { held, balance: 100 };
      },
    } as unknown as HoldingStore;
    const { billableRecordCount } = await priceMatches({ store, ledger: {} as Ledger, holdings }, principal, { match_all: {} });
    return { before, times: asked.length, billableRecordCount };
  }

  it('is made once, before the answer, where the pool holds what it held', async () => {
    const held = heldAt('a:1', '11');
    assert.deepEqual(await priceWith(held, held), { before: 1, times: 1, billableRecordCount: 9 });
    assert.deepEqual(await priceWith(heldAt('a:0'), heldAt('a:0')), { before: 1, times: 1, billableRecordCount: 10 });
  });

  it('is repeated if the pool holds something else by now', async () => {
    assert.deepEqual(await priceWith(heldAt('a:0'), heldAt('a:1', '11')), { before: 1, times: 2, billableRecordCount: 9 });
  });

  it('waits if nothing is expected', async () => {
    assert.deepEqual(await priceWith(undefined, heldAt('a:1', '11')), { before: 0, times: 1, billableRecordCount: 9 });
  });
});
