/** What filters match where the current generation is silent, and what merged developments show. */

import assert from 'node:assert/strict';
import { daysAfter } from '../../../src/core/domain/process/hearings.ts';
import { FILTERS, type FilterName } from '../../../src/core/filter/table.ts';
import { ascending, project, searcher, TODAY, use, used } from '../../support/fixtures.ts';
import { provideService } from '../../support/service.ts';

const confirmable = (name: string) =>
  FILTERS[name as FilterName].confirms !== undefined || FILTERS[name as FilterName].confirmedByName === true;

/** Filters that the larger of the other measurements does not match: more hearings are an earlier first one. */
const OTHER_IS_ABOVE = /(Max|From)$/;

describe('evidence of an older generation', () => {
  const api = provideService({ today: TODAY });
  const search = searcher(() => api);

  /** the course of a case in so many hearings, votes and days */
  const course = (measurement: number) => ({
    voteTotals: { yes: 50, no: measurement },
    appearanceCount: measurement,
    firstMeetingDate: daysAfter(project(1).meetingDate as string, -measurement),
    nextMeetingDate: daysAfter('2027-01-01', -measurement),
  });
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
    lotCount: 50,
    summary: 'a data center',
    parties: [{ role: 'owner', name: 'Old Owner' }],
    caseNumbers: ['OLD-1'],
    parcelNumbers: ['OLD-2'],
    existingZoning: 'R-1',
    proposedZoning: 'PUD, R-2',
    staffRecommendation: 'Approval',
    ...course(50),
  };
  /** the same attributes with other values, measurements above or below */
  const others = (measurement: number) => ({
    ...Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, value === true ? false : value === 50 ? measurement : value]),
    ),
    status: 'denied',
    decisionBody: 'planning_commission',
    decisionType: 'recommendation',
    requestType: 'site_plan',
    constructionType: 'renovation',
    projectSize: 'small',
    summary: 'homes',
    parties: [{ role: 'owner', name: 'New Owner' }],
    caseNumbers: ['NEW-1'],
    parcelNumbers: ['NEW-2'],
    existingZoning: 'R-2',
    proposedZoning: 'R-2, PUD',
    staffRecommendation: 'Denial',
    ...course(measurement),
  });
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
    caseNumbers: 'old 1',
    parcelNumbers: 'old 2',
    existingZonings: 'r-1',
    proposedZonings: 'pud',
    staffRecommendations: 'approval',
    voteResults: 'tie',
    firstMeetingDateFrom: attributes.firstMeetingDate,
    firstMeetingDateTo: attributes.firstMeetingDate,
    nextMeetingDateFrom: attributes.nextMeetingDate,
    nextMeetingDateTo: attributes.nextMeetingDate,
    outcomes: 'approved',
    ...Object.fromEntries(
      Object.keys(FILTERS)
        .filter((name) => /(Min|Max)$/.test(name))
        .map((name) => [name, 50]),
    ),
  };

  before(async () => {
    const before = { landUses: [use('multifamily')], propertyType: undefined, meetingDate: '2026-02-01' };
    await api.index.load([project(6, { acreage: 10 })]);
    await api.index.load(
      [
        project(1, attributes),
        project(2, { ...attributes, acreage: 5 }),
        project(3, { ...before, projectName: 'Old Name' }),
        used(4, use('office'), use('billboard', 'other')),
        project(5, { latitude: 40, longitude: -105 }),
        project(6, { acreage: 100 }),
        project(7, attributes),
        project(8, attributes),
        project(9, attributes),
      ],
      { generation: 2 },
    );
    await api.index.load(
      [
        project(2, { acreage: 500 }),
        { ...used(3, use('office')), projectName: 'New Name', meetingDate: '2026-08-01' },
        used(4, use('office')),
        project(5, { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.3, longitude: -97.7 }),
        project(6),
        project(7, attributes),
        project(8, others(40)),
        project(9, others(60)),
      ],
      { generation: 3 },
    );
  });

  const warned = (page: Awaited<ReturnType<typeof search>>) => page.warnings.filter_evidence_unconfirmed?.params.filters;

  it('covers every filter that can match without a served value', () => {
    const left = Object.keys(FILTERS).filter((name) => confirmable(name) && !(name in asked));
    assert.deepEqual(left, ['projectName']);
  });

  for (const [name, value] of Object.entries(asked))
    it(`${name} matches it where the current one is silent and nowhere else, and says so of itself alone`, async () => {
      const page = await search({ [name]: value, projectIds: OTHER_IS_ABOVE.test(name) ? '1,7,9' : '1,7,8' });
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
    assert.deepEqual((await search({ projectIds: 2, acreageMin: 4, acreageMax: 6 })).ids, [], 'it serves 500');
    assert.match(page.warnings.filter_evidence_unconfirmed?.message ?? '', /^1 record matched status, q by what earlier generations/);
  });

  it('never joins two values to satisfy two bounds', async () => {
    assert.deepEqual((await search({ projectIds: 6, acreageMin: 20, acreageMax: 90 })).ids, []);
    const page = await search({ projectIds: 6, acreageMin: 10, acreageMax: 90 });
    assert.deepEqual([page.ids, warned(page)], [[6], ['acreageMin', 'acreageMax']]);
  });

  it('does not count for classification, names and dates, which every generation covers', async () => {
    const replaced = {
      propertyTypes: 'residential',
      propertySubtypes: 'multifamily',
      projectName: 'old name',
      q: 'old name',
      meetingDateTo: '2026-03',
    };
    for (const [name, value] of Object.entries(replaced)) assert.deepEqual((await search({ [name]: value, projectIds: 3 })).ids, [], name);
    const stated = { propertySubtypes: 'office', projectName: 'new name', meetingDateFrom: '2026-08' };
    const page = await search({ ...stated, projectIds: 3 });
    assert.deepEqual([page.ids, warned(page)], [[3], undefined]);
  });

  it('does not count for exclusions and geography', async () => {
    assert.deepEqual((await search({ projectIds: 4, excludeAssetClasses: 'billboard', taxonomyMatchMode: 'any' })).ids, [4]);
    assert.deepEqual((await search({ projectIds: 4, excludePropertySubtypes: 'office' })).ids, []);
    assert.deepEqual((await search({ projectIds: 5, states: 'CO' })).ids, []);
    assert.deepEqual((await search({ projectIds: 5, circle: { lat: 40, lng: -105, radiusMeters: 1000 } })).ids, []);
    assert.deepEqual((await search({ projectIds: 5, states: 'TX' })).ids, [5]);
  });
});

