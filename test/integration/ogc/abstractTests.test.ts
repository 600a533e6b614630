/**
 * The abstract test suite of OGC API - Features, Part 1: Core (17-069r4, Annex A), of the classes Core and GeoJSON: each test by its number
 * and name there, as it reads for this service.
 */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ascending, project, TODAY } from '../../support/fixtures.ts';
import { sendBytes } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { provideService } from '../../support/service.ts';

const ROOT = 'http://landuse.test/ogc';
const ITEMS = `${ROOT}/collections/projects/items`;
const GEOJSON = 'application/geo+json';
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const CLASSES = 'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf';

/** Around places where boxes go wrong: both sides of the antimeridian, the equator, the meridian, near the pole. */
const PLACES = [
  { longitude: -105.27, latitude: 40.015, meetingDate: '2026-10-01' },
  { longitude: 179.5, latitude: 51.9, meetingDate: '2026-01-15' },
  { longitude: -179.5, latitude: 51.9, meetingDate: '2026-03-01' },
  { longitude: -0.5, latitude: 0.5, meetingDate: '2020-02-29' },
  { longitude: 0.5, latitude: -0.5, meetingDate: '2026-03-31' },
  { longitude: -156.8, latitude: 71.3, meetingDate: '2026-04-01' },
];
/** Below the root; each item stands below the last. */
const RESOURCES = ['', '/conformance', '/collections', '/collections/projects', '/collections/projects/items'];
const WITHOUT_PLACE = 100;
const WITHOUT_HEARING = 101;

