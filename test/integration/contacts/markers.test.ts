/** Channels that nobody may see occur in nothing that leaves the service: every answer, file, log line and mail of a busy run is searched for them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pino } from 'pino';
import { composeServiceWorker } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { OutboxStore } from '../../../src/core/mail/outbox.ts';
import { adminRunner } from '../../support/admin.ts';
import { project } from '../../support/fixtures.ts';
import { eventually, QUICK } from '../../support/jobs.ts';
import { testMailServer } from '../../support/mailServer.ts';
import { bareEnvironment } from '../../support/programs.ts';
import { provide } from '../../support/provide.ts';
import { testWorld } from '../../support/world.ts';

const root = path.resolve(import.meta.dirname, '../../..');
let number = 0;
/** A contact in which every channel contains the marker and a number. */
const marked = (marker: string, more: Record<string, unknown> = {}) => {
  number += 1;
  return {
    ...{ name: `Person ${number}`, role: 'applicant', company: `Company ${number} LLC`, title: 'VP' },
    ...{
      email: `${marker}.${number}@marker.example`,
      phone: `${marker}-555-${1000 + number}`,
      linkedin: `https://li.example/${marker}-${number}`,
    },
    ...more,
  };
};
const directory = (projectId: number, marker: string, confidence: number, more: Record<string, unknown> = {}) => ({
  ...{ kind: 'contact', projectId, ...marked(marker), isGovernmentStaff: false },
  ...{ emailConfidence: confidence, phoneConfidence: confidence, linkedinConfidence: confidence },
  ...more,
});

/** Never to be seen by anybody; LOCKED is of projects that nobody unlocks. */
const NEVER = ['LOCKED', 'LOWCONF', 'STAFF', 'SUPPRESSED', 'TOLDMAIL'];
const suppressed = { name: 'Sue Quiet', company: 'Hush LLC' };
const OPEN = [1, 2, 3];
const lines = [
  ...OPEN.map((id) =>
    project(id, {
      contacts: [marked('OPENED'), marked('STAFF', { isGovernmentStaff: true }), marked('SUPPRESSED', suppressed)],
      companyEnrichment: [{ name: 'Hush LLC', website: 'https://hush.example', mainPhone: '1-303-555-7777' }],
    }),
  ),
  ...OPEN.flatMap((id) => [
    directory(id, 'OPENED', 0.9),
    directory(id, 'LOWCONF', 0.4),
    directory(id, 'STAFF', 1, { isGovernmentStaff: true }),
    directory(id, 'SUPPRESSED', 1, suppressed),
  ]),
  ...[11, 12].map((id) => project(id, { contacts: [marked('LOCKED')] })),
  ...[11, 12].map((id) => directory(id, 'LOCKED', 1)),
];

