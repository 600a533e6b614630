/** Requests that arrive slowly, or not at all, are cut. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '../../scripts/lib/loopback.ts';
import { type Serving, serve } from '../../src/http/serve.ts';
import { checkError, send, sendBytes, type WireAnswer } from '../support/http.ts';
import { projectLine } from '../support/projectLine.ts';
import { provide } from '../support/provide.ts';
import { testService } from '../support/service.ts';

const TIMES = { headMs: 300, bodyMs: 500, checkMs: 50 };
/** Later than the times above by what a busy machine takes, and far below the minute after which Node cuts by itself. */
const CUT_MS = 8_000;

describe('a request that does not arrive', () => {
  const api = provide(() => testService());
  let serving: Serving;
  let url: string;
  let key: string;
  before(async () => {
    key = await api.key();
    serving = await serve(api.service, 0, undefined, TIMES);
    url = `http://127.0.0.1:${serving.port}`;
  });
  after(() => serving.stop());

  const head = (method: string, path: string, length: number, usedKey = key) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${usedKey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  function cut(answer: WireAnswer, param: string | null): void {
    checkError(answer, 'request_timeout', param);
    assert.equal(answer.headers.connection, 'close');
    assert(answer.ms < CUT_MS, `${answer.ms} ms`);
  }

  it('whole is refused when its time is over: a body announced and never sent', async () => {
    for (const body of ['', '{"name":']) cut(await sendBytes(url, head('POST', '/api/user/api-keys', 50) + body), 'body');
    const chunked = head('POST', '/api/user/api-keys', 5).replace('Content-Length: 5', 'Transfer-Encoding: chunked');
    cut(await sendBytes(url, `${chunked}5\r\n{"nam`), 'body');
  });

  it('whole is refused on every route that takes a body, and to agents', async () => {
    for (const path of ['/v1/exports', '/v1/projects/match', '/mcp'])
      cut(await sendBytes(url, `${head('POST', path, 50)}{"filters":`), 'body');
  });

  it('whole may take as long as a body may, and longer than the request itself', async () => {
    await using quick = await testService({ limits: { searchTimeoutMs: 1_500 / Number(api.env.SERVER_PATIENCE) } });
    await quick.index.load([projectLine(1)]);
    const slow = await serve(quick.service, 0, undefined, { ...TIMES, bodyMs: 60_000 });
    const body = '{"filters":{},"groupBy":["state"],"metrics":[{"op":"count"}]}';
    const begin = head('POST', '/v1/analytics/aggregate', body.length, await quick.key()).replace(
      'Host: x',
      'Host: x\r\nConnection: close',
    );
    const socket = net.connect(slow.port, '127.0.0.1');
    socket.write(begin + body.slice(0, 20));
    await sleep(2_000);
    socket.write(body.slice(20));
    assert.match(await text(socket), /^HTTP\/1\.1 200 /);
    await slow.stop();
  });

  it('whole is refused when its time is over: a head that never ends', async () => {
    cut(await sendBytes(url, 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: '), null);
  });

  it('at all ends its connection without an answer, which a browser would take for that of its next request', async () => {
    const socket = net.connect(serving.port, '127.0.0.1');
    const started = performance.now();
    assert.equal(await text(socket), '');
    assert(performance.now() - started < CUT_MS);
  });

  it('in time is refused, however steadily it drips', async () => {
    for (const [begin, drop, param] of [
      [head('POST', '/api/user/api-keys', 10_000), ' ', 'body'],
      ['GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'x', null],
    ] as const)
      cut(await drip(begin, drop), param);
  });

  it('after its answer ends the connection without a second answer', async () => {
    const answer = await sendBytes(url, head('GET', '/v1/locations/states/CO', 50));
    assert.equal(answer.status, 200);
    assert.equal(answer.text.split('HTTP/1.1').length, 1, answer.text);
    assert(answer.ms < CUT_MS);
  });

  it('leaves the service as it was', async () => {
    const headers = { 'Content-Type': 'application/json' };
    assert.equal((await send(url, '/api/user/api-keys', { method: 'POST', key, headers, body: '{"name":"x"}' })).status, 201);
  });

  /** Sends a byte every 20 ms until the server answers and closes. */
  async function drip(begin: string, drop: string): Promise<WireAnswer> {
    const server = net.createServer((client) => {
      const socket = net.connect(serving.port, '127.0.0.1', () => socket.write(begin));
      const timer = setInterval(() => socket.write(drop), 20);
      socket.on('error', () => {});
      socket.once('close', () => clearInterval(timer));
      socket.pipe(client);
    });
    await using proxy = await listenOnLoopback(server);
    return await sendBytes(proxy.url, '');
  }
});