describe('the abstract tests of OGC API - Features', () => {
  const api = provideService({ today: TODAY });
  let definition: Json;
  before(async () => {
    await api.index.load([
      ...PLACES.map((place, i) => project(i + 1, { ...place, acreage: i })),
      project(WITHOUT_PLACE, { latitude: null, longitude: null }),
      project(WITHOUT_HEARING, { latitude: 40, longitude: -105, meetingDate: null }),
    ]);
    definition = JSON.parse(JSON.stringify(api.service.openApi()));
  });

  async function ask(url: string) {
    const headers = { 'X-API-Key': await api.usualKey(), Accept: `${GEOJSON}, application/json;q=0.9, text/html;q=0.5` };
    const response = await fetch(url.replace('http://landuse.test', api.url), { headers });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, headers: response.headers, type, body: (type.includes('json') ? JSON.parse(text) : text) as Json };
  }
  async function content(url: string) {
    const { status, body } = await ask(url);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }
  const linkOf = (links: Json[], rel: string) => links.find((link) => link.rel === rel);
  function checkLinks(links: Json[], ...rels: string[]): void {
    for (const rel of rels) assert(linkOf(links, rel), rel);
    for (const { href, rel, type } of links) assert(rel && type && URL.canParse(href), JSON.stringify({ href, rel, type }));
  }
  /** Ids of the features of a request, over all pages. */
  async function idsOf(query = ''): Promise<number[]> {
    const ids: number[] = [];
    for (let url: string | undefined = `${ITEMS}${query}`; url; ) {
      const page = await content(url);
      ids.push(...page.features.map(({ id }: Json) => id));
      url = linkOf(page.links, 'next')?.href;
    }
    return ascending(ids);
  }
  const every = PLACES.map((_, i) => i + 1);
  const where = (test: (place: (typeof PLACES)[number]) => boolean) =>
    every.filter((id) => test(PLACES[id - 1] as (typeof PLACES)[number]));
  const parameterOf = (name: string) => {
    const { parameters } = definition.paths['/ogc/collections/projects/items'].get;
    const resolved = parameters.map(({ $ref, ...own }: Json) => ($ref ? definition.components.parameters[$ref.split('/').at(-1)] : own));
    return resolved.find((one: Json) => one.name === name);
  };
  /** Holds a document against the schema that the definition of the API has for it. */
  function checkSchema(path: string, type: string, body: unknown): void {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const [name, schema] of Object.entries(definition.components.schemas))
      ajv.addSchema(schema as object, `#/components/schemas/${name}`);
    assert(ajv.validate(definition.paths[path].get.responses[200].content[type].schema, body), JSON.stringify(ajv.errors?.[0]));
  }

  describe('A.2.1 general tests', () => {
    it('Abstract Test 1 /ats/core/http: resources are served by HTTP 1.1', async () => {
      const key = await api.usualKey();
      const answer = await sendBytes(api.url, `GET /ogc HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
      assert.equal(answer.status, 200);
    });

    it('Abstract Test 2 /ats/core/crs84: geometries are in WGS 84, longitude first', async () => {
      const { body, headers } = await ask(ITEMS);
      assert.equal(headers.get('content-crs'), `<${CRS84}>`);
      for (const { id, geometry, properties } of body.features) {
        const { longitude, latitude } = PLACES[id - 1] as (typeof PLACES)[number];
        assert.deepEqual(geometry, { type: 'Point', coordinates: [longitude, latitude] });
        assert.deepEqual([properties.longitude, properties.latitude], [longitude, latitude]);
      }
    });
  });

  describe('A.2.2 landing page', () => {
    it('Abstract Test 3 /ats/core/root-op: is retrieved from its location, with or without a slash', async () => {
      for (const url of [ROOT, `${ROOT}/`]) assert.equal((await ask(url)).status, 200);
    });

    it('Abstract Test 4 /ats/core/root-success: links the definition, the conformance and the data, which answer with the types said', async () => {
      const { body, type } = await ask(ROOT);
      assert.match(type, /^application\/json/);
      checkSchema('/ogc', 'application/json', body);
      checkLinks(body.links, 'self', 'service-desc', 'service-doc', 'conformance', 'data');
      for (const link of body.links) {
        const answer = await ask(link.href);
        assert.deepEqual([answer.status, answer.type.split(';')[0]], [200, link.type], link.href);
      }
    });
  });

  describe('A.2.3 definition of the API', () => {
    it('Abstract Test 5 /ats/core/api-definition-op: is retrieved from where the landing page says', async () => {
      const { links } = await content(ROOT);
      assert.equal((await content(linkOf(links, 'service-desc').href)).openapi, '3.1.0');
    });

    it('Abstract Test 6 /ats/core/api-definition-success: describes every path of the standard', async () => {
      const { paths } = await content(linkOf((await content(ROOT)).links, 'service-desc').href);
      for (const path of [...RESOURCES, '/collections/projects/items/{id}']) assert(paths[`/ogc${path}`].get.responses[200], path);
    });
  });

  describe('A.2.4 conformance', () => {
    it('Abstract Test 7 /ats/core/conformance-op: is retrieved from its path', async () => {
      assert.equal((await ask(`${ROOT}/conformance`)).status, 200);
    });

    it('Abstract Test 8 /ats/core/conformance-success: names Core and GeoJSON', async () => {
      const { conformsTo } = await content(`${ROOT}/conformance`);
      assert.deepEqual(conformsTo.slice(0, 2), [`${CLASSES}/core`, `${CLASSES}/geojson`]);
    });
  });

  describe('A.2.5 feature collections', () => {
    it('Abstract Test 9 /ats/core/fc-md-op: are retrieved from their path', async () => {
      assert.equal((await ask(`${ROOT}/collections`)).status, 200);
    });

    it('Abstract Test 10 /ats/core/fc-md-success: have links, items links of each encoding, and an extent around all features', async () => {
      const body = await content(`${ROOT}/collections`);
      checkSchema('/ogc/collections', 'application/json', body);
      checkLinks(body.links, 'self');
      const [collection, ...others] = body.collections;
      assert.deepEqual([collection.id, others], ['projects', []]);
      checkLinks(collection.links, 'self', 'items');
      assert.equal(linkOf(collection.links, 'items').type, GEOJSON);
      const [[west, south, east, north]] = collection.extent.spatial.bbox;
      const [[first, last]] = collection.extent.temporal.interval;
      assert.deepEqual([collection.extent.spatial.crs, collection.crs], [CRS84, [CRS84]]);
      for (const { longitude, latitude, meetingDate } of PLACES) {
        const margin = 1e-6; // positions are indexed to a few centimetres
        assert(longitude >= west - margin && longitude <= east + margin && latitude >= south - margin && latitude <= north + margin);
        assert(meetingDate >= first.slice(0, 10) && meetingDate <= last.slice(0, 10));
      }
      assert(north < 72 && south > -1, 'no wider than it has to be');
      assert.deepEqual([first.slice(0, 10), last.slice(0, 10)], ['2020-02-29', '2026-10-01']);
    });
  });

  describe('A.2.6 feature collection', () => {
    it('Abstract Test 11 /ats/core/sfc-md-op: is retrieved from its path', async () => {
      for (const { id } of (await content(`${ROOT}/collections`)).collections)
        assert.equal((await ask(`${ROOT}/collections/${id}`)).status, 200);
      assert.equal((await ask(`${ROOT}/collections/nothing`)).status, 404);
    });

    it('Abstract Test 12 /ats/core/sfc-md-success: is as the list of collections has it', async () => {
      const { collections } = await content(`${ROOT}/collections`);
      const collection = await content(`${ROOT}/collections/projects`);
      assert.deepEqual(collection, collections[0]);
      checkSchema('/ogc/collections/projects', 'application/json', collection);
    });
  });

  describe('A.2.7 features', () => {
    it('Abstract Test 13 /ats/core/fc-op: are retrieved from the link of their collection', async () => {
      const { links } = await content(`${ROOT}/collections/projects`);
      const { status, type } = await ask(linkOf(links, 'items').href);
      assert.deepEqual([status, type], [200, GEOJSON]);
      assert.deepEqual(await idsOf(), every);
    });

    it('Abstract Test 14 /ats/core/fc-bbox-definition: bbox is an array of four or six numbers, as a form that is not exploded', () => {
      const { in: place, required, style, explode, schema } = parameterOf('bbox');
      assert.deepEqual([place, required ?? false, style, explode], ['query', false, 'form', false]);
      assert.deepEqual([schema.type, schema.items], ['array', { type: 'number' }]);
      const lengths = [4, 6].map((length) => ({ minItems: length, maxItems: length }));
      assert.deepEqual(schema.oneOf, lengths);
    });

    it('Abstract Test 15 /ats/core/fc-bbox-response: only features that intersect the box, also over the antimeridian, the equator and near a pole', async () => {
      const inside = ([west = 0, south = 0, east = 0, north = 0]: number[]) =>
        where(({ longitude, latitude }) => {
          const [isEast, isWest] = [longitude >= west, longitude <= east];
          return latitude >= south && latitude <= north && (west <= east ? isEast && isWest : isEast || isWest);
        });
      const boxes = [
        [-180, -90, 180, 90],
        [-106, 39, -105, 41],
        [177, 50, -177, 55],
        [-1.5, -5, 1.5, 5],
        [-180, 70, 180, 90],
        [10, 10, 20, 20],
      ];
      const found = await Promise.all(boxes.map((box) => idsOf(`?bbox=${box}`)));
      assert.deepEqual(found, boxes.map(inside));
      assert.equal(found.map(({ length }) => length).join(), '6,1,2,2,1,0');
      assert.deepEqual(await idsOf('?bbox=-106,39,-100,-105,41,9000'), [1]);
      // Requirement 24 C: what has no place matches as well; such projects are not in the collection.
      assert(!(await idsOf()).includes(WITHOUT_PLACE));
      for (const bbox of ['1,2,3', '1,2,3,4,5', 'a,b,c,d', '-181,0,0,1', '0,0,1,91', '0,5,1,1', '', '1,,2,3', '{"north":1}'])
        assert.equal((await ask(`${ITEMS}?bbox=${encodeURIComponent(bbox)}`)).status, 400, bbox);
    });

    it('Abstract Test 16 /ats/core/fc-limit-definition: limit is an integer with a minimum, a maximum and a default', () => {
      const { in: place, required, schema } = parameterOf('limit');
      assert.deepEqual([place, required ?? false], ['query', false]);
      assert.deepEqual([schema.type, schema.minimum, schema.maximum, schema.default], ['integer', 1, 100, 100]);
    });

    it('Abstract Test 17 /ats/core/fc-limit-response: no more features than limit says; above the maximum it is no error', async () => {
      for (const limit of [1, 4, 100, 10_000]) {
        const { features, links } = await content(`${ITEMS}?limit=${limit}`);
        assert.equal(features.length, Math.min(limit, PLACES.length));
        assert.equal(linkOf(links, 'next') !== undefined, limit < PLACES.length);
      }
      assert.deepEqual(await idsOf('?limit=1'), every);
      for (const limit of ['0', '-1', 'x', '1.5']) assert.equal((await ask(`${ITEMS}?limit=${limit}`)).status, 400, limit);
    });

    it('Abstract Test 18 /ats/core/fc-time-definition: datetime is a text', () => {
      const { in: place, required, schema } = parameterOf('datetime');
      assert.deepEqual([place, required ?? false, schema.type], ['query', false, 'string']);
    });

    it('Abstract Test 19 /ats/core/fc-time-response: only features whose hearing is at that time, or in that interval, bounded or half-bounded', async () => {
      const days = (from: string, to: string) => where(({ meetingDate }) => meetingDate >= from && meetingDate <= to);
      const [start, end] = ['0000', '9999'];
      for (const [datetime, expected] of [
        ['2026-03-01', days('2026-03-01', '2026-03-01')],
        ['2026-03-01T12:31:12Z', days('2026-03-01', '2026-03-01')],
        ['2026-03-01/2026-03-31', days('2026-03-01', '2026-03-31')],
        ['2026-03-01T00:00:00Z/2026-03-31T23:59:59Z', days('2026-03-01', '2026-03-31')],
        ['../2026-01-15', days(start, '2026-01-15')],
        ['/2026-01-15', days(start, '2026-01-15')],
        ['2026-03-31/..', days('2026-03-31', end)],
        ['2026-03-31/', days('2026-03-31', end)],
        ['2019-01-01', []],
      ] as const)
        assert.deepEqual(await idsOf(`?datetime=${encodeURIComponent(datetime)}`), expected, datetime);
      assert.equal(days('2026-03-01', '2026-03-31').length, 2);
      // Requirement 26 C: what has no time matches as well; such projects are not in the collection.
      assert(!(await idsOf()).includes(WITHOUT_HEARING));
      const wrong = ['yesterday', '..', '../..', '/', '2026-03-01/2026-01-01', '2026-01-01/2026-02-01/2026-03-01', '2026-13-01', ''];
      for (const datetime of wrong) assert.equal((await ask(`${ITEMS}?datetime=${encodeURIComponent(datetime)}`)).status, 400, datetime);
    });

    it('Abstract Test 20 /ats/core/query-param-unknown: a parameter that the definition does not have is 400', async () => {
      for (const path of [...RESOURCES, '/collections/projects/items/1']) {
        const { status, body } = await ask(`${ROOT}${path}?unknown=1`);
        assert.deepEqual([status, body.error.param], [400, 'unknown'], path);
      }
    });

    it('Abstract Test 21 /ats/core/query-param-invalid: an invalid value is 400', async () => {
      for (const query of ['limit=none', 'bbox=here', 'datetime=soon', 'states=Atlantis', 'representation=tiny', 'cursor=x'])
        assert.equal((await ask(`${ITEMS}?${query}`)).status, 400, query);
      // Programs send it along with every request; it means something where features are read, and the definition bounds it nowhere.
      assert.equal(parameterOf('cursor').schema.maxLength, undefined);
      for (const path of RESOURCES) {
        const { status } = await ask(`${ROOT}${path}?cursor=${'x'.repeat(3_000)}`);
        assert.equal(status, path.endsWith('/items') ? 400 : 200, path);
      }
    });

    it('Abstract Test 22 /ats/core/fc-response: is a FeatureCollection that holds what was selected', async () => {
      const body = await content(`${ITEMS}?acreageMin=2&limit=2`);
      checkSchema('/ogc/collections/projects/items', GEOJSON, body);
      assert.deepEqual([body.type, body.features.length], ['FeatureCollection', 2]);
      assert.deepEqual(await idsOf('?acreageMin=2&limit=2'), [3, 4, 5, 6]);
      const later = where(({ meetingDate }) => meetingDate >= '2026-03');
      assert.deepEqual(await idsOf('?meetingDateFrom=2026-03&dateRange=all'), later);
    });

    it('Abstract Test 23 /ats/core/fc-links: has a link to itself, with its type, and to the next page', async () => {
      const { links } = await content(`${ITEMS}?limit=2`);
      checkLinks(links, 'self', 'next', 'collection');
      assert.deepEqual([linkOf(links, 'self').href, linkOf(links, 'self').type], [`${ITEMS}?limit=2`, GEOJSON]);
    });

    it('Abstract Test 24 /ats/core/fc-timeStamp: says when it was made', async () => {
      const before = Date.now();
      const { timeStamp } = await content(ITEMS);
      assert(Date.parse(timeStamp) >= before && Date.parse(timeStamp) <= Date.now(), timeStamp);
    });

    it('Abstract Test 25 /ats/core/fc-numberMatched: counts what the request selects, on every page', async () => {
      for (const query of ['', '?limit=4', '?acreageMin=2&limit=1', '?bbox=177,50,-177,55', '?datetime=2019']) {
        const ids = await idsOf(query);
        for (let url: string | undefined = `${ITEMS}${query}`; url; ) {
          const page: Json = await content(url);
          assert.equal(page.numberMatched, ids.length, query);
          url = linkOf(page.links, 'next')?.href;
        }
      }
    });

    it('Abstract Test 26 /ats/core/fc-numberReturned: counts the features of the page', async () => {
      for (const limit of [1, 4, 100]) {
        const { features, numberReturned } = await content(`${ITEMS}?limit=${limit}`);
        assert.equal(numberReturned, features.length);
      }
    });
  });

  describe('A.2.8 feature', () => {
    it('Abstract Test 27 /ats/core/f-op: each is retrieved by its id', async () => {
      for (const { id } of (await content(ITEMS)).features) assert.equal((await ask(`${ITEMS}/${id}`)).status, 200);
      for (const id of [999, 'x', 0]) assert.equal((await ask(`${ITEMS}/${id}`)).status, 404, String(id));
    });

    it('Abstract Test 28 /ats/core/f-success: is the Feature that the page has', async () => {
      const { features } = await content(ITEMS);
      for (const feature of features) {
        const { links, meta, ...one } = await content(`${ITEMS}/${feature.id}`);
        checkSchema('/ogc/collections/projects/items/{id}', GEOJSON, { links, meta, ...one });
        const { delivery: _, ...properties } = one.properties;
        const { delivery: __, ...shown } = feature.properties;
        assert.deepEqual({ ...one, properties }, { ...feature, properties: shown });
      }
    });

    it('Abstract Test 29 /ats/core/f-links: has links to itself and to its collection', async () => {
      const { links } = await content(`${ITEMS}/1`);
      checkLinks(links, 'self', 'collection');
      assert.deepEqual([linkOf(links, 'self').href, linkOf(links, 'collection').href], [`${ITEMS}/1`, `${ROOT}/collections/projects`]);
    });
  });

  describe('A.4 GeoJSON', () => {
    it('/ats/geojson/definition: features are application/geo+json, other resources application/json', async () => {
      for (const path of [ROOT, `${ROOT}/conformance`, `${ROOT}/collections`, `${ROOT}/collections/projects`])
        assert.equal((await ask(path)).type.split(';')[0], 'application/json', path);
      for (const path of [ITEMS, `${ITEMS}/1`]) assert.equal((await ask(path)).type, GEOJSON, path);
    });

    it('/ats/geojson/content: are a FeatureCollection and a Feature, with their links in `links`', async () => {
      const [page, one] = [await content(ITEMS), await content(`${ITEMS}/1`)];
      assert.deepEqual([page.type, one.type], ['FeatureCollection', 'Feature']);
      for (const feature of [...page.features, one]) {
        assert.equal(feature.type, 'Feature');
        assert('geometry' in feature && typeof feature.properties === 'object');
      }
      assert(Array.isArray(page.links) && Array.isArray(one.links));
    });
  });
});
