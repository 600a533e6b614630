/** How answers travel: compressed, kept by clients, read by pages in a browser. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { checkAnswer, checkError, send, type WireRequest } from '../../support/http.ts';
import { projectLine } from '../../support/projectLine.ts';
import { routesOf } from '../../support/routes.ts';
import { provideService, testService } from '../../support/service.ts';

const PAGE = 'https://app.example';
const DECODERS = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync };

describe('answers', () => {
  const api = provideService(
    { env: { CORS_ORIGINS: `${PAGE}, http://localhost:3000`, RATE_LIMIT_HEALTH: '1000' } },
    Array.from({ length: 30 }, (_, i) => projectLine(i + 1)),
  );
  let key: string;
  before(async () => {
    key = await api.key();
  });

  const ask = async (path: string, request: WireRequest = {}) => {
    const answer = await send(api.url, path, { key, ...request });
    if (answer.status >= 400) checkAnswer(answer, request.method);
    return answer;
  };
  const varies = (headers: http.IncomingHttpHeaders) => String(headers.vary).split(/,\s*/);

  /** The answer's bytes as they came. */
  const raw = async (path: string, acceptEncoding: string) => {
    const request = http.get(`${api.url}${path}`, { headers: { 'X-API-Key': key, 'Accept-Encoding': acceptEncoding } });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { headers: response.headers, bytes: await buffer(response) };
  };

  describe('compressed', () => {
    const page = '/v1/projects/search?dateRange=all';
    const namesOf = (bytes: Buffer) =>
      JSON.parse(bytes.toString()).data.map((record: { id: number; statusLabel: string }) => [record.id, record.statusLabel]);

    it('by gzip, br or zstd as the client likes, hold the same page in a fraction of the bytes', async () => {
      const plain = await raw(page, 'identity');
      assert.equal(plain.headers['content-encoding'], undefined);
      assert(varies(plain.headers).includes('Accept-Encoding'));
      for (const encoding of ['gzip', 'br', 'zstd'] as const) {
        const { headers, bytes } = await raw(page, `${encoding}, identity;q=0.5`);
        assert.equal(headers['content-encoding'], encoding);
        assert(varies(headers).includes('Accept-Encoding'));
        assert.equal(Number(headers['content-length']), bytes.length);
        assert.match(String(headers['content-type']), /^application\/json/);
        assert(bytes.length < plain.bytes.length / 5, `${bytes.length} of ${plain.bytes.length}`);
        assert.deepEqual(namesOf(DECODERS[encoding](bytes)), namesOf(plain.bytes));
      }
    });

    it('are errors too; small answers are not, unless the client takes nothing else', async () => {
      const many = `/v1/projects/search?${Array.from({ length: 20 }, (_, i) => `unknown${i}=1`).join('&')}`;
      const error = await raw(many, 'gzip');
      assert.equal(error.headers['content-encoding'], 'gzip');
      assert.equal(JSON.parse(zlib.gunzipSync(error.bytes).toString()).error.code, 'invalid_filter');
      assert.equal((await raw('/v1/health', 'gzip')).headers['content-encoding'], undefined);
      const refused = await raw('/v1/health', 'gzip, identity;q=0');
      assert.equal(refused.headers['content-encoding'], 'gzip');
      assert.deepEqual(JSON.parse(zlib.gunzipSync(refused.bytes).toString()), { status: 'ok' });
      assert.deepEqual(JSON.parse((await raw('/v1/health', 'identity;q=0')).bytes.toString()), { status: 'ok' });
    });
  });

  describe('to a key', () => {
    it('are kept by nobody: private, no-store, errors included', async () => {
      const paths = [
        '/v1/projects/1',
        '/v1/projects/999',
        '/v1/projects/search',
        '/v1/account/credits',
        '/api/user/api-keys',
        '/v1/nothing',
      ];
      for (const path of [...paths, '/health']) assert.equal((await ask(path)).headers['cache-control'], 'private, no-store', path);
      assert.equal((await ask('/v1/projects/1', { key: 'svc_live_nonsense' })).headers['cache-control'], 'private, no-store');
    });

    it('from every catalogue have a lifetime and an ETag, and are 304 where the client has them', async () => {
      const catalogues = [...routesOf(api.service.app)].filter(
        ([path, methods]) => methods.has('GET') && /^\/v1\/(locations|reference|taxonomy)/.test(path),
      );
      assert(catalogues.length > 15);
      for (const [pattern] of catalogues) {
        const path = pattern
          .replace('cities/:id', 'cities/5574991')
          .replace('locations/search', 'locations/search?q=boulder')
          .replace(':stateId', 'CO')
          .replace('states/:id', 'states/CO')
          .replaceAll(/:\w+/g, '8013');
        const { status, headers } = await ask(path);
        assert.equal(status, 200, path);
        assert.match(String(headers['cache-control']), /^private, max-age=[1-9]\d+$/, path);
        for (const name of ['Authorization', 'X-API-Key', 'Accept-Encoding'])
          assert(varies(headers).includes(name), `${path}: ${headers.vary}`);
        const etag = String(headers.etag);
        const again = await ask(path, { headers: { 'If-None-Match': `"x", ${etag}`, 'Accept-Encoding': 'gzip' } });
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], path);
        for (const name of ['cache-control', 'vary', 'x-request-id', 'x-ratelimit-remaining'])
          assert(again.headers[name], `${name} of ${path}`);
        assert.equal((await ask(path, { headers: { 'If-None-Match': 'W/"other"' } })).status, 200);
      }
    });

    it('are 304 for their tag, weak or strong, alone or in a list, and for every tag', async () => {
      for (const path of ['/v1/reference/statuses', '/v1/locations/states', '/v1/taxonomy', '/openapi.json']) {
        const weak = String((await ask(path)).headers.etag).replace(/^(?!W\/)/, 'W/');
        for (const held of [weak, weak.slice('W/'.length), `"x", ${weak}`, '*'])
          assert.equal((await ask(path, { headers: { 'If-None-Match': held } })).status, 304, `${path} ${held}`);
        assert.equal((await ask(path, { headers: { 'If-None-Match': '"x"' } })).status, 200, path);
      }
    });

    it('from a catalogue are another version where the key is entitled to other places', async () => {
      const county = await api.key('county', { stateIds: [], countyIds: [8013] });
      const [mine, other] = await Promise.all([ask('/v1/locations/states/TX'), ask('/v1/locations/states/TX', { key: county })]);
      assert.notEqual(mine.headers.etag, other.headers.etag);
      assert.notEqual((await ask('/v1/taxonomy')).headers.etag, (await ask('/v1/taxonomy?includeGovernmentDecisions=true')).headers.etag);
    });

    it('of 304 count as requests', async () => {
      await using own = await api.another({ RATE_LIMIT_PAID: '3' });
      const mine = await api.key();
      const { headers } = await send(own.url, '/v1/taxonomy', { key: mine });
      const again = () => send(own.url, '/v1/taxonomy', { key: mine, headers: { 'If-None-Match': String(headers.etag) } });
      assert.deepEqual([(await again()).status, (await again()).status, (await again()).status], [304, 304, 429]);
    });

    it('without one: the changelog is shared and kept', async () => {
      const { headers } = await ask('/changelog.json', { key: '' });
      assert.match(String(headers['cache-control']), /^public, max-age=\d+$/);
      assert.equal((await ask('/changelog.json', { key: '', headers: { 'If-None-Match': String(headers.etag) } })).status, 304);
    });
  });

  describe('to a page in a browser', () => {
    const preflight = (origin: string | undefined) => {
      const asked = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' };
      return ask('/v1/projects/search', { method: 'OPTIONS', key: '', headers: { ...(origin ? { Origin: origin } : {}), ...asked } });
    };
    const corsOf = (headers: http.IncomingHttpHeaders) => Object.keys(headers).filter((name) => name.startsWith('access-control'));

    it('of a known origin: preflights are 204 without a key and allow its headers, never cookies', async () => {
      for (const origin of [PAGE, 'http://localhost:3000', 'http://landuse.test']) {
        const { status, headers, text } = await preflight(origin);
        assert.deepEqual([status, text, headers['access-control-allow-origin']], [204, '', origin]);
        const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
        for (const name of ['authorization', 'x-api-key', 'idempotency-key', 'content-type', 'x-request-id'])
          assert(allowed.includes(name), name);
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) assert(String(headers['access-control-allow-methods']).includes(method));
        assert.equal(headers['access-control-allow-credentials'], undefined);
        assert(varies(headers).includes('Origin'));
        assert.match(String(headers['x-ratelimit-remaining']), /^\d+$/);
      }
    });

    it('of a known origin can be read, errors and their headers included', async () => {
      for (const path of ['/v1/projects/1', '/v1/projects/999', '/v1/projects/search?colour=red', '/v1/health', '/v1/nothing']) {
        const { headers } = await ask(path, { headers: { Origin: PAGE } });
        assert.equal(headers['access-control-allow-origin'], PAGE, path);
        assert.equal(headers['access-control-allow-credentials'], undefined);
        const exposed = String(headers['access-control-expose-headers']).toLowerCase();
        for (const name of ['x-request-id', 'x-ratelimit-remaining', 'retry-after', 'etag', 'deprecation'])
          assert(exposed.includes(name), name);
      }
    });

    it('of another origin get no CORS header, and answers vary by origin', async () => {
      for (const origin of ['https://evil.example', 'null', `${PAGE}.evil.example`, 'http://app.example']) {
        for (const answer of [await preflight(origin), await ask('/v1/projects/1', { headers: { Origin: origin } })]) {
          assert.deepEqual(corsOf(answer.headers), [], origin);
          assert(varies(answer.headers).includes('Origin'));
        }
      }
      assert(varies((await ask('/v1/projects/1')).headers).includes('Origin'));
    });

    it('do not change OPTIONS that no browser sent', async () => {
      checkError(await ask('/v1/projects/search', { method: 'OPTIONS' }), 'method_not_allowed');
      checkError(await ask('/v1/projects/search', { method: 'OPTIONS', key: '' }), 'missing_api_key');
      checkError(await preflight(undefined), 'missing_api_key');
    });

    it('spend the allowance of routes that need no key', async () => {
      await using own = await testService({ env: { RATE_LIMIT_HEALTH: '2', CORS_ORIGINS: PAGE } });
      const headers = { Origin: PAGE, 'Access-Control-Request-Method': 'GET' };
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await send(own.url, '/v1/projects/1', { method: 'OPTIONS', headers })).status);
      assert.deepEqual(statuses, [204, 204, 429]);
      assert.equal((await send(own.url, '/v1/locations/states/CO', { key: await own.key() })).status, 200);
    });
  });

  describe('at the root', () => {
    it('greet without a key: what this is, and addresses that answer', async () => {
      for (const path of ['/', '/v1', '/v1/']) {
        const { status, body, headers } = await ask(path, { key: '' });
        assert.equal(status, 200);
        assert.match(body.description, /land-use projects/);
        assert.equal(body.apiRoot, 'http://landuse.test/v1');
        assert.match(String(headers.vary), /Accept(,|$)/);
        const links = body.links as Record<string, string>;
        for (const name of ['health', 'errors', 'changelog']) assert(name in links, name);
        for (const [name, url] of Object.entries(links)) assert.equal((await ask(new URL(url).pathname, { key: '' })).status, 200, name);
      }
    });

    it('greet a browser with a page', async () => {
      const headers = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
      const answer = await ask('/', { key: '', headers });
      assert.match(String(answer.headers['content-type']), /^text\/html/);
      assert.match(answer.text, /href="http:\/\/landuse.test\/health"/);
      const plain = await ask('/', { key: '', headers: { Accept: 'application/json' } });
      assert.match(String(plain.headers['content-type']), /^application\/json/);
    });
  });
});
