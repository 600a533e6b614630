import assert from 'node:assert/strict';
import { checkError, sendChecked } from '../../support/http.ts';
import { provideService } from '../../support/service.ts';

interface Named {
  id: number;
  name: string;
  entitled?: boolean;
}

const api = provideService();
let key: string;
before(async () => {
  await api.index.load([{ kind: 'project', id: 1, state: 'CO', propertyType: 'residential' }]);
  key = await api.key();
});

const get = (path: string, as = key) => sendChecked(api.url, `/v1${path}`, { key: as });
const data = async (path: string, as = key) => {
  const { status, body, text } = await get(path, as);
  assert.equal(status, 200, text);
  return body.data;
};

describe('GET /locations', () => {
  it('lists the states and territories with the entitled flag', async () => {
    const { body } = await get('/locations/states');
    assert.equal(body.meta.pageCount, body.data.length);
    assert.equal(body.data.length, 56);
    const colorado = body.data.find((state: Named) => state.id === 8);
    assert.deepEqual(Object.keys(colorado), 'id name abbreviation latitude longitude aliases formerIds precision entitled'.split(' '));
    assert.deepEqual([colorado.name, colorado.abbreviation, colorado.entitled], ['Colorado', 'CO', true]);
  });

  it('reads a state by FIPS number, USPS abbreviation or name in any case', async () => {
    for (const id of ['8', '08', 'CO', 'co', 'Colorado', 'COLORADO']) assert.equal((await data(`/locations/states/${id}`)).id, 8, id);
    assert.equal((await data('/locations/states/new%20york')).abbreviation, 'NY');
  });

  it('lists the counties of a state and reads one', async () => {
    const counties: Named[] = await data('/locations/states/CO/counties');
    assert.equal(counties.length, 64);
    const boulder = counties.find((county) => county.id === 8013);
    assert.deepEqual(
      Object.keys(boulder ?? {}),
      'id name stateId state latitude longitude aliases formerIds precision entitled'.split(' '),
    );
    for (const id of ['8013', '08013', 'Boulder%20County', 'boulder'])
      assert.deepEqual(await data(`/locations/counties/${id}`), boulder, id);
    assert.equal((await data('/locations/counties/Orange,%20CA')).id, 6059);
  });

  it('lists the cities of a county and reads one', async () => {
    const cities: Named[] = await data('/locations/states/CO/counties/Boulder/cities');
    const boulder = cities.find((city) => city.name === 'Boulder');
    assert.deepEqual(
      Object.keys(boulder ?? {}),
      'id name countyId county furtherCounties stateId state latitude longitude aliases formerIds precision population'.split(' '),
    );
    assert.deepEqual(await data(`/locations/cities/${boulder?.id}`), boulder);
    assert.deepEqual(await data('/locations/cities/Boulder,%20Colorado'), boulder);
    assert.deepEqual(await data('/locations/states/8/counties/8013/cities'), cities);
  });

  it('lists a city in every county that it lies in', async () => {
    const cities: Named[] = await data('/locations/states/CO/counties/Arapahoe/cities');
    const aurora = cities.find((city) => city.name === 'Aurora') as Named & { countyId: number; furtherCounties: Named[] };
    assert.equal(aurora.countyId, 8001);
    assert.ok(aurora.furtherCounties.some(({ id, name }) => id === 8005 && name === 'Arapahoe County'));
    assert.deepEqual(await data(`/locations/cities/${aurora.id}`), aurora);
  });

  it('states no centre of a town of which only the county is known', async () => {
    const { latitude, longitude, precision, countyId } = await data('/locations/cities/Abbot,%20ME');
    assert.deepEqual({ latitude, longitude, precision, countyId }, { latitude: null, longitude: null, precision: null, countyId: 23021 });
  });

  it('refuses an ambiguous name and lists what it may mean', async () => {
    for (const [path, state] of [
      ['/locations/counties/Orange', 'CA'],
      ['/locations/cities/Springfield', 'IL'],
    ]) {
      const answer = await get(path ?? '');
      checkError(answer, 'invalid_filter', 'id');
      const [problem] = answer.body.error.details.problems;
      assert.equal(problem.code, 'ambiguous_place');
      assert(problem.candidates.length > 3);
      assert(problem.candidates.some((place: { state: string }) => place.state === state));
    }
  });

  it('is 404 for an unknown place, and for a county of another state', async () => {
    for (const path of ['states/XX', 'states/99', 'states/0', 'states/XX/counties', 'counties/99999', 'counties/Nowhere', 'cities/1'])
      checkError(await get(`/locations/${path}`), 'resource_not_found', 'id');
    checkError(await get('/locations/states/TX/counties/8013/cities'), 'resource_not_found', 'id');
    checkError(await get('/locations/cities/Nowhereville'), 'resource_not_found', 'id');
    checkError(await get('/locations'), 'resource_not_found', null);
  });

  it('flags what a licence covers', async () => {
    const entitled = async (as: string, path: string) =>
      (await data(path, as)).flatMap((place: Named) => (place.entitled ? [place.id] : []));
    const state = await api.key('state', { stateIds: [8], countyIds: [] });
    const county = await api.key('county', { stateIds: [], countyIds: [48113] });
    const several = await api.key('multi_state', { stateIds: [8, 48], countyIds: [] });
    assert.equal((await entitled(key, '/locations/states')).length, 56);
    assert.deepEqual(await entitled(state, '/locations/states'), [8]);
    assert.deepEqual(await entitled(several, '/locations/states'), [8, 48]);
    assert.deepEqual(await entitled(county, '/locations/states'), [48]);
    assert.deepEqual(await entitled(county, '/locations/states/TX/counties'), [48113]);
    assert.equal((await entitled(state, '/locations/states/CO/counties')).length, 64);
    assert.equal((await data('/locations/states/TX', state)).entitled, false);
    assert.equal((await data('/locations/counties/48113', state)).entitled, false);
  });
});

