import assert from 'node:assert/strict';
import { projectLine as project } from '../../support/projectLine.ts';
import { provideService } from '../../support/service.ts';

const TODAY = '2026-11-20';

describe('GET /projects/search', () => {
  const api = provideService({ today: TODAY }, [
    project(1, { acreage: 0 }),
    project(2, { state: 'TX', county: 'Dallas', acreage: 3 }),
    project(3, { meetingDate: '2024-01-01' }),
  ]);

  it('says of a search that finds nothing how many each filter alone keeps out, as a count does', async () => {
    const filters = { states: 'TX', acreageMin: 5, dateRange: 'all', propertyTypes: 'residential' };
    const { body } = await api.get('/projects/search', filters);
    assert.deepEqual(body.data, []);
    const { suggestions } = body.meta;
    assert.deepEqual(suggestions[0], { without: 'acreageMin', matchCount: 1 });
    assert.deepEqual(suggestions.map(({ without }: { without: string }) => without).sort(), Object.keys(filters).sort());
    for (const { without, matchCount } of suggestions) {
      const { [without as keyof typeof filters]: _, ...others } = filters;
      const counted = await api.get('/projects/count', { dateRange: 'all', ...others });
      assert.equal(counted.body.data.matchCount, matchCount, without);
    }
    const ofReplaced = await api.get('/projects/search', { states: 'CO', counties: 'Larimer County', dateRange: 'all', acreageMax: 5 });
    assert.deepEqual(
      ofReplaced.body.meta.suggestions,
      [
        { without: 'counties', matchCount: 1 },
        { without: 'dateRange', matchCount: 0 },
        { without: 'acreageMax', matchCount: 0 },
      ],
      'states, which counties replaced, counts without them',
    );
    const usual = await api.get('/projects/search', { meetingDateTo: '2020' });
    assert.deepEqual(usual.body.meta.suggestions, [{ without: 'meetingDateTo', matchCount: 2 }], 'the last year, as in a count');
  });

  it('explains nothing beyond the licence, of records by their ids, and where something was found', async () => {
    const key = await api.key('state', { stateIds: [8], countyIds: [] });
    const { body } = await api.get('/projects/search', { acreageMin: 3, dateRange: 'all' }, { key });
    assert.deepEqual(body.meta.suggestions[0], { without: 'acreageMin', matchCount: 2 });
    const named = await api.get('/projects/search', { projectIds: '2', acreageMin: 5 });
    const found = await api.get('/projects/search', { dateRange: 'all' });
    const filtered = await api.get('/projects/search', { states: 'WY', deliveryMode: 'new' });
    assert.deepEqual(
      [named, found, filtered].map((answer) => answer.body.meta.suggestions),
      [undefined, undefined, undefined],
    );
  });
});
