/** What features cost, who may see them, and how GIS programs bring their key. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const BOULDER = { latitude: 40.015, longitude: -105.27 };
const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.27, longitude: -97.74 };
const ITEMS = '/ogc/collections/projects/items';

describe('features of OGC API - Features', () => {
  const api = provideService({ today: TODAY }, [
    ...[1, 2, 3, 4].map((id) => project(id, BOULDER)),
    project(5, AUSTIN),
    project(6, { latitude: null, longitude: null }),
    project(7, { ...BOULDER, meetingDate: '2019-01-01' }),
  ]);

  async function ask(path: string, headers: Record<string, string>) {
    const response = await fetch(`${api.url}${path}`, { headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  }

  it('are billed once each, page by page, and hold to a maximum; what has no place is not bought with a box', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 5 });
    const asked = { 'X-API-Key': key };
    const refused = await ask(`${ITEMS}?limit=3`, { ...asked, 'X-Service-Max-Credits': '2' });
    assert.deepEqual([refused.status, refused.body.error.details.creditsRequired], [400, 3]);
    const boxed = await ask(`${ITEMS}?bbox=-106,39,-105,41&limit=3`, asked);
    assert.deepEqual([boxed.body.meta.creditsUsed, boxed.body.numberMatched], [3, 5]);
    assert.equal((await ask(`${ITEMS}?bbox=-106,39,-105,41&limit=3`, asked)).body.meta.creditsUsed, 0);
    const next = boxed.body.links.find(({ rel }: Json) => rel === 'next').href.replace('http://landuse.test', '');
    assert.equal((await ask(next, asked)).body.meta.creditsUsed, 2);
    const unpaid = await ask(ITEMS, asked);
    assert.deepEqual([unpaid.status, unpaid.body.error.code], [402, 'credits_exhausted']);
    assert.equal((await ask(`${ITEMS}/1`, asked)).body.meta.creditsUsed, 0);
    assert.equal((await ask(`${ITEMS}/5`, asked)).status, 402);
    assert.equal(await api.balance(key), 0);
    const receipts = await api.get('/account/ledger', {}, { key });
    assert(JSON.stringify(receipts.body).includes('GET /ogc/collections/projects/items'));
  });

  it('are a trial’s as far as its credits go, without a link beyond', async () => {
    const trial = await api.key('trial', { stateIds: [8], countyIds: [] });
    const { body } = await ask(ITEMS, { 'X-API-Key': trial });
    assert.deepEqual(pluck(body.features, 'id'), [1, 2, 3, 4, 7]);
    assert.equal(body.meta.creditsUsed, 5);
  });

  it('are those of the licence, in the extent too, which says of unpaid ones no more than a map does', async () => {
    const texas = { 'X-API-Key': await api.key('state', { stateIds: [48], countyIds: [] }) };
    const { body } = await ask(ITEMS, texas);
    assert.deepEqual(pluck(body.features, 'id'), [5]);
    assert.equal((await ask(`${ITEMS}?states=CO`, texas)).body.error.code, 'geographic_access_denied');
    assert.equal((await ask(`${ITEMS}/1`, texas)).status, 404);
    const [exact] = (await ask('/ogc/collections/projects', texas)).body.extent.spatial.bbox;
    assert(exact[2] - exact[0] < 1e-6);
    const metered = await ask('/ogc/collections/projects', { 'X-API-Key': await api.key('api_only') });
    const [[west, , east]] = metered.body.extent.spatial.bbox;
    const columns = [west, east].map((one) => ((one + 180) * 2 ** 10) / 360);
    assert.deepEqual(columns, [212, 234], 'whole tiles of zoom 10');
  });

  it('show in the extent no day on which an unpaid record was heard, by a filter or by its id', async () => {
    const heardIn = async (query: string, key: string) =>
      (await ask(`/ogc/collections/projects?${query}`, { 'X-API-Key': key })).body.extent?.temporal.interval[0];
    const whole = (year: number) => [`${year}-01-01T00:00:00.000Z`, `${year}-12-31T00:00:00.000Z`];
    const free = await api.usualKey();
    assert.deepEqual(await heardIn('projectIds=7', free), ['2019-01-01T00:00:00.000Z', '2019-01-01T00:00:00.000Z']);
    const metered = await api.key('api_only');
    assert.deepEqual(await heardIn('meetingDateTo=2019-12-31', metered), whole(2019));
    assert.equal(await heardIn('projectIds=7', metered), undefined);
    const { body } = await ask(`${ITEMS}/1`, { 'X-API-Key': metered });
    const year = Number(body.properties.meetingDate.slice(0, 4));
    assert.notEqual(year, 2019);
    assert.deepEqual(await heardIn('projectIds=1,7', metered), whole(year), 'of the record that the pool holds');
  });

  it('are all of the collection, whatever the hearing, unless a filter of a search says otherwise', async () => {
    const key = { 'X-API-Key': await api.usualKey() };
    assert.equal((await ask(ITEMS, key)).body.numberMatched, 6);
    assert.equal((await ask(`${ITEMS}?dateRange=last_1_year`, key)).body.numberMatched, 5);
    assert.equal((await ask(`${ITEMS}?states=TX`, key)).body.numberMatched, 1);
    // What stands behind the address of a layer comes with every request.
    const behind = '?states=TX&representation=compact';
    for (const path of ['/ogc', '/ogc/conformance', '/ogc/collections', '/ogc/collections/projects', `${ITEMS}/1`])
      assert.equal((await ask(`${path}${behind}`, key)).status, 200, path);
    const [texas] = (await ask(`/ogc/collections/projects${behind}`, key)).body.extent.spatial.bbox;
    assert.deepEqual(texas.map(Math.round), [-98, 30, -98, 30]);
    assert.equal(Object.keys((await ask(`${ITEMS}/1${behind}`, key)).body.properties).length, 21);
    const both = await ask(`${ITEMS}?datetime=2026&dateFrom=2025`, key);
    assert.deepEqual([both.status, both.body.error.param], [400, 'dateFrom']);
    for (const name of ['sort', 'offset', 'deliveryMode', 'format']) assert.equal((await ask(`${ITEMS}?${name}=1`, key)).status, 400, name);
  });

  it('take a key as user or password of Basic, which counts nowhere else', async () => {
    const key = await api.usualKey();
    const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    for (const text of [`${key}:`, `:${key}`, `qgis:${key}`, `${key}:${key}`, key])
      assert.equal((await ask('/ogc', basic(text))).status, 200, text.length.toString());
    const other = await api.key();
    assert.equal((await ask('/ogc', basic(`${key}:${other}`))).body.error.code, 'invalid_request');
    assert.equal((await ask('/ogc', { ...basic('proxy:secret'), 'X-API-Key': key })).status, 200);
    for (const text of ['proxy:secret', '', ':']) {
      const { status, headers, body } = await ask('/ogc', basic(text));
      assert.deepEqual([status, body.error.code], [401, 'missing_api_key'], text.length.toString());
      assert.equal(headers.get('www-authenticate'), 'Bearer', 'a browser asks for nothing that it would send along by itself');
    }
    assert.equal((await ask('/ogc', basic(`${key.slice(0, -1)}!:`))).body.error.code, 'unauthorized');
    // a browser sends what it was given on an earlier visit with requests of other sites' pages
    const own = new URL(api.url).host;
    for (const [sent, expected] of [
      [{ 'Sec-Fetch-Site': 'cross-site' }, 401],
      [{ 'Sec-Fetch-Site': 'same-site' }, 401],
      [{ Origin: 'https://elsewhere.example' }, 401],
      [{ Origin: 'null' }, 401],
      [{ 'Sec-Fetch-Site': 'none' }, 200],
      [{ 'Sec-Fetch-Site': 'same-origin', Origin: `http://${own}` }, 200],
      [{ Origin: `http://${own}` }, 200],
    ] as const)
      assert.equal((await ask('/ogc', { ...basic(`${key}:`), ...sent })).status, expected, JSON.stringify(sent));
    assert.equal(
      (await ask('/ogc', { 'X-API-Key': key, 'Sec-Fetch-Site': 'cross-site' })).status,
      200,
      'a key in a header is sent on purpose',
    );
    for (const path of ['/v1/projects/1', '/tiles.json', '/ogcx']) assert.equal((await ask(path, basic(`${key}:`))).status, 401, path);
  });
});
