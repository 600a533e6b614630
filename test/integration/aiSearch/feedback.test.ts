/** What a team says of the answers of an AI search: who may say it, what is refused, and how the next search follows it. */

import assert from 'node:assert/strict';
import { ascending, project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { assertRefused } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const QUESTION = 'warehouses with a retention pond';
const POND = 'The applicant proposed a retention pond behind the warehouse.';
/** A purpose that only some of the answers share, and that the question does not name. */
const COLD = 'Refrigerated storage of frozen seafood, with ammonia compressors and insulated docks.';
const DRY = 'Furniture and paper goods on racks.';
const COLD_IDS = [3, 17, 31, 45, 59];

const lines = [
  ...Array.from({ length: 60 }, (_, i) =>
    project(i + 1, { rawText: `${COLD_IDS.includes(i + 1) ? COLD : DRY} ${POND}`, meetingDate: `2026-0${1 + (i % 9)}-15` }),
  ),
  project(70, { rawText: `${COLD} Water is kept in a basin.` }),
  project(71, { rawText: 'A school.' }),
  project(72, { rawText: `${COLD} ${POND}`, state: 'TX', county: 'Travis County', city: 'Austin' }),
];

describe('Judgements of the answers of an AI search', () => {
  const world = provideWorld({ today: TODAY }, lines);

  const working = async <T>(work: () => Promise<T>): Promise<T> => {
    await using _worker = await world.work();
    return await work();
  };
  const idsOf = ({ results }: Json): number[] => results.map(({ id }: Json) => id);

  it('bring records like those that were called right, and leave out those that were called wrong, for their own team alone', async () => {
    const key = await world.api.key('national');
    const others = await world.api.key('national');
    await working(async () => {
      const asked = { query: QUESTION, filters: { states: ['CO'] }, limit: 10 };
      const first = await world.aiSearch.completed({ ...asked, limit: 100 }, key);
      assert.equal(first.results.length, 60);
      assert(first.results.every(({ feedback }: Json) => feedback === null));
      const { status, body } = await world.aiSearch.judge(first.id, { confirm: [3, 17], dismiss: [1, 2] }, key);
      assert.deepEqual([status, body.data, body.meta.creditsUsed], [200, { id: first.id, confirmed: 2, dismissed: 2 }, 0]);
      const said = (await world.aiSearch.poll(first.id, key)).body.data.results.filter(({ feedback }: Json) => feedback !== null);
      assert.deepEqual(Object.fromEntries(said.map(({ id, feedback }: Json) => [id, feedback])), {
        1: 'dismissed',
        2: 'dismissed',
        3: 'confirmed',
        17: 'confirmed',
      });
      // Case and spaces make no other question.
      const next = await world.aiSearch.completed({ ...asked, query: ` Warehouses  with a RETENTION pond` }, key);
      assert.deepEqual(idsOf(next).slice(0, 2).sort(), [17, 3]);
      assert.deepEqual(idsOf(next).slice(0, 5).sort(), [17, 3, 31, 45, 59]);
      const all = await world.aiSearch.completed({ ...asked, limit: 100 }, key);
      assert.deepEqual([all.results.length, idsOf(all).includes(1), idsOf(all).includes(2)], [58, false, false]);
      assert.deepEqual([all.matchCount, all.matchCountIsExact], [58, true]);
      assert(!idsOf(all).includes(70), 'what resembles the right ones still has to be proven');
      const again = await world.aiSearch.completed({ ...asked, limit: 100 }, key);
      assert.deepEqual(idsOf(again), idsOf(all));
      const foreign = await world.aiSearch.completed({ ...asked, limit: 100 }, others);
      assert.deepEqual(idsOf(foreign), idsOf(first));
      const other = await world.aiSearch.completed({ ...asked, query: `${QUESTION} and racks`, limit: 100 }, key);
      assert.equal(idsOf(other).includes(1), true, 'another question');
      // The last judgement counts.
      await world.aiSearch.judge(first.id, { confirm: [1], dismiss: [3, 17] }, key);
      const changed = await world.aiSearch.completed({ ...asked, limit: 100 }, key);
      assert.equal(idsOf(changed)[0], 1);
      assert(!idsOf(changed).includes(3) && !idsOf(changed).includes(17) && !idsOf(changed).includes(2));
    });
  });

  it('have records looked at that say a part of the question, where answers were called wrong alone', async () => {
    const key = await world.api.key('national');
    await working(async () => {
      const asked = { query: 'warehouses with a retention pond and frozen seafood', filters: { states: ['CO'] }, limit: 100 };
      const first = await world.aiSearch.completed(asked, key);
      assert.deepEqual([idsOf(first).sort((a, b) => a - b), first.progress.candidates], [COLD_IDS, COLD_IDS.length]);
      await world.aiSearch.judge(first.id, { dismiss: [3] }, key);
      const next = await world.aiSearch.completed(asked, key);
      assert(next.progress.candidates > COLD_IDS.length);
      const left = COLD_IDS.filter((id) => id !== 3);
      assert.deepEqual(ascending(idsOf(next)), left, 'each still has to be proven');
    });
  });

  it('are refused with everything that is wrong at once, and change nothing', async () => {
    const key = await world.api.key('national');
    const done = await working(() => world.aiSearch.completed({ query: QUESTION, filters: { states: ['CO'] }, limit: 5 }, key));
    const [one, two] = idsOf(done);
    const refused = async (sent: object, code: string, params: string[]) => {
      const { status, body } = await world.aiSearch.judge(done.id, sent, key);
      assert.deepEqual([status, body.error?.code], [400, code], JSON.stringify(body));
      assert.deepEqual(body.error.details.problems.map(({ param }: Json) => param).sort(), params.sort());
    };
    await refused({ confirm: [one, 71, 72], dismiss: [two, one, 999_999] }, 'invalid_filter', [
      'confirm.1',
      'confirm.2',
      'dismiss.1',
      'dismiss.2',
    ]);
    await refused({}, 'invalid_request', ['confirm']);
    await refused({ confirm: [], dismiss: [] }, 'invalid_request', ['confirm']);
    const many = Array.from({ length: 101 }, (_, i) => i + 1);
    await refused({ confirm: many, dismiss: ['x', 0], more: 1 }, 'invalid_request', ['confirm', 'dismiss.0', 'dismiss.1', 'more']);
    await refused({ confirm: [one, one] }, 'invalid_request', ['confirm']);
    assert.deepEqual(
      await world.api.database.query('select from ai_feedback where question = $1 and team_id = (select max(id) from team)', [QUESTION]),
      [],
    );
    const stranger = await world.api.key('national');
    for (const [id, who] of [
      [done.id, stranger],
      [`ais_${'0'.repeat(22)}`, key],
    ] as const) {
      assertRefused(await world.aiSearch.judge(id, { confirm: [one] }, who), 'resource_not_found');
    }
  });

  it('are of records that the search delivered; besides of those that it found, where that tells nothing that is paid for', async () => {
    const [free, metered] = [await world.api.key('national'), await world.api.key('api_only')];
    const asked = { query: QUESTION, filters: { states: ['CO'] }, limit: 5 };
    const [ofFree, ofMetered] = await working(async () => [
      await world.aiSearch.completed(asked, free),
      await world.aiSearch.completed(asked, metered),
    ]);
    const undelivered = lines.map(({ id }) => id).find((id) => ![...idsOf(ofFree), ...idsOf(ofMetered)].includes(id)) as number;
    assert.equal((await world.aiSearch.judge(ofFree.id, { confirm: [undelivered] }, free)).status, 200);
    assert.equal((await world.aiSearch.judge(ofMetered.id, { confirm: [undelivered] }, metered)).body.error.code, 'invalid_filter');
    assert.equal((await world.aiSearch.judge(ofMetered.id, { confirm: idsOf(ofMetered) }, metered)).status, 200);
    await world.record(undelivered, metered);
    const balance = await world.balance(metered);
    assert.equal((await world.aiSearch.judge(ofMetered.id, { confirm: [undelivered] }, metered)).status, 200);
    assert.equal(await world.balance(metered), balance);
  });

  it('end with the licence, and a year after they were made', async () => {
    const key = await world.api.key('multi_state', { stateIds: [8, 48], countyIds: [] });
    const [{ id: teamId } = { id: 0 }] = await world.api.database.query<{ id: number }>('select max(id) as id from team');
    const done = await working(() => world.aiSearch.completed({ query: QUESTION, limit: 100 }, key));
    assert(idsOf(done).includes(72));
    assert.equal((await world.aiSearch.judge(done.id, { confirm: [72], dismiss: [5] }, key)).status, 200);
    await world.api.database.query('delete from licence where team_id = $1 and state_id = 48', [teamId]);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const minted = await fetch(`${world.api.url}/api/user/api-keys`, { method: 'POST', headers, body: JSON.stringify({ name: 'later' }) });
    const { secret } = ((await minted.json()) as Json).data;
    assert.equal((await world.aiSearch.judge(done.id, { confirm: [72] }, secret)).body.error.code, 'invalid_filter');
    const narrower = await working(() => world.aiSearch.completed({ query: QUESTION, limit: 100 }, secret));
    assert(!idsOf(narrower).includes(72) && !idsOf(narrower).includes(5));
    const { FeedbackStore } = await import('../../../src/features/aiSearch/feedbackStore.ts');
    const store = new FeedbackStore(world.api.database);
    const count = async () => (await store.read(teamId, QUESTION)).dismissed.length;
    await world.api.database.query(`update ai_feedback set judged_at = service_now() - interval '364 days' where team_id = $1`, [teamId]);
    await store.removeOutlived();
    assert.equal(await count(), 1);
    await world.api.database.query(`update ai_feedback set judged_at = service_now() - interval '366 days' where team_id = $1`, [teamId]);
    await store.removeOutlived();
    assert.equal(await count(), 0);
  });
});
