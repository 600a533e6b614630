import assert from 'node:assert/strict';
import { ERRORS } from '../../../src/core/domain/errorTable.ts';
import { checkAnswer, checkError, sendBytes, sendChecked, type WireRequest } from '../../support/http.ts';
import { projectLine } from '../../support/projectLine.ts';
import { routesOf } from '../../support/routes.ts';
import { provideService } from '../../support/service.ts';

const VERSION = '2026-08-27';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('the HTTP surface', () => {
  const api = provideService({ env: { SERVICE_ENVIRONMENT: 'staging' } }, [projectLine(1)]);
  let key: string;
  before(async () => {
    key = await api.key();
  });

  const ask = (path: string, request: WireRequest = {}) => sendChecked(api.url, path, { key, ...request });

  describe('envelope', () => {
    it('is {data, meta} for an answer, with the schema version and the request id', async () => {
      for (const path of ['/v1/projects/1', '/v1/projects/search', '/v1/projects/count', '/v1/locations/states', '/v1/taxonomy']) {
        const { status, body, headers } = await ask(path);
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(body), ['data', 'meta'], path);
        assert.deepEqual([body.meta.schemaVersion, body.meta.requestId], [VERSION, headers['x-request-id']]);
      }
    });

    it('carries the meta of a search', async () => {
      const { body } = await ask('/v1/projects/search?dateRange=all&limit=5');
      const names = `representation limit creditsUsed creditsRemaining pageCount hasMore total matchCount matchCountIsExact matchCountBasis
        delivery warnings appliedDefaults appliedFilters`.split(/\s+/);
      for (const name of names) assert(name in body.meta, name);
      const { limit, pageCount, hasMore, total, matchCount, matchCountIsExact, matchCountBasis } = body.meta;
      assert.deepEqual([limit, pageCount, hasMore, total, matchCount], [5, 1, false, 1, 1]);
      assert.deepEqual([matchCountIsExact, matchCountBasis], [true, 'candidate_scan']);
      const { mode, notPreviouslyExported, previouslyExported, updatedSinceExport, billed, notRebilled, ledgerApplied } =
        body.meta.delivery;
      assert.deepEqual([mode, typeof ledgerApplied], ['all', 'boolean']);
      for (const count of [notPreviouslyExported, previouslyExported, updatedSinceExport, billed, notRebilled])
        assert(Number.isInteger(count));
      assert.deepEqual(body.meta.appliedFilters, { dateRange: 'all' });
    });

    it('is the error envelope for a refusal, and points into the error reference', async () => {
      const answer = await ask('/v1/projects/search?colour=red');
      checkError(answer, 'invalid_filter', 'colour');
      assert.equal(answer.body.error.docsUrl, 'http://landuse.test/docs/errors#invalid_filter');
      const page = await ask('/docs/errors', { key: '' });
      assert.equal(page.status, 200);
      assert.match(String(page.headers['content-type']), /^text\/html/);
      for (const code of Object.keys(ERRORS)) assert(page.text.includes(`id="${code}"`), code);
    });

    it('is the error envelope for a path that does not exist', async () => {
      for (const path of ['/v2/projects/1', '/v1/nothing', '/V1/projects/1', '/v1/Projects/1', '/favicon.ico', '/v1/projects/1/x'])
        checkError(await ask(path), 'resource_not_found', null);
    });
  });

  describe('X-Request-Id', () => {
    it('is echoed', async () => {
      for (const id of ['a', 'A-z_0.9:', 'x'.repeat(255)]) {
        const { headers, body } = await ask('/v1/projects/1', { headers: { 'X-Request-Id': id } });
        assert.deepEqual([headers['x-request-id'], body.meta.requestId], [id, id]);
        const refused = await ask('/v1/projects/2', { headers: { 'X-Request-Id': id } });
        assert.equal(refused.body.error.requestId, id);
      }
    });

    it('is generated if none is sent, a new one each time', async () => {
      const ids = await Promise.all([1, 2, 3].map(async () => String((await ask('/v1/projects/1')).headers['x-request-id'])));
      for (const id of ids) assert.match(id, /^req_[0-9a-f-]{36}$/);
      assert.equal(new Set(ids).size, 3);
    });

    it('is refused if it cannot be echoed', async () => {
      for (const id of ['a b', 'x'.repeat(256), 'ü', '<script>', 'a,b', ''])
        checkError(await ask('/v1/projects/1', { headers: { 'X-Request-Id': id } }), 'invalid_request', 'X-Request-Id');
      checkError(await ask('/v1/projects/1', { headers: { 'X-Request-Id': ['a', 'b'] } }), 'invalid_request', 'X-Request-Id');
    });
  });

  describe('X-Service-Schema-Version and X-Service-Environment', () => {
    it('are on every answer, the version also where it is asked for', async () => {
      for (const path of ['/v1/projects/1', '/v1/projects/2', '/health', '/nothing']) {
        const { headers } = await ask(path, { headers: { 'X-Service-Schema-Version': VERSION } });
        assert.deepEqual([headers['x-service-schema-version'], headers['x-service-environment']], [VERSION, 'staging']);
      }
    });

    it('refuse a version that is not served and name the one that is', async () => {
      for (const version of ['2020-01-01', '2027-01-01', 'latest', '', '2026-08-27 ,2026-08-27']) {
        const answer = await ask('/v1/projects/1', { headers: { 'X-Service-Schema-Version': version } });
        checkError(answer, 'invalid_request', 'X-Service-Schema-Version');
        assert.deepEqual(answer.body.error.details.supported, [VERSION]);
      }
    });
  });

  describe('methods', () => {
    it('that a route does not take are 405 with Allow, for every route', async () => {
      const routes = routesOf(api.service.app);
      assert(routes.size > 20);
      for (const [path, allowed] of routes) {
        const concrete = path.replaceAll(/:\w+/g, '1');
        for (const method of METHODS.filter((name) => !allowed.has(name))) {
          const answer = await ask(concrete, { method });
          assert.equal(answer.status, 405, `${method} ${concrete}`);
          if (method !== 'HEAD') checkError(answer, 'method_not_allowed');
          assert.deepEqual(new Set(String(answer.headers.allow).split(', ')), allowed, `${method} ${concrete}`);
        }
      }
    });

    it('are the same with a slash at the end of the path', async () => {
      for (const path of ['/v1/projects/count', '/v1/projects/1']) assert.equal((await ask(`${path}/`)).status, (await ask(path)).status);
      const refused = await ask('/v1/projects/ai-search/');
      checkError(refused, 'method_not_allowed');
      assert.equal(refused.headers.allow, 'POST');
      checkError(await ask('/v1/projects/search//'), 'resource_not_found');
    });

    it('that nobody uses are 405 or 404 too', async () => {
      for (const method of ['TRACE', 'PROPFIND', 'LOCK', 'QUERY', 'REPORT', 'M-SEARCH']) {
        checkError(await ask('/v1/projects/search', { method }), 'method_not_allowed');
        checkError(await ask('/nothing', { method }), 'resource_not_found');
        checkError(await ask('/health', { method }), 'method_not_allowed');
      }
    });

    it('HEAD answers like GET, without a body, where nothing is charged', async () => {
      const [head, get] = [await ask('/health', { method: 'HEAD' }), await ask('/health')];
      assert.deepEqual([head.status, head.headers['content-type']], [get.status, get.headers['content-type']]);
      for (const path of ['/v1/projects/1', '/v1/projects/search', '/v1/locations/states'])
        assert.equal((await ask(path, { method: 'HEAD' })).status, 405, path);
    });

    it('OPTIONS says what is allowed', async () => {
      const answer = await ask('/v1/projects/search', { method: 'OPTIONS' });
      checkError(answer, 'method_not_allowed');
      assert.equal(answer.headers.allow, 'GET');
      checkError(await ask('*', { method: 'OPTIONS' }), 'resource_not_found');
    });

    it('with a body that no route reads leave the connection usable', async () => {
      const answer = await ask('/v1/projects/search', { method: 'POST', body: 'x'.repeat(300_000) });
      checkError(answer, 'method_not_allowed');
      checkError(await ask('/v1/analytics/nothing'), 'resource_not_found');
    });
  });

  describe('rate-limit headers', () => {
    it('are on every answer, whatever its status', async () => {
      const statuses = { '/v1/projects/1': 200, '/v1/projects/2': 404, '/v1/projects/search?limit=0': 400, '/nothing': 404 };
      for (const [path, status] of Object.entries(statuses)) assert.equal((await ask(path)).status, status);
      assert.equal((await ask('/v1/projects/1', { key: '' })).status, 401);
      assert.equal((await ask('/v1/projects/1', { method: 'DELETE' })).status, 405);
    });

    it('count down a bucket that a refused request spends too', async () => {
      const own = await api.key();
      const remaining = async (path: string) => Number((await ask(path, { key: own })).headers['x-ratelimit-remaining']);
      const first = await remaining('/v1/projects/1');
      assert.equal(await remaining('/v1/projects/2'), first - 1);
      assert.equal(await remaining('/v1/projects/search?limit=0'), first - 2);
      assert.equal(await remaining('/nothing'), first - 3);
      const reset = Number((await ask('/v1/projects/1', { key: own })).headers['x-ratelimit-reset']);
      const now = Date.now() / 1000;
      assert(reset >= now && reset <= now + 61, `${reset - now} s ahead`);
      const fields = async (path: string, asked = own) => (await ask(path, { key: asked })).headers['ratelimit-policy'];
      assert.match(String(await fields('/v1/projects/1')), /^"key";q=1000000;w=60$/);
      assert.match(String(await fields('/v1/projects/1', '')), /^"anonymous";/);
      assert.match(String(await fields('/health')), /^"health";/);
    });
  });

  describe('open routes', () => {
    it('answer without a key: health, readiness, changelog', async () => {
      for (const path of ['/health', '/v1/health'])
        for (const sent of ['', 'svc_live_nonsense']) assert.deepEqual((await ask(path, { key: sent })).body, { status: 'ok' }, sent);
      const servers = { elasticsearch: 'up', postgres: 'up', redis: 'up' };
      for (const path of ['/ready', '/v1/ready']) assert.deepEqual((await ask(path, { key: '' })).body, { status: 'ready', servers });
      const { schemaVersion, entries } = (await ask('/changelog.json', { key: '' })).body;
      assert.deepEqual([schemaVersion, entries.length > 0], [VERSION, true]);
    });
  });

  describe('unknown query parameters', () => {
    it('are refused on every route, with the name that was probably meant', async () => {
      for (const [path, allowed] of routesOf(api.service.app)) {
        if (!allowed.has('GET')) continue;
        const needed = ['/v1/locations/search', '/v1/interpret'].includes(path) ? '&q=boulder' : '';
        const answer = await ask(`${path.replaceAll(/:\w+/g, '1')}?colourful=1&reprsentation=full${needed}`);
        checkError(answer, 'invalid_filter', 'colourful');
        const problems: { param: string; code: string; didYouMean?: string }[] = answer.body.error.details.problems;
        const told = problems.map(({ param, code }) => `${param} ${code}`);
        assert.deepEqual(told, ['colourful unknown_parameter', 'reprsentation unknown_parameter'], path);
        if (path === '/v1/projects/:id' || path === '/v1/projects/search') assert.equal(problems[1]?.didYouMean, 'representation');
      }
    });
  });

  it('speaks HTTP/1.0 and takes absolute addresses', async () => {
    const old = await sendBytes(api.url, `GET /v1/projects/1 HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`);
    checkAnswer(old);
    assert.equal(old.status, 200);
    const absolute = `GET http://x/v1/projects/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`;
    assert.equal((await sendBytes(api.url, absolute)).status, 200);
  });
});
