import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { makeLayeredAxis } from '../../../src/features/analytics/levelTables.ts';
import { decideVisibility, type Weighed } from '../../../src/features/analytics/visibility.ts';
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

describe('What is hidden of a large table', () => {
  const pool = new VisibilityPool();
  const table = largeTable();

  after(() => pool.close());

  it('is decided as in the process itself, which answers others meanwhile', async () => {
    await pool.decide(table, undefined); // starts the thread
    let longest = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const visible = await pool.decide(table, undefined);
    clearInterval(watch);
    const started = performance.now();
    assert.deepEqual(visible, decideVisibility(table));
    assert.ok(longest < Math.max(LONGEST_PAUSE_MS, (performance.now() - started) / 2), `${longest} ms without another answer`);
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