describe('evidence, attribute by attribute', () => {
  const api = provideService({ today: TODAY });
  const search = searcher(() => api);
  const warned = (page: Awaited<ReturnType<typeof search>>) => page.warnings.filter_evidence_unconfirmed?.params.filters;
  const ids = async (parameters: Record<string, unknown>) => ascending((await search(parameters)).ids);
  const decision = (decisionBody: string | null, status: string | null) => ({
    decisionBody,
    status,
    decisionType: null,
    meetingDate: '2026-10-01',
  });

  before(async () => {
    const body = { decisionBody: 'city_council' };
    await api.index.load([
      project(1, {
        summary: 'old summary',
        rawText: 'old minutes',
        caseNumbers: ['OLD-1'],
        parties: [{ role: 'owner', name: 'Old Owner' }],
      }),
      project(2, { ...body, status: 'approved' }),
      project(3, { ...body, decisions: [decision(null, 'approved')] }),
      project(4, body),
      project(5, { ...body, status: 'approved' }),
      project(6, { ...body, mergedFrom: [16] }),
      project(16, { ...body, status: 'approved' }),
      project(7, { mergedFrom: [17, 18], acreage: 7, summary: 'of its own' }),
      project(17, { acreage: 17, floorCount: 17 }),
      project(18, { acreage: 18, summary: 'of a member', parkingSpaces: 18 }),
    ]);
    await api.index.load(
      [
        project(1, { summary: 'new summary', caseNumbers: [] }),
        project(2, body),
        project(3, body),
        project(4, body),
        project(5, { ...body, decisions: [decision('planning_commission', 'denied')] }),
        project(6, body),
        project(7, { mergedFrom: [17, 18] }),
        project(17, { acreage: 27 }),
      ],
      { generation: 2 },
    );
  });

  it('counts each searched text for itself: a stated one replaces its own past words alone', async () => {
    for (const [q, found] of Object.entries({ 'new summary': [1], 'old summary': [], 'old minutes': [1], 'OLD-1': [], 'old owner': [1] }))
      assert.deepEqual(await ids({ q, projectIds: 1 }), found, q);
    const page = await search({ q: 'old minutes|new summary', projectIds: 1 });
    assert.deepEqual([page.ids, warned(page)], [[1], undefined], 'the served text matches too');
    assert.deepEqual(warned(await search({ q: 'old minutes', projectIds: 1 })), ['q']);
  });

  it('selects as unknown only what has no decision, then or now, itself or by an absorbed record', async () => {
    assert.deepEqual(await ids({ status: 'unknown', projectIds: '2,3,4,5,6' }), [4]);
    assert.deepEqual(await ids({ statusCombos: 'city_council|unknown', projectIds: '2,3,4,6' }), [4]);
    const page = await search({ status: 'approved', projectIds: '2,3,4,5,6' });
    assert.deepEqual([ascending(page.ids), warned(page)], [[2, 5, 6], ['status']]);
  });

  it('says of unknown beside other statuses by which of them a record was found', async () => {
    assert.equal(warned(await search({ status: 'unknown,approved', projectIds: 4 })), undefined);
    assert.deepEqual(warned(await search({ status: 'unknown,approved', projectIds: 2 })), ['status']);
    const combos = { statusCombos: 'city_council|unknown,city_council|approved' };
    assert.equal(warned(await search({ ...combos, projectIds: 4 })), undefined);
    assert.deepEqual(warned(await search({ ...combos, projectIds: 2 })), ['statusCombos']);
  });

  it('takes the pairs of the current statement alone if it knows a decision', async () => {
    assert.deepEqual(await ids({ statusCombos: 'city_council|approved', projectIds: '2,5' }), [2]);
    assert.deepEqual(await ids({ statusCombos: 'planning_commission|denied', projectIds: '2,5' }), [5]);
  });

  it('gives a survivor what absorbed records state now before all that the family stated earlier', async () => {
    for (const [acreage, found] of [
      [27, [7]],
      [7, []],
      [17, []],
      [18, []],
    ] as const)
      assert.deepEqual(await ids({ acreageMin: acreage, acreageMax: acreage, projectIds: 7 }), found, `acreage ${acreage}`);
    for (const earlier of [{ floorCountMin: 17 }, { parkingSpacesMin: 18 }, { q: 'of a member' }, { q: 'of its own' }]) {
      const page = await search({ ...earlier, projectIds: 7 });
      assert.deepEqual([page.ids, warned(page)], [[7], Object.keys(earlier)]);
    }
  });

  it('leaves what absorbed records state out where the survivor states a value', async () => {
    await api.index.load([project(7, { acreage: 70 })], { generation: 2, mode: 'increment' });
    assert.deepEqual(await ids({ acreageMin: 27, acreageMax: 27, projectIds: 7 }), []);
    await api.index.load([project(7)], { generation: 2, mode: 'increment' });
    assert.deepEqual(await ids({ acreageMin: 27, acreageMax: 27, projectIds: 7 }), [7]);
  });
});

describe('a merged development', () => {
  const api = provideService({ today: TODAY });
  const search = searcher(() => api);
  const hearing = (meetingDate: string) => ({ meetingDate, decisionBody: null, decisionType: null, status: null });

  before(async () => {
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
      [2, '2026-05-01'],
      [3, '2026-04-01'],
      [1, '2026-03-10'],
    ]);
  });
});
