/** A county that is sent by the name that it had: the same selection as by its new name, on every route that selects, with the warning that says so. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { bodyOf, provideService, type TestAnswer } from '../../support/service.ts';

const FORMER = 'Shannon County, SD';
const TODAYS = 'Oglala Lakota County, SD';
const ID = 46102;
const RECORDS = 6;

const HEARD = { meetingDate: '2026-10-01', nextMeetingDate: '2026-12-01', status: 'approved', latitude: 43.34, longitude: -102.55 };
const inCounty = (id: number, county: string) => project(id, { ...HEARD, state: 'SD', county, city: null });

describe('A county that is sent by its former name', () => {
  const api = provideService({ today: TODAY }, [
    ...Array.from({ length: RECORDS / 2 }, (_, i) => inCounty(i + 1, 'Shannon County')),
    ...Array.from({ length: RECORDS / 2 }, (_, i) => inCounty(i + 11, 'Oglala Lakota County')),
    project(20),
  ]);

  const filtersOf = (county: string) => ({ counties: [county], dateRange: 'all' });
  const idsOf = ({ data }: Json) => data.map(({ id }: Json) => id);
  const dataOf = ({ data }: Json) => data;
  const matchesOf = ({ data }: Json) => data.matchCount;
  const getting = (path: string, more: object = {}) => ({
    ask: (county: string) => api.get(path, { ...filtersOf(county), ...more }),
  });
  const posting = (path: string, more: object = {}) => ({
    ask: async (county: string) => api.post(path, { filters: filtersOf(county), ...more }, { key: await api.key() }),
  });

  /** The path below the API root to which a list of the filters leads, or the preview of an alert. */
  const keeping = (what: string, pathOf: (data: Json) => string) => ({
    ask: async (county: string) => {
      const key = await api.key();
      const { data } = bodyOf(await api.post(what, { name: 'Kept', filters: filtersOf(county) }, { key }), 201);
      return api.get(pathOf(data), {}, { key });
    },
  });

  /** What is asked, and the part of the answer that tells the selection. */
  const ROUTES: Record<string, { ask: (county: string) => Promise<TestAnswer>; selected: (body: Json) => unknown; status?: number }> = {
    search: { ...getting('/projects/search'), selected: idsOf },
    count: { ...getting('/projects/count'), selected: dataOf },
    sync: { ...getting('/projects/sync'), selected: idsOf },
    map: { ...getting('/projects/map', { view: '-125,24,-66,50' }), selected: dataOf },
    hearings: { ask: (county) => api.get('/hearings', { counties: [county] }), selected: dataOf },
    'OGC features': {
      ask: (county) => api.get('/../ogc/collections/projects/items', { counties: county }),
      selected: ({ features }) => features.map(({ id }: Json) => id),
    },
    coverage: { ...getting('/coverage'), selected: dataOf },
    aggregate: { ...posting('/analytics/aggregate', { groupBy: ['county'] }), selected: dataOf },
    rankings: { ...posting('/analytics/rankings', { dimension: 'county', metric: { op: 'count' } }), selected: dataOf },
    odds: { ...posting('/analytics/odds', { by: ['county'] }), selected: dataOf },
    export: { ...posting('/exports'), selected: matchesOf, status: 202 },
    'a search as a CSV': { ...getting('/projects/search', { format: 'csv' }), selected: matchesOf, status: 202 },
    snapshot: { ...posting('/snapshots', { representation: 'compact' }), selected: matchesOf, status: 202 },
    list: { ...keeping('/lists', ({ searchUrl }) => searchUrl.replace(/.*\/v1/, '')), selected: idsOf },
    preview: { ...keeping('/alerts', ({ id }) => `/alerts/${id}/preview`), selected: dataOf },
    alert: { ...posting('/alerts', { name: 'Former' }), selected: ({ meta }) => meta.appliedFilters, status: 201 },
  };

  for (const [title, { ask, selected, status = 200 }] of Object.entries(ROUTES))
    it(`selects the same for ${title}, which says which county it is now`, async () => {
      const today = bodyOf(await ask(TODAYS), status);
      const former = bodyOf(await ask(FORMER), status);
      assert.deepEqual(selected(former), selected(today));
      assert.match(JSON.stringify(selected(today)), new RegExp(`${ID}|\\b(?:${RECORDS}|13)\\b`), 'it selects something');
      const renamed = ({ meta }: Json) => meta.warnings.filter(({ code }: Json) => code === 'place_renamed');
      assert.deepEqual(renamed(today), []);
      assert.deepEqual(pluck(renamed(former), 'params'), [{ sent: FORMER, id: ID, name: 'Oglala Lakota County', since: '2015-05-01' }]);
      assert.deepEqual(former.meta.appliedFilters.counties, [ID]);
    });

  it('stays in the filters of an AI search, which shows no warnings', async () => {
    const asked = bodyOf(await api.post('/projects/ai-search/jobs', { query: 'homes', filters: filtersOf(FORMER) }), 202);
    assert.deepEqual(asked.data.filters, filtersOf(FORMER));
  });
});
