/** A leaked key takes with it what it made: its lineage, keys that were minted with it, feeds, webhooks, and addresses that alerts mail to. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { EVERY_KEY } from '../../../src/core/identity/keys.ts';
import { TEAM_SUBSCRIBERS } from '../../../src/features.ts';
import { adminRunner } from '../../support/admin.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { provide } from '../../support/provide.ts';
import type { TestProcess } from '../../support/service.ts';
import { FOR_WEBHOOKS, type TestTeam, testWorld } from '../../support/world.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const HOOK = { url: 'http://127.0.0.1:1/hidden-path', types: ['export.ready'] };

describe('A leaked key', () => {
  const world = provide(() => testWorld(FOR_WEBHOOKS));
  let second: TestProcess;
  let admin: ReturnType<typeof adminRunner>;
  before(async () => {
    second = await world.api.another();
    admin = adminRunner(world.api);
    await world.api.index.load([
      {
        kind: 'project',
        id: 1,
        projectName: 'One',
        state: 'CO',
        county: 'Boulder County',
        propertyType: 'residential',
        meetingDate: '2026-10-01',
      },
    ]);
  });
  after(() => second.stop());

  const keys = async (key: string, below: string, body: object = {}): Promise<Json> => {
    const answer = await fetch(`${world.api.url}/api/user/api-keys${below}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = (await answer.json()) as Json;
    assert.equal(answer.status, 201, JSON.stringify(data));
    return data;
  };
  const made = async (pathBelow: string, body: object, key: string): Promise<Json> => {
    const { status, body: answer } = await world.send('POST', pathBelow, body, key);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.data;
  };
  const idOf = async (key: string): Promise<string> => {
    const resolved = await world.api.keys.resolve(key);
    assert(resolved.kind === 'ok');
    return resolved.principal.keyId;
  };
  const works = async (key: string) =>
    (await Promise.all([world.api, second].map((process) => process.get('/account/credits', {}, { key })))).map(({ status }) => status);
  const feedStatus = async ({ jsonUrl }: Json) => (await fetch(jsonUrl.replace('http://landuse.test', world.api.url))).status;
  const hookStatus = async ({ id }: Json, key: string) => (await world.send('GET', `/webhooks/${id}`, undefined, key)).body.data.status;
  const emailTo = async (id: string, key: string) => (await world.send('GET', `/alerts/${id}`, undefined, key)).body.data.notify.emailTo;
  const revoke = async (id: string): Promise<Json> => {
    const { code, json, err } = await admin('key', 'revoke', id, '--leaked');
    assert.deepEqual([code, err], [0, '']);
    // What a process knows of keys is half a second old at most.
    await world.moveTo(new Date(world.now().getTime() + 1_000).toISOString());
    return json;
  };
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
  const alertWith = (key: string, address: string, more = {}) =>
    made('/alerts', { name: `For ${address}`, filters: { projectIds: [1] }, notify: { emailTo: [address] }, ...more }, key);

  async function attacked({ owner, mate, mateId }: TestTeam) {
    const rotated = await keys(owner, `/${await idOf(owner)}/rotate`);
    const minted = await keys(rotated.secret, '', { name: 'kept by the thief' });
    const mintedNext = await keys(minted.secret, `/${minted.id}/rotate`);
    const ofMate = await keys(rotated.secret, `/${await idOf(mate)}/rotate`);
    const safe = (await world.api.keys.mint(mateId)).secret;
    return { rotated, minted, mintedNext, ofMate, safe };
  }

  it('ends its lineage, what was minted or rotated with any of it, and what these made; report and mail name each', async () => {
    const team = await world.team();
    const { owner, mate, ownerId, mateId } = team;
    const { rotated, minted, mintedNext, ofMate, safe } = await attacked(team);
    const shared = { share: { mode: 'custom', userIds: [ownerId] } };
    const [theirs, ours] = [
      await alertWith(mintedNext.secret, 'thief@elsewhere.example'),
      await alertWith(safe, 'partner@elsewhere.example', shared),
    ];
    await world.send(
      'PATCH',
      `/alerts/${ours.id}`,
      { notify: { emailTo: ['partner@elsewhere.example', 'spy@elsewhere.example'] } },
      minted.secret,
    );
    const feeds = {
      first: await made(`/alerts/${theirs.id}/feeds`, {}, owner),
      other: await made(`/alerts/${ours.id}/feeds`, {}, ofMate.secret),
    };
    const kept = await made(`/alerts/${ours.id}/feeds`, {}, safe);
    const ofHearings = await made('/hearings/feeds', { filters: {} }, minted.secret);
    const ofRestrictions = await made('/restrictions/feeds', { filters: {} }, minted.secret);
    const hearingsKept = await made('/hearings/feeds', { filters: {} }, safe);
    const [hook, rekeyed, hookKept] = [
      await made('/webhooks', HOOK, rotated.secret),
      await made('/webhooks', HOOK, safe),
      await made('/webhooks', HOOK, safe),
    ];
    assert.equal((await world.send('POST', `/webhooks/${rekeyed.id}/rotate`, {}, mintedNext.secret)).status, 200);
    for (const key of [owner, rotated.secret, minted.secret, mintedNext.secret, ofMate.secret])
      assert.deepEqual(await works(key), [200, 200]);

    const outcome = await revoke(await idOf(owner));
    for (const key of [owner, rotated.secret, minted.secret, mintedNext.secret, ofMate.secret])
      assert.deepEqual(await works(key), [401, 401]);
    assert.deepEqual(await works(mate), [200, 200], 'its secret was in no answer to the leaked key');
    assert.deepEqual(await works(safe), [200, 200]);
    assert.deepEqual(idsOf(outcome.others), idsOf([rotated, minted, mintedNext, ofMate]));
    assert.deepEqual(idsOf(outcome.feeds), idsOf([feeds.first, feeds.other, ofHearings, ofRestrictions]));
    assert.deepEqual(await Promise.all([feeds.first, feeds.other, kept].map(feedStatus)), [404, 404, 200]);
    assert.deepEqual(
      await Promise.all([ofHearings, ofRestrictions, hearingsKept].map(({ icsUrl }) => feedStatus({ jsonUrl: icsUrl }))),
      [404, 404, 200],
    );
    assert.deepEqual(idsOf(outcome.webhooks), idsOf([hook, rekeyed]));
    assert.equal(outcome.webhooks[0].host, 'http://127.0.0.1:1');
    assert.equal(await hookStatus(hookKept, safe), 'active');
    assert.equal(await hookStatus(rekeyed, safe), 'disabled');
    assert.deepEqual(outcome.recipients.map(({ address }: Json) => address).sort(), ['spy@elsewhere.example', 'thief@elsewhere.example']);
    assert.deepEqual(await emailTo(ours.id, safe), ['partner@elsewhere.example']);
    assert.deepEqual(await emailTo(theirs.id, (await world.api.keys.mint(ownerId)).secret), []);
    const mails = (await world.mails()).filter(({ topic }) => topic === 'keys');
    assert.equal(mails.length, 1);
    const named = [
      ...idsOf(outcome.feeds),
      ...idsOf(outcome.webhooks),
      'spy@elsewhere.example',
      'thief@elsewhere.example',
      mintedNext.lastFour,
      ofMate.lastFour,
    ];
    for (const name of named) assert(mails[0]?.text.includes(name), name);
    assert.doesNotMatch(JSON.stringify([outcome, mails]), /hidden-path/);
    const waiting = (await world.mails()).filter(({ recipient, text }) => recipient === 'thief@elsewhere.example' && text !== null);
    assert.deepEqual(waiting, []);
    const again = await revoke(await idOf(safe).then(() => outcome.key.id));
    assert.deepEqual([again.mailed, again.feeds, again.webhooks, again.recipients], [0, [], [], []]);
    assert(mateId);
  });

  it('makes nothing more while a process still takes it for what it was', async () => {
    const { owner, ownerId } = await world.team();
    const { id } = await alertWith(owner, 'first@elsewhere.example');
    const hook = await made('/webhooks', HOOK, owner);
    const keyId = await idOf(owner);
    const own = await world.api.keys.mint(ownerId);
    await works(owner);
    await world.api.keys.revokeLeaked(keyId, TEAM_SUBSCRIBERS);
    const tries = [
      ['POST', `/alerts/${id}/feeds`, {}],
      ['POST', '/webhooks', HOOK],
      ['POST', `/webhooks/${hook.id}/rotate`, {}],
      ['PATCH', `/webhooks/${hook.id}`, { status: 'active' }],
      ['POST', '/alerts', { name: 'x', filters: { projectIds: [1] } }],
      ['PATCH', `/alerts/${id}`, { notify: { emailTo: ['late@elsewhere.example'] } }],
    ] as const;
    const answers = await Promise.all(tries.map(([method, below, body]) => world.send(method, below, body, owner)));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.error?.code]),
      tries.map(() => [401, 'unauthorized']),
    );
    const refused = (error: Json) => error.code === 'unauthorized';
    await assert.rejects(world.api.keys.mint(ownerId, null, { by: keyId }), refused);
    assert.equal(await hookStatus(hook, own.secret), 'disabled');
    await assert.rejects(world.api.keys.rotate(own.key.id, EVERY_KEY, 1, { by: keyId }), refused);
  });

  it('also takes addresses of alerts that its user could change, where a restore left out who added them', async () => {
    const { owner, ownerId, mate } = await world.team();
    const { id } = await alertWith(owner, 'before@elsewhere.example', { share: { mode: 'team' } });
    await world.moveTo('2026-11-18T20:00:00.000Z');
    const leaked = await world.api.keys.mint(ownerId);
    await world.moveTo('2026-11-18T21:00:00.000Z');
    const quiet = await alertWith(mate, 'mate@elsewhere.example');
    await world.api.database.query('delete from alert_recipient');
    await world.send('PATCH', `/alerts/${id}`, { name: 'Changed since' }, mate);
    const outcome = await revoke(leaked.key.id);
    assert.deepEqual(pluck(outcome.recipients, 'address'), ['before@elsewhere.example']);
    assert.deepEqual(await emailTo(quiet.id, mate), ['mate@elsewhere.example'], 'whose alert its user could not change');
  });

  it('of another user, an operator’s key of the same user that was recorded, and other teams are left alone', async () => {
    const [team, other] = [await world.team(), await world.team()];
    const own = await world.api.keys.mint(team.ownerId);
    await made('/webhooks', HOOK, other.owner);
    const outcome = await revoke(await idOf(team.owner));
    assert.deepEqual([outcome.others, outcome.webhooks], [[], []]);
    assert.deepEqual(
      [await works(own.secret), await works(team.mate), await works(other.owner)],
      [
        [200, 200],
        [200, 200],
        [200, 200],
      ],
    );
  });

  it('leaves an address that somebody else adds again to be asked again, and an endpoint whose leaked secret was replaced and ended', async () => {
    const { owner, ownerId, mate } = await world.team();
    const address = 'asked-again@elsewhere.example';
    const questions = async () =>
      (await world.mails()).filter(({ event, recipient }) => event.startsWith('confirm:') && recipient === address);
    const { id } = await alertWith(owner, address);
    const hook = await made('/webhooks', HOOK, mate);
    assert.equal((await world.send('POST', `/webhooks/${hook.id}/rotate`, {}, owner)).status, 200);
    assert.equal((await world.send('POST', `/webhooks/${hook.id}/rotate`, {}, mate)).status, 200);
    const own = (await world.api.keys.mint(ownerId)).secret;
    await world.moveTo(new Date(world.now().getTime() + 25 * 3_600_000).toISOString());
    const outcome = await revoke(await idOf(owner));
    assert.deepEqual([outcome.webhooks, outcome.recipients.length], [[], 1]);
    assert.deepEqual([await hookStatus(hook, mate), (await questions()).length], ['active', 1]);
    assert.equal((await world.send('PATCH', `/alerts/${id}`, { notify: { emailTo: [address] } }, own)).status, 200);
    const [, again] = await questions();
    assert.match(again?.text ?? '', /\/confirm\//);
  });

  it('is imported from standard input alone, where no list of processes shows it', async () => {
    const user = (await world.team()).mateId;
    const secret = 'legacy_imported-from-standard-input';
    const run = (args: string[], input: string) =>
      new Promise<{ code: number; out: string; err: string }>((resolve) => {
        const options = { cwd: root, env: { ...process.env, ...world.api.env } };
        const child = execFile(
          process.execPath,
          ['src/operate/admin/main.ts', 'key', 'import', '--user', String(user), ...args, '--json'],
          options,
          (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
        );
        child.stdin?.end(input);
      });
    const asArgument = await run(['--secret', secret], '');
    assert.deepEqual([asArgument.code, /unknown option/.test(asArgument.err)], [2, true], asArgument.err);
    const empty = await run([], '\n');
    assert.deepEqual([empty.code, /standard input/.test(empty.err)], [1, true], empty.err);
    const long = await run([], 'x'.repeat(10_000));
    assert.deepEqual([long.code, /more than 4096 bytes/.test(long.err)], [1, true], long.err);
    const taken = await run([], `${secret}\n`);
    assert.equal(taken.code, 0, taken.err);
    assert.equal(taken.out.includes(secret), false);
    assert.deepEqual(await works(secret), [200, 200]);
  });
});
