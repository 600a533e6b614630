import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApiError } from '../../src/core/domain/errors.ts';
import { KeyResolver } from '../../src/core/identity/resolvedKeys.ts';

const REMEMBERED = 10_000;
const digestOf = (name: string) => createHash('sha256').update(name).digest();
const outage = () => Promise.reject(new ApiError('service_unavailable', 'The account database cannot be reached'));

function rowOf(digest: Buffer) {
  const account = { team_id: 1, user_id: 1, role: 'owner', closed_at: null, plan: 'national', status: 'active', monthly_credits: null };
  return { id: digest.toString('hex'), lineage: 'l', revoked_at: null, expires_at: null, ...account, state_ids: [], county_ids: [] };
}

describe('Keys that are recognised without Postgres', () => {
  let asked = 0;
  let up = true;
  let nowMs = 0;
  const query = async (_: string, [digest]: readonly unknown[] = []) => {
    asked += 1;
    return up ? [rowOf(digest as Buffer)] : outage();
  };
  const make = () => new KeyResolver({ database: { query: query as never }, now: () => new Date(nowMs) });
  beforeEach(() => {
    [asked, up, nowMs] = [0, true, 0];
  });

  it('are as many as were used last, and no more', async () => {
    const keys = make();
    for (let i = 0; i <= REMEMBERED; i++) await keys.resolve(digestOf(`${i}`));
    [up, nowMs] = [false, 1_000];
    await assert.rejects(keys.resolve(digestOf('0')), { code: 'service_unavailable' });
    for (const i of [1, REMEMBERED]) assert.equal((await keys.resolve(digestOf(`${i}`))).kind, 'ok');
  });

  it('have a Postgres that fails asked again twice a second, not by every request', async () => {
    const keys = make();
    for (let i = 0; i < 50; i++) await keys.resolve(digestOf(`${i}`));
    [up, nowMs, asked] = [false, 1_000, 0];
    for (let i = 0; i < 50; i++) assert.equal((await keys.resolve(digestOf(`${i}`))).kind, 'ok');
    assert.equal(asked, 1);
    [up, nowMs] = [true, 1_500];
    await keys.resolve(digestOf('0'));
    assert.equal(asked, 2);
  });
});

describe('Keys of busy callers', () => {
  const digest = digestOf('busy');
  /** queries of Postgres that are not answered yet */
  let asked: PromiseWithResolvers<unknown[]>[] = [];
  let nowMs = 0;
  const query = () => {
    const answer = Promise.withResolvers<unknown[]>();
    asked.push(answer);
    return answer.promise;
  };
  const make = () => new KeyResolver({ database: { query: query as never }, now: () => new Date(nowMs) });
  const revoked = { ...rowOf(digest), revoked_at: new Date(0) };
  const answer = async (row: object) => {
    asked.at(-1)?.resolve([row]);
    await new Promise(setImmediate);
  };
  /** A resolver that has just read the key, and is reading it again. */
  async function readingAgain() {
    [asked, nowMs] = [[], 0];
    const keys = make();
    const first = keys.resolve(digest);
    await answer(rowOf(digest));
    assert.equal((await first).kind, 'ok');
    nowMs = 400;
    for (let i = 0; i < 3; i++) assert.equal((await keys.resolve(digest)).kind, 'ok', 'without waiting');
    assert.equal(asked.length, 2);
    return keys;
  }

  it('are read again while the last answer is still good, so that no request waits, and refused half a second after a change', async () => {
    const keys = await readingAgain();
    await answer(rowOf(digest));
    nowMs = 890;
    assert.equal((await keys.resolve(digest)).kind, 'ok');
    assert.equal(asked.length, 3);
    await answer(revoked);
    assert.equal((await keys.resolve(digest)).kind, 'unusable');
  });

  it('are waited for where the answer is late, and never used for longer than half a second', async () => {
    const keys = await readingAgain();
    nowMs = 500;
    const waiting = keys.resolve(digest);
    assert.equal(asked.length, 3);
    await answer(revoked);
    assert.equal((await waiting).kind, 'unusable');
    asked[1]?.resolve([rowOf(digest)]);
    await new Promise(setImmediate);
    assert.equal((await keys.resolve(digest)).kind, 'unusable', 'an answer from before is not kept');
  });

  it('that this process revokes while they are read again stay revoked', async () => {
    const keys = await readingAgain();
    await keys.applyChange(digest.toString('hex'), { revoked_at: new Date(0) });
    await answer(rowOf(digest));
    const waiting = keys.resolve(digest);
    assert.equal(asked.length, 3);
    await answer(revoked);
    assert.equal((await waiting).kind, 'unusable');
  });
});