describe('GET /locations/search', () => {
  it('finds places by what was typed, with the records that each has', async () => {
    await api.index.load([
      { kind: 'project', id: 1, state: 'CO', county: 'Boulder', city: 'Boulder', propertyType: 'residential', meetingDate: '2019-05-01' },
      { kind: 'project', id: 2, state: 'CO', county: 'Boulder', propertyType: 'residential' },
      { kind: 'project', id: 3, state: 'CO', county: 'Boulder', city: 'Boulder', propertyType: 'govt_decisions' },
    ]);
    const licensed = await api.key('state', { stateIds: [48], countyIds: [] });
    const { status, body } = await get('/locations/search?q=bouldr&limit=3', licensed);
    assert.equal(status, 200);
    assert.equal(body.meta.creditsUsed, 0);
    assert.deepEqual(
      body.data.map((found: { recordCount: unknown }) => ({ ...found, recordCount: typeof found.recordCount })),
      [
        { kind: 'city', id: 5574991, label: 'Boulder, CO', stateId: 8, countyId: 8013, recordCount: 'number' },
        { kind: 'county', id: 8013, label: 'Boulder County, CO', stateId: 8, countyId: 8013, recordCount: 'number' },
        { kind: 'city', id: 5500539, label: 'Boulder City, NV', stateId: 32, countyId: 32003, recordCount: 'number' },
      ],
    );
    const second = await api.another();
    const counted = await second.get('/locations/search', { q: 'boulder', kinds: 'city,county', limit: 3 }, { key });
    assert.deepEqual(
      counted.body.data.map(({ recordCount }: { recordCount: number }) => recordCount),
      [1, 2, 0],
    );
    await second.stop();
    const [state] = await data('/locations/search?q=colorado&kinds=state&limit=1');
    assert.deepEqual([state.id, state.label, state.stateId, state.countyId], [8, 'Colorado', 8, null]);
  });

  it('names everything that is wrong with a request', async () => {
    const missing = await get('/locations/search?limit=21');
    checkError(missing, 'invalid_request', 'q');
    assert.match(missing.body.error.message, /q/);
    checkError(await get(`/locations/search?q=${'b'.repeat(101)}`), 'invalid_filter', 'q');
    checkError(await get('/locations/search?q='), 'invalid_filter', 'q');
    checkError(await get('/locations/search?q=b&kinds=town'), 'invalid_filter', 'kinds');
    checkError(await get('/locations/search?q=b&limit=21'), 'invalid_request', 'limit');
    checkError(await get('/locations/search?q=b&state=CO'), 'invalid_request', 'state');
  });

  it('answers in milliseconds', async () => {
    await using service = await api.another();
    await service.get('/locations/search', { q: 'boulder' }, { key });
    const took: number[] = [];
    for (const q of ['b', 'bo', 'bou', 'boul', 'bould', 'boulde', 'buolder', 'spr', 'sprng', 'new yo', 'st lou', 'springfield il'])
      for (let i = 0; i < 3; i++) {
        const from = performance.now();
        await service.get('/locations/search', { q: q.slice(0, 20) }, { key });
        took.push(performance.now() - from);
      }
    const median = took.sort((a, b) => a - b)[took.length >> 1] ?? Number.NaN;
    // A busy machine; alone it is a tenth.
    assert(median < 100, `${median} ms`);
  });
});

