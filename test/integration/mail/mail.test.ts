/** Mail from the outbox to a real SMTP server that takes, refuses, stalls and drops. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { composeWorker, type Worker } from '../../../src/core/jobs/worker.ts';
import { OutboxStore } from '../../../src/core/mail/outbox.ts';
import { sendMailJob } from '../../../src/core/mail/sendMails.ts';
import { MailServer } from '../../../src/core/mail/smtp.ts';
import { MAIL_AUDIENCES } from '../../../src/features.ts';
import { adminRunner } from '../../support/admin.ts';
import { eventually, QUICK } from '../../support/jobs.ts';
import { type TestMailServer, testMailServer } from '../../support/mailServer.ts';
import { answerOf, type TestService, testService } from '../../support/service.ts';

const FROM = 'no-reply@landuse.example';
const SILENCE_MS = 400;

describe('Mail', () => {
  let api: TestService;
  let server: TestMailServer;
  let worker: Worker;
  let outbox: OutboxStore;
  const log: string[] = [];

  const makeWorker = (url: string) => {
    const mailServer = new MailServer({ url, timeoutMs: SILENCE_MS });
    return composeWorker({
      databaseUrl: api.config.databaseUrl,
      databaseSchema: api.config.databaseSchema,
      log: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
      settings: QUICK,
      definitions: (database, jobs) => {
        const job = sendMailJob.with({
          outbox: new OutboxStore(jobs),
          server: mailServer,
          from: FROM,
          publicUrl: api.config.publicUrl,
          database,
          audiences: MAIL_AUDIENCES,
        });
        return [{ ...job, backoff: QUICK }];
      },
      close: async () => mailServer.close(),
    });
  };
  before(async () => {
    [api, server] = await Promise.all([testService(), testMailServer()]);
    worker = makeWorker(server.url);
    outbox = new OutboxStore(worker.jobs);
    await worker.start();
  });
  beforeEach(() => {
    server.mood = 'take';
    server.received.length = 0;
    log.length = 0;
  });
  after(async () => {
    await worker.stop(0);
    await api.stop();
    await server.stop();
  });

  const link = { label: 'Open', url: 'http://landuse.test/v1/x' };
  const content = { subject: 'Prüfung – 1', paragraphs: ['Ähre & more'], link, reason: 'Why.' };
  let count = 0;
  /** Puts a mail of a new event into the outbox. */
  const put = async (more: { event?: string; topic?: string; recipient?: string } = {}) => {
    count += 1;
    const mail = { event: `event ${count}`, topic: `topic ${count}`, recipient: `one.${count}@recipients.example`, content, ...more };
    const queued = await api.database.transaction((tx) => outbox.put(tx, mail));
    return { ...mail, queued };
  };
  const stored = async (event: string) => {
    const found = (await outbox.list(undefined, 1_000)).find((mail) => mail.event === event);
    assert(found, event);
    return found;
  };
  const ended = (event: string) =>
    eventually(`the end of ${event}`, async () => ((await stored(event)).endedAt ? stored(event) : undefined));

  it('comes as text and HTML, with a Message-ID of its event and the headers of RFC 8058', async () => {
    const { event, recipient } = await put();
    const { status, token, content: kept } = await ended(event);
    assert.deepEqual([status, kept], ['sent', null]);
    assert.equal(server.received.length, 1);
    const [{ to, from, raw, headers }] = server.received as [(typeof server.received)[number]];
    assert.deepEqual([to, from], [[recipient], FROM]);
    assert.deepEqual([headers.get('to'), headers.get('from')], [recipient, FROM]);
    assert.match(headers.get('message-id') ?? '', /^<[0-9a-f]{40}@landuse\.test>$/);
    assert.equal(headers.get('list-unsubscribe'), `<http://landuse.test/unsubscribe/${token}>`);
    assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.match(headers.get('content-type') ?? '', /^multipart\/alternative/);
    assert.match(raw, /Content-Type: text\/plain; charset=utf-8[\s\S]*=C3=84hre & more[\s\S]*Content-Type: text\/html; charset=utf-8/);
    assert.match(headers.get('subject') ?? '', /^=\?UTF-8\?/);
  });

  it('is written with its event or not at all, and once for each event and recipient', async () => {
    const failed = api.database.transaction(async (tx) => {
      await outbox.put(tx, { event: 'undone', topic: 't', recipient: 'a@b.example', content });
      throw new RangeError('the event did not happen');
    });
    await assert.rejects(failed, /did not happen/);
    const first = await put();
    const again = await put({ ...first });
    const other = await put({ event: first.event });
    assert.deepEqual([first.queued, again.queued, other.queued], [true, false, true]);
    await ended(first.event);
    await eventually('both', () => (server.received.length === 2 ? true : undefined));
    assert.deepEqual(server.received.flatMap(({ to }) => to).sort(), [first.recipient, other.recipient].sort());
    assert(!(await outbox.list(undefined, 1_000)).some(({ event }) => event === 'undone'));
    assert.deepEqual([(await put({ ...first })).queued, server.received.length], [false, 2]);
  });

  it('refuses an address that smuggles a header', async () => {
    await assert.rejects(put({ recipient: 'a@b.example\r\nBcc: eve@x.example' }), RangeError);
    await assert.rejects(put({ recipient: 'a@b.example, eve@x.example' }), RangeError);
  });

  for (const mood of ['busy', 'stall at greeting', 'stall at mail', 'drop'] as const)
    it(`waits and comes once after a server that is set to: ${mood}`, async () => {
      server.mood = mood;
      const before = server.connections;
      const { event, recipient } = await put();
      await eventually('two attempts', () => (server.connections >= before + 2 ? true : undefined));
      assert.equal((await stored(event)).status, 'queued');
      server.mood = 'take';
      assert.equal((await ended(event)).status, 'sent');
      assert.deepEqual(server.received.flatMap(({ to }) => to).join(), recipient);
    });

  it('comes again under the same Message-ID where the server took it and did not say so', async () => {
    server.mood = 'swallow';
    const { event } = await put();
    await eventually('a first copy', () => (server.received.length ? true : undefined));
    server.mood = 'take';
    assert.equal((await ended(event)).status, 'sent');
    const ids = server.received.map(({ headers }) => headers.get('message-id'));
    assert(ids.length >= 2);
    assert.equal(new Set(ids).size, 1);
  });

  for (const mood of ['refuse recipient', 'refuse mail'] as const)
    it(`is not sent again to a server that is set to: ${mood}; the log does not name the recipient`, async () => {
      server.mood = mood;
      const { event } = await put();
      assert.equal((await ended(event)).status, 'refused');
      assert.equal(server.received.length, 0);
      assert(log.some((line) => line.includes('did not take the mail')));
      assert(!log.join('\n').includes('recipients.example'), log.join('\n'));
      const [job] = await worker.jobs.list({ kind: 'send_mail', status: 'failed' }, 1);
      assert.deepEqual([job?.error?.code, job?.lastFailure?.includes('@')], ['mail_refused', false]);
    });

  it('stops for one recipient and topic by one click, those that wait included; a GET changes nothing', async () => {
    const first = await put();
    const { token } = await ended(first.event);
    const url = `${api.url}/unsubscribe/${token}`;
    const page = await fetch(url);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/);
    assert((await page.text()).includes('<form method="post">'));
    assert((await put({ topic: first.topic, recipient: first.recipient })).queued);
    server.mood = 'busy';
    const waiting = await put({ topic: first.topic, recipient: first.recipient.toUpperCase() });
    assert(waiting.queued);
    const click = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await fetch(url, { method: 'POST', headers: click, body: 'List-Unsubscribe=One-Click' })).status, 200);
    // Still busy: an attempt that had begun before the click must not get through after it.
    assert.equal((await ended(waiting.event)).status, 'unsubscribed');
    server.mood = 'take';
    assert(!(await put({ topic: first.topic, recipient: first.recipient })).queued);
    assert((await put({ topic: 'another', recipient: first.recipient })).queued);
    assert((await put({ topic: first.topic })).queued);
  });

  it('answers 404 to a link that no mail has, and 405 to other methods', async () => {
    for (const token of ['x', 'A'.repeat(22), '../health', ''])
      for (const method of ['GET', 'POST']) {
        const { status, body } = await answerOf(await fetch(`${api.url}/unsubscribe/${encodeURIComponent(token)}`, { method }));
        assert.deepEqual([status, body.error.code], [404, 'resource_not_found'], `${method} ${token}`);
      }
    const put405 = await fetch(`${api.url}/unsubscribe/${'A'.repeat(22)}`, { method: 'PUT' });
    assert.deepEqual([put405.status, put405.headers.get('allow')], [405, 'GET, HEAD, POST']);
  });

  it('goes over TLS with a password where the server asks for it, and to no server that cannot prove itself', async () => {
    await using strict = await testMailServer({ user: 'service', password: 'p ä/ss' });
    const login = `smtp://service:${encodeURIComponent('p ä/ss')}@127.0.0.1:${strict.port}/?requireTLS=true`;
    const trusting = new MailServer({ url: `${login}&tls.rejectUnauthorized=false`, timeoutMs: 5_000 });
    const doubting = new MailServer({ url: login, timeoutMs: 5_000 });
    const wrong = new MailServer({ url: `smtp://service:x@127.0.0.1:${strict.port}/?requireTLS=true&tls.rejectUnauthorized=false` });
    const mail = {
      ...{ subject: 's', text: 't', html: '<p>t</p>', messageId: '<1@x.example>', from: FROM, to: 'a@b.example' },
      unsubscribeUrl: 'http://landuse.test/unsubscribe/t',
    };
    const { signal } = new AbortController();
    await trusting.send(mail, signal);
    const [{ secure, user } = assert.fail('nothing came'), ...others] = strict.received;
    assert.deepEqual([secure, user, others], [true, 'service', []]);
    await assert.rejects(doubting.send(mail, signal), /did not take the mail/);
    await assert.rejects(wrong.send(mail, signal), (error: Error) => error.name === 'Error' && error.message.includes('535'));
    assert.equal(strict.received.length, 1);
  });

  it('is queued by an operator as a test, and listed without what it says', async () => {
    const admin = (...args: string[]) => adminRunner(api)('mail', ...args);
    const { code, json, err } = await admin('test', 'operator@acme.example');
    assert.equal(code, 0, err);
    const { event } = json;
    assert.equal((await ended(event)).status, 'sent');
    const listed: Record<string, unknown>[] = (await admin('list', '--status', 'sent')).json;
    assert(listed.some((mail) => mail.event === event && mail.recipient === 'operator@acme.example'));
    assert(listed.every((mail) => !('content' in mail) && !('token' in mail)));
    assert.deepEqual([(await admin('test', 'a@b.example\nx')).code, (await admin('list', '--status', 'lost')).code], [2, 2]);
  });
});
