/** Geography: names, ids, shapes, and which of them counts when several are sent. */

import assert from 'node:assert/strict';
import { unwrapRing } from '../../../src/core/domain/ring.ts';
import { polygon, type Ring } from '../../../src/core/filter/geometry.ts';
import { ascending, project, refuser, searcher, TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import { lengthOf } from '../../support/lengths.ts';
import { insideRing } from '../../support/oracle.ts';
import { Random } from '../../support/random.ts';
import { assertRefused, provideService } from '../../support/service.ts';
import { points } from '../../support/shapes.ts';

const SEED = Number(process.env.GEOMETRY_SEED ?? 7);
/** set RINGS for a longer look */
const RINGS = lengthOf('RINGS');

/** Points by the id of the record that has them. */
const POINTS: Record<number, { latitude: number; longitude: number }> = {
  11: { latitude: 40, longitude: -105 },
  12: { latitude: 41, longitude: -104 },
  13: { latitude: 51.88, longitude: -176.64 },
  14: { latitude: 52.9, longitude: 172.9 },
  15: { latitude: 13.45, longitude: 144.78 },
  16: { latitude: 18.4, longitude: -66.1 },
};

describe('geography filters', () => {
  const search = searcher(() => api);
  const refuse = refuser(() => api);
  const found = async (parameters: Record<string, unknown>) => ascending((await search(parameters)).ids);

  const api = provideService({ today: TODAY }, [
    project(1),
    project(2, { city: 'Longmont' }),
    project(3, { county: 'Denver', city: 'Denver' }),
    project(4, { state: 'IL', county: 'Sangamon', city: 'Springfield' }),
    project(5, { state: 'MA', county: 'Hampden', city: 'Springfield' }),
    project(6, { state: 'IL', county: null, city: null }),
    project(7, { county: 'Weld', city: 'Longmont' }),
    project(8, { county: 'Arapahoe', city: 'Aurora' }),
    project(9, { county: 'Adams', city: 'Aurora' }),
    project(10, { county: 'Weld County', city: 'Pueblo' }),
    ...Object.entries(POINTS).map(([id, point]) => project(Number(id), { state: 'WY', county: null, city: null, ...point })),
    project(17, { state: 'SD', county: 'Shannon County', city: null }),
    project(18, { state: 'CT', county: 'Capitol Planning Region', city: 'West Hartford' }),
    project(19, { state: 'CT', county: 'Hartford County', city: 'Bristol' }),
    project(20, { state: 'AK', county: 'Chugach Census Area', city: null }),
  ]);

  it('find a county by the name and number that it had, with place_renamed', async () => {
    assert.deepEqual((await search({ counties: 46102 })).warnings, {});
    for (const [counties, states] of [
      ['Shannon', 'SD'],
      ['Shannon County, SD', undefined],
      ['46113', undefined],
    ]) {
      const page = await search({ counties, ...(states ? { states } : {}) });
      assert.deepEqual(page.ids, [17], counties);
      assert.deepEqual(page.meta.appliedFilters.counties, [46102]);
      const { params } = page.warnings.place_renamed ?? {};
      assert.deepEqual(params, { sent: counties, id: 46102, name: 'Oglala Lakota County', since: '2015-05-01' });
    }
  });

  it('refuse a county that was divided, and name its successors', async () => {
    const [problem] = (await refuse({ counties: 'Valdez-Cordova, AK' })).problems;
    assert.equal(problem.code, 'ambiguous_place');
    assert.deepEqual(
      problem.candidates.map(({ id }: { id: number }) => id),
      [2063, 2066],
    );
  });

  it('mean the towns of a planning region, of which none is a county', async () => {
    for (const counties of ['Capitol Planning Region', '09110', '9110', 'Capitol, CT'])
      assert.deepEqual(await found({ counties }), [18], counties);
    assert.deepEqual(await found({ counties: 'Hartford County, CT' }), [18, 19]);
    assert.deepEqual(await found({ counties: ['Naugatuck Valley Planning Region', 'Boulder, CO'] }), [1, 2, 19]);
  });

  it('take states by number, abbreviation or name, in any case, in any form of list', async () => {
    for (const states of ['CO,IL', 'colorado, illinois', '8,17', '["Colorado","il"]', ['08', 'IL'], ['CO', '["Illinois"]']])
      assert.deepEqual(await found({ states }), [1, 2, 3, 4, 6, 7, 8, 9, 10], JSON.stringify(states));
  });

  it('take counties with and without the word County', async () => {
    for (const county of ['Boulder County', 'boulder', 8013]) assert.deepEqual(await found({ county }), [1, 2]);
    assert.deepEqual(await found({ countyIds: '8013,8031' }), [1, 2, 3]);
  });

  it('resolve names within the one state that is sent, which then gives way to them', async () => {
    const page = await search({ states: 'IL', cities: 'Springfield' });
    assert.deepEqual(page.ids, [4]);
    const warning = page.warnings.geography_narrowed_to_smallest_scope;
    assert.deepEqual(warning?.params, { superseded: { states: [17] }, appliedScope: ['cities'] });
    assert.equal('states' in page.meta.appliedFilters, false);
    assert.deepEqual(await found({ states: 'MA', cities: 'Springfield' }), [5]);
    assert.deepEqual(await found({ cities: '["Springfield, MA"]' }), [5]);
  });

  it('let the narrower scope win even outside the states sent with it', async () => {
    const page = await search({ states: 'IL', counties: 8013 });
    assert.deepEqual(ascending(page.ids), [1, 2]);
    const { params } = page.warnings.geography_narrowed_to_smallest_scope ?? {};
    assert.deepEqual(params, { superseded: { states: [17] }, appliedScope: ['counties'] });
    assert.deepEqual((await search({ states: 'IL' })).warnings, {});
  });

  it('AND counties with cities', async () => {
    assert.deepEqual(await found({ counties: 8013, cities: '["Denver, CO","Longmont, CO"]' }), [2]);
  });

  it('find a city in every county that it lies in, by its name and by its number', async () => {
    assert.deepEqual(await found({ cities: '["Longmont, CO"]' }), [2, 7]);
    assert.deepEqual(await found({ cities: '5579276' }), [2, 7]);
    assert.deepEqual(await found({ cities: 'Aurora', states: 'CO' }), [8, 9]);
    assert.deepEqual(await found({ counties: 'Arapahoe' }), [8]);
    assert.deepEqual(await found({ counties: 'Weld', cities: '["Longmont, CO"]' }), [7]);
    const [record] = (await search({ counties: 'Arapahoe', representation: 'standard' })).records;
    assert.deepEqual([record?.city, record?.cityId, record?.county, record?.countyId], ['Aurora', 5412347, 'Arapahoe County', 8005]);
  });

  it('tell cities of one name apart by the county that is sent with them', async () => {
    assert.equal((await refuse({ cities: 'Aurora' })).problems[0].code, 'ambiguous_place');
    assert.deepEqual(await found({ counties: 'Arapahoe', cities: 'Aurora' }), [8]);
    assert.deepEqual(await found({ counties: 'Sangamon', cities: 'Springfield' }), [4]);
    assert.equal((await refuse({ counties: 'Arapahoe', cities: 'Springfield' })).problems[0].code, 'ambiguous_place');
  });

  it('leave a city that is not found in the county of its record without an id', async () => {
    const [record] = (await search({ counties: 'Weld', projectIds: '10', representation: 'standard' })).records;
    assert.deepEqual([record?.city, record?.cityId, record?.countyId], ['Pueblo', null, 8123]);
  });

  it('let a County key ask for a city that reaches into its county, and give it what lies there', async () => {
    const key = await api.key('county', { stateIds: [], countyIds: [8123] });
    assert.deepEqual((await search({ cities: '["Longmont, CO"]' }, { key })).ids, [7]);
    assertRefused(await api.get('/projects/search', { cities: '["Denver, CO"]' }, { key }), 'geographic_access_denied');
  });

  it('let a County key whose county was divided or renamed since see what has become of it', async () => {
    const key = await api.key('county', { stateIds: [], countyIds: [2261, 46113] });
    assert.deepEqual(ascending((await search({}, { key })).ids), [17, 20]);
    assert.deepEqual((await search({ counties: 2063 }, { key })).ids, [20]);
    assert.deepEqual((await search({ counties: 46113 }, { key })).ids, [17]);
    assertRefused(await api.get('/projects/search', { counties: 2020 }, { key }), 'geographic_access_denied');
  });

  it('refuse an ambiguous name with its candidates, whose ids then work', async () => {
    for (const parameters of [{ cities: 'Springfield' }, { cities: 'Springfield', states: 'IL,MA' }]) {
      const { status, code, problems } = await refuse(parameters);
      assert.equal(status, 400);
      assert.equal(code, 'invalid_filter');
      assert.equal(problems[0].code, 'ambiguous_place');
      assert.equal(problems[0].param, 'cities');
      assert.ok(problems[0].candidates.length > 1);
      for (const candidate of problems[0].candidates) assert.equal(places.city(candidate.id)?.name, candidate.name);
    }
    const washington = await refuse({ counties: 'Washington' });
    assert.equal(washington.problems[0].code, 'ambiguous_place');
    assert.deepEqual(await found({ counties: 'Washington', states: 'CO' }), []);
  });

  it('refuse a name of no place, and say what is near', async () => {
    const { problems } = await refuse({ states: 'Colorodo', counties: 'Nowhere County', cities: '999999999' });
    assert.deepEqual(
      problems.map((problem) => [problem.param, problem.code]),
      [
        ['states', 'unknown_place'],
        ['counties', 'unknown_place'],
        ['cities', 'unknown_place'],
      ],
    );
    assert.equal(problems[0].didYouMean, 'Colorado');
  });

  it('hold points on every edge and corner of a box to be inside', async () => {
    const edges = { north: 41, south: 40, east: -104, west: -105 };
    assert.deepEqual(await found({ bbox: edges }), [11, 12]);
    assert.deepEqual(await found({ bounds: { north: 40, south: 40, east: -105, west: -105 } }), [11]);
    for (const [id, { latitude, longitude }] of Object.entries(POINTS)) {
      const corner = { north: latitude, south: latitude, east: longitude, west: longitude };
      for (const side of [{ north: 90 }, { south: -90 }, { east: 180 }, { west: -180 }])
        assert.ok((await found({ bbox: { ...corner, ...side } })).includes(Number(id)), `${id} on the edge of ${JSON.stringify(side)}`);
    }
    for (const inner of [{ north: 40.99999 }, { south: 40.00001 }, { east: -104.00001 }, { west: -104.99999 }])
      assert.equal((await found({ bbox: { ...edges, ...inner } })).length, 1, JSON.stringify(inner));
  });

  it('let a box cross the antimeridian when its west lies east of its east', async () => {
    assert.deepEqual(await found({ bbox: { north: 60, south: 0, west: 170, east: -170 } }), [13, 14]);
    assert.deepEqual(await found({ bbox: { north: 60, south: 0, west: 140, east: -100 } }), [11, 12, 13, 14, 15]);
    assert.deepEqual(await found({ bbox: { north: 90, south: -90, west: -180, east: 180 } }), Object.keys(POINTS).map(Number));
  });

  it('let a polygon cross the antimeridian by the short way of its edges, in both directions and from any vertex', async () => {
    const west: Ring = points('172 51, -175 51, -175 54, 172 54');
    const concave: Ring = points('170 50, -170 50, -170 51, 175 51.5, 175 52.3, -170 52.5, -170 56, 170 56');
    for (let first = 0; first < west.length; first++) {
      const turned = [...west.slice(first), ...west.slice(0, first), west[first]];
      for (const ring of [turned, [...turned].reverse()]) assert.deepEqual(await found({ polygon: ring }), [13, 14], JSON.stringify(ring));
    }
    assert.deepEqual(await found({ polygon: [...concave, concave[0]] }), [14], 'a bay around the first point');
    const { problems } = await refuse({
      polygon: points('172 51, 185 51, 185 54, 172 54, 172 51'),
    });
    assert.match(problems[0].message, /behind the 180th meridian/);
  });

  it('hold a point on the rim of a circle to be inside', async () => {
    // along a meridian the distance is the angle times the radius of the earth
    const radiusMeters = (6371008.7714 * Math.PI) / 180;
    assert.deepEqual(await found({ circle: { lat: 41, lng: -105, radiusMeters } }), [11, 12]);
    assert.deepEqual(await found({ circle: { lat: 41, lng: -105, radiusMeters: radiusMeters - 1 } }), [12]);
  });

  it('refuse an invalid circle or box', async () => {
    const circle = { lat: 40, lng: -105, radiusMeters: 100 };
    for (const bad of [{ radiusMeters: 99 }, { radiusMeters: 500_001 }, { lat: 91 }, { lng: '5' }, { lat: '35,08' }, { extra: 1 }])
      assert.equal((await refuse({ circle: { ...circle, ...bad } })).problems[0]?.code, 'invalid_geometry', JSON.stringify(bad));
    for (const bbox of ['{"north":1,"south":2,"east":1,"west":0}', '{"north":1}', '[]', 'nonsense'])
      assert.equal((await refuse({ bbox })).code, 'invalid_filter', bbox);
  });

  it('AND shapes with places', async () => {
    const box = { north: 90, south: -90, west: -180, east: 180 };
    assert.deepEqual(await found({ bbox: box, states: 'CO' }), []);
    assert.deepEqual(await found({ bbox: box, circle: { lat: 40, lng: -105, radiusMeters: 500 } }), [11]);
  });

  /** Rings of every kind: on a coarse grid, over the whole globe, tiny, and stars with flaws. */
  function randomRing(random: Random, kind: number): Ring {
    const corners = random.integer(3, 9);
    const vertices = Array.from({ length: corners }, (_, i): [number, number] => {
      if (kind === 0) return [random.integer(-4, 4) * 45, random.integer(-2, 2) * 44.7];
      if (kind === 5)
        return [170 + random.next() * 30 > 180 ? -180 + random.next() * 20 : 160 + random.next() * 20, random.next() * 90 - 20];
      if (kind === 1) return [random.next() * 360 - 180, random.next() * 180 - 90];
      if (kind === 2) return [-105 + random.integer(0, 4) * 1e-8, 40 + random.integer(0, 4) * 1e-8];
      const angle = (2 * Math.PI * i) / corners;
      const radius = random.integer(1, 3);
      return [-60 + 40 * radius * Math.cos(angle), 30 + 20 * radius * Math.sin(angle)];
    });
    if (kind === 4) vertices.splice(random.integer(0, corners), 0, random.pick(vertices));
    return [...vertices, vertices[0] as [number, number]];
  }

  it('find by a polygon what it encloses on the map, and answer 400 rather than 500 to one that is none', async () => {
    const random = new Random(SEED);
    const seen = { accepted: 0, refused: 0, wide: 0 };
    for (let i = 0; i < RINGS; i++) {
      const ring = randomRing(random, i % 6);
      if ('problems' in polygon.parse([ring])) {
        seen.refused++;
        continue;
      }
      const ids = await found({ polygon: JSON.stringify(ring), representation: 'compact' });
      const wanted = Object.entries(POINTS).filter(([, { latitude, longitude }]) => insideRing(ring, longitude, latitude));
      assert.deepEqual(
        ids,
        wanted.map(([id]) => Number(id)),
        `GEOMETRY_SEED=${SEED}: ${JSON.stringify(ring)}`,
      );
      seen.accepted++;
      const longitudes = unwrapRing(ring).map(([longitude]) => longitude);
      if (Math.max(...longitudes) - Math.min(...longitudes) > 180) seen.wide++;
    }
    for (const count of Object.values(seen)) assert.ok(count > 30, JSON.stringify(seen));
  });

  it('refuse over HTTP a polygon that folds back on itself', async () => {
    const { status, problems } = await refuse({ polygon: '[[0,0],[4,0],[4,4],[4,6],[4,4],[0,4],[0,0]]' });
    assert.equal(status, 400);
    assert.match(problems[0].message, /folds back/);
  });
});
