import assert from 'node:assert/strict';
import { checkError, send, sendChecked } from '../../support/http.ts';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const TODAY = '2026-11-20';

interface Problem {
  param: string;
  code: string;
  didYouMean?: string;
}

describe('parameters over HTTP', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    const project = (id: number, more: object) => ({
      kind: 'project',
      id,
      state: 'CO',
      propertyType: 'residential',
      meetingDate: '2026-10-01',
      ...more,
    });
    await api.index.load([project(1, {}), project(2, { acreage: 0 }), project(3, { acreage: 7, meetingDate: '2026-09-01' })]);
    key = await api.key();
  });

  const get = (path: string, as = key) => sendChecked(api.url, `/v1${path}`, { key: as });
  const search = (query: string, as = key) => get(`/projects/search?${query}`, as);
  const refused = async (query: string, code: 'invalid_filter' | 'invalid_request', param: string) => {
    const answer = await search(query);
    checkError(answer, code, param);
    return answer.body.error;
  };
  const page = async (query: string) => {
    const { status, body, text } = await search(query);
    assert.equal(status, 200, text);
    return body;
  };
  const ids = async (query: string): Promise<number[]> => (await page(query)).data.map((record: { id: number }) => record.id);

  describe('limit, offset and page', () => {
    it('limit is 1 to 100, above it is clamped with a warning', async () => {
      assert.deepEqual(await ids('limit=1&sort=acreage'), [3]);
      const { meta } = await page('limit=101');
      assert.equal(meta.limit, 100);
      const warning = meta.warnings.find(({ code }: { code: string }) => code === 'limit_clamped_to_page_size');
      assert.deepEqual(warning.params, { requested: 101, applied: 100 });
      assert.equal((await page('limit=99999999999999999999')).meta.limit, 100);
      for (const value of ['0', '-1', '1.5', 'ten', '', '1e2', '9'.repeat(31)]) await refused(`limit=${value}`, 'invalid_request', 'limit');
    });

    it('offset is 0 or more and wins over page', async () => {
      assert.deepEqual(await ids('offset=1&limit=1&sort=acreage'), [2]);
      assert.deepEqual(await ids('offset=0&page=2&limit=1&sort=acreage'), [3]);
      for (const value of ['-1', '0.5', 'x']) await refused(`offset=${value}`, 'invalid_request', 'offset');
    });

    it('page counts from 1', async () => {
      assert.deepEqual(await ids('page=2&limit=1&sort=acreage'), [2]);
      for (const value of ['0', '-2', 'x']) await refused(`page=${value}`, 'invalid_request', 'page');
    });

    it('reach the candidate scan ceiling and name sync beyond it', async () => {
      assert.equal((await page('offset=9900&limit=100')).meta.hasMore, false);
      const { message, details } = await refused('offset=9901&limit=100', 'invalid_request', 'offset');
      assert.match(message, /sync/);
      assert.deepEqual([details.candidateScanCeiling, details.alternative], [10_000, '/projects/sync']);
      await refused('page=101&limit=100', 'invalid_request', 'page');
    });
  });

  describe('sort and order', () => {
    it('are refused where they contradict each other or are unknown', async () => {
      await refused('sort=acres_highest&order=asc', 'invalid_request', 'order');
      assert.equal((await refused('sort=acrage', 'invalid_filter', 'sort')).details.problems[0].didYouMean, 'acreage');
      await refused('order=up', 'invalid_filter', 'order');
    });
  });

  describe('contacts', () => {
    it('need a representation that carries them', async () => {
      checkError(await search('include=contacts&representation=compact'), 'enrichment_incompatible_representation', 'representation');
    });

    it('are never looked up by a synchronous read', async () => {
      for (const options of ['', '&contactOptions={"cachedOnly":false}', '&contactOptions={"minConfidence":0.5}']) {
        const answer = await search(`include=contacts${encodeURI(options)}`);
        checkError(answer, 'enrichment_requires_async', 'include');
        assert.equal(answer.body.error.details.endpoints.length, 3);
      }
    });

    it('have options of their own, which need include=contacts', async () => {
      await refused(`contactOptions=${encodeURIComponent('{"cachedOnly":true}')}`, 'invalid_request', 'contactOptions');
      for (const value of ['[]', 'null', '1', '{', '{"cachedOnly":"yes"}', '{"other":1}', '{"maxProjects":0}', '{"minConfidence":2}'])
        await refused(`include=contacts&contactOptions=${encodeURIComponent(value)}`, 'invalid_request', 'contactOptions');
      const ofCsv = '{"cachedOnly":true,"maxProjects":1}';
      await refused(`include=contacts&contactOptions=${encodeURIComponent(ofCsv)}`, 'invalid_request', 'contactOptions');
      await refused('include=everything', 'invalid_filter', 'include');
    });

    it('of a CSV have other options', async () => {
      const csv = (options: object) => `format=csv&include=contacts&contactOptions=${encodeURIComponent(JSON.stringify(options))}`;
      await refused(csv({ cachedOnly: true }), 'invalid_request', 'contactOptions');
      assert.equal((await search(csv({ minConfidence: 0.5, maxProjects: 3, companyOnly: true }))).status, 202);
      await refused('format=csv&contactOptions={}', 'invalid_request', 'contactOptions');
      const compact = await search('format=csv&include=contacts&representation=compact');
      checkError(compact, 'enrichment_incompatible_representation', 'representation');
    });

    it('are asked for by single records and by sync too', async () => {
      const cached = `include=contacts&contactOptions=${encodeURIComponent('{"cachedOnly":true}')}`;
      for (const path of ['/projects/1', '/projects/sync']) {
        checkError(await get(`${path}?include=contacts`), 'enrichment_requires_async', 'include');
        assert.equal((await get(`${path}?${cached}`)).status, 200);
      }
    });

    it('are asked for on a live trial as on a paid plan', async () => {
      const trial = await api.key('trial', { stateIds: [8], countyIds: [] });
      for (const path of ['/projects/search', '/projects/1', '/projects/sync'])
        checkError(await get(`${path}?include=contacts`, trial), 'enrichment_requires_async', 'include');
      const cached = `include=contacts&contactOptions=${encodeURIComponent('{"cachedOnly":true}')}`;
      assert.equal((await search(cached, trial)).status, 200);
      assert.equal((await search('format=csv&include=contacts', trial)).status, 202);
      const lapsed = await api.accounts.createTeam({ name: 'Lapsed', plan: 'trial', licence: { stateIds: [8], countyIds: [] } });
      const { secret } = await api.keys.mint((await api.accounts.createUser({ teamId: lapsed.id, name: 'Owner', role: 'owner' })).id);
      await api.accounts.setStatus(lapsed.id, 'lapsed');
      checkError(await search('include=contacts', secret), 'subscription_required');
    });
  });

  describe('format, maxCredits and deliveryMode', () => {
    it('name a parameter as it was sent', async () => {
      await refused('unitCountMin=abc', 'invalid_filter', 'unitCountMin');
      await refused('civicSubtypes=comprehensive_planning', 'invalid_request', 'civicSubtypes');
    });

    it('maxCredits is for CSV', async () => {
      await refused('maxCredits=5', 'invalid_request', 'maxCredits');
      await refused('maxCredits=5&format=json', 'invalid_request', 'maxCredits');
      await refused('maxCredits=0&format=csv', 'invalid_request', 'maxCredits');
    });

    it('format=csv is validated like any search, and has the fields of a standard record', async () => {
      await refused('format=csv&states=Atlantis', 'invalid_filter', 'states');
      await refused('format=xml', 'invalid_filter', 'format');
      await refused('format=csv&format=json', 'invalid_filter', 'format');
      for (const other of ['compact', 'full']) await refused(`format=csv&representation=${other}`, 'invalid_request', 'representation');
      await refused('format=csv&representation=csv', 'invalid_request', 'representation');
      await refused('format=csv&sort=units_highest&order=asc', 'invalid_request', 'order');
    });

    it('deliveryMode=new has no page but the first', async () => {
      assert.equal((await search('deliveryMode=new&offset=0&page=1&limit=2', await api.key())).body.meta.pageCount, 2);
      for (const [query, param] of Object.entries({ 'offset=2': 'offset', 'page=2': 'page', 'offset=2&page=1': 'offset' }))
        assert.match((await refused(`deliveryMode=new&${query}`, 'invalid_request', param)).message, /deliveryMode=new/);
    });

    it('deliveryMode is all or new', async () => {
      assert.equal((await page('deliveryMode=all')).meta.delivery.mode, 'all');
      await refused('deliveryMode=some', 'invalid_filter', 'deliveryMode');
    });
  });

  describe('count', () => {
    const count = (query: string) => get(`/projects/count?${query}`);

    it('counts the whole match set', async () => {
      const { body } = await count('states=CO');
      assert.deepEqual([body.data.matchCount, body.data.matchCountIsExact, body.meta.creditsUsed], [3, true, 0]);
      assert.equal((await count('acreageMax=0')).body.data.matchCount, 1);
    });

    it('takes projectIds alone only', async () => {
      assert.equal((await count('projectIds=1,2,99')).body.data.matchCount, 2);
      const answer = await count('projectIds=1&status=approved');
      checkError(answer, 'invalid_request', 'status');
      assert.equal(answer.body.error.details.alternative, '/projects/search');
      checkError(await count('ids=1&dateRange=all'), 'invalid_request', 'dateRange');
      checkError(await count('projectIds=1&includeCivic=true'), 'invalid_request', 'includeCivic');
    });

    it('ignores what shapes a page, so that a search becomes its count by changing the path', async () => {
      const ignored = 'sort=acreage&order=asc&limit=0&offset=-1&page=x&representation=tiny&sort=other';
      assert.equal((await count(`states=CO&${ignored}`)).body.data.matchCount, 3);
      assert.equal((await count(`projectIds=1,2&${ignored}`)).body.data.matchCount, 2);
    });

    it('takes deliveryMode, which chooses the set', async () => {
      const fresh = await api.key();
      await search('limit=1&sort=acreage', fresh);
      const { data, meta } = (await get('/projects/count?deliveryMode=new', fresh)).body;
      assert.deepEqual([data.matchCount, meta.delivery], [2, { mode: 'new', excludedPreviouslyDelivered: 1 }]);
    });

    it('refuses every other parameter of a search, by name', async () => {
      const others = { format: 'json', maxCredits: '5', maxContactCredits: '5', contactOptions: '{}', cursor: 'x' };
      for (const [name, value] of Object.entries(others)) checkError(await count(`${name}=${value}`), 'invalid_request', name);
    });
  });

  describe('problems', () => {
    it('are all told at once', async () => {
      const { details } = await refused(
        'states=Atlantis&acreageMin=big&colour=red&dateRange=last_1_month&propertyTypes=Residental',
        'invalid_filter',
        'colour',
      );
      const found = (details.problems as Problem[]).map(({ param, code, didYouMean }) => [param, code, didYouMean]);
      assert.deepEqual(
        found.sort(([a = ''], [b = '']) => a.localeCompare(b)),
        [
          ['acreageMin', 'invalid_number', undefined],
          ['colour', 'unknown_parameter', undefined],
          ['dateRange', 'removed_value', 'last_3_months'],
          ['propertyTypes', 'invalid_value', 'residential'],
          ['states', 'unknown_place', undefined],
        ].sort(([a = ''], [b = '']) => a.localeCompare(b)),
      );
    });

    it('of parameters that contradict each other are told at once', async () => {
      const { details } = await refused('maxCredits=5&sort=units_highest&order=asc&contactOptions={}', 'invalid_request', 'maxCredits');
      assert.deepEqual(pluck(details.problems, 'param'), ['maxCredits', 'contactOptions', 'order']);
      const other = await search('propertyTypes=govt_decisions&maxCredits=5');
      assert.deepEqual(pluck(other.body.error.details.problems, 'param'), ['propertyTypes', 'maxCredits']);
    });

    it('of values, of contradictions and of the licence are reported together, as they were sent', async () => {
      const state = await api.key('state', { stateIds: [48], countyIds: [] });
      const answer = await search(
        'type=govt_decisions,Residental&state=CO&order=asc&sort=units_highest&deliveryMode=new&page=2&maxCredits=5&civicSubtypes=zzz',
        state,
      );
      checkError(answer, 'invalid_filter', 'type');
      assert.deepEqual(pluck(answer.body.error.details.problems, 'param', 'code'), [
        ['type', 'invalid_value'],
        ['civicSubtypes', 'invalid_value'],
        ['type', 'missing_companion'],
        ['civicSubtypes', 'missing_companion'],
        ['maxCredits', 'contradiction'],
        ['order', 'contradiction'],
        ['page', 'contradiction'],
        ['state', 'geographic_access_denied'],
      ]);
      const denied = await search('state=CO&order=asc&sort=units_highest', state);
      checkError(denied, 'invalid_request', 'order');
      assert.equal(denied.body.error.details.problems[1].code, 'geographic_access_denied');
      checkError(await search('stateIds=CO', state), 'geographic_access_denied', 'stateIds');
    });

    it('say nothing of a parameter that depends on one that cannot be read', async () => {
      const params = async (query: string) => (await search(query)).body.error.details.problems.map(({ param }: Problem) => param);
      assert.deepEqual(await params('format=cvs&maxCredits=5'), ['format']);
      assert.deepEqual(await params('limit=x&offset=9950'), ['limit']);
      assert.deepEqual(await params('states=Californa&counties=Orange'), ['states']);
      assert.deepEqual(await params('includeCivic=maybe&propertyTypes=govt_decisions'), ['includeCivic']);
    });

    it('are at most one hundred, with the number of the others', async () => {
      const { details } = await refused(`cities=${Array.from({ length: 150 }, (_, i) => `zz${i}`).join(',')}`, 'invalid_filter', 'cities');
      assert.deepEqual([details.problems.length, details.moreProblems], [100, 50]);
    });

    it('stand on every 400', async () => {
      for (const path of [
        '/projects/sync?cursor=x',
        '/projects/1?sort=acreage',
        '/account/ledger?limit=x&before=y',
        '/locations/cities/Springfield',
      ])
        assert.ok((await get(path)).body.error.details.problems.length > 0, path);
      assert.equal((await get('/account/ledger?limit=x&before=y')).body.error.details.problems.length, 2);
    });

    it('of a body are reported together, by their path, with those of the query', async () => {
      const body = JSON.stringify({ phone: 1, states: ['Atlantis'], website: 'nowhere', propertyTypes: 5 });
      const answer = await send(api.url, '/v1/account/preferences?colour=red', {
        key,
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      checkError(answer, 'invalid_filter', 'colour');
      assert.deepEqual(answer.body.error.details.problems.map(({ param }: Problem) => param).sort(), [
        'colour',
        'phone',
        'propertyTypes',
        'states',
        'website',
      ]);
    });

    it('of sync suggest nothing that sync refuses', async () => {
      const options = encodeURIComponent('{"minConfidence":0.5}');
      const { details } = (await get(`/projects/sync?deliveryMode=nwe&sort=acreage&include=contacts&contactOptions=${options}&ofset=1`))
        .body.error;
      assert.deepEqual(pluck(details.problems, 'param', 'didYouMean'), [
        ['sort', undefined],
        ['ofset', undefined],
        ['contactOptions', undefined],
        ['deliveryMode', undefined],
      ]);
      assert.doesNotMatch(JSON.stringify(details), /csv|"new"|maxProjects|offset/);
    });

    it('of parameters that another route takes say that this one does not', async () => {
      checkError(await get('/projects/1?sort=acreage'), 'invalid_request', 'sort');
      checkError(await get('/projects/1?colour=red'), 'invalid_filter', 'colour');
    });

    it('suggest nothing for a text too short to tell', async () => {
      const { details } = await refused('states=Xx', 'invalid_filter', 'states');
      assert.equal(details.problems[0].didYouMean, undefined);
    });

    it('of removed filters say so', async () => {
      for (const name of ['ownerTypes', 'createdAtFrom', 'createdAtTo']) {
        const { details } = await refused(`${name}=2024`, 'invalid_filter', name);
        assert.deepEqual([details.problems[0].code, details.problems[0].didYouMean], ['unknown_parameter', undefined]);
        assert.match(details.problems[0].message, /removed/);
      }
    });

    it('of an ambiguous place list what it may mean', async () => {
      const { details } = await refused('cities=Springfield', 'invalid_filter', 'cities');
      assert.equal(details.problems[0].code, 'ambiguous_place');
      assert(details.problems[0].candidates.length > 1);
    });

    it('name a property of every object no better than any other unknown name', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) await refused(`${name}=1`, 'invalid_filter', name);
    });
  });

  describe('list-valued parameters', () => {
    it('take one value, commas, a JSON array or repetition', async () => {
      for (const query of [
        'projectIds=1,2',
        'projectIds=1&projectIds=2',
        'projectIds=[1,2]',
        'projectIds=["1","2"]',
        'ids=1&projectIds=2',
        'projectIds=1,1,2',
      ])
        assert.deepEqual((await ids(encodeURI(query))).sort(), [1, 2], query);
    });

    it('take at most 100 distinct project ids', async () => {
      const list = (n: number) => Array.from({ length: n }, (_, i) => i + 1).join(',');
      assert.deepEqual((await ids(`projectIds=${list(100)},1,2`)).sort(), [1, 2, 3]);
      await refused(`projectIds=${list(101)}`, 'invalid_filter', 'projectIds');
      for (const value of ['0', '-1', '1.5', 'x', '[]', '', '1e3']) await refused(`projectIds=${value}`, 'invalid_filter', 'projectIds');
    });
  });

  it('a licence refuses what lies outside it, and narrows what names nothing', async () => {
    const state = await api.key('state', { stateIds: [48], countyIds: [] });
    const denied = await search('states=CO,TX', state);
    checkError(denied, 'geographic_access_denied', 'states');
    checkError(await search(encodeURI('counties=["Boulder County, CO"]'), state), 'geographic_access_denied', 'counties');
    checkError(await search(encodeURI('cities=["Boulder, CO"]'), state), 'geographic_access_denied', 'cities');
    const { details } = denied.body.error;
    assert.deepEqual(details.deniedStates, [{ id: 8, name: 'Colorado', abbreviation: 'CO' }]);
    assert.deepEqual([details.deniedStateIds, details.allowedStateIds], [[8], [48]]);
    assert.deepEqual(details.allowedStates, [{ id: 48, name: 'Texas', abbreviation: 'TX' }]);
    assert.deepEqual((await search('', state)).body.data, []);
    assert.deepEqual((await search('projectIds=1', state)).body.data, []);
  });
});
