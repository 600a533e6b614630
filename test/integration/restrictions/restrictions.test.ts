/** Restrictions from their lines to the answers: load, lists, checks, rollback. */
import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { describeSummary } from '../../../ingest/report.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { assertRefused, bodyOf, provideService } from '../../support/service.ts';
import { points } from '../../support/shapes.ts';

const DOCUMENT = {
  kind: 'document',
  id: 77,
  state: 'CO',
  county: 'Boulder County',
  title: 'Resolution 2026-12',
  text: 'The Board adopts a moratorium on data centers for twelve months.',
};
const QUOTE = { field: 'status', quote: 'adopts a moratorium on data centers', documentId: 77 };
const DATA_CENTER = { type: 'industrial', subtype: 'data_center' };

const restriction = (id: number, more: object = {}) => restrictionLine(id, { evidence: [QUOTE], evidenceFrom: 'inventory', ...more });

const FIRST = [
  DOCUMENT,
  projectLine(1, { landUses: [{ ...DATA_CENTER, role: 'primary' }], propertyType: 'industrial' }),
  projectLine(2),
  restriction(901),
  restriction(902, {
    county: null,
    city: 'Lafayette',
    jurisdiction: 'City of Lafayette',
    jurisdictionType: 'city',
    // far away: the city's own point counts
    latitude: 45,
    longitude: -100,
    uses: [{ type: 'infrastructure', subtype: 'solar_energy' }],
    usesText: 'solar',
    effectiveTo: null,
    endEvent: 'until the code is changed',
    evidence: [],
    evidenceFrom: undefined,
  }),
  restriction(903, {
    state: 'WY',
    county: 'Laramie County',
    jurisdiction: 'Laramie County',
    latitude: 41.3,
    longitude: -104.7,
    status: 'proposed',
  }),
];

