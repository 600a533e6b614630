import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import Koa from 'koa';
import { answerOnLoopback, type LoopbackServer } from '../../../scripts/lib/loopback.ts';
import { TestProxy } from '../../../scripts/lib/proxy.ts';
import { ApiError } from '../../../src/core/domain/errors.ts';
import { mintKey } from '../../../src/core/domain/keyFormat.ts';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { EVERY_KEY, KeyStore } from '../../../src/core/identity/keys.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import { makeRedis, waitForRedis } from '../../../src/core/store/redis/client.ts';
import { RateLimiter } from '../../../src/core/store/redis/rateLimiter.ts';
import { WorkingKeys } from '../../../src/core/store/redis/workingKeys.ts';
import { authenticate } from '../../../src/http/authenticate.ts';
import type { OpenRate } from '../../../src/http/openRoutes.ts';
import { type RateLimits, rateLimit } from '../../../src/http/rateLimit.ts';
import { testDatabase } from '../../support/database.ts';
import { ascending } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import { provide } from '../../support/provide.ts';
import { testRedis } from '../../support/redis.ts';

const REDIS_PORT = 6379;
const LIMITS: RateLimits = { paid: 60, trial: 10, anonymous: 10, refused: 60, health: 120, file: 150 };
const OPEN = new Map<string, OpenRate>([
  ['/health', 'health'],
  ['/assets/map.js', 'file'],
]);
const test = provide(() => testRedis());
/** A limiter that waits long for an answer. @param windowSeconds a minute unless set */
const limiterOf = (options: { redis?: Redis; prefix?: string; windowSeconds?: number } = {}) =>
  new RateLimiter({ patience: 10, redis: test.redis, prefix: test.prefix, ...options });

