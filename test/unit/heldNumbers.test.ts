/** The packed set of what a pool holds equals a plain set at every moment. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HeldNumbers, type HeldView } from '../../src/core/ledger/heldNumbers.ts';
import { LongSet } from '../../src/core/ledger/longSet.ts';
import { Random } from '../support/random.ts';

const longs = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** Many numbers that differ only in their last bits, and the ends of the range. */
const numbers = fc.array(
  fc.oneof(longs, fc.bigInt({ min: -40n, max: 40n }), fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 48n, 2n ** 16n, -(2n ** 16n))),
  { maxLength: 60 },
);
const sent = (view: HeldView) => [...view.lists()].flatMap((list) => list.json.slice(1, -1).split(','));
/** Made up, all different. */
const made = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => String(BigInt.asIntN(64, BigInt(from + i) * 0x9e3779b97f4a7c15n)));

describe('Numbers that a pool holds', () => {
  it('are those that were put into the set, in any order and again', () => {
    fc.assert(
      fc.property(fc.array(numbers, { maxLength: 5 }), numbers, (parts, others) => {
        let set = LongSet.EMPTY;
        const plain = new Set<bigint>();
        for (const part of parts) {
          set = set.with(BigInt64Array.from(part));
          for (const number of part) plain.add(number);
        }
        assert.deepEqual(new Set([...set.parts(7)].flatMap((part) => [...part])), plain);
        assert.equal(set.size, plain.size);
        for (const number of [...others, ...plain]) assert.equal(set.has(String(number)), plain.has(number), String(number));
      }),
      { numRuns: 300 },
    );
  });

  it('take six bytes each', () => {
    const set = LongSet.EMPTY.with(BigInt64Array.from(made(1, 200_000), BigInt));
    assert.equal(set.bytes, 200_000 * 6 + 4 * 65_537);
  });

  it('stay what they were in a view, and are counted on from what was counted before', () => {
    const held = new HeldNumbers();
    const random = new Random(11);
    const plain = new Set<string>();
    const set = new Set(made(0, 60_000).filter(() => random.chance(0.15)));
    const among = (view: HeldView) => [...set].filter((number) => view.has(number)).length;
    let [at, continued, begun] = [0, 0, 0];
    while (at < 60_000) {
      const before = held.makeView();
      const counted = among(before);
      before.remember('set', { size: set.size, held: counted });
      const added = made(at, random.pick([3, 900, 7_000]));
      at += added.length;
      held.add([...added, ...made(random.integer(0, at), 2)]);
      for (const number of added) plain.add(number);
      const view = held.makeView();
      assert.equal(among(before), counted, 'an earlier view');
      const known = view.counted('set');
      if (known) {
        const since = known.since.json.slice(1, -1).split(',');
        assert.equal(known.held + since.filter((number) => set.has(number)).length, among(view));
        continued++;
      } else begun++;
    }
    const all = sent(held.makeView());
    for (const number of plain) assert.ok(held.makeView().has(number), number);
    assert.deepEqual([all.length, new Set(all).size], [held.makeView().size, held.makeView().size]);
    assert.ok(continued > 3 && begun > 1, `${continued} went on, ${begun} were begun again`);
    assert.equal(held.makeView().counted('another set'), undefined);
  });
});
