/** `GET /projects/{id}/changes`: why a record bills again. */
import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { adminRunner } from '../../support/admin.ts';
import { project, TODAY, use } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import { assertRefused, provideService } from '../../support/service.ts';

describe('GET /projects/{id}/changes', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    await api.index.load([1, 2, 3, 4, 5, 6, 7].map((id) => project(id, { acreage: 10 })));
    key = await api.key('api_only');
  });

  const changesOf = async (id: number, of = key) => (await api.get(`/projects/${id}/changes`, {}, { key: of })).body.data;
  const read = async (id: number) => (await api.get(`/projects/${id}`, {}, { key })).body;
  type Step = { fields: { name: string; before?: unknown; after?: unknown }[]; fromRevision: string; toRevision: string };
  const namesOf = ({ changes }: { changes: Step[] }) => changes.map(({ fields }) => fields.map(({ name }) => name));
  const valuesOf = ({ changes }: { changes: Step[] }) =>
    changes.map(({ fields }) => fields.map((field) => ('before' in field ? [field.name, field.before, field.after] : [field.name])));
  const increment = (...lines: object[]) => api.index.load(lines, { mode: 'increment' });

  it('has nothing to compare with before the first delivery, and says what that would bill', async () => {
    const before = await changesOf(1);
    assert.deepEqual([before.owned, before.changed, before.fields, before.changes], [null, null, null, []]);
    assert.deepEqual(before.nextRead, { billed: true, credits: 1 });
    assert.deepEqual((await changesOf(1, await api.key('national'))).nextRead, { billed: false, credits: 0 });
  });

  it('names the changed fields and their times, agrees with the charge, and charges nothing itself', async () => {
    const { data: owned } = await read(2);
    assert.deepEqual((({ changed, fields, nextRead }) => [changed, fields, nextRead])(await changesOf(2)), [
      false,
      [],
      { billed: false, credits: 0 },
    ]);
    await increment(project(2, { acreage: 11 }));
    await increment(project(2, { acreage: 11, status: 'denied', floorCount: 3 }));
    const { body, status } = await api.get('/projects/2/changes', {}, { key });
    const changes = body.data;
    assert.equal(status, 200);
    assert.equal(body.meta.creditsUsed, 0);
    assert.equal(changes.owned.contentRevision, owned.contentRevision);
    assert.deepEqual([changes.changed, changes.fields], [true, ['acreage', 'floorCount', 'status']]);
    assert.deepEqual(namesOf(changes), [['acreage'], ['floorCount', 'status']]);
    assert.deepEqual(valuesOf(changes), [[['acreage']], [['floorCount'], ['status']]], 'names alone: the pool holds one of the revisions');
    assert.equal(changes.changes.at(-1).at, changes.current.lastUpdated);
    assert.doesNotMatch(JSON.stringify(changes), /denied/, 'what was not paid for is not told');
    assert.deepEqual(changes.nextRead, { billed: true, credits: 1 });
    const { data: now, meta } = await read(2);
    assert.deepEqual([now.contentRevision, meta.creditsUsed], [changes.current.contentRevision, 1]);
    const since = await changesOf(2);
    assert.deepEqual(since.fields, []);
    assert.deepEqual(valuesOf(since), [[['acreage']], [['floorCount'], ['status']]], 'the revision between was never paid for');
  });

  it('shows what fields were and are between revisions that the pool holds', async () => {
    await increment(project(8, { acreage: 10, status: 'pending', parcelNumbers: ['1', '2'] }));
    await read(8);
    await increment(project(8, { acreage: 12, status: 'approved' }));
    assert.deepEqual(valuesOf(await changesOf(8)), [[['acreage'], ['parcelNumbers'], ['status']]], 'not paid for yet');
    const { data } = await read(8);
    const held = await changesOf(8);
    assert.deepEqual(valuesOf(held), [
      [
        ['acreage', 10, 12],
        ['parcelNumbers', ['1', '2'], null],
        ['status', 'pending', 'approved'],
      ],
    ]);
    assert.deepEqual([held.changes[0].fromRevision === data.contentRevision, held.changes[0].toRevision], [false, data.contentRevision]);
    await increment(project(8, { acreage: 13, status: 'approved' }));
    assert.deepEqual(valuesOf(await changesOf(8)).at(-1), [['acreage']], 'the newest is not held');
    assert.deepEqual(valuesOf(await changesOf(8))[0]?.[0], ['acreage', 10, 12]);
    assert.deepEqual((await changesOf(8, await api.key('api_only'))).changes, [], 'a pool that holds nothing is shown nothing');
  });

  it('shows every remembered value where records are free, letter for letter as the record showed it', async () => {
    const national = await api.key('national');
    const full = async () => (await api.get('/projects/9', { representation: 'full' }, { key: national })).body.data;
    const contact = { name: 'Ann Lee', role: 'applicant', company: 'Cedar', title: 'Owner', email: 'ann@example.com' };
    const states = [
      { acreage: 1, statusSummary: 'Heard.', contacts: [contact] },
      { acreage: 2, statusSummary: 'Heard twice.', landUses: [use('multifamily'), use('office', 'secondary')], propertyType: undefined },
      { acreage: 2, summary: 'Homes', decisions: [{ decisionBody: 'city_council', status: 'approved', meetingDate: '2026-10-01' }] },
    ];
    const shown = [];
    for (const more of states) {
      await increment(project(9, more));
      shown.push(await full());
    }
    const { changes } = await changesOf(9, national);
    assert.equal(changes.length, 2);
    for (const [i, { fields }] of changes.entries()) {
      assert.ok(fields.length > 1);
      for (const { name, before, after } of fields) assert.deepEqual([before, after], [shown[i][name], shown[i + 1][name]], name);
    }
    assert.ok(changes[0].fields.some(({ name }: { name: string }) => name === 'contacts'));
    assert.doesNotMatch(JSON.stringify(changes), /ann@example/, 'locked channels stay locked');
  });

  it('shows nobody who asked not to be found, in no revision', async () => {
    const national = await api.key('national');
    const named = (name: string) => ({ name, role: 'applicant', company: 'Cedar', title: null, email: `${name[0]}@example.com` });
    await increment(project(10, { contacts: [named('Zoe Hart'), named('Bo Ray')] }));
    await increment(project(10, { contacts: [named('Bo Ray'), named('Cy Orr')] }));
    assert.match(JSON.stringify((await changesOf(10, national)).changes), /Zoe Hart/);
    assert.equal((await adminRunner(api)('suppress', 'add', '--name', 'Zoe Hart', '--company', 'Cedar')).code, 0);
    // A process reads the list of suppressed people every two seconds.
    const shown = await eventually('Zoe Hart to be gone', async () => {
      const text = JSON.stringify((await changesOf(10, national)).changes);
      return text.includes('Zoe Hart') ? undefined : text;
    });
    assert.match(shown, /Cy Orr/);
  });

  it('names the field alone where what it was took too much room', async () => {
    const national = await api.key('national');
    const long = (letter: string) => `${letter} `.repeat(30_000);
    for (const letter of ['a', 'b', 'c']) await increment(project(11, { rawText: long(letter) }));
    const { changes } = await changesOf(11, national);
    assert.deepEqual(
      changes.map(({ fields }: Step) => fields.map((field) => [field.name, 'before' in field])),
      [[['rawText', false]], [['rawText', true]]],
    );
  });

  it('knows a revision that was paid before: the way back bills nothing', async () => {
    await read(3);
    await increment(project(3, { acreage: 20 }));
    await read(3);
    await increment(project(3, { acreage: 10 }));
    const { changed, fields, nextRead } = await changesOf(3);
    assert.deepEqual([changed, fields, nextRead], [true, ['acreage'], { billed: false, credits: 0 }]);
    assert.equal((await read(3)).meta.creditsUsed, 0);
  });

  it('says that it no longer knows where more has changed than is remembered', async () => {
    await read(4);
    for (let acreage = 100; acreage < 121; acreage++) await increment(project(4, { acreage }));
    const { changed, fields, changes, nextRead } = await changesOf(4);
    assert.deepEqual([changed, fields, changes, nextRead], [true, null, [], { billed: true, credits: 1 }]);
  });

  it('tells what a new generation no longer covers, what a merger brings, and what a rollback takes back', async () => {
    await read(5);
    await read(6);
    await api.index.load([project(6, { acreage: 10, mergedFrom: [6, 7] })], { generation: 2 });
    assert.ok((await changesOf(5)).fields.includes('acreage'), 'not covered by the new generation');
    assert.deepEqual((await changesOf(7)).fields, ['mergedFrom'], 'asked by the id of the absorbed one');
    assert.equal((await changesOf(7)).id, 6);
    const { meta } = await read(6);
    assert.equal(meta.creditsUsed, 1);
    await rollBackGeneration(api.index.store, api.index.clock);
    const back = await changesOf(6);
    assert.deepEqual([back.changed, back.fields, back.nextRead.billed], [true, ['mergedFrom'], false]);
  });

  it('refuses what it does not take, and answers a missing id as such', async () => {
    assertRefused(await api.get('/projects/1/changes', { representation: 'full' }, { key }), 'invalid_request');
    assertRefused(await api.get('/projects/1/changes', { colour: 'red' }, { key }), 'invalid_filter');
    for (const id of ['999', 'x', '0']) assert.equal((await api.get(`/projects/${id}/changes`, {}, { key })).status, 404);
    assert.equal((await api.get('/projects/1/changes', {}, { key, method: 'POST' })).status, 405);
  });
});
