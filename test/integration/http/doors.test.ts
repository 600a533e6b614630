/** Smaller doors: pages of other sites, bodies without a bottom, allowances of open routes, TLS. */
import assert from 'node:assert/strict';
import { project } from '../../support/fixtures.ts';
import { checkError, send, sendBytes } from '../../support/http.ts';
import { provideService } from '../../support/service.ts';

const LEVELS = 20_000;
const EXTENSION_BYTES = 70_000;
const MCP_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const LIST_TOOLS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('doors', () => {
  const api = provideService({ env: { CORS_ORIGINS: 'https://app.example', RATE_LIMIT_HEALTH: '3' } }, [project(1)]);
  let key: string;
  before(async () => {
    key = await api.key();
  });

  const post = (path: string, body: string, headers: Record<string, string> = MCP_HEADERS) =>
    send(api.url, path, { method: 'POST', key, body, headers });

  it('of tools are shut to pages of other sites (DNS rebinding), and open to our own, listed ones and programs', async () => {
    const from = (Origin: string) => post('/mcp', LIST_TOOLS, { ...MCP_HEADERS, Origin });
    for (const origin of [
      'https://evil.example',
      'http://landuse.test:8081',
      'https://landuse.test',
      'null',
      'https://app.example.evil',
      '',
    ]) {
      const answer = await from(origin);
      checkError(answer, 'forbidden', 'Origin');
      assert.equal(answer.status, 403, origin);
    }
    for (const origin of ['http://landuse.test', 'https://app.example']) assert.equal((await from(origin)).status, 200, origin);
    assert.equal((await post('/mcp', LIST_TOOLS)).status, 200);
    const current = { ...MCP_HEADERS, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list', Origin: 'https://evil.example' };
    checkError(await post('/mcp', LIST_TOOLS, current), 'forbidden', 'Origin');
  });

  it('of tools let pages of listed origins send the headers of the protocol', async () => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const answer = await send(api.url, '/mcp', { method: 'OPTIONS', headers });
    const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
    for (const header of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) assert(allowed.includes(header), header);
  });

  it('of tools answer what is no message with an error of the client', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const current = { ...MCP_HEADERS, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'x', 'Mcp-Name': '=?base64?' };
    for (const body of [
      ...['', '{', '[]', '{}', 'null', '5', '{"jsonrpc":"2.0"}', `[${LIST_TOOLS}]`],
      `{"pad":"${'x'.repeat(300_000)}"}`,
      '{"jsonrpc":"2.0","id":1,"method":5}',
      '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5, _meta: meta } }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: '__proto__', params: { _meta: meta } }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta: meta } }),
    ])
      for (const headers of [MCP_HEADERS, current]) {
        const { status, text } = await post('/mcp', body, headers);
        assert(status >= 400 && status < 500, `${status} ${body.slice(0, 80)}: ${text.slice(0, 200)}`);
      }
    assert.equal((await send(api.url, '/mcp', { method: 'POST', body: LIST_TOOLS, headers: MCP_HEADERS })).status, 401);
  });

  it('take no body of more than 15,000 values', async () => {
    const match = async (values: number) => (await api.post('/projects/match', { rows: Array(values).fill(1) })).body.error;
    const { code, message } = await match(15_001);
    assert.deepEqual([code, message], ['invalid_request', 'The body has more than 15000 values; send fewer at once']);
    assert.match((await match(15_000)).message, /^rows has 15000 values/);
  });

  it('take no body of 20,000 levels, wherever it is sent and however it is nested', async () => {
    const deep: Record<string, string> = {
      lists: '['.repeat(LEVELS) + ']'.repeat(LEVELS),
      objects: `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`,
      both: `${'[{"é":'.repeat(LEVELS)}1${'}]'.repeat(LEVELS)}`,
    };
    for (const [what, value] of Object.entries(deep)) {
      const call = (given: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_projects","arguments":${given}}}`;
      for (const [path, body] of [
        ['/mcp', call(`{"filters":{"states":${value}}}`)],
        ['/mcp', call(value)],
        ['/mcp', value],
        ['/v1/exports', `{"filters":{"states":${value}}}`],
        ['/v1/lists', `{"name":"x","filters":${value}}`],
        ['/v1/alerts', `{"name":"x","filters":{"polygon":${value}}}`],
        ['/v1/analytics/aggregate', `{"filters":{},"groupBy":${value}}`],
        ['/v1/projects/ai-search/jobs', `{"query":${value}}`],
        ['/v1/enrichments', `{"projectIds":${value}}`],
        ['/api/user/api-keys', `{"x":${value}}`],
      ] as const) {
        const answer = await post(path, body);
        assert.equal(answer.status, 400, `${what} ${path}: ${answer.text.slice(0, 200)}`);
        checkError(answer, 'invalid_request', 'body');
      }
    }
  });

  it('count no brackets within texts as levels', async () => {
    const name = `${'[{'.repeat(40)}\\"${'['.repeat(40)}\\\\`;
    const answer = await post('/v1/lists', `{"name":"${name}"}`);
    assert.equal(answer.status, 201, answer.text);
  });

  it('are answered at once where a chunk extension of 70 KB breaks the body', async () => {
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `2;x=${'a'.repeat(EXTENSION_BYTES)}\r\n{}\r\n0\r\n\r\n`;
    for (const path of ['/v1/exports', '/mcp']) {
      const answer = await sendBytes(api.url, head(path) + chunk); // waits for the end of the connection, less long than a late body is waited for
      checkError(answer, 'invalid_request', 'body');
      assert.match(answer.headers.connection ?? '', /close/);
    }
  });

  it('without a key have an allowance each: whoever spends one is served at the others', async () => {
    const ask = (path: string, method = 'GET') => send(api.url, path, { method });
    for (let i = 0; i < 3; i++) assert.equal((await ask('/health')).status, 200);
    assert.equal((await ask('/v1/health')).status, 429);
    const token = 'A'.repeat(22);
    const others: [path: string, method: string, status: number][] = [
      ['/ready', 'GET', 200],
      [`/unsubscribe/${token}`, 'POST', 404],
      [`/confirm/${token}`, 'POST', 404],
      [`/feeds/rss/${token}`, 'GET', 404],
      ['/docs', 'GET', 200],
    ];
    for (const [path, method, status] of others) {
      for (let i = 0; i < 3; i++) assert.equal((await ask(path, method)).status, status, path);
      assert.equal((await ask(path, method)).status, 429, path);
    }
  });

  it('lead to TLS alone where the service is reached by it', async () => {
    const securityOf = async (url: string, path: string) => (await send(url, path)).headers['strict-transport-security'];
    assert.equal(await securityOf(api.url, '/health'), undefined);
    for (const PUBLIC_URL of ['https://landuse.test', 'HTTPS://landuse.test']) {
      const { url, stop } = await api.another({ PUBLIC_URL, RATE_LIMIT_HEALTH: '1000' });
      for (const path of ['/health', '/v1/projects/1', '/docs'])
        assert.equal(await securityOf(url, path), 'max-age=31536000', `${PUBLIC_URL} ${path}`);
      await stop();
    }
  });

  it('keep no key that is sent as a request id', async () => {
    const metered = await api.key('api_only');
    for (const id of ['legacy_0123456789abcdef', 'my-SVC_LIVE_x', 'svc_test_1']) {
      const { headers } = await api.get('/projects/1', {}, { key: metered, headers: { 'X-Request-Id': id } });
      assert.equal(headers.get('x-request-id'), id, 'echoed to whoever sent it');
    }
    const { body } = await api.get('/account/ledger', {}, { key: metered });
    const [charge] = (body.data as unknown as { kind: string; cause: { requestId: string } }[]).filter(({ kind }) => kind === 'charge');
    assert.equal(charge?.cause.requestId, 'withheld');
  });
});
