/** Merged developments with a coming hearing: when it has passed, their shown date and their sort order change on the same day. */

import assert from 'node:assert/strict';
import { ProjectStore } from '../../../src/core/store/elastic/projects.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine as project } from '../../support/projectLine.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const LOADED = '2026-11-20';
const TIMEOUT_MS = 5000;
const HEARING = '2026-12-03';

describe('A merged development with a hearing to come', () => {
  let today = LOADED;
  const api = provideService({ now: () => new Date(`${today}T19:00:00Z`) });
  before(async () => {
    api.index.today = LOADED;
    await api.index.load([
      project(1, { meetingDate: '2026-11-10' }),
      project(2, { meetingDate: '2026-11-01', mergedFrom: [2, 3] }),
      project(3, { meetingDate: HEARING }),
      project(4, { meetingDate: '2026-10-01' }),
    ]);
  });

  const found = async (order: string) => {
    const body = bodyOf(await api.get('/projects/search', { sort: 'meetingDate', order }));
    return body.data.map(({ id, meetingDate }: { id: number; meetingDate: string }) => `${id} ${meetingDate}`);
  };
  const BEFORE = ['1 2026-11-10', '2 2026-11-01', '4 2026-10-01'];
  const AFTER = [`2 ${HEARING}`, '1 2026-11-10', '4 2026-10-01'];

  it('stands at its last hearing until the day of the next, and there from that day on', async () => {
    assert.deepEqual(await found('desc'), BEFORE);
    today = '2026-12-02';
    assert.deepEqual(await found('desc'), BEFORE);
    today = HEARING;
    assert.deepEqual(await found('desc'), AFTER);
    assert.deepEqual(await found('asc'), AFTER.toReversed());
  });

  it('is written again by the next increment, whatever that is about, without a change to anybody', async () => {
    today = HEARING;
    const before = await api.get('/projects/2', { representation: 'full' });
    const { sync } = (await api.get('/projects/sync', { dateRange: 'all' })).body.meta;
    api.index.today = HEARING;
    await api.index.load([project(9, { meetingDate: '2026-11-05' })], { mode: 'increment' });
    const store = new ProjectStore(api.index.client, api.index.names, TIMEOUT_MS);
    assert.equal(await store.anyHearingHasPassed(HEARING, new Date()), false);
    assert.deepEqual(await found('desc'), [AFTER[0], AFTER[1], '9 2026-11-05', AFTER[2]]);
    const { data } = (await api.get('/projects/2', { representation: 'full' })).body;
    assert.deepEqual({ ...data, delivery: null }, { ...before.body.data, delivery: null });
    const changes = await api.get('/projects/sync', { dateRange: 'all', cursor: sync.cursor });
    assert.deepEqual(pluck(changes.body.data, 'id'), [9]);
  });
});
