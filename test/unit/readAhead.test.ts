/** Requests that begin while the rate limit counts them: which ones do, and that a refused one gets no data. */
import assert from 'node:assert/strict';
import Koa from 'koa';
import { Type } from 'typebox';
import { answerOnLoopback, type LoopbackServer } from '../../scripts/lib/loopback.ts';
import { ApiError } from '../../src/core/domain/errors.ts';
import { PLANS } from '../../src/core/domain/plans.ts';
import type { Principal } from '../../src/core/domain/principal.ts';
import type { RateVerdict } from '../../src/core/store/redis/rateLimiter.ts';
import { makeAdmission } from '../../src/http/admission.ts';
import { json, route } from '../../src/http/declaration.ts';
import { rateLimit } from '../../src/http/rateLimit.ts';
import { serveRoutes } from '../../src/http/serveRoutes.ts';

const LIMIT = 8;
const principal: Principal = {
  keyId: 'k',
  teamId: 1,
  userId: 1,
  role: 'owner',
  plan: PLANS.national,
  monthlyCredits: null,
  licence: { nationwide: true },
  rotatingUntil: null,
};

const verdictOf = (remaining: number, allowed = true): RateVerdict => ({
  ...{ allowed, limit: LIMIT, remaining, resetUnixSeconds: 2_000_000_000, retryAfterSeconds: allowed ? 0 : 7 },
});

describe('A request that the rate limit counts', () => {
  let server: LoopbackServer;
  /** what happened, in order */
  let events: string[] = [];
  /** answers the next counts, each when it is called */
  let count: () => Promise<RateVerdict>;

  before(async () => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      try {
        await next();
      } catch (error) {
        assert(error instanceof ApiError, String(error));
        ctx.status = error.status;
        ctx.body = { code: error.code };
      }
    });
    const limits = { paid: LIMIT, trial: LIMIT, anonymous: LIMIT, refused: LIMIT, health: LIMIT, file: LIMIT };
    const never = () => assert.fail('the key is familiar');
    app.use(
      rateLimit({
        keys: {
          hashSecret: () => Buffer.alloc(32),
          resolveToken: () => assert.fail(),
          resolve: async () => ({ kind: 'ok', lineage: 'l', principal }),
        },
        working: { has: () => true, isRememberedAnywhere: never, remember: never, forget: never },
        limiter: { peek: never, addMember: never, removeMember: never, consume: () => count() },
        ...{ limits, trustProxy: false, openRate: () => undefined },
      }),
    );
    app.use((ctx, next) => {
      Object.assign(ctx.state, { principal, requestId: 'r', signal: new AbortController().signal, deadline: performance.now() + 10_000 });
      return next();
    });
    const answers = [json(Type.Object({ of: Type.String() }))];
    const declared = (path: `/${string}`, more: { readsAhead?: true } = {}) =>
      route('Projects', path, `GET ${path}`, {
        summary: '',
        idempotent: 'honoured',
        answers,
        errors: [],
        ...more,
        handle: async ({ actor: { admitted } }) => {
          events.push('began');
          if (path === '/failing') throw new ApiError('resource_not_found', 'none');
          admitted?.then(
            () => events.push('admitted'),
            () => events.push('refused'),
          );
          return { data: { of: path } };
        },
      });
    const routes = (['/ahead', '/failing'] as const).map((path) => declared(path, { readsAhead: true }));
    const options = { publicUrl: '', admission: makeAdmission(10_000) };
    for (const middleware of serveRoutes({ '/v1': [...routes, declared('/usual')] }, options)) app.use(middleware);
    server = await answerOnLoopback(app.callback());
  });
  after(() => server.stop());

  const KEY = `svc_live_${'a'.repeat(43)}`;
  /** Asks, with the count answered only after the handler could have begun. */
  async function ask(path: string, answer: RateVerdict | Error, headers: Record<string, string> = {}) {
    events = [];
    count = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      events.push('counted');
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const response = await fetch(`${server.url}/v1${path}`, { headers: { 'X-API-Key': KEY, ...headers } });
    const { code, data } = (await response.json()) as { code?: string; data?: unknown };
    return { status: response.status, code, data, remaining: response.headers.get('x-ratelimit-remaining'), events };
  }
  const makeAmple = () => ask('/usual', verdictOf(LIMIT - 1));
  const eventsOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).events.filter((one) => one !== 'admitted');

  it('waits until it is counted, unless its bucket had much left and its route reads ahead', async () => {
    assert.deepEqual(await eventsOf('/ahead', verdictOf(LIMIT - 1)), ['counted', 'began'], 'an unknown bucket');
    assert.deepEqual(await eventsOf('/ahead', verdictOf(LIMIT / 2)), ['began', 'counted'], 'an ample one');
    assert.deepEqual(await eventsOf('/ahead', verdictOf(LIMIT - 1)), ['counted', 'began'], 'half of it gone');
    assert.deepEqual(await eventsOf('/usual', verdictOf(LIMIT - 1)), ['counted', 'began'], 'a route that does not read ahead');
    assert.deepEqual(await eventsOf('/ahead', verdictOf(LIMIT - 1), { 'Idempotency-Key': 'one' }), ['counted', 'began']);
  });

  it('is answered with its numbers when it has been counted', async () => {
    await makeAmple();
    const { status, data, remaining } = await ask('/ahead', verdictOf(6));
    assert.deepEqual([status, data, remaining], [200, { of: '/ahead' }, '6']);
  });

  it('is refused whatever it has read or failed at by then, and the next one waits', async () => {
    for (const path of ['/ahead', '/failing']) {
      await makeAmple();
      const { status, code, data, remaining, events } = await ask(path, verdictOf(0, false));
      assert.deepEqual([status, code, data, remaining], [429, 'rate_limit_exceeded', undefined, '0'], path);
      assert.deepEqual(events.slice(0, 2), ['began', 'counted']);
      assert.deepEqual((await ask(path, verdictOf(0, false))).events, ['counted']);
    }
  });

  it('is refused where Redis cannot count it, and the next one waits', async () => {
    await makeAmple();
    const outage = new ApiError('rate_limiter_unavailable', 'away');
    const { status, events } = await ask('/ahead', outage);
    assert.deepEqual([status, events.slice(0, 2)], [503, ['began', 'counted']]);
    assert.deepEqual((await ask('/ahead', outage)).events, ['counted']);
  });

  it('begins no more often than was left beyond the half, however many come at once', async () => {
    await makeAmple();
    let release = () => {};
    const counted = new Promise<void>((resolve) => {
      release = resolve;
    });
    events = [];
    count = () => counted.then(() => verdictOf(LIMIT - 1));
    const asked = Array.from({ length: 10 }, () => fetch(`${server.url}/v1/ahead`, { headers: { 'X-API-Key': KEY } }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(events.filter((one) => one === 'began').length, LIMIT - 1 - LIMIT / 2);
    release();
    for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200);
  });
});