describe('restrictions', () => {
  const service = provideService({ today: '2026-11-20' });
  before(() => service.index.load(FIRST, SOURCES));

  const list = async (parameters: Record<string, unknown> = {}, key?: string): Promise<Json> =>
    bodyOf(await service.get('/restrictions', parameters, key ? { key } : {}));
  const listIds = async (parameters: Record<string, unknown> = {}, key?: string) =>
    (await list(parameters, key)).data.map(({ id }: Json) => id).sort();
  const check = async (body: object, key?: string): Promise<Json> =>
    bodyOf(await service.post('/restrictions/check', body, key ? { key } : {})).data;

  it('are listed with the status of today, the place of the catalogue and the words that prove them', async () => {
    const { data, meta } = await list({ states: 'CO', sort: 'ends' });
    assert.deepEqual([meta.total, meta.creditsUsed, meta.on], [2, 0, '2026-11-20']);
    const [first, second] = data;
    assert.deepEqual([first.id, first.status, first.endBasis, first.effectiveTo], [901, 'in_force', 'stated', '2027-06-01']);
    assert.deepEqual([first.place.countyId, first.place.cityId, first.evidence], [8013, null, [QUOTE]]);
    assert.deepEqual([second.endBasis, second.place.city, second.place.county], ['event', 'Lafayette', 'Boulder County']);
    assert.deepEqual(bodyOf(await service.get('/restrictions/901')).data, first);
    assert.deepEqual([first.point, second.point.lat === 45], [{ lat: 40.09, lng: -105.36 }, false]);
    const order = ['id', 'kind', 'title', 'place', 'point', 'uses', 'usesText', 'status', 'adoptedOn', 'adoptedOnPrecision'];
    assert.deepEqual(Object.keys(first).slice(0, order.length), order);
    assert.deepEqual(Object.keys(first.evidence[0]), ['field', 'quote', 'documentId']);
  });

  it('are selected by the filters of places and uses, by status, kind and day', async () => {
    const box = { north: 40.05, south: 39.9, east: -105.0, west: -105.2 };
    const around = points('-106 40, -105.3 40, -105.3 40.2, -106 40.2, -106 40');
    const cases: [Record<string, unknown>, number[]][] = [
      [{}, [901, 902, 903]],
      [{ counties: 'Laramie County, WY' }, [903]],
      [{ cities: 'Lafayette, CO' }, [902]],
      [{ bbox: box }, [902]],
      [{ circle: { lat: 40.09, lng: -105.36, radiusMeters: 5_000 } }, [901]],
      [{ polygon: around }, [901]],
      [{ propertyTypes: 'Infrastructure' }, [902]],
      [{ propertySubtypes: 'data_center' }, [901, 903]],
      [{ assetClasses: 'community_solar' }, [902]],
      [{ statuses: 'proposed' }, [903]],
      [{ kinds: 'ban' }, []],
      [{ inForceOn: '2026-05-31' }, []],
      [{ inForceOn: '2026-06-01' }, [901, 902]],
      [{ endsTo: '2027-12-31', statuses: 'in_force' }, [901]],
      [{ endsFrom: '2027-06-02' }, []],
      [{ limit: 1, offset: 1, sort: 'adoptedOn' }, [902]],
    ];
    for (const [parameters, expected] of cases) assert.deepEqual(await listIds(parameters), expected, JSON.stringify(parameters));
  });

  it('of a township lie where the catalogue has its name, and elsewhere they say that nobody knows where', async () => {
    const township = {
      state: 'OH',
      county: null,
      city: 'Providence Township',
      jurisdiction: 'Providence Township',
      jurisdictionType: 'township',
    };
    const line = restriction(960, { ...township, source: 'townships', latitude: 39.4, longitude: -84.2, evidence: [] });
    await service.index.load([line], { mode: 'increment', restrictionSources: ['townships'] });
    const [{ place }] = (await list({ states: 'OH' })).data;
    assert.deepEqual([place.countyId, place.cityId, place.city], [39095, 3909564836, 'Providence Township']);
    assert.equal((await check({ county: 'Franklin County, OH', uses: [DATA_CENTER] })).binds, 'no');
    const unknown = { ...township, city: 'Nowhere Township', jurisdiction: 'Nowhere Township', source: 'townships', evidence: [] };
    const charter = { ...unknown, state: 'MI', city: 'Grand Blanc Township', jurisdiction: 'Grand Blanc Township' };
    const lines = [restriction(960, unknown), restriction(961, charter)];
    await service.index.load(lines, { mode: 'increment', restrictionSources: ['townships'] });
    const { binds, because } = await check({ county: 'Franklin County, OH', uses: [DATA_CENTER] });
    assert.deepEqual([binds, because.length], ['unclear', 1]);
    assert.match(because[0].text, /where Nowhere Township lies is not known/);
    const [{ place: found }] = (await list({ states: 'MI' })).data;
    assert.equal(found.city, 'Grand Blanc charter Township', 'not the city of that name');
    assert.equal((await check({ city: 'Grand Blanc, MI', uses: [DATA_CENTER] })).binds, 'no');
    assert.equal((await check({ city: 'Grand Blanc Township, MI', uses: [DATA_CENTER] })).binds, 'yes', 'by the name that all call it by');
    await service.index.load([], { mode: 'increment', restrictionSources: ['townships'] });
  });

  it('of a city are those of each county that it reaches into', async () => {
    const vermilion = { state: 'OH', county: null, city: 'Vermilion', jurisdiction: 'Vermilion', jurisdictionType: 'city' };
    const erie = { state: 'OH', county: 'Erie County', jurisdiction: 'Erie County', uses: [{ type: 'residential' }] };
    const lines = [vermilion, erie].map((more, i) =>
      restriction(970 + i, { ...more, source: 'vermilion', latitude: null, longitude: null, evidence: [] }),
    );
    await service.index.load(lines, { mode: 'increment', restrictionSources: ['vermilion'] });
    const uses = [DATA_CENTER];
    for (const place of [{ county: 'Erie County, OH' }, { county: 39093 }, { point: { lat: 41.42, lng: -82.36 } }]) {
      const { binds, restrictions } = await check({ ...place, uses });
      assert.deepEqual([binds, restrictions.map(({ id }: Json) => id)], ['unclear', [970]], JSON.stringify(place));
    }
    assert.equal((await check({ city: 5175072, uses })).binds, 'yes', 'by its number');
    const homes = await check({ city: 'Vermilion, OH', uses: [{ type: 'residential' }] });
    assert.deepEqual([homes.binds, homes.restrictions[0].id], ['unclear', 971]);
    const key = await service.key('county', { stateIds: [], countyIds: [39043] });
    assert.deepEqual(await listIds({}, key), [970, 971]);
    assert.deepEqual(await listIds({ counties: 39043 }), [970, 971]);
    assert.equal('furtherCountyIds' in (await list({ counties: 39043 })).data[0], false);
    await service.index.load([], { mode: 'increment', restrictionSources: ['vermilion'] });
  });

  it('are refused parameters that mean nothing, with their names', async () => {
    for (const [parameters, code, param] of [
      [{ statuses: 'in_farce' }, 'invalid_filter', 'statuses'],
      [{ counties: 'No Such County' }, 'invalid_filter', 'counties'],
      [{ inForceOn: 'someday' }, 'invalid_filter', 'inForceOn'],
      [{ minUnits: '3' }, 'invalid_filter', 'minUnits'],
    ] as const)
      assertRefused(await service.get('/restrictions', parameters), code, param);
    assertRefused(await service.get('/restrictions/4'), 'resource_not_found', 'id');
  });

  it('are those of the licence', async () => {
    const key = await service.key('county', { stateIds: [], countyIds: [8013] });
    assert.deepEqual(await listIds({}, key), [901, 902]);
    assertRefused(await service.get('/restrictions/903', {}, { key }), 'resource_not_found', 'id');
    assertRefused(await service.get('/restrictions', { states: 'WY' }, { key }), 'geographic_access_denied');
    assertRefused(await service.post('/restrictions/check', { point: { lat: 41.3, lng: -104.7 } }, { key }), 'geographic_access_denied');
    assertRefused(await service.post('/restrictions/check', { county: 'Laramie County, WY' }, { key }), 'geographic_access_denied');
  });

  it('bind a project and a county with their words, and are unclear where a boundary or an event is not known', async () => {
    const uses = [{ type: 'Industrial', subtype: 'Data Center' }];
    const bound = await check({ projectId: 1 });
    assert.deepEqual([bound.because[0].quotedFrom, bound.restrictions[0].evidenceFrom], ['inventory', 'inventory']);
    assert.deepEqual([bound.binds, bound.because[0].quote, bound.restrictions.map(({ id }: Json) => id)], ['yes', QUOTE.quote, [901]]);
    assert.deepEqual((await check({ projectId: 2 })).binds, 'no');
    assert.equal((await check({ county: 'Boulder County, CO', uses })).binds, 'yes');
    const after = await check({ county: 'Boulder County, CO', uses, on: '2027-06-02' });
    assert.deepEqual([after.binds, after.restrictions, after.ended.length], ['no', [], 1]);
    assert.deepEqual([after.ended[0].id, after.ended[0].status, after.ended[0].effectiveTo], [901, 'expired', '2027-06-01']);
    assert.deepEqual((await check({ county: 'Boulder County, CO', uses, on: '2028-06-02' })).ended, []);
    const point = await check({ point: { lat: 40.09, lng: -105.36 }, uses });
    assert.equal(point.binds, 'unclear');
    assert.match(point.because[0].text, /need not bind inside a city, and whether the place lies in one is not known/);
    const city = await check({ city: 'Lafayette, CO', uses: [{ type: 'infrastructure', subtype: 'solar_energy' }] });
    assert.equal(city.binds, 'unclear');
    assert.deepEqual([city.because[0].quote, city.because[0].quotedFrom, city.restrictions[0].evidenceFrom], [null, null, null]);
    assert.match(city.because[0].text, /an event that ends it may have come: until the code is changed/);
  });

  it('are checked for one place and uses of the tree only', async () => {
    for (const [body, param] of [
      [{}, 'projectId'],
      [{ county: 'Boulder County, CO', city: 'Lafayette, CO' }, 'city'],
      [{ county: 'Boulder County, CO', uses: [{ type: 'castle' }] }, 'uses.0.type'],
      [{ county: 'Boulder County, CO', uses: [{ type: 'residential', subtype: 'data_center' }] }, 'uses.0'],
      [{ point: { lat: 0, lng: 0 } }, 'point'],
    ] as const)
      assertRefused(await service.post('/restrictions/check', body), 'invalid_request', param);
    assertRefused(await service.post('/restrictions/check', { city: 'No Such Place' }), 'invalid_filter', 'cities');
    const mistyped = { county: 'Boulder County, CO', uses: [{ type: 'industrial', subtype: 'datacentre' }, { type: '' }] };
    const { error } = bodyOf(await service.post('/restrictions/check', mistyped), 400);
    const [problem, blank] = error.details.problems;
    assert.deepEqual([problem.param, problem.didYouMean, problem.nearest.length], ['uses.0.subtype', 'data_center', 3]);
    assert.deepEqual([problem.reference, blank.param], ['/v1/taxonomy/subtypes', 'uses.1.type']);
  });

  it('are told of a project on a metered plan only where the pool holds it', async () => {
    const key = await service.key('api_only');
    assertRefused(await service.post('/restrictions/check', { projectId: 1 }, { key }), 'resource_not_found', 'projectId');
    bodyOf(await service.get('/projects/1', {}, { key }));
    assert.equal((await check({ projectId: 1 }, key)).binds, 'yes');
  });

  it('stay as they are in a file that does not name their source, and keep their time of change where nothing changed', async () => {
    const before = (await list()).data;
    await service.index.load([projectLine(3)], { mode: 'increment' });
    assert.deepEqual((await list()).data, before);
    await service.index.load([restriction(901), restriction(902, { title: 'Another title' })], { mode: 'increment', ...SOURCES });
    const after = (await list()).data;
    const timeOf = (all: Json[], id: number) => all.find((one) => one.id === id)?.lastUpdated;
    assert.deepEqual(after.map(({ id }: Json) => id).sort(), [901, 902]);
    assert.equal(timeOf(after, 901), timeOf(before, 901));
    assert(timeOf(after, 902) > timeOf(before, 902));
    const loaded = await service.index.load([restriction(950, { source: 'other' })], { mode: 'increment', restrictionSources: ['other'] });
    assert.match(describeSummary(loaded), /^ {2}restrictions {2}1$/m);
    assert.deepEqual(await listIds(), [901, 902, 950]);
  });

  it('are those of the generation before after a rollback', async () => {
    await service.index.load([...FIRST.slice(0, 3), restriction(999)], { restrictionSources: ['inventory', 'other'] });
    assert.deepEqual(await listIds(), [999]);
    await rollBackGeneration(service.index.store, service.index.clock);
    assert.deepEqual(await listIds(), [901, 902, 950]);
  });

  it('are refused with the line and the reason where a line is wrong', async () => {
    const bad: [object, RegExp][] = [
      [{ source: 'unnamed' }, /source 'unnamed' is not among restrictionSources of the header/],
      [{ state: 'Atlantis' }, /state 'Atlantis' is unknown/],
      [{ uses: [{ type: 'castle' }] }, /landUses.type 'castle' is not in the vocabulary/],
      [{ effectiveTo: '2026-01-01' }, /effectiveTo 2026-01-01 is before 2026-06-01/],
      [{ latitude: null }, /latitude and longitude are stated together/],
      [{ evidence: [{ ...QUOTE, quote: 'words that nobody wrote' }] }, /evidence of status is not in document 77/],
      [{ evidenceFrom: 'hearsay' }, /evidenceFrom must be one of instrument, inventory/],
      [{ restrictionKind: 'curse' }, /restrictionKind must be one of moratorium, ban, interim_ordinance/],
    ];
    for (const [more, reason] of bad) {
      const refused = await service.index.load([restriction(901, more)], { mode: 'increment', ...SOURCES }).catch((error: Json) => error);
      assert.match(`${refused.message} ${JSON.stringify(refused.details ?? '')} ${(refused.problems ?? []).join(' ')}`, reason);
    }
    await assert.rejects(service.index.load([restriction(901), restriction(901)], { mode: 'increment', ...SOURCES }), (error: Json) =>
      /line 2 has the id 901, too/.test(`${error.message} ${(error.problems ?? []).join(' ')}`),
    );
    assert.deepEqual(await listIds(), [901, 902, 950]);
  });
});
