import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import type { ErrorCode } from '../../src/core/domain/errors.ts';
import { KINDS } from '../../src/core/store/elastic/indices.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import { project } from '../support/fixtures.ts';
import { checkError, send, sendChecked, type WireAnswer } from '../support/http.ts';
import { testRedis } from '../support/redis.ts';
import { serverUrl } from '../support/servers.ts';
import { type TestService, testService, USUAL_WAITS } from '../support/service.ts';

const SEARCH_TIMEOUT_MS = 500;
const RECOVERY_MS = 5_000;
const RECORDS = 7;
const PORTS = { ELASTICSEARCH_URL: 9200, DATABASE_URL: 5432, REDIS_URL: 6379 } as const;

const WALK = '/v1/projects/sync?dateRange=all';
/** Everything else that asks the search backend. */
const SEARCHES = ['/v1/projects/search?dateRange=all', '/v1/projects/count?dateRange=all', '/v1/projects/1', '/v1/documents/501'];

/** The service with a proxy before one of its servers. */
async function behindProxy(name: keyof typeof PORTS, searchTimeoutMs = SEARCH_TIMEOUT_MS) {
  const proxy = new TestProxy(serverUrl(name), PORTS[name]);
  await proxy.start();
  const url = new URL(serverUrl(name));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const api = await testService({ env: { ...USUAL_WAITS, [name]: url.href }, limits: { searchTimeoutMs } });
  const stop = async () => {
    proxy.thaw();
    await api.stop();
    await proxy.stop();
  };
  return { proxy, api, key: await api.key(), stop };
}

const load = (api: TestService) =>
  api.index.load([
    ...Array.from({ length: RECORDS }, (_, i) => ({
      kind: 'project',
      id: i + 1,
      state: 'CO',
      propertyType: 'commercial',
      meetingDate: '2026-10-01',
    })),
    { kind: 'document', id: 501, state: 'CO', county: 'Boulder County', title: 'Minutes' },
  ]);

/** Waits for something that has to happen soon. */
async function until(happened: () => boolean): Promise<void> {
  const deadline = Date.now() + 3_000;
  while (!happened()) {
    assert(Date.now() < deadline, `still waiting for: ${happened}`);
    await sleep(10);
  }
}