describe('the sliding window', () => {
  it('lets exactly 60 of 500 requests at once through, over two processes', async () => {
    const limiters = [test.redis, await test.another()].map((redis) => limiterOf({ redis }));
    const verdicts = await Promise.all(Array.from({ length: 500 }, (_, i) => limiters[i % 2]?.consume('burst', 60)));
    const passed = verdicts.flatMap((v) => (v?.allowed ? [v.remaining] : []));
    const counted = Array.from({ length: 60 }, (_, i) => i);
    assert.deepEqual(ascending(passed), counted);
    assert(verdicts.every((v) => v?.limit === 60));
  });

  it('says how many remain, when the next leaves, and how long to wait', async () => {
    const limiter = limiterOf();
    const now = Date.now() / 1000;
    const first = await limiter.consume('says', 2);
    assert.deepEqual([first.allowed, first.remaining, first.retryAfterSeconds], [true, 1, 0]);
    assert(Math.abs(first.resetUnixSeconds - (now + 60)) <= 2);
    await sleep(1100);
    const second = await limiter.consume('says', 2);
    assert.deepEqual([second.allowed, second.remaining], [true, 0]);
    const third = await limiter.consume('says', 2);
    assert.deepEqual([third.allowed, third.remaining], [false, 0]);
    assert.equal(third.resetUnixSeconds, first.resetUnixSeconds);
    assert(third.retryAfterSeconds >= 57 && third.retryAfterSeconds <= 60);
  });

  it('slides: a slot comes back when its own request leaves, not when a minute begins', async () => {
    const limiter = limiterOf({ windowSeconds: 1 });
    const allowed = async () => (await limiter.consume('slides', 2)).allowed;
    assert.equal(await allowed(), true);
    await sleep(600);
    assert.equal(await allowed(), true);
    assert.equal(await allowed(), false);
    await sleep(500);
    assert.equal(await allowed(), true);
    assert.equal(await allowed(), false);
  });

  it('never lets more than the allowance through in any trailing window, and a refused request costs nothing', async () => {
    const limiter = limiterOf({ windowSeconds: 1 });
    const passed: { sentAt: number; answeredAt: number }[] = [];
    const until = Date.now() + 2_500;
    while (Date.now() < until) {
      const sentAt = performance.now();
      if ((await limiter.consume('trailing', 5)).allowed) passed.push({ sentAt, answeredAt: performance.now() });
    }
    const closest = Math.min(...passed.slice(5).map(({ answeredAt }, i) => answeredAt - (passed[i]?.sentAt ?? 0)));
    assert(closest > 990, `closest: ${closest} ms`);
    assert(passed.length >= 10);
  });

  describe('that is large, of a busy caller, whose requests are counted ahead', () => {
    const LIMIT = 1_280;
    /** Requests that are counted one by one before the first batch, and its size. */
    const [ALONE, BATCH] = [15, 16];
    const countedAhead = async (bucket: string) =>
      (await test.redis.zrange(`${test.prefix}rate:${bucket}`, '0', '-1')).filter((name) => name.startsWith('ahead:')).length;
    const consumeAll = (limiter: RateLimiter, bucket: string, requests: number) =>
      Promise.all(Array.from({ length: requests }, () => limiter.consume(bucket, LIMIT)));

    it('lets exactly the allowance through, over several processes at once, and says what remains', async () => {
      const limiters = await Promise.all([1, 2, 3].map(async () => limiterOf({ redis: await test.another() })));
      const first = await consumeAll(limiters[0] as RateLimiter, 'large', 60);
      const remaining = first.map((verdict) => verdict.remaining);
      assert.equal(new Set(remaining).size, 60);
      assert.ok(Math.min(...remaining) <= LIMIT - 60 && Math.max(...remaining) < LIMIT);
      assert.ok((await countedAhead('large')) >= 60 - ALONE);
      let passed = first.length;
      const until = Date.now() + 3_000;
      while (Date.now() < until) {
        const verdicts = await Promise.all(limiters.map((limiter) => consumeAll(limiter, 'large', 50)));
        passed += verdicts.flat().filter(({ allowed }) => allowed).length;
        await sleep(20);
      }
      assert.equal(passed, LIMIT);
    });

    it('is never exceeded in a trailing window, though requests are made later than they were counted', async () => {
      const [early, late] = [limiterOf({ windowSeconds: 1 }), limiterOf({ windowSeconds: 1, redis: await test.another() })];
      const passed: { sentAt: number; answeredAt: number }[] = [];
      const consume = async (limiter: RateLimiter) => {
        const sentAt = performance.now();
        if ((await limiter.consume('late', LIMIT)).allowed) passed.push({ sentAt, answeredAt: performance.now() });
      };
      const together = (limiter: RateLimiter, requests: number) => Promise.all(Array.from({ length: requests }, () => consume(limiter)));
      await together(early, ALONE + 1);
      assert.equal(await countedAhead('late'), BATCH);
      await sleep(150);
      await together(early, BATCH - 1);
      const until = performance.now() + 1_350;
      while (performance.now() < until) await together(late, 100);
      const closest = Math.min(...passed.slice(LIMIT).map(({ answeredAt }, i) => answeredAt - (passed[i]?.sentAt ?? 0)));
      assert.ok(passed.length > LIMIT, `${passed.length} passed`);
      assert.ok(closest > 990, `closest: ${closest} ms`);
    });

    it('is counted one by one when it is near, when the caller is slow, and when it is too small', async () => {
      const limiter = limiterOf();
      await consumeAll(limiter, 'near', LIMIT / 2);
      const before = await countedAhead('near');
      assert.ok(before > LIMIT / 4);
      const second = await consumeAll(limiter, 'near', LIMIT / 2);
      assert.deepEqual([await countedAhead('near'), second.every(({ allowed }) => allowed)], [before, true]);
      assert.equal((await limiter.consume('near', LIMIT)).allowed, false);
      for (let i = 0; i < 5; i++) {
        await consumeAll(limiter, 'slow', 4);
        await sleep(260);
      }
      await Promise.all(Array.from({ length: 200 }, () => limiter.consume('small', 1_023)));
      assert.deepEqual([await countedAhead('slow'), await countedAhead('small')], [0, 0]);
    });

    it('gives back what a caller that stops has not used', async () => {
      const limiter = limiterOf();
      await consumeAll(limiter, 'stops', ALONE + 1);
      await sleep(600);
      assert.equal((await limiter.peek('stops', LIMIT)).remaining, LIMIT - ALONE - 2);
    });
  });

  it('counts different members once each, gives places back, and frees them as they grow old', async () => {
    const limiter = limiterOf({ windowSeconds: 1 });
    const placed = async (member: string) => (await limiter.addMember('members', member, 2)).allowed;
    assert.deepEqual([await placed('a'), await placed('a'), await placed('b'), await placed('c')], [true, true, true, false]);
    await limiter.removeMember('members', 'a');
    assert.equal(await placed('c'), true);
    await sleep(600);
    assert.equal(await placed('c'), true, 'a member that comes again keeps its place');
    await sleep(500);
    assert.deepEqual([await placed('d'), await placed('e')], [true, false]);
  });

  it('looks without counting', async () => {
    const limiter = limiterOf();
    assert.equal((await limiter.peek('looks', 1)).allowed, true);
    await limiter.consume('looks', 1);
    const spent = await limiter.peek('looks', 1);
    assert.deepEqual([spent.allowed, spent.remaining], [false, 0]);
    assert(spent.retryAfterSeconds >= 58 && spent.retryAfterSeconds <= 60);
  });

  it('keeps buckets, prefixes and limits apart', async () => {
    const [limiter, other] = [limiterOf(), limiterOf({ prefix: `${test.prefix}other:` })];
    assert.equal((await limiter.consume('a', 1)).allowed, true);
    assert.equal((await limiter.consume('a', 1)).allowed, false);
    assert.equal((await limiter.consume('b', 1)).allowed, true);
    assert.equal((await other.consume('a', 1)).allowed, true);
    assert.equal((await limiter.consume('a', 2)).remaining, 0);
    const [stored] = await test.redis.keys(`${test.prefix}rate:a`);
    assert(stored && (await test.redis.pttl(stored)) > 0);
  });
});

