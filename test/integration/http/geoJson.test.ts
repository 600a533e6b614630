/** GeoJSON (RFC 7946) of records: for clients that prefer it, with the records, the charge and the refusals of the JSON answer. */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { answerOf, provideService } from '../../support/service.ts';

const GEOJSON = 'application/geo+json';
const BOULDER = { latitude: 40.015, longitude: -105.27 };

describe('Accept: application/geo+json', () => {
  const api = provideService({ today: TODAY }, [
    project(1, { ...BOULDER, projectName: 'Ö "latitude":9, \\"id\\":7', address: '"longitude":1' }),
    project(2, { latitude: -0.5, longitude: 1e-7 }),
    project(3, { latitude: null, longitude: null }),
    { kind: 'document', id: 900, state: 'CO', title: 'Minutes', text: 'Four acres.' },
  ]);

  async function ask(path: string, { accept = GEOJSON, key }: { accept?: string; key?: string } = {}) {
    const headers = { Authorization: `Bearer ${key ?? (await api.usualKey())}`, Accept: accept };
    return answerOf(await fetch(`${api.url}/v1${path}`, { headers }));
  }

  /** Holds an answer against the schema that the document has for it. */
  function checkDeclared(path: string, body: unknown): void {
    const document = api.service.openApi() as Json;
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const [name, schema] of Object.entries(document.components.schemas))
      ajv.addSchema(schema as object, `#/components/schemas/${name}`);
    const content = document.paths[path].get.responses[200].content;
    assert.deepEqual(Object.keys(content), ['application/json', GEOJSON]);
    assert(ajv.validate(content[GEOJSON].schema, body), JSON.stringify(ajv.errors?.[0]));
  }

  it('is a FeatureCollection of a page: the same records as properties, a point or null, the links, the meta', async () => {
    for (const representation of ['compact', 'standard', 'full']) {
      const path = `/projects/search?dateRange=all&limit=2&representation=${representation}`;
      const { body: plain } = await ask(path, { accept: 'application/json' });
      const { status, headers, body } = await ask(path);
      assert.deepEqual([status, headers.get('content-type')], [200, GEOJSON]);
      assert.match(headers.get('vary') ?? '', /\bAccept\b(?!-)/);
      checkDeclared('/v1/projects/search', body);
      assert.deepEqual([body.numberMatched, body.numberReturned], [3, 2]);
      const shown = (record: Json) => ({ ...record, delivery: null });
      const records = body.features.map((feature: Json) => shown(feature.properties));
      assert.deepEqual(records, (plain.data as Json).map(shown));
      const [unplaced, placed] = body.features;
      assert.deepEqual([unplaced.type, unplaced.id, unplaced.geometry], ['Feature', 3, null]);
      assert.deepEqual([placed.type, placed.id, placed.geometry], ['Feature', 2, { type: 'Point', coordinates: [1e-7, -0.5] }]);
      assert.deepEqual(Object.keys(body.meta), Object.keys(plain.meta));
      const next = body.links.find(({ rel }: Json) => rel === 'next').href;
      assert(headers.get('link')?.includes(next));
      assert.equal(body.links[0].href, `http://landuse.test/v1${path}`);
      const last = await ask(next.slice('http://landuse.test/v1'.length));
      assert.deepEqual(last.body.features[0].geometry.coordinates, [BOULDER.longitude, BOULDER.latitude]);
      assert.equal(last.body.features[0].id, 1);
      assert.equal(last.body.links.length, 1);
    }
    const none = await ask('/projects/search?dateRange=all&q=nothing');
    assert.deepEqual([none.body.features, none.body.numberMatched], [[], 0]);
  });

  it('is a Feature of one project, and of a document, which lies nowhere', async () => {
    const { headers, body } = await ask('/projects/1');
    assert.equal(headers.get('content-type'), GEOJSON);
    checkDeclared('/v1/projects/{id}', body);
    assert.deepEqual([body.type, body.id, body.properties.id, body.geometry.coordinates], ['Feature', 1, 1, [-105.27, 40.015]]);
    const document = await ask('/documents/900');
    checkDeclared('/v1/documents/{id}', document.body);
    assert.deepEqual([document.body.id, document.body.geometry, document.body.properties.text], [900, null, 'Four acres.']);
  });

  it('is a FeatureCollection of a list of projects; criteria, files and refusals are JSON as ever', async () => {
    const made = await api.post('/lists', { name: 'ours', projectIds: [1, 2] });
    const path = `/lists/${made.body.data.id}/results`;
    const { body } = await ask(path);
    checkDeclared('/v1/lists/{id}/results', body);
    assert.equal(body.features.map(({ id }: Json) => id).join(), '2,1');
    const criteria = await api.post('/lists', { name: 'criteria', filters: { states: 'CO' } });
    const stored = await ask(`/lists/${criteria.body.data.id}/results`);
    assert.equal(stored.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(stored.body.data.kind, 'filter');
    const csv = await ask('/projects/search?format=csv&dateRange=all');
    assert.deepEqual([csv.status, typeof csv.body.data.exportJobId], [202, 'string']);
    assert.equal((await ask('/projects/search?colour=red')).body.error.code, 'invalid_filter');
  });

  it('bills what the JSON answer would, once, and holds to a maximum', async () => {
    const key = await api.key('api_only');
    const first = await ask('/projects/search?dateRange=all&limit=2', { key });
    assert.equal(first.body.meta.creditsUsed, 2);
    assert(first.body.features.every(({ properties }: Json) => properties.delivery.billed));
    assert.equal((await ask('/projects/search?dateRange=all&limit=2', { key, accept: 'application/json' })).body.meta.creditsUsed, 0);
    const refused = await ask('/projects/search?dateRange=all', { key, accept: 'text/csv' });
    assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.param], [406, 'not_acceptable', 'Accept']);
    assert.deepEqual(refused.body.error.details.supported, ['application/json', GEOJSON]);
    assert.match(refused.headers.get('vary') ?? '', /\bAccept\b(?!-)/);
    const count = await api.get('/projects/count', { dateRange: 'all' }, { key });
    assert.equal(count.body.data.creditsRequired, 1);
  });

  it('is chosen by what a client prefers; parameters of a type choose nothing; routes of one form never refuse', async () => {
    const typeFor = async (accept: string, path = '/projects/1') => {
      const { status, headers } = await ask(path, { accept });
      return status === 200 ? headers.get('content-type')?.split(';')[0] : status;
    };
    const plain = ['*/*', 'application/*', 'application/json', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'APPLICATION/JSON'];
    const withParameters = ['; charset=utf-8', ';odata=verbose', ';charset=utf-8;q=0.9, text/html;q=0.1'].map(
      (more) => `application/json${more}`,
    );
    for (const accept of [...plain, ...withParameters]) assert.equal(await typeFor(accept), 'application/json', accept);
    for (const accept of [GEOJSON, `${GEOJSON}, application/json;q=0.9`, `${GEOJSON}; charset=utf-8`, 'application/json;q=0, */*'])
      assert.equal(await typeFor(accept), GEOJSON, accept);
    for (const accept of ['text/html', 'application/json;q=0', 'image/*']) assert.equal(await typeFor(accept), 406, accept);
    assert.equal(await typeFor(GEOJSON, '/projects/count?projectIds=1'), 'application/json');
    assert.equal(await typeFor('text/html', '/projects/count?projectIds=1'), 'application/json');
  });
});
