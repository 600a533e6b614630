import assert from 'node:assert/strict';
import { retryAfterMs, secondsText } from '../../src/core/domain/durations.ts';

describe('durations', () => {
  it('are shown in seconds to a tenth', () => {
    assert.deepEqual([0, 49, 50, 12_345].map(secondsText), ['0.0 s', '0.0 s', '0.1 s', '12.3 s']);
  });

  it('are read from Retry-After as seconds or a date', () => {
    assert.deepEqual([null, undefined, '', 'soon', '-3', '0', '2', '0.5'].map(retryAfterMs), [0, 0, 0, 0, 0, 0, 2000, 500]);
    const wait = retryAfterMs(new Date(Date.now() + 60_000).toUTCString());
    assert(wait > 50_000 && wait <= 60_000, String(wait));
    assert.equal(retryAfterMs('Tue, 01 Jan 2019 00:00:00 GMT'), 0);
  });
});
