import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { findPairsToHide, type ShownPair } from '../../../src/features/analytics/exposedPairs.ts';
import { makeLayeredAxis } from '../../../src/features/analytics/levelTables.ts';
import { decideVisibility, type Visibility, type Weighed } from '../../../src/features/analytics/visibility.ts';
import { VisibilityPool } from '../../../src/features/analytics/visibilityPool.ts';
import { type ClientState, clientSignal } from '../../../src/http/clientSignal.ts';
import { tableOf } from '../../support/attacker.ts';
import { Random } from '../../support/random.ts';

const LONGEST_PAUSE_MS = 250;
/** Less than the table takes. */
const DEADLINE_MS = 1;

/** By 200 counties and 24 months, with the sums. */
function largeTable(): Weighed {
  const random = new Random(1);
  const axes = [
    makeLayeredAxis(200, [Array.from({ length: 200 }, (_, i) => i % 50)]),
    makeLayeredAxis(24, [Array.from({ length: 24 }, (_, i) => Math.floor(i / 12))]),
  ] as const;
  const placed = Array.from({ length: 9_000 }, () => ({
    at: [Math.floor(200 * random.next() ** 3), random.integer(0, 23)] as const,
    weights: [1],
  }));
  const { cells } = tableOf(axes, placed);
  const counts = cells.map(({ weights }) => weights[0] ?? 0);
  return { axes, at: cells.map(({ at }) => at), counts, statistics: [counts.map((count) => [Math.floor(count / 2)])] };
}

/** Nine thousand pairs of groups, of which hidden outcomes could be five. */
function manyPairs(): { pairs: ShownPair[]; sets: number[][] } {
  const random = new Random(2);
  const pairs = Array.from({ length: 9_000 }, (_, i): ShownPair => {
    const counts = Array.from({ length: 7 }, () => Math.floor(6 * random.next() ** 2));
    return {
      keys: [i % 300, Math.floor(i / 300)],
      counts,
      sums: counts.map((count) => (count < 5 ? 2 : null)),
      isShown: random.chance(0.9),
    };
  });
  return { pairs, sets: pairs[0]?.counts.map((_, i) => [i]) ?? [] };
}

/** The longest time in which nothing else was done, while work goes on. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await work();
  clearInterval(watch);
  return Math.max(longest, performance.now() - last);
}

describe('What is hidden of a large table', () => {
  const pool = new VisibilityPool();
  const table = largeTable();

  after(() => pool.close());

  it('is decided as in the process itself, which answers others meanwhile', async () => {
    await pool.decide(table, undefined); // starts the thread
    let visible: Visibility | undefined;
    const longest = await longestPause(async () => {
      visible = await pool.decide(table, undefined);
    });
    const started = performance.now();
    assert.deepEqual(visible, decideVisibility(table));
    assert.ok(longest < Math.max(LONGEST_PAUSE_MS, (performance.now() - started) / 2), `${longest} ms without another answer`);
  });

  it('has its pairs of groups found as in the process itself, which answers others meanwhile', async () => {
    const task = manyPairs();
    await pool.findPairsToHide(task, undefined);
    let hidden: number[] = [];
    const longest = await longestPause(async () => {
      hidden = await pool.findPairsToHide(task, undefined);
    });
    const started = performance.now();
    assert.deepEqual(hidden, findPairsToHide(task));
    assert.ok(hidden.length > 0);
    assert.ok(longest < (performance.now() - started) / 2, `${longest} ms without another answer`);
  });

  it('is dropped when the client leaves, and the next one is decided', async () => {
    const leaving = new AbortController();
    const work = pool.decide(table, leaving.signal);
    setTimeout(() => leaving.abort(new Error('left')), DEADLINE_MS);
    await assert.rejects(work, /left/);
    assert.equal((await pool.decide(table, new AbortController().signal)).counts.length, table.at.length);
  });

  it('is reported as an outage if it takes longer than a request may', async () => {
    const request = { res: new EventEmitter(), state: {} as ClientState };
    const answered = clientSignal(DEADLINE_MS)(request as never, async () => {
      await pool.decide(table, request.state.signal);
    });
    await assert.rejects(Promise.resolve(answered), { code: 'search_unavailable' });
  });
});
