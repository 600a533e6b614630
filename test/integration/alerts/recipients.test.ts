/** Whom alerts mail to: addresses outside the team are asked, seldom enough; every recipient can stop, and take that back. */
import assert from 'node:assert/strict';
import { type AlertWorld, alertWorld } from '../../support/alerts.ts';

const line = (id: number, more = {}) => ({
  ...{ kind: 'project', id, projectName: `Project ${id}`, state: 'CO', county: 'Boulder County', meetingDate: '2026-10-01' },
  ...{ propertyType: 'residential', ...more },
});

describe('recipients of alerts', function () {
  this.timeout(60_000);
  let world: AlertWorld;
  before(async () => {
    world = await alertWorld();
    await world.api.index.load([1, 2, 3].map((id) => line(id)));
  });
  after(() => world.stop());

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
      assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.param], [403, 'forbidden', 'notify.emailTo']);
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
      for (const [address, key] of [
        ['victim@gmail.com', one.owner],
        ['vi.ctim+x@gmail.com', other.owner],
      ] as const) {
        const refused = await save(['somebody@gmail.com', address], key);
        assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'], address);
      }
      assert.equal((await asked('ictim')).length + (await asked('vic.tim')).length, 3);
      assert.equal((await asked('somebody')).length, 0);
      assert.equal((await save(['v.ictim@elsewhere.example'], one.owner)).status, 201, 'dots count elsewhere');
      assert.equal((await save(['vi.ctim@elsewhere.example'], one.owner)).status, 201);
      const now = world.at.now;
      await world.moveTo(new Date(now.getTime() + 25 * 3_600_000).toISOString());
      assert.equal((await save(['victim@gmail.com'], one.owner)).status, 201);
    });

    it('by many teams at once no more often', async () => {
      const owners = await Promise.all(Array.from({ length: 6 }, () => world.api.key('api_only')));
      const answers = await Promise.all(owners.map((owner, i) => save([`crowd+${i}@elsewhere.example`], owner)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 403, 403, 403]);
    });

    it('never at localhost, a single label or a number', async () => {
      const hosts = [
        'localhost',
        'mail.localhost',
        'LOCALHOST',
        'intranet',
        '127.0.0.1',
        '2130706433',
        '0x7f000001',
        '10.0.0.0x1',
        '127.1',
      ];
      for (const host of hosts) {
        const { status, body } = await save(['fine@elsewhere.example', `a@${host}`], world.key);
        assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_request', 'notify.emailTo.1'], host);
        assert.match(body.error.message, /notify\.emailTo\.1/);
      }
    });
  });
});
