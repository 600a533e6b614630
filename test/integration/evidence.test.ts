/** What filters match beyond the served values (decisions §2), and what merged developments show. */
import assert from 'node:assert/strict';
import { FILTERS, type FilterName } from '../../src/filter/table.ts';
import { ascending, project, searcher, TODAY, use, used } from '../support/fixtures.ts';
import { type TestService, testService } from '../support/service.ts';

const confirmable = (name: string) =>
  FILTERS[name as FilterName].confirms !== undefined || FILTERS[name as FilterName].confirmedByName === true;

describe('evidence of an older generation', () => {
  let api: TestService;
  const search = searcher(() => api);

  const attributes = {
    status: 'approved',
    decisionBody: 'city_council',
    decisionType: 'final_action',
    requestType: 'rezoning',
    constructionType: 'new_construction',
    projectSize: 'large',
    isConstructionLead: true,
    hasConstructionDetails: true,
    isRezone: true,
    inOpportunityZone: true,
    inFemaFloodZone: true,
    totalUnitCount: 50,
    acreage: 50,
    lotSizeSqft: 50,
    squareFootage: 50,
    parkingSpaces: 50,
    buildingStories: 50,
    buildingHeightFeet: 50,
    bedroomCount: 50,
    floorCount: 50,
    summary: 'a data center',
    parties: [{ role: 'owner', name: 'Old Owner' }],
  };
  /** what is asked of the attributes above; each entry alone is a request */
  const asked: Record<string, unknown> = {
    status: 'approved',
    decisionBodies: 'city_council',
    decisionTypes: 'final_action',
    statusCombos: 'city_council|approved',
    requestTypes: 'rezoning',
    constructionTypes: 'new_construction',
    projectSizes: 'large',
    constructionLeadsOnly: true,
    hasConstructionDetails: true,
    requiresZoningChange: true,
    inOpportunityZone: 'inside',
    inFemaFloodZone: 'inside',
    q: 'data center',
    developerName: 'old owner',
    ...Object.fromEntries(
      Object.keys(FILTERS)
        .filter((name) => /(Min|Max)$/.test(name))
        .map((name) => [name, 50]),
    ),
  };

  before(async () => {
    api = await testService({ today: TODAY });
    const before = { landUses: [use('multifamily')], propertyType: undefined, meetingDate: '2026-02-01' };
    await api.index.load([
      project(1, attributes),
      project(2, { ...attributes, acreage: 5 }),
      project(3, { ...before, projectName: 'Old Name' }),
      used(4, use('office'), use('billboard', 'other')),
      project(5, { latitude: 40, longitude: -105 }),
      project(6, { acreage: 10 }),
      project(7, attributes),
    ]);
    await api.index.load(
      [
        project(2, { acreage: 500 }),
        { ...used(3, use('office')), projectName: 'New Name', meetingDate: '2026-08-01' },
        used(4, use('office')),
        project(5, { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.3, longitude: -97.7 }),
        project(6, { acreage: 100 }),
        project(7, attributes),
      ],
      { generation: 2 },
    );
  });
  after(() => api.stop());

  const warned = (page: Awaited<ReturnType<typeof search>>) => page.warnings.filter_evidence_unconfirmed?.params.filters;

  it('covers every filter that can match without a served value', () => {
    const others = Object.keys(FILTERS).filter((name) => confirmable(name) && !(name in asked));
    assert.deepEqual(others.sort(), [
      'assetClasses',
      'dateRange',
      'governmentDecisionAssetClasses',
      'governmentDecisionSubtypes',
      'meetingDateFrom',
      'meetingDateTo',
      'projectName',
      'propertySubtypes',
      'propertyTypes',
    ]);
  });

  for (const [name, value] of Object.entries(asked))
    it(`${name} matches it, serves null, and says so of itself alone`, async () => {
      const page = await search({ [name]: value, projectIds: '1,7' });
      assert.deepEqual(ascending(page.ids), [1, 7]);
      assert.deepEqual(warned(page), [name]);
      const uncovered = page.records.find((record) => record.id === 1);
      for (const [attribute, served] of Object.entries(attributes)) {
        if (attribute === 'status') assert.equal(uncovered?.status, 'unknown');
        else assert.equal(uncovered?.[attribute] ?? null, null, `${attribute} of an older generation, ${served}`);
      }
      const current = await search({ [name]: value, projectIds: 7 });
      assert.deepEqual([current.ids, warned(current)], [[7], undefined], 'a value of the current generation confirms it');
    });

  it('names just those filters of a request that the served values do not confirm', async () => {
    const page = await search({ projectIds: 2, acreageMin: 400, status: 'approved', q: 'data center', states: 'CO' });
    assert.deepEqual(page.ids, [2]);
    assert.deepEqual(warned(page), ['status', 'q']);
    const bounds = await search({ projectIds: 2, acreageMin: 4, acreageMax: 6 });
    assert.deepEqual([bounds.ids, warned(bounds)], [[2], ['acreageMax']]);
  });

  it('never joins two values to satisfy two bounds', async () => {
    assert.deepEqual((await search({ projectIds: 6, acreageMin: 20, acreageMax: 90 })).ids, []);
    assert.deepEqual((await search({ projectIds: 6, acreageMin: 10, acreageMax: 90 })).ids, [6]);
    const between = { projectIds: 3, meetingDateFrom: '2026-03', meetingDateTo: '2026-07' };
    assert.deepEqual((await search(between)).ids, []);
  });

  it('holds for classification, names and dates that were replaced', async () => {
    for (const [name, value] of Object.entries({
      propertyTypes: 'residential',
      propertySubtypes: 'multifamily',
      projectName: 'old name',
    })) {
      const page = await search({ [name]: value, projectIds: 3 });
      assert.deepEqual([page.ids, warned(page)], [[3], [name]]);
    }
    const page = await search({ meetingDateTo: '2026-03', projectIds: 3 });
    assert.deepEqual([page.ids, warned(page)], [[3], ['meetingDateTo']]);
    assert.equal(page.records[0]?.meetingDate, '2026-08-01', 'the served date is the current one');
  });

  it('does not count for exclusions and geography', async () => {
    assert.deepEqual((await search({ projectIds: 4, excludeAssetClasses: 'billboard', taxonomyMatchMode: 'any' })).ids, [4]);
    assert.deepEqual((await search({ projectIds: 4, excludePropertySubtypes: 'office' })).ids, []);
    assert.deepEqual((await search({ projectIds: 5, states: 'CO' })).ids, []);
    assert.deepEqual((await search({ projectIds: 5, circle: { lat: 40, lng: -105, radiusMeters: 1000 } })).ids, []);
    assert.deepEqual((await search({ projectIds: 5, states: 'TX' })).ids, [5]);
  });
});

