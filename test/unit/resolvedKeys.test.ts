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
