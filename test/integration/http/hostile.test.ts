import assert from 'node:assert/strict';
import { checkAnswer, checkError, send, sendBytes, type WireAnswer } from '../../support/http.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provideService } from '../../support/service.ts';

/** A refusal that takes longer than this did work for nothing. The fastest of a few tries counts: a busy machine is no defect of ours. */
const REFUSAL_MS = 50;
const TRIES_MAX = 30;

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
/** '170 10, 180 20' as points, longitude first. */
const pointsOf = (text: string) => text.split(', ').map((point) => point.split(' ').map(Number));
const ring = (vertices: number, radius = (_i: number) => 1) => {
  const points = Array.from({ length: vertices - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (vertices - 1);
    return [-105 + Math.cos(angle) * radius(i), 40 + Math.sin(angle) * radius(i)];
  });
  return [...points, points[0]];
};

describe('unusable input', () => {
  const api = provideService({}, [projectLine(1)]);
  let key: string;
  before(async () => {
    key = await api.key();
    for (let i = 0; i < 5; i++) await send(api.url, '/v1/projects/search?limit=0', { key });
  });

  /** Asks until an answer comes in time; every answer is checked and must have this status. */
  const refusedFast = async (status: number, ask: () => Promise<WireAnswer>, what: string): Promise<WireAnswer> => {
    let fastest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < TRIES_MAX; i++) {
      const answer = await ask();
      checkAnswer(answer);
      assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 200)}`);
      fastest = Math.min(fastest, answer.ms);
      if (fastest < REFUSAL_MS) return answer;
    }
    assert.fail(`${what} took ${fastest.toFixed(0)} ms at best`);
  };
  const query = (text: string) => () => send(api.url, `/v1/projects/search?${text}`, { key });

  it('in a parameter is refused within 50 ms', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => i).join(',');
    const crossing = pointsOf('-105 39, -104 40, -105 40, -104 39, -105 39');
    const cases: Record<string, string> = {
      'a query of 8 KB': `q=${'a'.repeat(8_000)}`,
      'a name of 8 KB': `${'n'.repeat(8_000)}=1`,
      'deep JSON': `polygon=${encodeURIComponent('['.repeat(20_000))}`,
      'deep JSON that closes': `polygon=${encodeURIComponent('['.repeat(6_000) + ']'.repeat(6_000))}`,
      'a deep object': `bbox=${encodeURIComponent(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`)}`,
      'a huge object': `contactOptions=${json(Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`k${i}`, i])))}`,
      '10,000 values': `states=${many}`,
      '10,000 values in JSON': `projectIds=${encodeURIComponent(`[${many}]`)}`,
      '10,000 repetitions': Array.from({ length: 10_000 }, (_, i) => `q=${i}`).join('&'),
      '500 unknown values': `propertySubtypes=${Array.from({ length: 500 }, (_, i) => `unknown_subtype_number_${i}`).join(',')}`,
      '500 unknown counties': `states=TX&counties=${Array.from({ length: 500 }, (_, i) => `unknown%20county%20${i}`).join(',')}`,
      '2,000 unknown names': Array.from({ length: 2_000 }, (_, i) => `unknownName${i}=1`).join('&'),
      'a null byte': 'q=a%00b',
      'a null byte in a name': 'q%00=a',
      'bad percent-encoding': 'states=%E0%A4%A',
      'a lone percent': 'states=%',
      'bad UTF-8': 'cities=%FF%FE',
      '1,001 vertices': `polygon=${json(ring(1_001))}`,
      'a crossing polygon': `polygon=${json(crossing)}`,
      'a crossing polygon of 1,000 vertices': `polygon=${json(ring(1_000, (i) => (i % 2 ? 1 : -1)))}`,
      'a polygon without area': `polygon=${json(pointsOf('-105 40, -105 40, -105 40, -105 40'))}`,
      'an open polygon': `polygon=${json(ring(10).slice(0, -1))}`,
      'a polygon of texts': `polygon=${json(['ab', 'cd', 'ef', 'ab'].map((pair) => [...pair]))}`,
      'numbers beyond JSON': 'bbox={"north":1e999,"south":0,"east":1,"west":0}',
      infinity: 'acreageMin=Infinity',
      'not a number': 'acreageMin=NaN',
      'a number that overflows': 'acreageMax=1e999',
      'a circle of another planet': `circle=${json({ lat: 91, lng: 0, radiusMeters: 500 })}`,
      'a circle too small': `circle=${json({ lat: 40, lng: -105, radiusMeters: 99 })}`,
    };
    for (const [what, text] of Object.entries(cases)) await refusedFast(400, query(text), what);
  });

  it('at the edge of what may be sent is taken: 1,000 vertices with full precision, dates of every year', async () => {
    for (const text of [
      `polygon=${json(ring(1_000))}`,
      'lastUpdatedTo=9999',
      'meetingDateFrom=0001&meetingDateTo=9999',
      `q=${'w%7C'.repeat(249)}w`,
      `q=${Array.from({ length: 125 }, (_, i) => `w${i}`).join('%7C')}`.slice(0, 502),
      'acreageMin=-1e308&acreageMax=1e308',
      'totalUnitCountMin=9007199254740993',
      `projectIds=${Number.MAX_SAFE_INTEGER}`,
      'bbox={"north":90,"south":90,"east":-180,"west":180}',
      'bbox={"north":90,"south":-90,"east":180,"west":-180}',
      'circle={"lat":90,"lng":180,"radiusMeters":500000}',
      `polygon=${json(pointsOf('-180 -90, 180 -90, 180 90, -180 90, -180 -90'))}`,
      `polygon=${json(pointsOf('170 10, 180 10, 180 20, 170 20, 170 10'))}`,
    ]) {
      const answer = await query(text.replace(/[^\x21-\x7e]|["{}<>]/g, encodeURIComponent))();
      checkAnswer(answer);
      assert.equal(answer.status, 200, `${text.slice(0, 80)}: ${answer.text.slice(0, 200)}`);
    }
  });

  it('beyond every calendar is refused at worst', async () => {
    for (const text of [
      'lastUpdatedFrom=0001-01-01T00:00:00%2B14:00',
      'lastUpdatedTo=9999-12-31T23:59:59-14:00',
      'lastUpdatedTo=9999-12',
    ]) {
      const answer = await query(text)();
      checkAnswer(answer);
      assert(answer.status < 500, answer.text);
    }
  });

  it('among the ids of a body is invalid_filter, as in a query string', async () => {
    const { body: list } = await api.post('/lists', { name: 'Some', projectIds: [1] }, { key });
    const many = Array.from({ length: 101 }, (_, i) => i + 1);
    for (const [path, more] of [
      ['/v1/enrichments', {}],
      ['/v1/exports', {}],
      ['/v1/lists', { name: 'x' }],
      [`/v1/lists/${list.data.id}/projects`, {}],
    ] as const)
      for (const projectIds of ['seven', ['1'], [0], [-1], [1.5], [null], [[1]], { 0: 1 }, 7, [2 ** 60], many]) {
        const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'ids' };
        const answer = await send(api.url, path, { method: 'POST', key, headers, body: JSON.stringify({ ...more, projectIds }) });
        checkError(answer, 'invalid_filter');
        assert.match(answer.body.error.param, /^projectIds(\.0)?$/, `${path} ${JSON.stringify(projectIds).slice(0, 50)}`);
      }
  });

  it('in a path is not found, within 50 ms', async () => {
    for (const path of [
      '/v1/projects/../../x',
      '/v1/projects/..%2f..%2fetc%2fpasswd',
      '/v1/../v1/projects/1',
      '//v1',
      '//v1/projects/1',
      '///',
      '/v1//projects/1',
      `/v1/${'a'.repeat(8_000)}`,
      `/v1/projects/${'9'.repeat(8_000)}`,
      `/v1${'/a'.repeat(2_000)}`,
      '/v1/projects/%',
      '/v1/projects/%E0%A4%A',
      '/v1/projects/%00',
      '/v1/locations/cities/%FF',
      '/v1/locations/states/%00',
      `/v1/locations/counties/${'x'.repeat(2_000)}`,
      '/v1/projects/__proto__',
      '/v1/constructor',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/v1/projects/1;a=b',
      '/.git/config',
    ]) {
      const answer = await refusedFast(404, () => send(api.url, path, { key }), path.slice(0, 60));
      assert.equal(answer.body.error.code, 'resource_not_found');
      assert(answer.text.length < 1_000, `${answer.text.length} characters for ${path.slice(0, 60)}`);
    }
  });

  it('that is not HTTP still gets the envelope, and a closed connection', async () => {
    const get = 'GET /v1/projects/1 HTTP/1.1\r\nHost: x\r\n';
    const cases: Record<string, string> = {
      'no request at all': 'HELLO\r\n\r\n',
      'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      'a header without a colon': `${get}Broken\r\n\r\n`,
      'a control character in the path': 'GET /v1/\x01 HTTP/1.1\r\nHost: x\r\n\r\n',
      'raw UTF-8 in the path': 'GET /v1/projects/\xc3\xb6\x80 HTTP/1.1\r\nHost: x\r\n\r\n',
      'two Hosts': `${get}Host: x\r\nConnection: close\r\n\r\n`,
      'no Host': 'GET /v1/projects/1 HTTP/1.1\r\nConnection: close\r\n\r\n',
      'two content lengths': `${get}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      'a length that is no number': `${get}Content-Length: abc\r\n\r\n`,
      'a length with chunks': `${get}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz`,
      'an address that is none': `GET http://[::1/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      'a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'a header of 200 KB': `${get}X-Big: ${'a'.repeat(200_000)}\r\n\r\n`,
      'a path of 200 KB': `GET /v1/${'a'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      '3,000 headers': `${get}${Array.from({ length: 9_000 }, (_, i) => `X-Header-${i}: value\r\n`).join('')}\r\n`,
    };
    for (const [what, bytes] of Object.entries(cases)) {
      const answer = await sendBytes(api.url, bytes);
      checkError(answer, 'invalid_request');
      assert.equal(answer.status, 400, what);
      assert.match(answer.headers.connection ?? '', /close/, what);
    }
  });

  it('says what is wrong with it: repeated headers, a query that is no UTF-8', async () => {
    const get = 'GET /v1/projects/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    for (const [bytes, param] of [
      [`${get}Host: y\r\n\r\n`, 'Host'],
      [`${get}Content-Type: application/json\r\nContent-Type: text/plain\r\n\r\n`, 'Content-Type'],
    ] as const) {
      const answer = await sendBytes(api.url, bytes);
      checkError(answer, 'invalid_request', param);
      assert.match(answer.body.error.message, /more than one/);
    }
    const ofQ = ['q=%FF', 'limit=1&q=caf%E9', 'q=%C3', 'q=%C3%28', 'q=%ED%A0%80', 'q=%F5%80%80%80', 'limit=1&%71=%ff'];
    for (const text of [...ofQ, '%FF=1']) {
      const answer = await query(text)();
      checkError(answer, 'invalid_request', text === '%FF=1' ? '\uFFFD' : 'q');
      assert.match(answer.body.error.message, /not UTF-8/, text);
    }
    for (const text of ['q=caf%C3%A9', 'q=home%F0%9F%8F%A0', 'q=100%', 'q=%zz']) assert.equal((await query(text)()).status, 200, text);
  });

  it('behind a request does not take its answer away', async () => {
    const bytes = `GET /v1/projects/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\nNONSENSE\r\n\r\n`;
    const answer = await sendBytes(api.url, bytes);
    checkAnswer(answer);
    assert.deepEqual([answer.status, answer.body.data.id, answer.headers.connection], [200, 1, 'close']);
  });

  it('in a body is refused within 50 ms, whatever it claims to be', async () => {
    const bodies: Record<string, string> = {
      'half an object': '{"name":',
      'a text': '"name"',
      'a list': '[]',
      nothing: 'null',
      'a null byte': '\0',
      'deep JSON': '{"name":'.repeat(20_000),
      'deep JSON that closes': `${'{"name":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      'too much': `{"name":"${'x'.repeat(300_000)}"}`,
      'a field of no contract': '{"nme":"x"}',
      'a prototype': '{"__proto__":{"name":"x"},"constructor":1}',
      'a value of another type': '{"name":{"toString":1}}',
    };
    for (const [what, body] of Object.entries(bodies)) {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await refusedFast(400, () => send(api.url, '/api/user/api-keys', { method: 'POST', key, headers, body }), what);
      assert.equal(answer.body.error.code, 'invalid_request', what);
      assert.equal(typeof answer.body.error.param, 'string', what);
    }
  });

  it('in a body of another charset, or that is not UTF-8 as it claims, is refused with the reason', async () => {
    const post = (body: string, type: string) =>
      send(api.url, '/api/user/api-keys', { method: 'POST', key, headers: { 'Content-Type': type }, body });
    for (const charset of ['iso-8859-1', 'utf-16', 'utf-7', 'nonsense', '"windows-1252"']) {
      const answer = await post('{}', `application/json; charset=${charset}`);
      checkError(answer, 'invalid_request', 'Content-Type');
      assert.match(answer.body.error.message, /UTF-8/, charset);
      assert.deepEqual(answer.body.error.details.supported, ['application/json; charset=utf-8']);
    }
    const head = `POST /api/user/api-keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\nContent-Type: application/json; charset=UTF-8`;
    const sent = (bytes: string) => sendBytes(api.url, `${head}\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`);
    for (const bytes of ['{"name":"caf\xe9"}', '{"name":"\xff"}', '{"name":"\xed\xa0\x80"}', '{"n\xc3":1}']) {
      const answer = await sent(bytes);
      checkError(answer, 'invalid_request', 'body');
      assert.match(answer.body.error.message, /not UTF-8/);
    }
    const named = await sent('{"name":"caf\xc3\xa9"}');
    assert.deepEqual([named.status, named.body.data.name], [201, Buffer.from('caf\xc3\xa9', 'latin1').toString()]);
  });

  it('in headers is ignored or refused, never a failure', async () => {
    for (const headers of [
      { Expect: 'nonsense' },
      { Upgrade: 'h2c', Connection: 'Upgrade' },
      { 'Accept-Encoding': '*;q=0' },
      { Range: 'bytes=0-1' },
      { 'If-None-Match': '*' },
      { 'Content-Type': 'application/json', 'Content-Length': '0' },
      { Host: 'evil.example' },
      { 'X-Forwarded-For': 'a'.repeat(5_000) },
      { 'X-HTTP-Method-Override': 'DELETE' },
    ] as Record<string, string>[]) {
      const answer = await send(api.url, '/v1/projects/1', { key, headers });
      checkAnswer(answer);
      assert.equal(answer.status, 200, JSON.stringify(headers).slice(0, 80));
    }
    for (const accept of ['image/png', 'nonsense', '*/*;q=0'])
      checkError(await send(api.url, '/v1/projects/1', { key, headers: { Accept: accept } }), 'not_acceptable', 'Accept');
  });

  it('does not keep the next request from being served', async () => {
    await Promise.all(Array.from({ length: 50 }, () => sendBytes(api.url, 'NONSENSE\r\n\r\n')));
    assert.equal((await send(api.url, '/v1/projects/1', { key })).status, 200);
  });
});
