import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import { AccountStore } from '../../src/core/identity/accounts.ts';
import type { Resolution } from '../../src/core/identity/resolvedKeys.ts';
import { makeRedis, waitForRedis } from '../../src/core/store/redis/client.ts';
import { ReportedChanges } from '../../src/core/store/redis/reportedChanges.ts';
import { project } from '../support/fixtures.ts';
import { serverUrl } from '../support/servers.ts';
import { bodyOf, type TestAnswer, type TestProcess, type TestService, testService, USUAL_WAITS } from '../support/service.ts';

const MINUTE_MS = 60_000;
/** Above the time for which a looked-up key is not looked up again. */
const LOOKED_UP_AGAIN_MS = 600;
const COLORADO = { stateIds: [8], countyIds: [] };
const ANN = { name: 'Ann Lee', role: 'applicant', company: 'Acme', email: 'ann@acme.example' };

describe('Keys in an outage of Postgres', () => {
  const proxy = new TestProxy(serverUrl('DATABASE_URL'), 5432);
  let api: TestService;
  let connected: TestProcess;
  /** by how much the clock of the service is ahead; until the service has started it stands, as that of the database does */
  let aheadMs = 0;
  let standsAt: number | undefined = Date.now();
  before(async () => {
    await proxy.start();
    api = await testService({ now: () => new Date((standsAt ?? Date.now()) + aheadMs), env: { ...USUAL_WAITS, DATABASE_URL: proxy.url } });
    standsAt = undefined;
    await api.databaseClock({ aheadMs: 0 });
    connected = await api.another({ DATABASE_URL: serverUrl('DATABASE_URL') });
    await api.index.load([
      project(1, { contacts: [ANN] }),
      project(2),
      { kind: 'document', id: 500, state: 'CO', title: 'Minutes', text: 'Minutes' },
    ]);
  });
  afterEach(async () => {
    aheadMs = 0;
    mock.restoreAll();
    proxy.thaw();
    await proxy.stop();
    await proxy.start();
    await reconnected();
  });
  after(async () => {
    await connected.stop();
    await api.stop();
    await proxy.stop();
  });

  const read = (key: string, path = '/projects/search', parameters: Record<string, unknown> = { projectIds: [1, 2] }) =>
    api.get(path, parameters, { key });
  const outcomeOf = async (key: string) => {
    const { status, body } = await read(key);
    return status === 200 ? body.meta.delivery.ledgerApplied : `${status} ${body.error.code}`;
  };

  /** Idle connections that were cut have been noticed. */
  async function reconnected(): Promise<void> {
    const key = await api.key();
    const deadline = Date.now() + 5_000;
    while ((await outcomeOf(key)) !== true) assert.ok(Date.now() < deadline, 'Postgres did not come back');
  }

  /** Keys of a free, a metered and a trial plan that have just been used, in a process that knows what is loaded. */
  async function usedKeys() {
    bodyOf(await api.get('/ready', {}, { key: '' }));
    const keys = await Promise.all([api.key('state', COLORADO), api.key('api_only'), api.key('trial', COLORADO)]);
    for (const key of keys) assert.equal((await read(key)).status, 200);
    return keys as [string, string, string];
  }

  async function principalOf(key: string) {
    const resolved: Resolution = await api.keys.resolve(key);
    assert.ok(resolved.kind === 'ok');
    return resolved.principal;
  }

  for (const [what, fail] of [
    ['gone', () => proxy.stop()],
    ['frozen', async () => proxy.freeze()],
  ] as const)
    it(`${what}: are recognised, so that free plans read on within seconds and metered ones answer 503`, async () => {
      const [free, metered, trial] = await usedKeys();
      const unseen = await api.key('state', COLORADO);
      await fail();
      await sleep(LOOKED_UP_AGAIN_MS);
      const started = performance.now();
      const [page, record, document, walk, count, ...others]: TestAnswer[] = await Promise.all([
        read(free),
        read(free, '/projects/1', {}),
        read(free, '/documents/500', {}),
        read(free, '/projects/sync', { dateRange: 'all' }),
        read(free, '/projects/count', { projectIds: [1, 2] }),
        read(metered),
        read(trial),
        read(metered, '/projects/count', { projectIds: [1, 2] }),
        read(unseen),
      ] as const);
      const tookMs = performance.now() - started;
      assert.ok(tookMs < 6_000, `${tookMs.toFixed(0)} ms`);
      for (const { status, body } of [page, record, walk])
        assert.deepEqual([status, body.meta?.delivery.ledgerApplied], [200, false], JSON.stringify(body.error));
      assert.deepEqual([page.body.data.length, page.body.meta.creditsUsed, page.body.meta.creditsRemaining], [2, 0, null]);
      assert.deepEqual([document.status, count.status, count.body.data.creditsRemaining], [200, 200, null]);
      for (const { status, body } of others) assert.deepEqual([status, body.error.code], [503, 'service_unavailable']);
    });

  it('are recognised for five minutes from the last time that Postgres resolved them', async () => {
    const [key] = await usedKeys();
    aheadMs = 4 * MINUTE_MS;
    assert.equal(await outcomeOf(key), true);
    await proxy.stop();
    aheadMs = 9 * MINUTE_MS - 5_000;
    assert.equal(await outcomeOf(key), false, 'used a second time four minutes ago');
    aheadMs = 9 * MINUTE_MS + 5_000;
    assert.equal(await outcomeOf(key), '503 service_unavailable');
    aheadMs = -MINUTE_MS;
    assert.equal(await outcomeOf(key), '503 service_unavailable', 'a clock that was set back proves nothing');
  });

  it('stay stopped, whichever process stopped them, even during the outage', async () => {
    const [here, elsewhere, meanwhile] = await Promise.all([1, 2, 3].map(() => api.key('state', COLORADO)));
    const revoke = async (key: string, { url }: TestProcess) => {
      const { keyId } = await principalOf(key);
      const answer = await fetch(`${url}/api/user/api-keys/${keyId}`, { method: 'DELETE', headers: { Authorization: `Bearer ${key}` } });
      assert.equal(answer.status, 200);
    };
    for (const key of [here, elsewhere, meanwhile]) assert.equal(await outcomeOf(key as string), true);
    await revoke(here as string, api);
    await revoke(elsewhere as string, connected);
    await proxy.stop();
    await sleep(LOOKED_UP_AGAIN_MS);
    assert.equal(await outcomeOf(here as string), '401 unauthorized');
    assert.equal(await outcomeOf(elsewhere as string), '401 unauthorized');
    assert.equal(await outcomeOf(meanwhile as string), false);
    await revoke(meanwhile as string, connected);
    await sleep(LOOKED_UP_AGAIN_MS);
    assert.equal(await outcomeOf(meanwhile as string), '401 unauthorized');
  });

  it('stop, lapse and narrow with their user and team', async () => {
    const redis = makeRedis({ url: api.env.REDIS_URL as string });
    assert.ok(await waitForRedis(redis, 5_000));
    const accounts = new AccountStore(api.database, [], new ReportedChanges({ redis, prefix: api.config.redisPrefix }));
    try {
      const keys = await Promise.all([1, 2, 3, 4].map(() => api.key('state', COLORADO)));
      for (const key of keys) assert.equal(await outcomeOf(key), true);
      const [closed, disabled, lapsed, moved] = await Promise.all(keys.map(principalOf));
      await accounts.closeUser(closed?.userId as number);
      await accounts.setStatus(disabled?.teamId as number, 'disabled');
      await accounts.setStatus(lapsed?.teamId as number, 'lapsed');
      await accounts.setPlan(moved?.teamId as number, 'state', { stateIds: [48], countyIds: [] });
      await proxy.stop();
      await sleep(LOOKED_UP_AGAIN_MS);
      const outcomes = await Promise.all(keys.map(outcomeOf));
      assert.deepEqual(outcomes, ['401 unauthorized', '401 account_disabled', '402 subscription_required', false]);
      assert.deepEqual((await read(keys[3] as string)).body.data, [], 'the licence is that of the new plan');
    } finally {
      redis.disconnect();
    }
  });

  it('read on without people once it cannot be known who asked not to be found, but keep no copy of that', async () => {
    const [key] = await usedKeys();
    await proxy.stop();
    const shown = await read(key, '/projects/1', {});
    assert.deepEqual([shown.body.data.contacts[0].name, shown.body.meta.warnings], ['Ann Lee', []]);
    const real = performance.now.bind(performance);
    mock.method(performance, 'now', () => real() + MINUTE_MS);
    for (const answer of [await read(key), await read(key, '/projects/1', {})]) {
      const { data, meta } = answer.body;
      const record = [data].flat().find(({ id }) => id === 1);
      assert.deepEqual([record.contacts, record.contactSummary.contactCount, meta.delivery.ledgerApplied], [[], 0, false]);
      assert.equal(meta.warnings.map(({ code }: { code: string }) => code).join(), 'people_withheld');
    }
    const compact = await read(key, '/projects/search', { projectIds: 1, representation: 'compact' });
    assert.deepEqual([compact.status, compact.body.meta.warnings], [200, []]);
    const walk = await read(key, '/projects/sync', { dateRange: 'all' });
    assert.deepEqual([walk.status, walk.body.error.code], [503, 'service_unavailable']);
  });
});