describe('Channels that nobody may see', () => {
  const world = provide(() => testWorld());
  const mail = provide(() => testMailServer());
  const logs: string[] = [];
  const seen: string[] = [];

  before(async () => {
    await world.api.index.load(lines);
    const admin = adminRunner(world.api);
    assert.equal((await admin('suppress', 'add', '--name', 'Sue Quiet', '--company', 'Hush')).code, 0);
    assert.equal((await admin('suppress', 'add', '--phone', '303-555-7777')).code, 0);
  });
  // An API in a process of its own, and a worker.
  provide(async () => {
    const env = { ...world.api.env, SMTP_URL: mail.url, LOG_LEVEL: 'trace' };
    const child = spawn(process.execPath, ['src/main.ts'], { cwd: root, env: { ...bareEnvironment, ...env } });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => void logs.push(String(bytes)));
    const worker = composeServiceWorker(
      loadConfig(env),
      pino({ level: 'trace' }, { write: (line) => void logs.push(line) }),
      undefined,
      QUICK,
    );
    await worker.start();
    const stop = async () => {
      child.kill('SIGKILL');
      await worker.stop(0);
    };
    return { [Symbol.asyncDispose]: stop };
  });

  it('occur in no answer, file, log line or mail', async () => {
    const port = await eventually('the port', () => /on port (\d+)/.exec(logs.join(''))?.[1], 30_000);
    const send = async (where: string, key: string, init: RequestInit = {}): Promise<{ status: number; text: string }> =>
      eventually(`an answer to ${where}`, async () => {
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers };
        const answer = await fetch(`http://127.0.0.1:${port}/v1${where}`, { ...init, headers });
        const text = await answer.text();
        seen.push(text, JSON.stringify([...answer.headers]));
        return answer.status === 503 ? undefined : { status: answer.status, text };
      });
    const post = (where: string, key: string, body: unknown, idempotencyKey = where.slice(1) + seen.length) =>
      send(where, key, { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': idempotencyKey.replaceAll('/', '.') } });
    const ended = (where: string, key: string) =>
      eventually(`the end of ${where}`, async () => {
        const { data } = JSON.parse((await send(where, key)).text);
        return ['completed', 'failed', 'ready', 'expired'].includes(data.status) ? data : undefined;
      });
    const [national, apiOnly, trial, outsider] = await Promise.all([
      world.api.key('national'),
      world.api.key('api_only'),
      world.api.key('trial', { stateIds: [8], countyIds: [] }),
      world.api.key('national'),
    ]);
    const contacts = 'include=contacts&contactOptions={"cachedOnly":true}';
    for (const key of [national, apiOnly, trial]) {
      await send('/projects/search?dateRange=all', key);
      const { text } = await post('/enrichments', key, { projectIds: OPEN });
      const job = await ended(`/enrichments/${JSON.parse(text).data.id}`, key);
      assert.deepEqual([job.status, job.found], ['completed', 3]);
    }
    for (const key of [national, apiOnly, trial, outsider]) {
      for (const parameters of ['representation=compact', 'representation=full', contacts])
        await send(`/projects/search?dateRange=all&${parameters}`, key);
      await send('/projects/sync?dateRange=all&representation=full', key);
      for (const id of [1, 11]) await send(`/projects/${id}?representation=full`, key);
      const list = JSON.parse((await post('/lists', key, { name: 'All', projectIds: [...OPEN, 11, 12] })).text).data?.id;
      if (list) await send(`/lists/${list}/results?${contacts}`, key);
      const { status, text } = await post('/exports', key, { filters: { dateRange: 'all' } });
      assert.equal(status, 202, text);
      const exported = await ended(`/exports/${JSON.parse(text).data.id}`, key);
      assert.equal(exported.status, 'ready');
      await send(`/exports/${exported.id}/download`, key);
      // What is wrong is echoed, and logged: not with contacts.
      await send('/projects/search?q=nobody&citis=Boulder', key);
      await post('/enrichments', key, { projectIds: ['OPENED'] });
    }
    const worker = composeServiceWorker(loadConfig(world.api.env), pino({ level: 'silent' }), undefined, QUICK);
    const outbox = new OutboxStore(worker.jobs);
    const content = { subject: 'Settled', paragraphs: ['3 projects'], link: null, reason: 'You asked.' };
    await world.api.database.transaction((tx) => outbox.put(tx, { event: 'e', topic: 't', recipient: 'TOLDMAIL@marker.example', content }));
    await eventually('the mail', () => (mail.received.length ? true : undefined));
    await worker.stop(0);

    const everything = seen.join('\n');
    // The run did show what may be shown, or it would prove nothing.
    for (const shown of ['OPENED.', 'OPENED-555-', 'li.example/OPENED', 'hush.example'])
      assert(everything.includes(shown), `the run should show ${shown}`);
    assert(logs.some((line) => line.includes('Job attempt ended')));
    const places = {
      answers: everything,
      logs: logs.join('\n'),
      mails: mail.received.map(({ raw }) => raw.replace(/^To: .*$/m, '')).join('\n'),
    };
    for (const [place, text] of Object.entries(places)) {
      for (const marker of NEVER) {
        const at = text.search(new RegExp(`${marker}[.-]`, 'i'));
        assert.equal(at, -1, `${marker} in ${place}: ${text.slice(Math.max(at - 80, 0), at + 40)}`);
      }
      for (const quiet of ['Sue Quiet', '555-7777']) assert(!text.includes(quiet), `${quiet} in ${place}`);
    }
    assert(!places.logs.includes('OPENED') && !places.mails.includes('OPENED'), 'what may be shown in answers is not logged or mailed');
    assert(!places.logs.includes('TOLDMAIL'), 'recipients are not logged');
    const kept = JSON.stringify(await world.api.database.query('select people from contact_unlock'));
    for (const marker of NEVER) assert(!kept.includes(marker), `${marker} is kept with an unlock`);
  });
});
