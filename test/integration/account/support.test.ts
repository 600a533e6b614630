/** What an operator does for and about one customer: a team is closed, a key has leaked, an endpoint fails. */

import assert from 'node:assert/strict';
import { type AdminAnswer, adminRunner } from '../../support/admin.ts';
import { project } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { pluck, sumOf } from '../../support/lists.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

describe('An operator', () => {
  const world = provideWorld({ env: FOR_WEBHOOKS.env });
  let admin: (...args: string[]) => Promise<AdminAnswer>;
  before(async () => {
    admin = adminRunner(world.api);
    await world.api.index.load([1, 2, 3, 4].map((id) => project(id)));
  });

  const done = async (...args: string[]): Promise<Json> => {
    const { code, json, err } = await admin(...args);
    assert.deepEqual([code, err], [0, '']);
    return json;
  };
  const made = async (path: string, body: object, key: string): Promise<Json> => {
    const { status, body: answer } = await world.api.post(path, body, { key });
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.data;
  };
  const rows = (sql: string, ...values: unknown[]) => world.api.database.query<Json>(sql, values);
  const principalOf = async (key: string) => {
    const resolved = await world.api.keys.resolve(key);
    assert.ok(resolved.kind === 'ok');
    return resolved.principal;
  };

  /** A team that uses everything: an alert with a feed, an endpoint, and a file that is ready. */
  async function customer() {
    const key = await world.api.key('api_only');
    const alert = await made('/alerts', { name: 'Watch', filters: { projectIds: [1] } }, key);
    const feed = await made(`/alerts/${alert.id}/feeds`, {}, key);
    await made('/hearings/feeds', { filters: {} }, key);
    await made('/restrictions/feeds', { filters: {} }, key);
    await made('/briefs', { place: { county: 'Boulder County, CO' }, maxPrecedents: 0 }, key);
    const hook = await made('/webhooks', { url: 'http://127.0.0.1:1/secret-path?token=hidden', types: ['export.ready'] }, key);
    const worker = await world.work();
    const file = (await world.exports.completed({ projectIds: [1, 2] }, key)) as Json;
    await worker.stop();
    return { key, alert, feed, hook, file, ...(await principalOf(key)) };
  }
  const feedStatus = async ({ feed }: Json) => (await fetch(feed.jsonUrl.replace('http://landuse.test', world.api.url))).status;

  it('closes a team: everything of it stops at once, its ledger stays, and its neighbour notices nothing', async () => {
    const [team, neighbour] = [await customer(), await customer()];
    const waiting = (await world.exports.submit({ projectIds: [3, 4] }, team.key)).body.data;
    assert.equal(waiting.creditsReserved, 2);
    const { json, err } = await admin('team', 'close', String(team.teamId));
    assert.deepEqual(
      json?.stopped,
      {
        ...{ keys: 1, users: 1, alerts: 1, feeds: 1, hearingFeeds: 1, restrictionFeeds: 1, briefs: 1 },
        ...{ webhooks: 1, exports: 1, snapshots: 0, jobs: 1 },
      },
      err,
    );
    await eventually(
      'the key',
      async () => ((await world.api.get('/account/credits', {}, { key: team.key })).status === 401 ? true : undefined),
      1_500,
    );
    assert.deepEqual(await Promise.all([team, neighbour].map(feedStatus)), [404, 200]);
    const stands = (await rows(
      `select (select status from alert where team_id = t.id) as alert, (select status from webhook where team_id = t.id) as webhook,
         (select count(*)::int from webhook_message m join webhook w on w.id = m.webhook_id where w.team_id = t.id and m.status = 'waiting') as waiting
       from team t where t.id = any ($1) order by t.id`,
      [team.teamId, neighbour.teamId],
    )) as Json;
    assert.deepEqual([stands[0].alert, stands[0].webhook, stands[0].waiting], ['archived', 'disabled', 0]);
    assert.deepEqual([stands[1].alert, stands[1].webhook], ['active', 'active']);

    await world.work();
    const failed = await eventually(
      'the end of the waiting export',
      async () => (await rows(`select error from job where id = $1 and status = 'failed'`, waiting.id))[0],
      30_000,
    );
    assert.equal(failed.error.code, 'deadline_exceeded');
    assert.equal((await world.download(neighbour.file.id, neighbour.key)).status, 200);
    const books = await done('ledger', 'export', '--team', String(team.teamId));
    assert.equal(sumOf(books, 'amount'), 4_998);
    assert.deepEqual(books.map(({ kind }: Json) => kind).toSorted(), ['charge', 'grant', 'refund', 'refund', 'reservation', 'reservation']);
    await world.api.checkLedger();
    const again = await done('team', 'close', String(team.teamId));
    assert.deepEqual(new Set(Object.values(again.stopped)), new Set([0]));
    for (const args of [
      ['team', 'set-status', String(team.teamId), 'active'],
      ['user', 'add', '--team', String(team.teamId), '--name', 'Late'],
    ]) {
      const refused = await admin(...args);
      assert.deepEqual([refused.code, /was closed on .* stays closed/.test(refused.err)], [1, true], refused.err);
    }
  });

  it('revokes a leaked key: it is marked, its owners are mailed once, and what it was used for is shown', async () => {
    const key = await world.api.key('api_only');
    const { keyId, teamId } = await principalOf(key);
    for (const ids of [[1, 2], [3]])
      assert.equal((await world.api.get('/projects/search', { projectIds: ids }, { key })).body.meta.creditsUsed, ids.length);
    const outcome = await done('key', 'revoke', keyId, '--leaked');
    assert.deepEqual([outcome.key.state, outcome.mailed, Boolean(outcome.key.leakedAt)], ['revoked', 1, true]);
    const [receipts] = outcome.lastDay.receipts;
    assert.deepEqual([receipts.route, receipts.entries, receipts.credits, receipts.items], ['GET /projects/search', 2, 3, 3]);
    assert.equal(outcome.lastDay.recordsOfTeam, 3);
    assert.deepEqual((await done('key', 'revoke', keyId, '--leaked')).mailed, 0, 'a second time mails nobody');
    const mails = await rows(
      'select s.recipient, m.content from mail m join mail_subscription s on s.token = m.subscription where m.event = $1',
      `leaked key ${keyId}`,
    );
    assert.deepEqual([mails.length, mails[0].recipient], [1, `owner-${teamId}@example.com`]);
    assert.equal(JSON.stringify(mails).includes(key), false);
    const [listed] = await done('key', 'list', '--team', String(teamId));
    assert.equal(listed.leakedAt, outcome.key.leakedAt, 'by no second key is it replaced');
  });

  it('looks at the endpoints of teams without the secrets in their addresses', async () => {
    const { hook, teamId } = await customer();
    await world.work();
    const shown = await eventually(
      'an attempt',
      async () => {
        const webhook = await done('webhooks', 'show', hook.id);
        return webhook.attempts.length ? webhook : undefined;
      },
      30_000,
    );
    assert.deepEqual([shown.host, shown.status, shown.teamId, shown.waiting], ['http://127.0.0.1:1', 'active', teamId, 1]);
    assert.deepEqual([shown.attempts[0].type, shown.attempts[0].error], ['export.ready', 'connection_failed']);
    const listed = await done('webhooks', 'list', '--team', String(teamId));
    assert.deepEqual(pluck(listed, 'id'), [hook.id]);
    assert.doesNotMatch(JSON.stringify([shown, listed]), /secret-path|hidden/);
    const missing = await admin('webhooks', 'show', 'whk_none');
    assert.deepEqual([missing.code, JSON.parse(missing.err).error.message], [1, 'There is no webhook whk_none.']);
  });
});
