/** Webhooks: who manages them, what they are sent and how it is signed, what happens when they fail. */
import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import type { Received } from '../../../scripts/lib/webhookReceiver.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused } from '../../support/service.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const BOULDER = { counties: ['Boulder County'] };
const TYPES = ['alert.delivery.completed'];
const plus = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString();
const HOUR_MS = 3_600_000;

describe('webhooks', () => {
  const world = provideWorld(FOR_WEBHOOKS);
  before(async () => {
    await world.api.index.load([1, 2, 3].map((id) => projectLine(id)));
    await world.work();
  });

  /** A team of its own, so that no test sees the events of another. */
  const newKey = () => world.api.key('api_only');
  /** Run by hand alone, whatever the clock does. */
  async function runOf(key: string, more = {}): Promise<Json> {
    const { id } = await world.alerts.create({ filters: BOULDER, status: 'paused', ...more }, key);
    return world.alerts.completed(id, key);
  }
  const url = 'https://hooks.example.com/land-use';

  describe('are kept', () => {
    it('with a secret that is shown once, listed newest first, changed and deleted', async () => {
      const key = await newKey();
      const made = await world.send('POST', '/webhooks', { url, types: TYPES, description: 'CRM' }, key);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const { id, secret, createdBy, ...rest } = made.body.data;
      assert.match(id, /^whk_[0-9A-Za-z]{22}$/);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(rest, {
        ...{ url, types: TYPES, description: 'CRM', status: 'active', createdAt: world.now().toISOString() },
        ...{ lastDeliveredAt: null, failingSince: null },
      });
      const kept = await world.api.database.query<{ row: string }>('select s::text as row from webhook_secret s where webhook_id = $1', [
        id,
      ]);
      assert(!kept.some(({ row }) => row.includes(Buffer.from(secret).toString('hex'))), 'encrypted');
      await world.moveTo(plus(world.now().toISOString(), 1_000));
      const second = (await world.send('POST', '/webhooks', { url, types: ['export.ready'] }, key)).body.data;
      const { data, meta } = (await world.send('GET', '/webhooks?limit=1', undefined, key)).body;
      assert.deepEqual([(data as Json)[0].id, meta.total, meta.hasMore, (data as Json)[0].secret], [second.id, 2, true, undefined]);
      const changed = await world.send('PATCH', `/webhooks/${id}`, { types: ['export.ready'], status: 'disabled' }, key);
      const expected = { ...rest, id, createdBy, types: ['export.ready'], status: 'disabled' };
      assert.deepEqual(changed.body.data, expected);
      assert.deepEqual((await world.send('GET', `/webhooks/${id}`, undefined, key)).body.data, expected);
      assert.deepEqual((await world.send('DELETE', `/webhooks/${id}`, undefined, key)).body.data, { id, deleted: true });
      assertRefused(await world.send('GET', `/webhooks/${id}`, undefined, key), 'resource_not_found', 'id');
    });

    it('once for an Idempotency-Key, which repeats no secret', async () => {
      const key = await newKey();
      const post = () => world.send('POST', '/webhooks', { url, types: TYPES }, key, 'once');
      const [first, again] = [await post(), await post()];
      assert.deepEqual([again.status, again.body.data.id, again.body.data.secret], [201, first.body.data.id, null]);
      assert.equal(again.body.meta.warnings[0].code, 'secret_not_repeated');
      assert.equal((await world.send('GET', '/webhooks', undefined, key)).body.meta.total, 1);
      const rotate = () => world.send('POST', `/webhooks/${first.body.data.id}/rotate`, undefined, key, 'turn');
      const [turned, repeated] = [await rotate(), await rotate()];
      assert.match(turned.body.data.secret, /^whsec_/);
      assert.equal(repeated.body.data.secret, null);
    });

    it('ten of a team and no more, also when they are made at once', async () => {
      const key = await newKey();
      const answers = await Promise.all(Array.from({ length: 12 }, () => world.send('POST', '/webhooks', { url, types: TYPES }, key)));
      const refused = answers.filter(({ status }) => status === 403);
      assert.deepEqual([answers.filter(({ status }) => status === 201).length, refused.length], [10, 2]);
      assert.deepEqual([refused[0]?.body.error.code, refused[0]?.body.error.details], ['forbidden', { maxWebhooks: 10 }]);
    });

    it('by whoever made them and by owners of the team; to others they are not there', async () => {
      const { owner, mate } = await world.team();
      const [ofOwner, ofMate] = [
        await world.webhooks.create(await world.startReceiver(), {}, owner),
        await world.webhooks.create(await world.startReceiver(), {}, mate),
      ];
      const seen = async (key: string) =>
        ((await world.send('GET', '/webhooks', undefined, key)).body.data as Json).map(({ id }: Json) => id).sort();
      assert.deepEqual([await seen(owner), await seen(mate)], [[ofMate.id, ofOwner.id].sort(), [ofMate.id]]);
      assert.equal((await world.send('PATCH', `/webhooks/${ofMate.id}`, { description: 'ours' }, owner)).status, 200);
      for (const [method, below, body] of [
        ...[
          ['GET', ''],
          ['DELETE', ''],
          ['GET', '/attempts'],
        ],
        ...[
          ['PATCH', '', {}],
          ['POST', '/rotate'],
          ['POST', '/test'],
          ['POST', '/recover', { since: '2026-11-01T00:00:00Z' }],
        ],
        ['POST', `/attempts/msg_${'0'.repeat(22)}/replay`],
      ] as [string, string, object | undefined][])
        assertRefused(await world.send(method, `/webhooks/${ofOwner.id}${below}`, body, mate), 'resource_not_found', 'id');
    });

    it('with types that exist and a target that may be one', async () => {
      const refused = async (body: object) => (await world.send('POST', '/webhooks', body)).body.error;
      assert.equal((await refused({ url, types: ['everything'] })).param, 'types.0');
      assert.equal((await refused({ url, types: [] })).param, 'types');
      assert.equal((await refused({ url, types: ['ping'] })).param, 'types.0');
      assert.equal((await refused({ url: 'http://0.0.0.0/', types: TYPES })).param, 'url');
      assert.equal((await refused({ url, types: TYPES, secret: 'mine' })).param, 'secret');
      const { details } = await refused({ url: 'ftp://a.example', types: ['everything'], name: 1 });
      assert.deepEqual(details.problems.map(({ param }: Json) => param).sort(), ['name', 'types.0', 'url']);
    });
  });

  describe('are sent', () => {
    it('what a run delivered, as a pointer, signed by Standard Webhooks, and it is logged', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const { id, secret } = await world.webhooks.create(to, {}, key);
      const { deliveryId, alertId, matchesUrl } = await runOf(key);
      const { headers, body, id: messageId } = await world.got(to, 1);
      assert.match(messageId, /^msg_[0-9A-Za-z]{22}$/);
      assert.equal(headers['webhook-timestamp'], String(Math.floor(world.now().getTime() / 1000)));
      verified(secret, to.got[0]);
      assert.deepEqual(JSON.parse(body), {
        ...{ type: 'alert.delivery.completed', timestamp: world.now().toISOString() },
        data: { id: deliveryId, alertId, matchesUrl },
      });
      assert.deepEqual(await world.webhooks.logged(id, 1, key), [
        {
          ...{ messageId, type: 'alert.delivery.completed', status: 'delivered', httpStatus: 204, error: null },
          ...{ at: world.now().toISOString(), nextAttemptAt: null },
        },
      ]);
      const { lastDeliveredAt } = (await world.send('GET', `/webhooks/${id}`, undefined, key)).body.data;
      assert.equal(lastDeliveredAt, world.now().toISOString());
    });

    it('exports that are ready and enrichments that have settled, each to those who want it', async () => {
      const [key, exports, enrichments] = [await newKey(), await world.startReceiver(), await world.startReceiver()];
      await world.webhooks.create(exports, { types: ['export.ready'] }, key);
      await world.webhooks.create(enrichments, { types: ['enrichment.settled'] }, key);
      const made = (await world.send('POST', '/exports', { filters: { projectIds: [1] } }, key)).body.data;
      const ready = JSON.parse((await world.got(exports, 1)).body);
      assert.deepEqual([ready.type, ready.data], ['export.ready', { id: made.id, pollUrl: made.pollUrl }]);
      assert.equal((await world.send('GET', `/exports/${made.id}`, undefined, key)).body.data.status, 'ready');
      for (const [n, projectIds] of [[999], [1]].entries()) {
        const job = (await world.send('POST', '/enrichments', { projectIds }, key, `look-up-${n}`)).body.data;
        const settled = JSON.parse((await world.got(enrichments, n + 1)).body);
        assert.deepEqual([settled.type, settled.data], ['enrichment.settled', { id: job.id, pollUrl: job.pollUrl }]);
      }
      assert.deepEqual([exports.got.length, enrichments.got.length], [1, 2]);
    });

    it('what did not come: a failed export, refused and failed runs, a paused alert, each once', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const types = ['export.failed', 'alert.delivery.refused', 'alert.delivery.failed', 'alert.paused'];
      await world.webhooks.create(to, { types }, key);
      const root = 'http://landuse.test/v1';
      const { database } = world.api;
      // Of its own team's owners, who get what nobody is a member of any more.
      const left = await world.team();
      const ofMate = await world.alerts.create({ filters: BOULDER }, left.mate);
      await world.api.accounts.closeUser(left.mateId);
      await world.api.accounts.closeUser(left.mateId);
      const paused = `select subject_id as id from event where type = 'alert.paused'`;
      assert.deepEqual(await database.query(paused), [{ id: ofMate.id }]);

      const dear = await world.alerts.create({ filters: BOULDER, status: 'paused', maxCredits: 1 }, key);
      const refused = (await world.alerts.run(dear.id, key)).body.data;
      assert.equal(refused.status, 'refused');
      const broken = await world.alerts.create({ filters: BOULDER }, key);
      await database.query(`update alert set filters = '{"nonsense": 1}' where id = $1`, [broken.id]);
      const failed = (await world.alerts.run(broken.id, key)).body.data;
      assert.deepEqual([failed.status, failed.reason], ['failed', 'unusable_filters']);
      const off = await world.alerts.create({ filters: BOULDER }, key);
      for (let i = 0; i < 2; i++) await world.send('PATCH', `/alerts/${off.id}`, { status: 'paused' }, key);
      await database.query(`
        create function cap() returns trigger language plpgsql as $$ begin new.payload := new.payload || '{"maxCredits": 0}'; return new; end $$;
        create trigger cap before insert on job for each row when (new.kind = 'csv_export') execute function cap()`);
      const { id } = (await world.send('POST', '/exports', { projectIds: [1] }, key)).body.data;
      await eventually('its end', async () =>
        (await world.send('GET', `/exports/${id}`, undefined, key)).body.data.status === 'failed' ? true : undefined,
      );
      await database.query('drop trigger cap on job; drop function cap()');

      await world.got(to, 5);
      const sent = to.got.map(({ body }) => JSON.parse(body)).map(({ type, data }) => ({ type, data }));
      const ofRun = (alertId: string, delivery: string) => ({
        ...{ id: delivery, pollUrl: `${root}/alerts/${alertId}/deliveries/${delivery}`, alertId },
      });
      const expected = [
        { type: 'alert.delivery.refused', data: ofRun(dear.id, refused.deliveryId) },
        { type: 'alert.delivery.failed', data: ofRun(broken.id, failed.deliveryId) },
        { type: 'alert.paused', data: { id: broken.id, pollUrl: `${root}/alerts/${broken.id}` } },
        { type: 'alert.paused', data: { id: off.id, pollUrl: `${root}/alerts/${off.id}` } },
        { type: 'export.failed', data: { id, pollUrl: `${root}/exports/${id}` } },
      ];
      const inOrder = (all: typeof expected) => all.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      assert.deepEqual(inOrder(sent), inOrder(expected));
      assert.deepEqual(await unsent(), []);
      // What the addresses say can be read.
      for (const { data } of expected)
        assert.equal((await world.send('GET', data.pollUrl.slice(root.length), undefined, key)).status, 200, data.pollUrl);
    });

    it('what did not come of a private alert, and exports of its matches or of a private list, to its members and owners alone', async () => {
      const { owner, mate } = await world.team();
      const [toOwner, toMate] = [await world.startReceiver(), await world.startReceiver()];
      const types = ['alert.paused', 'alert.delivery.refused', 'export.ready'];
      await world.webhooks.create(toOwner, { types }, owner);
      await world.webhooks.create(toMate, { types }, mate);
      const { alertId } = await runOf(owner);
      await world.send('POST', '/exports', { alertId }, owner);
      await world.got(toOwner, 1);
      const list = await world.send('POST', '/lists', { name: 'Private', projectIds: [1] }, owner);
      await world.send('POST', '/exports', { listId: list.body.data.id }, owner);
      await world.got(toOwner, 2);
      const [ofOwner, ofMate] = [
        await world.alerts.create({ filters: BOULDER }, owner),
        await world.alerts.create({ filters: BOULDER }, mate),
      ];
      await world.send('PATCH', `/alerts/${ofOwner.id}`, { status: 'paused' }, owner);
      await world.got(toOwner, 3);
      await world.send('PATCH', `/alerts/${ofMate.id}`, { status: 'paused' }, mate);
      await Promise.all([world.got(toOwner, 4), world.got(toMate, 1)]);
      assert.deepEqual(
        toMate.got.map(({ body }) => JSON.parse(body).data.id),
        [ofMate.id],
      );
    });

    it('a ping when it is asked for, also where they are disabled, and once', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const { id, secret } = await world.webhooks.create(to, { status: undefined }, key);
      await world.send('PATCH', `/webhooks/${id}`, { status: 'disabled' }, key);
      to.answer = (_, response) => response.writeHead(410).end();
      const asked = await world.send('POST', `/webhooks/${id}/test`, undefined, key);
      assert.deepEqual([asked.status, asked.body.data.type, asked.body.data.status], [202, 'ping', 'waiting']);
      const { body } = verified(secret, await world.got(to, 1));
      assert.deepEqual(JSON.parse(body), { type: 'ping', timestamp: world.now().toISOString(), data: { id } });
      const [row] = await world.webhooks.logged(id, 1, key);
      assert.deepEqual([row.messageId, row.httpStatus, row.nextAttemptAt], [asked.body.data.messageId, 410, null]);
      assert.equal((await world.send('GET', `/webhooks/${id}`, undefined, key)).body.data.failingSince, null);
    });

    it('without waiting for receivers of another team that hang: each endpoint and each team has its share', async () => {
      const [greedy, quiet] = [await newKey(), await newKey()];
      const [hanging, good] = [await world.startReceiver(), await world.startReceiver()];
      const held: (() => void)[] = [];
      hanging.answer = (_, response) => held.push(() => response.writeHead(204).end());
      const hooks = [];
      for (let i = 0; i < 10; i++) hooks.push(await world.webhooks.create(hanging, {}, greedy));
      const [first] = hooks;
      for (let i = 0; i < 6; i++) await world.send('POST', `/webhooks/${first.id}/test`, undefined, greedy);
      await world.got(hanging, 4);
      for (const { id } of hooks.slice(1)) for (let i = 0; i < 6; i++) await world.send('POST', `/webhooks/${id}/test`, undefined, greedy);
      await world.got(hanging, 8);
      const { id } = await world.webhooks.create(good, {}, quiet);
      await world.send('POST', `/webhooks/${id}/test`, undefined, quiet);
      await world.got(good, 1);
      const sent = hanging.got.map(({ body }) => JSON.parse(body).data.id);
      assert.deepEqual([sent.length, sent.filter((one) => one === first.id).length], [8, 4]);
      // The rest follows as receivers answer.
      hanging.answer = (_, response) => response.writeHead(204).end();
      for (const answer of held) answer();
      await world.got(hanging, 60);
    });

    it('nothing that is private to others: members of the alert and owners of the team get it', async () => {
      const { owner, mate, mateId, ownerId } = await world.team();
      const [toOwner, toMate] = [await world.startReceiver(), await world.startReceiver()];
      await world.webhooks.create(toOwner, {}, owner);
      const ofMate = await world.webhooks.create(toMate, {}, mate);
      await runOf(owner);
      await world.got(toOwner, 1);
      await runOf(mate);
      assert.equal((await world.got(toMate, 1)).body, (await world.got(toOwner, 2)).body, 'the first that the mate got is its own');
      const { alertId } = await runOf(owner, { share: { mode: 'team' } });
      await world.got(toMate, 2);
      // A member who opts out gets no more of it, nor what waits for another attempt.
      toMate.answer = (_, response) => response.writeHead(500).end();
      await world.alerts.run(alertId, owner);
      const [failed] = await world.webhooks.logged(ofMate.id, 3, mate);
      await world.send('PATCH', `/alerts/${alertId}`, { share: { mode: 'team', optOutUserIds: [mateId] } }, owner);
      toMate.answer = (_, response) => response.writeHead(204).end();
      await world.moveTo(failed.nextAttemptAt);
      await world.alerts.run(alertId, owner);
      await world.got(toOwner, 5);
      const recovered = await world.send('POST', `/webhooks/${ofMate.id}/recover`, { since: '2026-11-01T00:00:00Z' }, mate);
      assert.equal(recovered.body.data.messages, 0);
      assert.equal((await world.webhooks.attempts(ofMate.id, mate)).length, 3);
      assert.deepEqual([toMate.got.length, ownerId > 0], [3, true]);
    });

    it('nothing of a closed account', async () => {
      const { owner, mate, mateId } = await world.team();
      const [toOwner, toMate] = [await world.startReceiver(), await world.startReceiver()];
      await world.webhooks.create(toOwner, {}, owner);
      await world.webhooks.create(toMate, {}, mate);
      await world.api.accounts.closeUser(mateId);
      await runOf(owner, { share: { mode: 'team' } });
      await world.got(toOwner, 1);
      assert.equal(toMate.connections, 0);
      assert.deepEqual(await unsent(), []);
    });

    it('with both secrets for 24 hours after a rotation, and then with the new one', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const { id, secret: old } = await world.webhooks.create(to, {}, key);
      const { secret: fresh } = (await world.send('POST', `/webhooks/${id}/rotate`, undefined, key)).body.data;
      assert.notEqual(fresh, old);
      await runOf(key);
      const both = await world.got(to, 1);
      assert.equal(both.headers['webhook-signature']?.split(' ').length, 2);
      for (const secret of [old, fresh]) verified(secret, both);
      await world.moveTo(plus(world.now().toISOString(), 24 * HOUR_MS - 1));
      await runOf(key);
      verified(old, await world.got(to, 2));
      await world.moveTo(plus(world.now().toISOString(), 1));
      await runOf(key);
      const last = verified(fresh, await world.got(to, 3));
      assert.throws(() => verified(old, last), /No matching signature/);
    });
  });

  describe('that fail', () => {
    it('are tried on the schedule, mailed about on the first day, disabled after three, and recover what they missed', async () => {
      const { owner: key, ownerId } = await world.team();
      const [{ email }] = (await world.api.database.query<{ email: string }>('select email from app_user where id = $1', [ownerId])) as [
        Json,
      ];
      const to = await world.startReceiver();
      to.answer = (_, response) => response.writeHead(503).end();
      const { id } = await world.webhooks.create(to, {}, key);
      const start = world.now().toISOString();
      await runOf(key);
      const after: number[] = [];
      for (let n = 1; n <= 10; n++) {
        const [row] = await world.webhooks.logged(id, n, key);
        after.push((Date.parse(row.at) - Date.parse(start)) / 1000);
        assert.deepEqual([row.status, row.httpStatus, row.error, row.messageId], ['failed', 503, 'status_not_2xx', to.got[0]?.id]);
        const { failingSince, status } = (await world.send('GET', `/webhooks/${id}`, undefined, key)).body.data;
        assert.deepEqual([failingSince, status], [start, n < 10 ? 'active' : 'disabled']);
        const mails = (await world.mails()).filter(({ topic }) => topic === `webhook:${id}`);
        assert.deepEqual(
          mails.map(({ event, recipient }) => [event.split(':')[0], recipient]),
          [...(n >= 7 ? [['webhook-trouble', email]] : []), ...(n >= 10 ? [['webhook-disabled', email]] : [])],
          `attempt ${n}`,
        );
        if (n === 10) assert.equal(row.nextAttemptAt, null);
        else await world.moveTo(row.nextAttemptAt);
      }
      assert.deepEqual(after, [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105]);
      assert.equal(new Set(to.got.map(({ body }) => body)).size, 1, 'the same message each time');

      await runOf(key);
      assertRefused(await world.send('POST', `/webhooks/${id}/recover`, { since: start }, key), 'invalid_request', 'id');
      assertRefused(await world.send('POST', `/webhooks/${id}/attempts/${to.got[0]?.id}/replay`, undefined, key), 'invalid_request', 'id');
      const { failingSince } = (await world.send('PATCH', `/webhooks/${id}`, { status: 'active' }, key)).body.data;
      assert.equal(failingSince, null);
      to.answer = (_, response) => response.writeHead(200).end();
      const recovered = await world.send(
        'POST',
        `/webhooks/${id}/recover`,
        { since: start, until: plus(world.now().toISOString(), 1) },
        key,
      );
      assert.deepEqual([recovered.status, recovered.body.data.messages], [202, 2]);
      await world.got(to, 12);
      const [one, two] = await world.webhooks.logged(id, 12, key);
      assert.deepEqual([one.status, two.status], ['delivered', 'delivered']);
      assert([one.messageId, two.messageId].includes(to.got[0]?.id), 'under its own webhook-id');
      const nothing = await world.send('POST', `/webhooks/${id}/recover`, { since: start }, key);
      assert.equal(nothing.body.data.messages, 0);
      assertRefused(await world.send('POST', `/webhooks/${id}/recover`, { since: start, until: start }, key), 'invalid_request', 'since');
    });

    it('go on after one success, and are not disabled for failures that began before it', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const { id } = await world.webhooks.create(to, {}, key);
      to.answer = (_, response) => response.writeHead(500).end();
      await runOf(key);
      await world.webhooks.logged(id, 1, key);
      await world.moveTo(plus(world.now().toISOString(), 60 * HOUR_MS));
      await world.webhooks.logged(id, 2, key);
      to.answer = (_, response) => response.writeHead(204).end();
      const { id: alert } = await world.alerts.create({ filters: BOULDER, status: 'paused' }, key);
      await world.alerts.run(alert, key);
      await eventually('a success', async () => ((await world.webhooks.attempts(id, key))[0].status === 'delivered' ? true : undefined));
      to.answer = (_, response) => response.writeHead(500).end();
      await world.moveTo(plus(world.now().toISOString(), 24 * HOUR_MS));
      await world.alerts.run(alert, key);
      await world.webhooks.logged(id, 4, key);
      const { status, failingSince } = (await world.send('GET', `/webhooks/${id}`, undefined, key)).body.data;
      assert.deepEqual([status, failingSince], ['active', world.now().toISOString()]);
    });

    it('are sent a message again when it is asked for, under its id, on a schedule of its own', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const { id } = await world.webhooks.create(to, {}, key);
      await runOf(key);
      const [{ messageId }] = (await world.webhooks.logged(id, 1, key)) as [Json];
      to.answer = (_, response) => response.writeHead(500).end();
      const replay = await world.send('POST', `/webhooks/${id}/attempts/${messageId}/replay`, undefined, key);
      assert.deepEqual([replay.status, replay.body.data.messageId], [202, messageId]);
      const [row] = await world.webhooks.logged(id, 2, key);
      assert.deepEqual([row.messageId, row.status, row.nextAttemptAt], [messageId, 'failed', plus(row.at, 5_000)]);
      assert.deepEqual([to.got[0]?.id, to.got[1]?.id], [messageId, messageId]);
      const other = await world.send('POST', `/webhooks/${id}/attempts/msg_${'0'.repeat(22)}/replay`, undefined, key);
      assertRefused(other, 'resource_not_found', 'messageId');
    });

    it('get at once what waits for its next try, when they are recovered, on the schedule from its beginning', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const { id } = await world.webhooks.create(to, {}, key);
      to.answer = (_, response) => response.writeHead(500).end();
      await runOf(key);
      const [{ messageId, nextAttemptAt }] = (await world.webhooks.logged(id, 1, key)) as [Json];
      assert.equal(nextAttemptAt, plus(world.now().toISOString(), 5_000));
      const since = plus(world.now().toISOString(), -HOUR_MS);
      const until = plus(world.now().toISOString(), 1);
      const recovered = await world.send('POST', `/webhooks/${id}/recover`, { since, until }, key);
      assert.deepEqual([recovered.status, recovered.body.data.messages], [202, 1]);
      const [row] = await world.webhooks.logged(id, 2, key);
      assert.deepEqual([row.messageId, row.nextAttemptAt], [messageId, plus(row.at, 5_000)]);
    });

    it('and are deleted or disabled meanwhile, get nothing more', async () => {
      const [key, to] = [await newKey(), await world.startReceiver()];
      const [gone, off] = [await world.webhooks.create(to, {}, key), await world.webhooks.create(to, {}, key)];
      to.answer = (_, response) => response.writeHead(500).end();
      await runOf(key);
      await world.got(to, 2);
      await Promise.all([gone, off].map(({ id }) => world.webhooks.logged(id, 1, key)));
      await world.send('DELETE', `/webhooks/${gone.id}`, undefined, key);
      await world.send('PATCH', `/webhooks/${off.id}`, { status: 'disabled' }, key);
      await world.moveTo(plus(world.now().toISOString(), HOUR_MS));
      await runOf(key);
      assert.deepEqual(await unsent(), []);
      assert.equal(to.got.length, 2);
    });
  });

  it('keep events for 30 days, and forget them with their messages and attempts', async () => {
    const [key, to] = [await newKey(), await world.startReceiver()];
    const { id } = await world.webhooks.create(to, {}, key);
    await runOf(key);
    await world.webhooks.logged(id, 1, key);
    const start = world.now().toISOString();
    await world.moveTo(plus(start, 30 * 24 * HOUR_MS));
    const { body } = await world.send('POST', `/webhooks/${id}/recover`, { since: start }, key);
    assert.deepEqual([body.data.messages, (await world.webhooks.attempts(id, key)).length], [0, 1]);
    await world.moveTo(plus(start, 30 * 24 * HOUR_MS + 1));
    await eventually('an empty log', async () => ((await world.webhooks.attempts(id, key)).length === 0 ? true : undefined));
  });

  /** Messages that are due or on their way, after the worker had its time. */
  const unsent = () =>
    eventually('the end of what is due', async () => {
      const left = await world.api.database.query(
        `select event_id from webhook_message where status = 'sending' or status = 'waiting' and next_attempt_at <= service_now()`,
      );
      return left.length ? undefined : left;
    });
});

/** The message, if the Standard Webhooks library accepts its signature by the secret at the stated time. */
function verified(secret: string, message: Received | undefined): Received {
  if (!message) throw new Error('There is no message');
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '', 'webhook-signature': signatures = '' } = message.headers;
  const expected = new Webhook(secret).sign(id, new Date(Number(seconds) * 1000), message.body);
  if (!signatures.split(' ').includes(expected)) throw new Error('No matching signature');
  return message;
}