describe('GET /reference', () => {
  it('serves every vocabulary as tokens with labels', async () => {
    const least = { statuses: 10, 'decision-bodies': 10, 'request-types': 10, 'owner-types': 5, 'decision-types': 5, 'project-sizes': 3 };
    for (const [name, count] of Object.entries({ ...least, 'construction-types': 5 })) {
      const terms: { token: string; label: string }[] = await data(`/reference/${name}`);
      assert(terms.length >= count, name);
      assert.equal(new Set(terms.map((term) => term.token)).size, terms.length, name);
      for (const { token, label } of terms) {
        assert.match(token, /^[a-z0-9]+(_[a-z0-9]+)*$/);
        assert(label.length > 1);
      }
    }
  });

  it('names the ten statuses of the contract', async () => {
    const tokens = (await data('/reference/statuses')).map((status: { token: string }) => status.token);
    assert.deepEqual(
      tokens.sort(),
      `approved approved_with_conditions continued denied pending recommended_approval recommended_denial tabled unknown withdrawn`.split(
        ' ',
      ),
    );
  });

  it('accepts each of its tokens and labels where a filter takes it', async () => {
    for (const [name, filter] of [
      ['statuses', 'status'],
      ['decision-bodies', 'decisionBodies'],
      ['request-types', 'requestTypes'],
    ]) {
      const terms: { token: string; label: string }[] = await data(`/reference/${name}`);
      for (const form of ['token', 'label'] as const) {
        const values = encodeURIComponent(JSON.stringify(terms.map((term) => term[form])));
        const { status, body, text } = await get(`/projects/count?${filter}=${values}`);
        assert.equal(status, 200, text);
        assert.deepEqual(body.meta.appliedFilters[filter ?? ''].sort(), terms.map((term) => term.token).sort());
      }
    }
  });
});

describe('GET /taxonomy', () => {
  const TYPES = 'residential commercial industrial institutional_public mixed_use infrastructure agricultural'.split(' ');

  it('is a tree of seven types', async () => {
    const tree: { token: string; subtypes: { token: string; assetClasses: unknown[] }[] }[] = await data('/taxonomy');
    assert.deepEqual(tree.map((type) => type.token).sort(), [...TYPES].sort());
    assert(tree.every((type) => type.subtypes.length > 0 && type.subtypes.every((subtype) => Array.isArray(subtype.assetClasses))));
  });

  it('has at least 40 subtypes and 120 asset classes, each under its parent', async () => {
    const [types, subtypes, classes] = await Promise.all(['project-types', 'subtypes', 'asset-classes'].map((n) => data(`/taxonomy/${n}`)));
    assert.deepEqual(types.map((type: { token: string }) => type.token).sort(), [...TYPES].sort());
    assert(subtypes.length >= 40 && classes.length >= 120, `${subtypes.length} subtypes, ${classes.length} asset classes`);
    const parents = new Map(subtypes.map((subtype: { token: string; type: string }) => [subtype.token, subtype.type]));
    for (const subtype of subtypes) assert(TYPES.includes(subtype.type), subtype.token);
    for (const assetClass of classes) assert.equal(parents.get(assetClass.subtype), assetClass.type, assetClass.token);
  });

  it('adds government items on request', async () => {
    const types = (await data('/taxonomy/project-types?includeGovernmentDecisions=true')).map((type: { token: string }) => type.token);
    assert.deepEqual(types.sort(), [...TYPES, 'govt_decisions'].sort());
    checkError(await get('/taxonomy?includeGovernmentDecisions=maybe'), 'invalid_filter', 'includeGovernmentDecisions');
  });

  it('serves the vocabularies of actions', async () => {
    const categories = (await data('/taxonomy/action-categories')).map((category: { token: string }) => category.token);
    const types: { token: string; category: string }[] = await data('/taxonomy/action-types');
    assert(types.length > 5);
    for (const { token, category } of types) assert(categories.includes(category), token);
  });
});
