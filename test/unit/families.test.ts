import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Claims, resolveFamilies } from '../../ingest/write/families.ts';

const families = (claims: Record<number, number[]>) =>
  Object.fromEntries(resolveFamilies(new Map(Object.entries(claims).map(([id, ids]) => [Number(id), ids]))));

describe('families of merged developments', () => {
  it('take in the families of those they absorb, in whatever order they are stated', () => {
    assert.deepEqual(families({ 1: [2], 3: [1] }), { 3: [1, 2] });
    assert.deepEqual(families({ 3: [1], 1: [2], 5: [3] }), { 5: [1, 2, 3] });
  });

  it('go to the lowest id where several claim one or claim each other', () => {
    assert.deepEqual(families({ 4: [1], 3: [1] }), { 3: [1] });
    assert.deepEqual(families({ 1: [2], 2: [1] }), { 1: [2] });
    assert.deepEqual(families({ 7: [5], 5: [6], 6: [7], 9: [6] }), { 5: [6, 7] });
  });

  it('absorb a record at most once and never one that absorbs', () => {
    const id = fc.integer({ min: 1, max: 12 });
    const claims = fc.dictionary(id.map(String), fc.uniqueArray(id, { maxLength: 4 }), { maxKeys: 12 });
    fc.assert(
      fc.property(claims, (stated) => {
        const given: Claims = new Map(
          Object.entries(stated).map(([survivor, ids]) => [Number(survivor), ids.filter((one) => one !== Number(survivor))]),
        );
        const found = resolveFamilies(given);
        const absorbed = [...found.values()].flat();
        assert.equal(new Set(absorbed).size, absorbed.length);
        for (const survivor of found.keys()) assert.ok(!absorbed.includes(survivor));
        const named = new Set([...given.values()].flat());
        for (const one of named) assert.ok(absorbed.includes(one) || found.has(one), `${one} is named by another`);
      }),
    );
  });
});
