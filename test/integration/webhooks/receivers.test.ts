/** What a receiver may do wrong: each is one outcome, in bounded time, and no request goes anywhere else. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { startReceiver } from '../../../scripts/lib/webhookReceiver.ts';
import { WebhookSender } from '../../../src/features/webhooks/postMessage.ts';
import { provide } from '../../support/provide.ts';

const NEVER = new AbortController().signal;
const TIMEOUT_MS = 300;

describe('A receiver', () => {
  const one = provide(() => startReceiver());
  const other = provide(() => startReceiver('127.0.0.2'));
  const sender = new WebhookSender({ allowPrivate: true, ports: null, timeoutMs: TIMEOUT_MS });

  const answering = (answer: (response: ServerResponse) => void) => {
    one.answer = (_, response) => answer(response);
    return sender.post(one.url, { 'Content-Type': 'application/json' }, '{"a":1}', NEVER);
  };

  it('that answers 200 to 299 has the message', async () => {
    for (const status of [200, 201, 204, 299])
      assert.deepEqual(await answering((response) => response.writeHead(status).end()), { httpStatus: status, error: null });
    const { path, body, headers } = one.got.at(-1) ?? assert.fail();
    assert.deepEqual([path, body, headers['content-type'], headers['content-length']], ['/hook', '{"a":1}', 'application/json', '7']);
  });

  it('that answers otherwise has it not: 400, 410, 429, 500', async () => {
    for (const status of [400, 404, 410, 429, 500, 503])
      assert.deepEqual(await answering((response) => response.writeHead(status).end('no')), {
        httpStatus: status,
        error: 'status_not_2xx',
      });
  });

  it('that redirects is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const outcome = await answering((response) => response.writeHead(status, { Location: other.url }).end());
      assert.deepEqual(outcome, { httpStatus: status, error: 'redirect_not_followed' });
    }
    assert.equal(other.connections, 0);
  });

  it('that is slow, says nothing, or never ends its headers, is given up in time', async () => {
    const started = Date.now();
    assert.deepEqual(await answering(() => undefined), { httpStatus: null, error: 'timed_out' });
    assert.deepEqual(await answering((response) => response.socket?.write('HTTP/1.1 200 OK\r\nX-A: ')), {
      httpStatus: null,
      error: 'timed_out',
    });
    assert(Date.now() - started < 20 * TIMEOUT_MS);
  });

  it('that resets, closes, or speaks no HTTP, has failed', async () => {
    const failed = { httpStatus: null, error: 'connection_failed' };
    assert.deepEqual(await answering((response) => void response.socket?.resetAndDestroy()), failed);
    assert.deepEqual(await answering((response) => void response.socket?.end()), failed);
    assert.deepEqual(await answering((response) => void response.socket?.end('220 mail.example ESMTP\r\n')), failed);
    assert.deepEqual(
      await answering((response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)),
      failed,
    );
    const gone = await startReceiver();
    await gone.stop();
    assert.deepEqual(await sender.post(gone.url, {}, '{}', NEVER), failed);
    assert.deepEqual(await sender.post(one.url.replace('http:', 'https:'), {}, '{}', NEVER), { httpStatus: null, error: 'tls_failed' });
  });

  it('that answers without end is hung up on when its status is known', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    const outcome = await answering((response) => {
      response.writeHead(200);
      response.on('close', () => closed.resolve());
      const more = () => {
        if (response.destroyed) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536), () => setImmediate(more));
      };
      more();
    });
    assert.deepEqual(outcome, { httpStatus: 200, error: null });
    await closed.promise;
    assert(sent < 50_000_000, `${sent} bytes`);
  });

  it('that changes its address is found at the new one', async () => {
    let address = '127.0.0.1';
    const moving = new WebhookSender({ allowPrivate: true, ports: null, timeoutMs: TIMEOUT_MS, resolve: async () => [address] });
    one.answer = other.answer = (_, response) => response.writeHead(204).end();
    const before = [one.got.length, other.got.length];
    await moving.post(`http://receiver.example:${one.port}/hook`, {}, '{}', NEVER);
    address = '127.0.0.2';
    assert.deepEqual(await moving.post(`http://receiver.example:${other.port}/hook`, {}, '{}', NEVER), { httpStatus: 204, error: null });
    assert.deepEqual([one.got.length, other.got.length], [(before[0] ?? 0) + 1, (before[1] ?? 0) + 1]);
    assert.equal(other.got.at(-1)?.headers.host, `receiver.example:${other.port}`);
  });

  it('whose name is unknown has failed', async () => {
    const unknown = new WebhookSender({
      allowPrivate: true,
      ports: null,
      resolve: async () => {
        throw new Error('ENOTFOUND');
      },
    });
    assert.deepEqual(await unknown.post('http://receiver.example/', {}, '{}', NEVER), { httpStatus: null, error: 'name_not_resolved' });
  });

  it('is not waited for by a worker that stops', async () => {
    const stopping = new AbortController();
    one.answer = () => stopping.abort(new Error('The worker stops'));
    await assert.rejects(sender.post(one.url, {}, '{}', stopping.signal), /The worker stops/);
  });
});
