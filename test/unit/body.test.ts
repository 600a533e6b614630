import assert from 'node:assert/strict';
import { makeBodyCheck } from '../../src/http/body.ts';

/** As many as a body may have. */
const VALUES = 14_000;
const OWN_MS_MAX = 300;

describe('A body of many wrong values', () => {
  for (const [what, items] of Object.entries({
    'unknown words': { type: 'string', enum: ['record.created', 'ping'] },
    'numbers where texts are listed': { type: 'integer', enum: [1, 2] },
    'neither of two forms': { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
  } as const))
    it(`is refused in time linear in their number: ${what}`, () => {
      const check = makeBodyCheck({ type: 'object', properties: { types: { type: 'array', items } } } as never);
      check({ types: [null] });
      const before = process.threadCpuUsage();
      assert.equal(check({ types: Array(VALUES).fill('x') }).length, VALUES);
      const spent = process.threadCpuUsage(before).user / 1_000;
      assert(spent < OWN_MS_MAX, `${spent} ms`);
    });
});
