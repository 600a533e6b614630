import assert from 'node:assert/strict';
import { chooseEncoding } from '../../src/http/compression.ts';

describe('the encoding of an answer', () => {
  for (const [header, encoding, required] of [
    [undefined, null, false],
    ['', null, false],
    ['gzip', 'gzip', false],
    ['GZip', 'gzip', false],
    ['x-gzip', 'gzip', false],
    ['gzip, deflate, br, zstd', 'zstd', false],
    ['gzip, deflate, br', 'br', false],
    ['gzip;q=1.0, br;q=0.5', 'gzip', false],
    ['br;q=0.1,gzip ; q=0.2', 'gzip', false],
    ['gzip;q=0', null, false],
    ['deflate', null, false],
    ['*', 'zstd', false],
    ['*, zstd;q=0', 'br', false],
    ['gzip;q=0.5, *;q=0', 'gzip', true],
    ['identity', null, false],
    ['identity, gzip;q=0.5', null, false],
    ['identity;q=0.5, gzip', 'gzip', false],
    ['identity;q=0, gzip', 'gzip', true],
    ['identity;q=0', null, true],
    ['*;q=0', null, true],
    ['gzip;q=high, br', 'br', false],
    ['gzip;q=2', null, false],
    [',,;;=', null, false],
  ] as const)
    it(`for '${header}' is ${encoding ?? 'none'}${required ? ', and one is asked for' : ''}`, () => {
      assert.deepEqual(chooseEncoding(header), { encoding, required });
    });
});
