/** Whom alerts mail to: addresses outside the team are asked, seldom enough; every recipient can stop, and take that back. */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import { composeWorker } from '../../../src/core/jobs/worker.ts';
import { OutboxStore } from '../../../src/core/mail/outbox.ts';
import { sendMailJob } from '../../../src/core/mail/sendMails.ts';
import { MailServer } from '../../../src/core/mail/smtp.ts';
import { MAIL_AUDIENCES } from '../../../src/features.ts';
import { eventually, QUICK } from '../../support/jobs.ts';
import { assertNone, pluck } from '../../support/lists.ts';
import { testMailServer } from '../../support/mailServer.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

describe('recipients of alerts', () => {
  const world = provideWorld(
    FOR_ALERTS,
    [1, 2, 3].map((id) => projectLine(id)),
  );

  const save = (emailTo: string[], key: string) =>
    world.send('POST', '/alerts', { name: 'Mailing', filters: { projectIds: [1] }, notify: { emailTo } }, key);
  const asked = async (part: string) =>
    (await world.mails()).filter(({ event, recipient }) => event.startsWith('confirm:') && recipient.includes(part));

  describe('are asked', () => {
    it('by a team at most 20 in a day that have not confirmed, or the change is refused whole', async () => {
      const { owner, teamId } = await world.team();
      const addresses = (from: number, count: number) => Array.from({ length: count }, (_, i) => `many-${from + i}@of-one-team.example`);
      const first = await save(addresses(0, 19), owner);
      assert.equal(first.status, 201, JSON.stringify(first.body));
      const refused = await save(addresses(19, 2), owner);
      assertRefused(refused, 'forbidden', 'notify.emailTo');
      assert.deepEqual(refused.body.error.details, { maxUnconfirmedAddresses: 20, unconfirmedAddresses: 19 });
      assert.equal((await world.send('GET', '/alerts', undefined, owner)).body.meta.total, 1, 'nothing is half done');
      assert.equal((await asked('of-one-team')).length, 19);
      assert.equal((await save(addresses(19, 1), owner)).status, 201);
      const changed = await world.send('PATCH', `/alerts/${first.body.data.id}`, { notify: { emailTo: addresses(30, 1) } }, owner);
      assert.equal(changed.status, 403);
      assert.equal((await save(addresses(0, 20), owner)).status, 201, 'who was asked before is not asked again');
      await world.api.database.query(`update mail_confirmation set confirmed_at = now() where team_id = $1 and address = $2`, [
        teamId,
        addresses(0, 1)[0],
      ]);
      assert.equal((await save(addresses(40, 1), owner)).status, 201);
    });

    it('three times in a day by all teams together, however the address is spelled', async () => {
      const [one, other] = [await world.team(), await world.team()];
      assert.equal((await save(['v.ictim+1@gmail.com', 'Victim+2@GMAIL.com'], one.owner)).status, 201);
      assert.equal((await save(['vic.tim@googlemail.com'], other.owner)).status, 201);
      for (const [address, key] of Object.entries({ 'victim@gmail.com': one.owner, 'vi.ctim+x@gmail.com': other.owner })) {
        const refused = await save(['somebody@gmail.com', address], key);
        assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'], address);
      }
      assert.equal((await asked('ictim')).length + (await asked('vic.tim')).length, 3);
      assert.equal((await asked('somebody')).length, 0);
      assert.equal((await save(['v.ictim@elsewhere.example'], one.owner)).status, 201, 'dots count elsewhere');
      assert.equal((await save(['vi.ctim@elsewhere.example'], one.owner)).status, 201);
      const now = world.now();
      await world.moveTo(new Date(now.getTime() + 25 * 3_600_000).toISOString());
      assert.equal((await save(['victim@gmail.com'], one.owner)).status, 201);
    });

    it('by many teams at once no more often', async () => {
      const owners = await Promise.all(Array.from({ length: 6 }, () => world.api.key('api_only')));
      const answers = await Promise.all(owners.map((owner, i) => save([`crowd+${i}@elsewhere.example`], owner)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 403, 403, 403]);
    });

    it('never at localhost, a single label or a number', async () => {
      const hosts = 'localhost mail.localhost LOCALHOST intranet 127.0.0.1 2130706433 0x7f000001 10.0.0.0x1 127.1'.split(' ');
      for (const host of hosts) {
        const { status, body } = await save(['fine@elsewhere.example', `a@${host}`], await world.api.usualKey());
        assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_request', 'notify.emailTo.1'], host);
        assert.match(body.error.message, /notify\.emailTo\[1\]/);
      }
    });
  });

  describe('who click a digest of several alerts away', () => {
    const post = async (path: string) => (await fetch(`${world.api.url}${path}`, { method: 'POST' })).status;
    const standing = async (id: string, key: string) =>
      (await world.send('GET', `/alerts/${id}`, undefined, key)).body.data.notify.recipients as {
        address: string;
        state: string;
        since: string;
      }[];
    const statesOf = async (ids: readonly string[], key: string) =>
      Promise.all(ids.map(async (id) => (await standing(id, key)).map(({ state }) => state).join()));

    async function mailWorker(url: string) {
      const mailServer = new MailServer({ url, timeoutMs: 10_000 });
      const { databaseUrl, databaseSchema, publicUrl } = world.api.config;
      const worker = composeWorker({
        databaseUrl,
        databaseSchema,
        log: pino({ level: 'silent' }),
        settings: QUICK,
        definitions: (database, jobs) => [
          sendMailJob.with({
            outbox: new OutboxStore(jobs),
            server: mailServer,
            from: 'no-reply@landuse.example',
            publicUrl,
            database,
            audiences: MAIL_AUDIENCES,
          }),
        ],
        close: async () => mailServer.close(),
      });
      await worker.start();
      return { stop: () => worker.stop(0) };
    }

    /** Two alerts of a user that ran together, and the token of their digest. */
    async function digest() {
      const { owner, teamId } = await world.team();
      const alerts = [
        await world.alerts.create({ name: 'First <b>', filters: { projectIds: [2] } }, owner),
        await world.alerts.create({ name: 'Second', filters: { projectIds: [3] } }, owner),
      ];
      await world.moveTo(new Date(Date.parse(alerts[0].nextRunAt) + 1_000).toISOString());
      const worker = await world.work();
      const recipient = `owner-${teamId}@example.com`;
      const token = await eventually(
        'the digest',
        async () => {
          const [row] = await world.api.database.query<{ token: string }>(
            `select s.token from mail m join mail_subscription s on s.token = m.subscription where s.recipient = $1 and s.topic like 'alert:%,%'`,
            [recipient],
          );
          return row?.token;
        },
        30_000,
      );
      await worker.stop();
      return { owner, recipient, token, ids: alerts.map(({ id }) => id as string) as [string, string] };
    }

    it('stop the alerts that it names, each of which the page offers alone, and take all of it back; a GET changes nothing', async () => {
      const { owner, recipient, token, ids } = await digest();
      const page = async (path: string) => (await fetch(`${world.api.url}${path}`)).text();
      assert.deepEqual(await statesOf(ids, owner), ['active', 'active']);
      for (const path of [`/unsubscribe/${token}`, `/resubscribe/${token}`, `/unsubscribe/${token}/${ids[0]}`]) {
        const text = await page(path);
        for (const id of ids) assert(text.includes(`formaction="/unsubscribe/${token}/${id}"`), path);
        assert(text.includes('First &lt;b&gt;') || text.includes('First &#60;b&#62;'), text);
      }
      assert.deepEqual(await statesOf(ids, owner), ['active', 'active']);

      assert.equal(await post(`/unsubscribe/${token}`), 200);
      assert.deepEqual(await statesOf(ids, owner), ['stopped', 'stopped']);
      const done = await page(`/unsubscribe/${token}`);
      assert(done.includes(`formaction="/resubscribe/${token}"`) && done.includes(`formaction="/resubscribe/${token}/${ids[1]}"`));
      assert.equal(await post(`/resubscribe/${token}/${ids[1]}`), 200);
      assert.deepEqual(await statesOf(ids, owner), ['stopped', 'active']);
      assert.equal(await post(`/resubscribe/${token}`), 200);
      assert.deepEqual(await statesOf(ids, owner), ['active', 'active']);
      assert.equal(await post(`/unsubscribe/${token}/${ids[0]}`), 200);
      assert.deepEqual(await statesOf(ids, owner), ['stopped', 'active']);

      const before = (await world.mails()).length;
      await world.api.index.load([projectLine(2, { acreage: 5 }), projectLine(3, { acreage: 5 })], { mode: 'increment' });
      for (const id of ids) assert.equal((await world.alerts.run(id, owner)).body.data.records, 1);
      const sent = (await world.mails()).slice(before).filter((mail) => mail.recipient === recipient);
      assert.deepEqual(pluck(sent, 'topic'), [`alert:${ids[1]}`]);
      const strange = [
        `/unsubscribe/${token}/alr_${'0'.repeat(22)}`,
        `/resubscribe/${token}/x`,
        `/unsubscribe/${token}/${ids[0]}/x`,
        `/resubscribe/${'A'.repeat(22)}`,
      ];
      assert.deepEqual(await Promise.all(strange.map(post)), [404, 404, 404, 404]);
    });

    it('get what is waiting without the alerts that they stopped, and nothing where that leaves nothing', async () => {
      const [some, all] = [await digest(), await digest()];
      assert.equal(await post(`/unsubscribe/${some.token}/${some.ids[0]}`), 200);
      assert.equal(await post(`/unsubscribe/${all.token}`), 200);
      const server = await testMailServer();
      const { stop } = await mailWorker(server.url);
      const mail = await eventually('the mail', async () => server.received.find(({ to }) => to[0] === some.recipient), 30_000);
      await eventually('the end of all', async () => {
        const rows = await world.api.database.query(
          `select from mail m join mail_subscription s on s.token = m.subscription
          where m.ended_at is null and s.recipient = any ($1)`,
          [[some.recipient, all.recipient]],
        );
        return rows.length ? undefined : true;
      });
      await stop();
      await server.stop();
      assert.equal(mail.headers.get('subject'), 'Second: 1 record');
      assert(!mail.raw.includes('First') && !mail.raw.includes(some.ids[0]), mail.raw);
      assert(mail.raw.replaceAll('=\r\n', '').includes(some.ids[1]), mail.raw);
      assertNone(server.received, ({ to }) => to[0] === all.recipient);
    });

    it('are mailed again when they resume as members, of one alert alone', async () => {
      const { owner, recipient, token, ids } = await digest();
      assert.equal(await post(`/unsubscribe/${token}`), 200);
      const [stopped] = await standing(ids[0], owner);
      assert.deepEqual([stopped?.address, stopped?.state], [recipient, 'stopped']);
      const body = bodyOf(await world.send('PATCH', `/alerts/${ids[0]}`, { notify: { resume: true } }, owner));
      assert.deepEqual(pluck(body.data.notify.recipients as { state: string }[], 'state'), ['active']);
      assert.deepEqual(await statesOf(ids, owner), ['active', 'stopped']);
      for (const resume of [false, 'yes'])
        assert.equal((await world.send('PATCH', `/alerts/${ids[0]}`, { notify: { resume } }, owner)).status, 400);
    });

    it('are listed with others: who has not confirmed, and who has', async () => {
      const { owner, teamId } = await world.team();
      const { body } = await save(['new@listed.example'], owner);
      const { id } = body.data;
      assert.deepEqual(pluck(await standing(id, owner), 'address', 'state'), [
        [`owner-${teamId}@example.com`, 'active'],
        ['new@listed.example', 'unconfirmed'],
      ]);
      await world.api.database.query('update mail_confirmation set confirmed_at = service_now() where team_id = $1', [teamId]);
      const [, confirmed] = await standing(id, owner);
      assert.equal(confirmed?.state, 'active');
      assert.match(confirmed?.since ?? '', /^\d{4}-\d\d-\d\dT/);
    });
  });
});
