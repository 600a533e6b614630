/** `GET /v1/events`: the messages of webhooks by cursor, in an order without gaps. */
import assert from 'node:assert/strict';
import { csvExports } from '../../../src/features/exports/index.ts';
import { removeOutlivedEvents } from '../../../src/features/webhooks/eventLog.ts';
import { recordEvent } from '../../../src/features/webhooks/index.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { Random } from '../../support/random.ts';
import { assertRefused, bodyOf, type TestAnswer } from '../../support/service.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const plusDays = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000).toISOString();

describe('events', () => {
  const world = provideWorld(FOR_WEBHOOKS);
  before(async () => {
    await world.api.index.load([1, 2].map((id) => projectLine(id)));
    await world.work();
    // The generation is an event, too: teams of the tests come after it.
    await eventually('the release to be announced', async () => {
      const [job] = await world.api.database.query("select 1 from job where kind = 'announce_release' and status = 'ready'");
      return job;
    });
  });

  const read = async (key: string, query = ''): Promise<TestAnswer> => world.send('GET', `/events${query}`, undefined, key);
  const page = async (key: string, query = '') => {
    const body = bodyOf(await read(key, query));
    return { ids: (body.data as Json).map((event: Json) => event.data.id) as string[], data: body.data as Json, ...body.meta };
  };
  /** A team, and how to record what happens to it. */
  async function newTeam() {
    const { owner, mate, teamId } = await world.team();
    const happen = (subjectId: string, type = 'export.ready') =>
      world.api.database.transaction((tx) => recordEvent(tx, csvExports.events ?? [], { teamId, type, subjectId }));
    return { owner, mate, teamId, happen };
  }
  const positions = (teamId: number) =>
    world.api.database.query<{ subject_id: string; position: string | null }>(
      'select subject_id, position from event where team_id = $1 order by position',
      [teamId],
    );

  it('are the messages of webhooks, letter for letter, also where there is none', async () => {
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create({ filters: { counties: ['Boulder County'] }, status: 'paused' }, key);
    const run = async () => (await world.alerts.run(id, key)).body.data.deliveryId;
    const first = await run();
    const receiver = await world.startReceiver();
    const webhook = await world.webhooks.create(receiver, { types: ['alert.delivery.completed'] }, key);
    const second = await run();
    const received = await world.got(receiver, 1);
    await world.send('POST', `/webhooks/${webhook.id}/test`, undefined, key);
    const ping = await world.got(receiver, 2);
    const response = await fetch(`${world.api.url}/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
    const text = await response.text();
    for (const { headers, body } of [received, ping])
      assert(text.includes(`{"id":"${headers['webhook-id']}",${body.slice(1)}`), `${text} has ${body}`);
    const { data, meta } = JSON.parse(text);
    assert.deepEqual(
      data.map((event: Json) => [event.type, event.data.id]),
      [
        ['alert.delivery.completed', first],
        ['alert.delivery.completed', second],
        ['ping', webhook.id],
      ],
    );
    assert.deepEqual([meta.creditsUsed, meta.hasMore, response.headers.get('cache-control')], [0, false, 'private, no-store']);
  });

  it('come once each, page by page, of the types that are asked for', async () => {
    const { owner, happen } = await newTeam();
    const empty = await page(owner);
    assert.deepEqual([empty.ids, empty.hasMore], [[], false]);
    for (let i = 0; i < 5; i++) await happen(`exp_${i}`, i % 2 ? 'export.failed' : 'export.ready');
    const two = await page(owner, `?after=${empty.cursor}&limit=2`);
    assert.deepEqual([two.ids, two.hasMore], [['exp_0', 'exp_1'], true]);
    const rest = await page(owner, `?after=${two.cursor}&limit=3`);
    assert.deepEqual([rest.ids, rest.hasMore], [['exp_2', 'exp_3', 'exp_4'], false]);
    assert.deepEqual((await page(owner, `?after=${rest.cursor}`)).ids, []);
    assert.deepEqual((await page(owner)).ids, ['exp_0', 'exp_1', 'exp_2', 'exp_3', 'exp_4']);
    const failed = await page(owner, '?types=export.failed&limit=1');
    assert.deepEqual([failed.ids, failed.hasMore], [['exp_1'], true]);
    const more = await page(owner, `?types=export.failed&after=${failed.cursor}`);
    assert.deepEqual([more.ids, more.cursor], [['exp_3'], rest.cursor]);
    const clamped = await page(owner, '?limit=500');
    assert.equal(clamped.warnings[0].code, 'limit_clamped_to_page_size');
  });

  it('are not skipped where their transaction ends after later ones were read', async () => {
    const { owner, teamId, happen } = await newTeam();
    let begun: () => void = () => undefined;
    let end: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve;
    });
    const late = world.api.database.transaction(async (tx) => {
      await recordEvent(tx, csvExports.events ?? [], { teamId, type: 'export.ready', subjectId: 'exp_late' });
      begun();
      await mayEnd;
    });
    await isBegun;
    await happen('exp_early');
    const first = await page(owner);
    assert.deepEqual([first.ids, first.hasMore], [['exp_early'], false]);
    end();
    await late;
    const second = await page(owner, `?after=${first.cursor}`);
    assert.deepEqual(second.ids, ['exp_late']);
    assert.deepEqual((await page(owner)).ids, ['exp_early', 'exp_late'], 'in the order that they were read in');
  });

  it('are all read, once each and in one order, by readers beside writers that end in any order', async () => {
    const { owner, mate, teamId } = await newTeam();
    const random = new Random(7);
    const written: string[] = [];
    let writing = true;
    const writer = async (name: number) => {
      for (let i = 0; i < 12; i++) {
        const subjectId = `exp_${name}_${i}`;
        const pause = random.integer(0, 24);
        const isUndone = random.chance(0.15);
        const work = world.api.database.transaction(async (tx) => {
          await recordEvent(tx, csvExports.events ?? [], { teamId, type: 'export.ready', subjectId });
          await new Promise((resolve) => setTimeout(resolve, pause));
          if (isUndone) throw new RangeError('undone');
        });
        await work.then(
          () => written.push(subjectId),
          (error) => assert.equal(error.message, 'undone'),
        );
      }
    };
    const reader = async (key: string) => {
      const seen: string[] = [];
      let after = '';
      for (let isLast = false; ; ) {
        const { ids, cursor, hasMore } = await page(key, `?limit=7${after}`);
        seen.push(...ids);
        after = `&after=${cursor}`;
        if (isLast && !hasMore) return seen;
        isLast = !writing;
      }
    };
    const readers = [reader(owner), reader(mate), reader(owner)];
    await Promise.all(Array.from({ length: 6 }, (_, name) => writer(name)));
    writing = false;
    const seen = await Promise.all(readers);
    assert(written.length > 40);
    for (const each of seen) assert.deepEqual([...each].sort(), [...written].sort(), 'nothing is missing, nothing comes twice');
    assert.deepEqual([seen[1], seen[2]], [seen[0], seen[0]], 'in one order');
  });

  it('are those that the key’s user may see; a cursor is for its team', async () => {
    const { owner, mate, happen } = await newTeam();
    const alert = await world.alerts.create(
      { filters: { counties: ['Boulder County'] }, status: 'paused', share: { mode: 'private' } },
      mate,
    );
    const { deliveryId } = (await world.alerts.run(alert.id, mate)).body.data;
    const ofOwner = await world.alerts.create(
      { filters: { counties: ['Boulder County'] }, status: 'paused', share: { mode: 'private' } },
      owner,
    );
    const own = (await world.alerts.run(ofOwner.id, owner)).body.data.deliveryId;
    await happen('exp_all');
    const ofMate = await page(mate);
    assert.deepEqual(ofMate.ids, [deliveryId, 'exp_all']);
    const all = await page(owner);
    assert.deepEqual(all.ids, [deliveryId, own, 'exp_all'], 'an owner of the team sees all');
    assert.deepEqual((await page(owner, `?after=${ofMate.cursor}`)).ids, []);
    const stranger = await world.api.key('api_only');
    assert.deepEqual((await page(stranger)).ids, []);
    assertRefused(await read(stranger, `?after=${all.cursor}`), 'invalid_cursor', 'after');
    const webhook = await world.webhooks.create(await world.startReceiver(), {}, owner);
    await world.send('POST', `/webhooks/${webhook.id}/test`, undefined, owner);
    assert.deepEqual((await page(owner, '?types=ping')).ids, [webhook.id]);
    assert.deepEqual((await page(mate, '?types=ping')).ids, []);
  });

  it('refuse what is no cursor, and say what else is wrong', async () => {
    const { owner } = await newTeam();
    for (const cursor of ['x', 'W10', Buffer.from('[1,1]').toString('base64url'), Buffer.from('[1,"1",-1,{}]').toString('base64url')])
      assertRefused(await read(owner, `?after=${cursor}`), 'invalid_cursor', 'after');
    assertRefused(await read(owner, '?types=export.redy'), 'invalid_filter', 'types');
    assertRefused(await read(owner, '?limit=0'), 'invalid_request', 'limit');
    assertRefused(await read(owner, '?cursor=x'), 'invalid_request', 'cursor');
    assert.match((await read(owner, '?after=x')).body.error.details.recovery, /without after/);
  });

  it('are refused to a cursor whose log is another, as after a restore', async () => {
    const { owner, teamId, happen } = await newTeam();
    await happen('exp_0');
    const before = await page(owner);
    await happen('exp_1');
    const lost = await page(owner, `?after=${before.cursor}`);
    await world.api.database.query(`delete from event where team_id = $1 and subject_id = 'exp_1'`, [teamId]);
    await world.api.database.query('update event_log set last_position = 1 where team_id = $1', [teamId]);
    assertRefused(await read(owner, `?after=${lost.cursor}`), 'invalid_cursor', 'after');
    await happen('exp_other');
    assertRefused(await read(owner, `?after=${lost.cursor}`), 'invalid_cursor', 'after');
    assert.deepEqual((await page(owner, `?after=${before.cursor}`)).ids, ['exp_other']);
    await world.api.database.query('delete from event_log where team_id = $1', [teamId]);
    await happen('exp_2');
    assert.deepEqual((await page(owner, `?after=${before.cursor}`)).ids, ['exp_other', 'exp_2'], 'a lost log goes on behind its events');
  });

  describe('after 30 days', () => {
    it('are removed; a cursor that missed some is refused, one that has read all goes on', async () => {
      const [team, idle] = [await newTeam(), await newTeam()];
      await team.happen('exp_0');
      const none = await page(idle.owner);
      const first = await page(team.owner);
      await team.happen('exp_1');
      const second = await page(team.owner);
      await idle.happen('exp_unread');
      await world.moveTo(plusDays(world.now(), 31));
      await eventually('the removal', async () => {
        await removeOutlivedEvents(world.api.database);
        return (await positions(team.teamId)).length === 0 || undefined;
      });
      assertRefused(await read(team.owner, `?after=${first.cursor}`), 'invalid_cursor', 'after');
      assertRefused(await read(idle.owner, `?after=${none.cursor}`), 'invalid_cursor', 'after');
      assert.deepEqual((await page(team.owner, `?after=${second.cursor}`)).ids, []);
      await team.happen('exp_2');
      assert.deepEqual((await page(team.owner, `?after=${second.cursor}`)).ids, ['exp_2']);
      await idle.happen('exp_3');
      assert.deepEqual((await page(idle.owner)).ids, ['exp_3']);
    });

    it('are removed while they are read and written, without a deadlock', async () => {
      const { owner, happen, teamId } = await newTeam();
      const work = Array.from({ length: 30 }, (_, i) => [
        happen(`exp_${i}`),
        page(owner),
        world.api.database.query(`update event set at = at - interval '40 days' where team_id = $1 and subject_id = $2`, [
          teamId,
          `exp_${i - 3}`,
        ]),
        removeOutlivedEvents(world.api.database),
      ]);
      await Promise.all(work.flat());
      const { ids } = await page(owner);
      assert(ids.length > 0 && new Set(ids).size === ids.length);
    });
  });
});
