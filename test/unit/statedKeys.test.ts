/** Finds keys that a file states twice, among any number of keys. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StatedKeys, type StatedKind } from '../../ingest/write/statedKeys.ts';
import { pluck } from '../support/lists.ts';

const KINDS = ['project', 'document', 'contact'] as const;

const key = (kind: StatedKind) =>
  kind === 'contact'
    ? fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 24, maxLength: 24 }).map((digits) => digits.join(''))
    : fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).map(String);

describe('The keys of a file', () => {
  it('are found where they are stated twice, within a kind, and nowhere else', () => {
    const stated = fc.constantFrom(...KINDS).chain((kind) => key(kind).map((one) => [kind, one] as const));
    const once = fc.uniqueArray(stated, { selector: ([kind, one]) => `${kind} ${one}`, maxLength: 40 });
    fc.assert(
      fc.property(once, fc.array(fc.nat(39)), (keys, again) => {
        const twice = new Set(again.filter((at) => at < keys.length));
        const found = new StatedKeys();
        for (const [kind, one] of [...keys, ...[...twice].map((at) => keys[at] as (typeof keys)[number])]) found.add(kind, one);
        const isTwice = found.makeRepeatedTest();
        if (!twice.size) assert.equal(isTwice, undefined);
        else for (const [at, [kind, one]] of keys.entries()) assert.equal(isTwice?.(kind, one), twice.has(at), `${kind} ${one}`);
      }),
      { numRuns: 200 },
    );
  });

  it('are handed out ascending, however many there are', async () => {
    const found = new StatedKeys();
    for (let i = 0; i < 10_000; i += 1) found.add('project', String((i * 7919) % 10_007));
    const pages: number[][] = [];
    for await (const page of found.listProjectPages(3_000)) pages.push(page);
    assert.deepEqual(pluck(pages, 'length'), [3_000, 3_000, 3_000, 1_000]);
    const all = pages.flat();
    assert(all.every((id, i) => i === 0 || id > (all[i - 1] as number)));
    assert.equal(found.makeRepeatedTest(), undefined);
  });
});