describe('the rate limiter without Redis', () => {
  const refused = (error: unknown) =>
    error instanceof ApiError && error.code === 'rate_limiter_unavailable' && 'Retry-After' in error.headers;

  async function refusedWithin(limiter: RateLimiter, ms: number): Promise<void> {
    const started = Date.now();
    await assert.rejects(limiter.consume('outage', 60), refused);
    assert(Date.now() - started < ms, `took ${Date.now() - started} ms`);
  }

  it('answers at once when there was never one', async () => {
    const redis = makeRedis({ url: 'redis://127.0.0.1:1' });
    await refusedWithin(new RateLimiter({ redis, prefix: test.prefix }), 50);
    redis.disconnect();
  });

  for (const [what, fail, recover, ms] of [
    ['gone', (p: TestProxy) => p.stop(), (p: TestProxy) => p.start(), 50],
    ['frozen', async (p: TestProxy) => p.freeze(), async (p: TestProxy) => p.thaw(), 250],
  ] as const) {
    it(`answers in time when it is ${what}, and recovers by itself`, async () => {
      const proxy = new TestProxy(test.url, REDIS_PORT);
      await proxy.start();
      const redis = makeRedis({ url: proxy.url });
      try {
        assert(await waitForRedis(redis, 2_000));
        const limiter = new RateLimiter({ redis, prefix: test.prefix });
        await limiter.consume(what, 60);
        await fail(proxy);
        for (let i = 0; i < 3; i++) await refusedWithin(limiter, ms);
        await sleep(1_200);
        await refusedWithin(limiter, ms);
        await recover(proxy);
        await eventually('its recovery', () => limiter.consume(what, 60).catch(() => undefined), 2_000);
      } finally {
        redis.disconnect();
        await proxy.stop();
      }
    });
  }

  it('does not take a busy process for a frozen Redis', async () => {
    const limiter = new RateLimiter({ redis: test.redis, prefix: test.prefix });
    await limiter.consume('busy', 60);
    const call = limiter.consume('busy', 60);
    await new Promise((resolve) => setImmediate(resolve));
    const until = Date.now() + 300;
    while (Date.now() < until);
    assert.equal((await call).allowed, true);
  });
});