describe('outages', () => {
  let proxy: TestProxy;
  let api: TestService;
  let key: string;
  let stop: () => Promise<void>;

  const ask = (path: string, as: string = key) => sendChecked(api.url, path, { key: as });

  /** The refusal of an outage: its code, in time, with a hint when to come back. */
  async function refusedWithin(ms: number, code: ErrorCode, path: string): Promise<WireAnswer> {
    const answer = await ask(path);
    checkError(answer, code);
    assert.equal(answer.status, 503);
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
    assert(answer.ms < ms, `${path} took ${answer.ms.toFixed(0)} ms`);
    return answer;
  }

  /** No restart, no nudge: the same process serves again, and serves everything. */
  async function recovers(path = SEARCHES[0] as string): Promise<void> {
    const deadline = Date.now() + RECOVERY_MS;
    while ((await ask(path)).status !== 200) {
      assert(Date.now() < deadline, `${path} did not recover`);
      await sleep(50);
    }
    const { body } = await ask(SEARCHES[0] as string);
    assert.deepEqual([body.data.length, body.meta.matchCount], [RECORDS, RECORDS]);
  }

  async function readiness(down: string | null, problem?: string): Promise<void> {
    const answer = await ask('/v1/ready', '');
    if (down === null) {
      assert.equal(answer.status, 200);
      return;
    }
    checkError(answer, 'service_unavailable');
    assert.match(answer.body.error.message, new RegExp(problem ?? down));
    const states = { elasticsearch: 'up', postgres: 'up', redis: 'up', [down]: 'down' };
    assert.deepEqual(answer.body.error.details.servers, states);
    assert.equal((await ask('/v1/health', '')).status, 200, 'the process lives');
  }

  describe('of Elasticsearch', () => {
    before(async () => {
      ({ proxy, api, key, stop } = await behindProxy('ELASTICSEARCH_URL'));
    });
    after(() => stop());

    it('before a generation is loaded: search_unavailable, never no matches', async () => {
      for (const path of SEARCHES) await refusedWithin(SEARCH_TIMEOUT_MS, 'search_unavailable', path);
      await readiness('elasticsearch');
      await load(api);
      await recovers();
      await readiness(null);
    });

    for (const kind of KINDS)
      it(`without the alias of its ${kind}: not ready, and says which is missing`, async () => {
        const { client, names } = api.index;
        const alias = names.readAlias(kind);
        const found = await client.indices.getAlias({ name: alias });
        const [index = '', { aliases } = {}] = Object.entries(found)[0] ?? [];
        await client.indices.deleteAlias({ index, name: alias });
        try {
          await readiness('elasticsearch', `elasticsearch: ${kind} cannot be searched`);
        } finally {
          await client.indices.putAlias({ index, name: alias, filter: aliases?.[alias]?.filter ?? {} });
        }
        await readiness(null);
      });

    it('gone: search_unavailable at once, and back by itself', async () => {
      await proxy.stop();
      for (const path of SEARCHES) await refusedWithin(SEARCH_TIMEOUT_MS, 'search_unavailable', path);
      await readiness('elasticsearch');
      assert.equal((await ask('/v1/locations/states')).status, 200, 'what needs no search is served');
      await proxy.start();
      await recovers();
    });

    it('frozen: search_unavailable when the deadline is over, and back by itself', async () => {
      proxy.freeze();
      await Promise.all(SEARCHES.map((path) => refusedWithin(2 * SEARCH_TIMEOUT_MS, 'search_unavailable', path)));
      await readiness('elasticsearch');
      proxy.thaw();
      for (const path of [...SEARCHES, WALK]) await recovers(path);
    });

    it('slow: the deadline is that of the request, however often it asks', async () => {
      assert.equal((await ask(WALK)).status, 200);
      proxy.delayMs = SEARCH_TIMEOUT_MS * 0.7;
      try {
        assert.equal((await ask('/v1/projects/count?dateRange=all')).status, 200, 'one question is answered in time');
        await refusedWithin(1.6 * SEARCH_TIMEOUT_MS, 'search_unavailable', WALK);
      } finally {
        proxy.delayMs = 0;
      }
      await recovers(WALK);
    });

    it('that comes and goes: every answer is whole or an outage', async () => {
      const seen = new Set<number>();
      const asking = (async () => {
        for (let i = 0; i < 60; i++) {
          const answer = await ask(SEARCHES[0] as string);
          seen.add(answer.status);
          if (answer.status === 200) assert.equal(answer.body.data.length, RECORDS);
          else checkError(answer, 'search_unavailable');
        }
      })();
      for (let i = 0; i < 4; i++) {
        await sleep(60);
        await proxy.stop();
        await sleep(60);
        await proxy.start();
      }
      await asking;
      assert.deepEqual([...seen].sort(), [200, 503]);
      await recovers();
    });

    describe('with a served index that', () => {
      const indexOf = async () => {
        const [index] = Object.keys(await api.index.client.indices.getAlias({ name: api.index.names.readAlias('projects') }));
        return index as string;
      };

      it('is closed: search_unavailable, and back when it is opened', async () => {
        const index = await indexOf();
        await api.index.client.indices.close({ index });
        for (const path of SEARCHES.slice(0, 3)) await refusedWithin(2 * SEARCH_TIMEOUT_MS, 'search_unavailable', path);
        await readiness('elasticsearch');
        await api.index.client.indices.open({ index });
        await recovers();
      });

      it('has a red shard: search_unavailable rather than the matches of the others, and back when it is gone', async () => {
        const { client, names, prefix } = api.index;
        const red = `${prefix}-red`;
        await client.indices.create({
          index: red,
          settings: { 'index.routing.allocation.require._name': 'nowhere' } as object,
          aliases: { [names.readAlias('projects')]: {} },
          wait_for_active_shards: 0,
        });
        assert.equal((await client.cluster.health({ index: red })).status, 'red');
        for (const path of SEARCHES.slice(0, 3)) await refusedWithin(2 * SEARCH_TIMEOUT_MS, 'search_unavailable', path);
        await readiness('elasticsearch');
        await client.indices.delete({ index: red });
        await recovers();
      });
    });
  });

  describe('of Elasticsearch while a client', () => {
    before(async () => {
      ({ proxy, api, key, stop } = await behindProxy('ELASTICSEARCH_URL', 15_000));
      await load(api);
      await recovers();
    });
    after(() => stop());

    it('hangs up: the search is aborted, not left to its deadline', async () => {
      proxy.mute();
      const gone = new AbortController();
      const waiting = Array.from({ length: 5 }, () => send(api.url, SEARCHES[0] as string, { key, signal: gone.signal }));
      const settled = Promise.allSettled(waiting);
      await until(() => proxy.opened - proxy.ended >= 5);
      await sleep(100);
      const before = proxy.ended;
      gone.abort();
      assert((await settled).every(({ status }) => status === 'rejected'));
      await until(() => proxy.ended >= before + 5);
      proxy.thaw();
      await recovers();
    });
  });

  describe('of Postgres', () => {
    before(async () => {
      ({ proxy, api, key, stop } = await behindProxy('DATABASE_URL'));
      await load(api);
      await recovers();
    });
    after(() => stop());

    it('that lets nobody in is an outage too', async () => {
      const url = new URL(serverUrl('DATABASE_URL'));
      url.pathname = '/no_such_database';
      const database = new Database({ url: url.href, schema: 'public' });
      await assert.rejects(database.ping(), { code: 'service_unavailable' });
      await database.close();
    });

    it('that is slow lives: a statement that waits for the only connection, and one that takes longer than a silence, are answered', async () => {
      const url = new URL(serverUrl('DATABASE_URL'));
      await using database = new Database({ url: url.href, schema: 'public', connections: 1 });
      const first = database.query('select pg_sleep(1.5)', [], { timeoutMs: 700 });
      await database.query('select 1');
      await first;
    });

    it('that accepts connections and says nothing is found in 2 s, whoever waits for it', async () => {
      const url = new URL(serverUrl('DATABASE_URL'));
      url.port = String(proxy.port);
      url.hostname = '127.0.0.1';
      const database = new Database({ url: url.href, schema: 'public', connections: 1 });
      try {
        await database.ping();
        proxy.freeze();
        const began = performance.now();
        const refused = await Promise.allSettled([1, 2, 3].map(() => database.query('select 1', [], { timeoutMs: 700 })));
        assert.deepEqual([...new Set(refused.map(({ status }) => status))], ['rejected']);
        assert(performance.now() - began < 2_000, `${performance.now() - began} ms`);
      } finally {
        proxy.thaw();
        await database.close();
      }
    });

    for (const [what, fail, recover] of [
      ['gone', () => proxy.stop(), () => proxy.start()],
      ['frozen', async () => proxy.freeze(), async () => proxy.thaw()],
    ] as const) {
      it(`${what}: says within about a second that accounts cannot be looked up, and comes back by itself`, async () => {
        key = await api.key(); // one that this process has not met
        await fail();
        for (const path of [...SEARCHES, '/v1/locations/states', '/v1/nothing']) {
          const answer = await refusedWithin(1_700, 'service_unavailable', path);
          assert.equal(answer.body.error.details.subsystem, 'database');
        }
        await readiness('postgres');
        await recover();
        await recovers();
        await readiness(null);
      });
    }

    it('does not make a missing key anything but missing', async () => {
      await proxy.stop();
      checkError(await ask('/v1/locations/states', ''), 'missing_api_key');
      await proxy.start();
      await recovers();
    });
  });

  describe('of Redis that answers', () => {
    it('but takes no writes: not ready', async () => {
      const redis = await testRedis();
      const user = redis.prefix.slice(0, -1);
      await redis.redis.acl('SETUSER', user, 'on', '>reader', '~*', '+@all', '-set', '-evalsha', '-eval');
      const url = new URL(redis.url);
      Object.assign(url, { username: user, password: 'reader' });
      const readOnly = await testService({ env: { REDIS_URL: url.href } });
      try {
        await readOnly.index.load([project(1)]);
        const { status, body } = await readOnly.get('/ready', {}, { key: '' });
        assert.deepEqual(
          [status, body.error.details],
          [
            503,
            {
              servers: { elasticsearch: 'up', postgres: 'up', redis: 'down' },
              reasons: ['redis: refuses a write (NOPERM)'],
            },
          ],
        );
        assert.equal((await readOnly.get('/health', {}, { key: '' })).status, 200);
      } finally {
        await readOnly.stop();
        await redis.redis.acl('DELUSER', user);
        await redis.drop();
      }
    });
  });

  describe('of Redis', () => {
    before(async () => {
      ({ proxy, api, key, stop } = await behindProxy('REDIS_URL'));
      await load(api);
      await recovers();
    });
    after(() => stop());

    for (const [what, fail, recover] of [
      ['gone', () => proxy.stop(), () => proxy.start()],
      ['frozen', async () => proxy.freeze(), async () => proxy.thaw()],
    ] as const) {
      it(`${what}: rate_limiter_unavailable within a second, and back by itself`, async () => {
        await fail();
        for (const path of [...SEARCHES, '/v1/nothing']) {
          const answer = await refusedWithin(1_000, 'rate_limiter_unavailable', path);
          assert.equal(answer.headers['x-ratelimit-remaining'], '0');
        }
        checkError(await ask('/v1/locations/states', ''), 'rate_limiter_unavailable');
        await readiness('redis');
        await recover();
        await recovers();
        await readiness(null);
      });
    }
  });
});
