/** What a write answers is what the next read answers, and under its Idempotency-Key a write is done once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { FOR_WEBHOOKS, provideWorld, type TestTeam } from '../../support/world.ts';

const FILTERS = { states: ['CO'], dateRange: 'all' };
/** Outside of the root of the API. */
const KEYS = '/../api/user/api-keys';
/** Shown once. */
const SECRETS = ['secret', 'predecessor'];

describe('A write', () => {
  const world = provideWorld(FOR_WEBHOOKS);
  let team: TestTeam;
  let url: string;
  before(async () => {
    await world.api.index.load([1, 2, 3, 4].map((id) => projectLine(id)));
    team = await world.team();
    ({ url } = await world.startReceiver());
  });

  const ask = async (method: string, path: string, body?: object, idempotencyKey?: string): Promise<Json> => {
    const { status, body: answer } = await world.send(method, path, body, team.owner, idempotencyKey);
    assert(status < 300, `${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  /** A key beside that of the request, of a team of its own: a member has few. */
  const newKey = async (): Promise<Json> => {
    team = await world.team();
    return ask('POST', KEYS, { name: 'etl' });
  };
  const shared = { share: { mode: 'team' } };
  const newAlert = (more: object = {}) => ask('POST', '/alerts', { name: 'Alert', filters: FILTERS, ...more });
  const newList = (more: object = {}) => ask('POST', '/lists', { name: 'List', projectIds: [1], ...more });
  const newWebhook = () => ask('POST', '/webhooks', { url, types: ['export.ready'], description: 'Ours' });

  describe('answers what the next read answers:', () => {
    const of = (root: string) => async (id: string) => ask('GET', `/${root}/${id}`);
    const ofKeys = async (id: string) => (await ask('GET', KEYS)).find((key: Json) => key.id === id);
    const notify = { notify: { email: true, emailTo: ['ann@example.org'] } };
    const restored = async (root: string, { id }: Json) => {
      await ask('DELETE', `/${root}/${id}`);
      return ask('POST', `/${root}/${id}/restore`);
    };
    const rows: [what: string, write: () => Promise<Json>, read: (id: string) => Promise<Json>][] = [
      ['a new alert', () => newAlert({ ...notify, ...shared }), of('alerts')],
      ['a changed alert', async () => ask('PATCH', `/alerts/${(await newAlert()).id}`, { ...notify, name: 'Other' }), of('alerts')],
      ['a restored alert', async () => restored('alerts', await newAlert(notify)), of('alerts')],
      ['a new list', () => newList(shared), of('lists')],
      ['a new list of filters', () => ask('POST', '/lists', { name: 'List', filters: FILTERS }), of('lists')],
      ['a changed list', async () => ask('PATCH', `/lists/${(await newList()).id}`, { description: 'Two' }), of('lists')],
      ['a restored list', async () => restored('lists', await newList()), of('lists')],
      ['a new webhook', newWebhook, of('webhooks')],
      ['a changed webhook', async () => ask('PATCH', `/webhooks/${(await newWebhook()).id}`, { status: 'disabled' }), of('webhooks')],
      ['a rotated webhook', async () => ask('POST', `/webhooks/${(await newWebhook()).id}/rotate`, {}), of('webhooks')],
      ['an export', () => ask('POST', '/exports', { projectIds: [1] }), of('exports')],
      ['a snapshot', () => ask('POST', '/snapshots', { filters: FILTERS }), of('snapshots')],
      ['a deleted snapshot', async () => ask('DELETE', `/snapshots/${(await ask('GET', '/snapshots'))[0].id}`), of('snapshots')],
      ['an AI search', () => ask('POST', '/projects/ai-search/jobs', { query: 'homes near a park' }), of('projects/ai-search/jobs')],
      ['an enrichment', () => ask('POST', '/enrichments', { projectIds: [1] }, 'look-up'), of('enrichments')],
      ['a new key', newKey, ofKeys],
      ['a rotated key', async () => ask('POST', `${KEYS}/${(await newKey()).id}/rotate`, {}), ofKeys],
      ['a reassigned key', async () => ask('POST', `${KEYS}/${(await newKey()).id}/reassign`, { userId: team.mateId }), ofKeys],
      ['a revoked key', async () => ask('DELETE', `${KEYS}/${(await newKey()).id}`), ofKeys],
      ['preferences', () => ask('PATCH', '/account/preferences', { states: ['CO'] }), () => ask('GET', '/account/preferences')],
    ];
    for (const [what, write, read] of rows)
      it(what, async () => {
        const written = await write();
        const shown = Object.fromEntries(Object.entries(written).filter(([name]) => !SECRETS.includes(name)));
        assert.deepEqual(shown, await read(written.id));
      });

    it('a cancelled AI search', async () => {
      const { id } = await ask('POST', '/projects/ai-search/jobs', { query: 'homes near a school' });
      const cancelled = await ask('DELETE', `/projects/ai-search/jobs/${id}`);
      assert.deepEqual(cancelled, await ask('GET', `/projects/ai-search/jobs/${id}`));
    });

    it('a feed, a dismissal and what a list has been given', async () => {
      const alert = await newAlert();
      const feed = await ask('POST', `/alerts/${alert.id}/feeds`, {});
      const feeds = await ask('GET', `/alerts/${alert.id}/feeds`);
      assert.equal(feeds.map(({ id }: Json) => id).join(), feed.id);
      const list = await newList();
      const { added } = await ask('POST', `/lists/${list.id}/projects`, { projectIds: [2, 3] });
      const { meta } = (await world.send('GET', `/lists/${list.id}/results`, undefined, team.owner)).body;
      assert.deepEqual([added, meta.total], [[2, 3], 3]);
    });
  });

  describe('is done once under its Idempotency-Key:', () => {
    /** Two answers to one request under one key, and whether another request under it is refused. */
    async function twice(path: string, body: object | undefined, otherPath: string): Promise<[Json, Json]> {
      const idempotencyKey = path.replaceAll('/', '-');
      const [first, again] = [await ask('POST', path, body, idempotencyKey), await ask('POST', path, body, idempotencyKey)];
      const { status, body: refused } = await world.send('POST', otherPath, body, team.owner, idempotencyKey);
      assert.deepEqual([status, refused.error?.code], [409, 'idempotency_key_reuse']);
      return [first, again];
    }

    it('a feed, whose addresses only the first answer has', async () => {
      const [one, two] = [await newAlert(), await newAlert()];
      const [first, again] = await twice(`/alerts/${one.id}/feeds`, {}, `/alerts/${two.id}/feeds`);
      assert.deepEqual(again, { id: first.id, rssUrl: null, jsonUrl: null, icsUrl: null });
      assert.equal((await ask('GET', `/alerts/${one.id}/feeds`)).length, 1);
      const { meta } = (await world.send('POST', `/alerts/${one.id}/feeds`, {}, team.owner, `-alerts-${one.id}-feeds`)).body;
      assert.deepEqual([meta.warnings[0].code, meta.warnings[0].params], ['secret_not_repeated', { feedId: first.id }]);
    });

    it('projects that are added to a list', async () => {
      const [one, two] = [await newList(), await newList()];
      const [first, again] = await twice(`/lists/${one.id}/projects`, { projectIds: [1, 2, 99] }, `/lists/${two.id}/projects`);
      assert.deepEqual(first, { added: [2], alreadyPresent: [1], notFound: [99] });
      assert.deepEqual(again, first);
    });

    for (const [kind, make] of [
      ['alerts', () => newAlert()],
      ['lists', () => newList()],
    ] as const)
      it(`a restore of ${kind}: a repetition does not restore what was deleted since`, async () => {
        const { id } = await make();
        await ask('DELETE', `/${kind}/${id}`);
        const restore = () => world.send('POST', `/${kind}/${id}/restore`, undefined, team.owner, `restore-${kind}`);
        const [first, again] = [await restore(), await restore()];
        assert.deepEqual([first.status, again.status, again.body.data], [200, 200, first.body.data]);
        await ask('DELETE', `/${kind}/${id}`);
        await restore();
        const deleted = await ask('GET', `/${kind}?deleted=true`);
        assert(deleted.some((one: Json) => one.id === id));
      });

    it('a test, a replay and a recovery of a webhook', async () => {
      const [one, two] = [await newWebhook(), await newWebhook()];
      const [first, again] = await twice(`/webhooks/${one.id}/test`, {}, `/webhooks/${two.id}/test`);
      assert.deepEqual(again, first);
      const messages = await world.api.database.query('select from webhook_message where webhook_id = $1', [one.id]);
      assert.equal(messages.length, 1);
      const replay = (id: string) => `/webhooks/${id}/attempts/${first.messageId}/replay`;
      const [replayed, replayedAgain] = await twice(replay(one.id), {}, replay(two.id));
      assert.deepEqual(replayedAgain, replayed);
      const since = { since: '2026-11-17T00:00:00Z' };
      const [recovered, recoveredAgain] = await twice(`/webhooks/${one.id}/recover`, since, `/webhooks/${two.id}/recover`);
      assert.deepEqual(recoveredAgain, recovered);
    });

    it('a reassignment of a key: a repetition does not take it back', async () => {
      const { id } = await newKey();
      const reassign = (userId: number, idempotencyKey?: string) => ask('POST', `${KEYS}/${id}/reassign`, { userId }, idempotencyKey);
      assert.equal((await reassign(team.mateId, 'once')).userId, team.mateId);
      await reassign(team.ownerId);
      assert.equal((await reassign(team.mateId, 'once')).userId, team.ownerId);
    });

    it('every POST that makes or changes something takes the key', () => {
      const { paths } = JSON.parse(readFileSync('test/contract/openapi.json', 'utf8')) as Json;
      // They read, or doing them again changes nothing.
      const others =
        `matchProjects aiSearch judgeAnswers previewAlertWith dismissMatch aggregateProjects rankGroups getOdds checkRestrictions priceBrief
        unsubscribe resubscribe confirmAddress useOauth`.split(/\s+/);
      const without = Object.values<Json>(paths).flatMap(({ post }) => {
        const takesKey = JSON.stringify(post?.parameters ?? []).includes('Idempotency-Key');
        return post && !takesKey && !others.includes(post.operationId) ? [post.operationId] : [];
      });
      assert.deepEqual(without, []);
    });
  });
});