describe('rate limit and authentication together', () => {
  const database = provide(() => testDatabase());
  let keys: KeyStore;
  /** queries that the keys have asked of Postgres so far */
  let lookUps = 0;
  let server: LoopbackServer;

  before(async () => {
    keys = new KeyStore({ database: counted(database.database), pepper: 'p'.repeat(32) });
    server = await serve(limiterOf());
  });
  after(() => server.stop());

  /** The same database, which counts look-ups of keys. */
  function counted(real: Database): Database {
    return Object.assign(Object.create(real) as Database, {
      query: (...args: Parameters<Database['query']>) => {
        lookUps += 1;
        return real.query(...args);
      },
      transaction: real.transaction.bind(real),
    });
  }

  /** The smallest app around the two middlewares, with an error envelope in the place of the real one. */
  function serve(limiter: RateLimiter): Promise<LoopbackServer> {
    const app = new Koa();
    app.use(async (ctx, next) => {
      try {
        await next();
      } catch (error) {
        assert(error instanceof ApiError, String(error));
        ctx.status = error.status;
        ctx.set(error.headers);
        ctx.body = { error: { code: error.code, message: error.message } };
      }
    });
    const working = new WorkingKeys({ redis: test.redis, prefix: test.prefix });
    const options = { keys, working, limiter, limits: LIMITS, trustProxy: true, openRate: (path: string) => OPEN.get(path) };
    app.use(rateLimit(options));
    app.use(async (ctx, next) => {
      if (OPEN.has(ctx.path)) ctx.body = { status: 'ok' };
      else await next();
    });
    app.use(authenticate([]));
    app.use((ctx) => {
      ctx.body = { plan: ctx.state.principal.plan.id };
    });
    return answerOnLoopback(app.callback());
  }

  async function newKey(): Promise<{ secret: string; id: string; teamId: number }> {
    const accounts = new AccountStore(database.database, []);
    const team = await accounts.createTeam({ name: 'T', plan: 'national' });
    const user = await accounts.createUser({ teamId: team.id, name: 'U', role: 'owner' });
    const { secret, key } = await keys.mint(user.id);
    return { secret, id: key.id, teamId: team.id };
  }

  async function ask(given: Record<string, string>, path = '/x', at = server.url) {
    const response = await fetch(at + path, { headers: given });
    const { status, headers } = response;
    const body = (await response.json()) as { error?: { code: string } };
    for (const name of ['Limit', 'Remaining', 'Reset'])
      assert.match(headers.get(`X-RateLimit-${name}`) ?? '', /^\d+$/, `${name} on ${status}`);
    const number = (name: string) => Number(headers.get(`X-RateLimit-${name}`));
    return { status, code: body.error?.code, headers, limit: number('Limit'), remaining: number('Remaining') };
  }

  async function codes(count: number, headers: Record<string, string>, path?: string): Promise<Record<string, number>> {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(headers, path)));
    const tally: Record<string, number> = {};
    for (const { code = 'ok' } of answers) tally[code] = (tally[code] ?? 0) + 1;
    return tally;
  }

  it('gives a revoked key the bucket of unusable ones, a lapsed one its own', async () => {
    const revoked = await newKey();
    await keys.revoke(revoked.id, EVERY_KEY);
    const answer = await ask({ 'X-API-Key': revoked.secret });
    assert.deepEqual([answer.code, answer.limit, answer.headers.get('WWW-Authenticate')], ['unauthorized', 10, 'Bearer']);
    const lapsed = await newKey();
    await new AccountStore(database.database, []).setStatus(lapsed.teamId, 'lapsed');
    const { code, limit, status } = await ask({ 'X-API-Key': lapsed.secret });
    assert.deepEqual([code, limit, status], ['subscription_required', 60, 402]);
  });

  it('gives a rotated key and its replacement one bucket, and warns the old one', async () => {
    const old = await newKey();
    const replacement = await keys.rotate(old.id, EVERY_KEY);
    const answer = await ask({ 'X-API-Key': old.secret });
    assert.equal(answer.headers.get('X-Service-Key-Rotating'), 'true');
    assert.match(answer.headers.get('Warning') ?? '', /^299 - "/);
    const fresh = await ask({ 'X-API-Key': replacement.secret });
    assert.equal(fresh.remaining, 58);
    assert.equal(fresh.headers.get('X-Service-Key-Rotating'), null);
  });

  describe('and tries of many keys from one address', () => {
    const from = (ip: string, key: string) => ({ 'X-Forwarded-For': ip, 'X-API-Key': key });
    /** Tries this many keys of the right form that do not exist, twenty at a time, and counts the answers by code. */
    async function attack(count: number, ip: string, tried = () => mintKey(randomBytes)): Promise<Record<string, number>> {
      const tally: Record<string, number> = {};
      for (let done = 0; done < count; done += 20) {
        const answers = await Promise.all(Array.from({ length: Math.min(20, count - done) }, () => ask(from(ip, tried()))));
        for (const { code = 'ok' } of answers) tally[code] = (tally[code] ?? 0) + 1;
      }
      return tally;
    }

    it('are looked up 60 times in 60 seconds, however many there are', async () => {
      lookUps = 0;
      assert.deepEqual(await attack(400, '10.1.0.1'), { unauthorized: 60, rate_limit_exceeded: 340 });
      assert.equal(lookUps, 60);
      const refused = await ask(from('10.1.0.1', mintKey(randomBytes)));
      assert.deepEqual([refused.status, refused.limit, refused.remaining], [429, 60, 0]);
      assert.match(refused.headers.get('Retry-After') ?? '', /^([1-9]|[1-5]\d|60)$/);
      assert.deepEqual(await attack(1, '10.1.0.2'), { unauthorized: 1 }, 'another address has its own allowance');
    });

    it('count the same in a whole IPv6 network of one subscriber', async () => {
      lookUps = 0;
      for (let i = 0; i < 80; i++) await ask(from(`2001:db8:0:1:${i}::1`, mintKey(randomBytes)));
      assert.equal(lookUps, 60);
    });

    it('are refused without a look-up if a character is wrong, and still limited', async () => {
      lookUps = 0;
      const mistyped = () => `svc_live_${randomBytes(18).toString('hex')}`;
      assert.deepEqual(await attack(100, '10.1.0.3', mistyped), { unauthorized: 60, rate_limit_exceeded: 40 });
      assert.equal(lookUps, 0);
    });

    it('do not keep out a key that works from there, in this process or another', async () => {
      const { secret } = await newKey();
      assert.equal((await ask(from('10.1.0.4', secret))).status, 200);
      await attack(100, '10.1.0.4');
      assert.equal((await ask(from('10.1.0.4', secret))).remaining, 58);
      await using restarted = await serve(limiterOf());
      assert.equal((await ask(from('10.1.0.4', secret), '/x', restarted.url)).remaining, 57);
    });

    it('are no tries where they are many keys that work, all at once and for the first time', async () => {
      const secrets = (await Promise.all(Array.from({ length: 8 }, () => newKey()))).map(({ secret }) => secret);
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(secrets.map((secret) => ask(from('10.1.0.5', secret))));
        assert(answers.every(({ status }) => status === 200));
      }
      assert.deepEqual(await attack(61, '10.1.0.5'), { unauthorized: 60, rate_limit_exceeded: 1 });
    });

    it('leave room for others where one credential is sent again and again', async () => {
      const revoked = await newKey();
      await keys.revoke(revoked.id, EVERY_KEY);
      lookUps = 0;
      assert.deepEqual(await codes(100, from('10.1.0.6', revoked.secret)), { unauthorized: 10, rate_limit_exceeded: 90 });
      await sleep(600);
      assert.deepEqual(await codes(20, from('10.1.0.6', revoked.secret)), { rate_limit_exceeded: 20 });
      assert.equal(lookUps, 1, 'a credential whose own allowance is spent is not looked up');
      assert.deepEqual(await attack(60, '10.1.0.6'), { unauthorized: 59, rate_limit_exceeded: 1 });
    });

    it('include a key that worked and was revoked', async () => {
      const { secret, id } = await newKey();
      assert.equal((await ask(from('10.1.0.7', secret))).status, 200);
      await keys.revoke(id, EVERY_KEY);
      assert.equal((await ask(from('10.1.0.7', secret))).code, 'unauthorized');
      await attack(60, '10.1.0.7');
      assert.equal((await ask(from('10.1.0.7', secret))).code, 'rate_limit_exceeded');
    });
  });

  it('counts files that pages load by themselves, so that a page never stands there without half of its own', async () => {
    const headers = { 'X-Forwarded-For': '10.0.0.10' };
    assert.deepEqual(await codes(120, headers, '/health'), { ok: 120 });
    assert.deepEqual(await codes(155, headers, '/assets/map.js'), { ok: 150, rate_limit_exceeded: 5 });
  });

  it('refuses authenticated routes without Redis, but answers health', async () => {
    const redis = makeRedis({ url: 'redis://127.0.0.1:1' });
    await using alone = await serve(new RateLimiter({ redis, prefix: test.prefix }));
    const answer = await ask({ 'X-API-Key': 'svc_test_abc' }, '/x', alone.url);
    assert.deepEqual([answer.status, answer.code, answer.remaining], [503, 'rate_limiter_unavailable', 0]);
    assert.equal((await ask({}, '/health', alone.url)).status, 200);
    redis.disconnect();
  });

  it('says service_unavailable, with the rate-limit headers, when the keys cannot be looked up', async () => {
    const { secret } = await newKey();
    const usual = keys;
    const outage = new ApiError('service_unavailable', 'away');
    keys = Object.assign(Object.create(usual) as KeyStore, {
      resolve: () => Promise.reject(outage),
      hashSecret: (text: string) => usual.hashSecret(text),
    });
    await using app = await serve(limiterOf());
    keys = usual;
    assert.equal((await ask({ 'X-API-Key': secret }, '/x', app.url)).code, 'service_unavailable');
  });
});
