import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { makeLogger } from '../../src/logging.ts';

describe('The log', () => {
  function written(error: unknown): string {
    const out = new PassThrough();
    makeLogger('info', out).warn({ err: error }, 'It failed');
    return String(out.read());
  }

  it('names an error, its code and its causes', () => {
    const refused = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    const { msg, err } = JSON.parse(written(new TypeError('no answer', { cause: refused })));
    assert.deepEqual([msg, err.type, err.message], ['It failed', 'TypeError', 'no answer']);
    assert.deepEqual([err.cause.code, err.cause.message], ['ECONNREFUSED', 'connect refused']);
    assert.match(err.stack, /logging\.test/);
  });

  it('holds neither the password nor the request that a library hangs on its errors, and is bounded', () => {
    const auth = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['sesame'] } });
    const search = Object.assign(new Error('x'.repeat(1e6)), { meta: { request: { body: 'y'.repeat(1e6) } }, cause: auth });
    const line = written(search);
    assert.ok(!line.includes('sesame') && !line.includes('yyy'));
    assert.ok(line.length < 10_000, String(line.length));
    const circle = new Error('around');
    circle.cause = circle;
    assert.ok(written(circle).length < 20_000);
    assert.match(written('a text'), /"err":"a text"/);
  });
});