describe('a merged development', () => {
  let api: TestService;
  const search = searcher(() => api);
  const hearing = (meetingDate: string) => ({ meetingDate, decisionBody: null, decisionType: null, status: null });

  before(async () => {
    api = await testService({ today: TODAY });
    await api.index.load([
      project(1, {
        meetingDate: '2026-06-01',
        mergedFrom: [11, 12, 13],
        decisions: [hearing('2026-03-10'), hearing('2026-12-24')],
      }),
      project(11, { meetingDate: '2025-01-15', summary: 'brought by a member', acreage: 7 }),
      project(12, { meetingDate: '2026-09-09' }),
      project(2, { meetingDate: '2026-05-01' }),
      project(3, { meetingDate: '2026-04-01' }),
      project(4, { meetingDate: '2027-01-05', mergedFrom: [14] }),
      project(5, { meetingDate: '2026-02-01' }),
    ]);
    await api.index.load([project(5, { meetingDate: '2026-10-10' })], { mode: 'increment' });
  });
  after(() => api.stop());

  const dated = async (parameters: Record<string, unknown>) =>
    (await search(parameters)).records.map(({ id, meetingDate }) => [id, meetingDate]);

  it('stands for its members, which are not found on their own', async () => {
    assert.deepEqual(ascending((await search({})).ids), [1, 2, 3, 4, 5]);
    assert.deepEqual((await search({ projectIds: '11,12,13' })).ids, [1]);
    assert.deepEqual((await search({ q: 'brought by a member' })).ids, [1]);
    assert.deepEqual((await search({ acreageMin: 7, acreageMax: 7 })).ids, [1]);
    const [record] = (await search({ projectIds: 1 })).records;
    assert.deepEqual(record?.mergedFrom, [1, 11, 12, 13]);
  });

  it('shows the newest hearing of its family up to today, or up to an earlier meetingDateTo', async () => {
    assert.deepEqual(await dated({ projectIds: 1 }), [[1, '2026-09-09']]);
    assert.deepEqual(await dated({ projectIds: 1, meetingDateTo: '2027' }), [[1, '2026-09-09']]);
    assert.deepEqual(await dated({ projectIds: 1, meetingDateTo: '2026-06' }), [[1, '2026-06-01']]);
    assert.deepEqual(await dated({ projectIds: 1, meetingDateTo: '2026-05-31' }), [[1, '2026-03-10']]);
    assert.deepEqual(await dated({ projectIds: 1, meetingDateTo: '2025' }), [[1, '2025-01-15']]);
    assert.deepEqual(await dated({ projectIds: 4 }), [[4, null]], 'nothing has been heard yet');
  });

  it('is found by each hearing, and by none between two', async () => {
    for (const day of ['2025-01-15', '2026-03-10', '2026-06-01', '2026-09-09', '2026-12-24'])
      assert.deepEqual((await search({ projectIds: 1, meetingDateFrom: day, meetingDateTo: day })).ids, [1], day);
    assert.deepEqual((await search({ projectIds: 1, meetingDateFrom: '2026-03-11', meetingDateTo: '2026-05-31' })).ids, []);
  });

  it('is ordered by the date that it shows, as all records are', async () => {
    for (const order of ['desc', 'asc'])
      for (const meetingDateTo of [undefined, '2026-05', '2026-06', '2026-08', '2026-12', '2027']) {
        const page = await dated({ order, ...(meetingDateTo ? { meetingDateTo } : {}) });
        const shown = page.map(([, date]) => date).filter((date) => date !== null) as string[];
        const sorted = [...shown].sort();
        assert.deepEqual(shown, order === 'asc' ? sorted : sorted.reverse(), `${order} to ${meetingDateTo}: ${JSON.stringify(page)}`);
        const nulls = page.findIndex(([, date]) => date === null);
        assert.ok(nulls < 0 || nulls === page.length - 1, 'a record without a date comes last');
      }
    assert.deepEqual(await dated({ meetingDateTo: '2026-05' }), [
      [5, '2026-10-10'],
      [2, '2026-05-01'],
      [3, '2026-04-01'],
      [1, '2026-03-10'],
    ]);
  });
});
