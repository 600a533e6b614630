import assert from 'node:assert/strict';
import { bodyOf, provideService } from '../../support/service.ts';

describe('GET /projects/sync over a record without lastUpdated', () => {
  const api = provideService();
  before(async () => {
    const project = (id: number) => ({ kind: 'project', id, state: 'CO', propertyType: 'residential', meetingDate: '2026-10-01' });
    await api.index.load([1, 2, 3].map(project));
    // No load makes a record like this, so it is written directly, and is visible from the first load on.
    const [index] = Object.keys(await api.index.client.indices.getAlias({ name: api.index.names.readAlias('projects') }));
    await api.index.client.index({
      index: index as string,
      refresh: true,
      document: {
        key: '9',
        id: 9,
        loadedIn: 1,
        contentRevision: '0'.repeat(32),
        compact: { id: 9, state: 'CO', propertyType: 'residential' },
        standard: {},
        full: {},
        derived: { memberIds: [9], stateId: '8', isGovernmentDecision: false },
      },
    });
  });

  it('skips it for that page, says so, and walks on', async () => {
    const emitted: number[] = [];
    const warned: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 10; pages++) {
      const body = bodyOf(await api.get('/projects/sync', { dateRange: 'all', limit: 2, ...(cursor ? { cursor } : {}) }));
      emitted.push(...body.data.map((record: { id: number }) => record.id));
      for (const { code, params } of body.meta.warnings) if (code === 'sync_records_unpositionable') warned.push(params);
      ({ cursor } = body.meta.sync);
      if (!body.meta.sync.hasMore) break;
    }
    assert.deepEqual(emitted, [1, 2, 3]);
    assert.deepEqual(warned, [{ skipped: 1 }]);
  });
});
