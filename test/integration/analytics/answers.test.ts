/** What analytics answers hold and refuse: statistics, hidden groups, labels, orders, problems, pools that pay for records. */

import assert from 'node:assert/strict';
import * as vocabulary from '../../../src/core/domain/vocabulary.ts';
import type { GroupKey } from '../../../src/core/query/dimensions.ts';
import { project, TODAY, use } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { places } from '../../support/index.ts';
import { pluck } from '../../support/lists.ts';
import { Random } from '../../support/random.ts';
import { assertRefused, bodyOf, provideService, type TestAnswer } from '../../support/service.ts';
import { splitProjects } from '../../support/shards.ts';

interface Group {
  keys: Record<string, GroupKey>;
  labels: Record<string, string>;
  count: number;
  metrics: Record<string, number | null>;
}
interface Answer {
  groups: Group[];
  totals: { count: number; metrics: Record<string, number | null> } | null;
}

const many = (count: number, from: number, more: Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) => project(from + i, more));
const PLACES = {
  denver: { state: 'CO', county: 'Denver County', city: 'Denver' },
  austin: { state: 'TX', county: 'Travis County', city: null },
  dallas: { state: 'TX', county: 'Dallas County', city: null },
  cheyenne: { state: 'WY', county: 'Laramie County', city: null },
};

describe('Analytics', () => {
  const api = provideService({ today: TODAY });

  const ask = async (body: object, options: { key?: string } = {}): Promise<Answer & { meta: Record<string, unknown> }> => {
    const { status, body: answer } = await api.post('/analytics/aggregate', body, options);
    assert.equal(status, 200, JSON.stringify(answer));
    return { ...(answer.data as unknown as Answer), meta: answer.meta };
  };
  const counts = ({ groups }: Answer) => groups.map(({ keys, count }) => [...Object.values(keys), count]);

  const random = new Random(3);
  const SIZES = Array.from({ length: 9_001 }, () => random.integer(0, 100_000) / 8);
  const COUNTIES = [
    ...many(9, 100, { acreage: 2.5, totalUnitCount: 10 }),
    ...many(20, 200, { ...PLACES.denver, acreage: 0.1 }),
    ...many(3, 300, { ...PLACES.austin, acreage: 100 }),
    ...many(6, 400, { ...PLACES.dallas, totalUnitCount: 7 }),
    ...many(5, 500, { ...PLACES.cheyenne, acreage: 1 }),
  ].map((line, i) => ({ ...line, projectName: 'Quarry', status: i % 2 ? 'approved' : 'denied' }));
  const USES = [
    ...many(6, 1000, { landUses: [use('garden_apartments'), use('office_building', 'secondary')] }),
    ...many(5, 1100, { landUses: [use('garden_apartments'), { ...use('mid_rise_apartments', 'secondary') }] }),
    ...many(7, 1200, { landUses: [use('office_building'), use('garden_apartments', 'other')] }),
  ].map(({ propertyType: _, ...line }) => ({ ...line, projectName: 'Harbor' }));
  const DATES = [
    ...many(5, 2000, { meetingDate: '2026-03-31' }),
    ...many(6, 2100, { meetingDate: '2026-04-01' }),
    ...many(7, 2200, { meetingDate: '2026-05-04' }),
    ...many(5, 2300, { meetingDate: null }),
  ].map((line) => ({ ...line, projectName: 'Meadow' }));
  /** As the index keeps them, without the way there. */
  const measured = (acreage: number, i: number) => ({
    id: 10_000 + i,
    loadedIn: 1,
    derived: { memberIds: [10_000 + i], names: 'steppe', acreage, cityId: i % 2 ? '5419384' : '5574991' },
  });
  const CITIES = places.cities.slice(0, 220);
  const CLASSES = vocabulary.assetClasses.terms.filter(({ type }) => type !== vocabulary.GOVERNMENT_DECISIONS).slice(0, 48);
  const WIDE = CITIES.map(({ id, countyId, stateId }, i) => ({
    ...project(5000 + i, { projectName: 'Delta', state: null, county: null, city: null, stateId, countyId, cityId: id }),
    propertyType: null,
    landUses: CLASSES.map(({ token }, k) => use(token, k ? 'secondary' : 'primary')),
  }));
  const SECRETIVE = many(6, 7_700_001, {
    projectName: 'Secretive Estate',
    address: '1 Hidden Lane',
    acreage: 3,
    contacts: [{ name: 'Jane Roe', role: 'owner', email: 'jane@example.org' }],
    meetingDocumentId: 7_700_900,
    sourceDocumentUrl: 'https://example.org/minutes.pdf',
  });
  const all = (name: string) => ({ dateRange: 'all', projectName: name });

  before(async () => {
    await api.index.load([...COUNTIES, ...USES, ...DATES, ...WIDE, ...SECRETIVE] as object[]);
    await splitProjects(api.index, 4);
    const { client, names } = api.index;
    const operations = SIZES.flatMap((acreage, i) => [{ index: {} }, measured(acreage, i)]);
    assert.equal((await client.bulk({ index: names.readAlias('projects'), refresh: true, operations })).errors, false);
  });

  describe('counts', () => {
    it('hides a group under 5 with the next smallest, so that the rest of its sum gives it no more away, also in the sum of its state', async () => {
      const states = await ask({ filters: all('quarry'), groupBy: ['state'] });
      assert.deepEqual(counts(states), [
        [8, 29],
        [48, 9],
        [56, 5],
      ]);
      const counties = await ask({ filters: all('quarry'), groupBy: ['county'] });
      assert.deepEqual(counts(counties), [
        [8031, 20],
        [8013, 9],
        [56021, 5],
      ]);
      assert.deepEqual([states.meta.suppressedGroups, counties.meta.suppressedGroups], [false, true]);
      assert.equal(counties.totals?.count, 43);
      const { body } = await api.post('/analytics/rankings', { filters: all('quarry'), dimension: 'county', metric: { op: 'count' } });
      assert.deepEqual(pluck(body.data as unknown as Record<string, unknown>[], 'rank', 'key', 'count', 'value'), [
        [1, 8031, 20, 20],
        [2, 8013, 9, 9],
        [3, 56021, 5, 5],
      ]);
      assert.equal(body.meta.suppressedGroups, true);
    });

    it('answers no groups and no totals for a selection of fewer than 5 records', async () => {
      const filters = { ...all('quarry'), counties: ['Travis County'] };
      for (const groupBy of [[], ['state'], ['status', 'county']]) {
        const { groups, totals, meta } = await ask({ filters, groupBy, metrics: [{ op: 'sum', field: 'acreage' }] });
        assert.deepEqual([groups, totals, meta.suppressedGroups], [[], null, true]);
      }
      const none = await ask({ filters: all('nowhere'), groupBy: ['state'] });
      assert.deepEqual([none.groups, none.totals, none.meta.suppressedGroups], [[], null, false]);
    });

    it('counts a project once in each type of its uses, in the roles that count', async () => {
      const types = await ask({ filters: all('harbor'), groupBy: ['propertyType'] });
      assert.deepEqual(counts(types), [
        ['commercial', 13],
        ['residential', 11],
      ]);
      assert.equal((types.meta.appliedDefaults as Record<string, unknown>).taxonomyMatchMode, 'primary_or_secondary');
      const primary = await ask({ filters: { ...all('harbor'), taxonomyMatchMode: 'primary_only' }, groupBy: ['propertyType'] });
      assert.deepEqual(counts(primary), [
        ['residential', 11],
        ['commercial', 7],
      ]);
      const any = await ask({ filters: { ...all('harbor'), taxonomyMatchMode: 'any' }, groupBy: ['propertyType'] });
      assert.deepEqual(counts(any), [
        ['residential', 18],
        ['commercial', 13],
      ]);
      const named = await ask({ filters: { ...all('harbor'), propertyTypes: ['commercial'] }, groupBy: ['propertyType'] });
      assert.deepEqual(counts(named), [['commercial', 13]]);
    });

    it('groups dates by the interval, names it by its first day, and what has no date by null', async () => {
      const months = await ask({ filters: all('meadow'), groupBy: ['meetingDate'], order: { by: 'key' } });
      assert.deepEqual(counts(months), [
        ['2026-03-01', 5],
        ['2026-04-01', 6],
        ['2026-05-01', 7],
        [null, 5],
      ]);
      assert.deepEqual(
        months.groups.map(({ labels }) => labels.meetingDate),
        ['March 2026', 'April 2026', 'May 2026', 'Not stated'],
      );
      assert.equal((months.meta.appliedDefaults as Record<string, unknown>).interval, 'month');
      const by = async (interval: string) =>
        counts(await ask({ filters: all('meadow'), groupBy: ['meetingDate'], interval, order: { by: 'key' } }));
      assert.deepEqual(await by('week'), [
        ['2026-03-30', 11],
        ['2026-05-04', 7],
        [null, 5],
      ]);
      assert.deepEqual(await by('quarter'), [
        ['2026-01-01', 5],
        ['2026-04-01', 13],
        [null, 5],
      ]);
      assert.deepEqual(await by('year'), [
        ['2026-01-01', 18],
        [null, 5],
      ]);
      const updated = await ask({ filters: all('meadow'), groupBy: ['lastUpdated'], interval: 'year' });
      assert.deepEqual(pluck(updated.groups, 'count'), [23]);
    });

    it('applies the default window, echoes and warns as a search does', async () => {
      const { totals, meta } = await ask({ filters: { projectName: 'meadow', state: 'co' } });
      assert.equal(totals?.count, 18);
      assert.deepEqual(pluck(meta.warnings as { code: string }[], 'code'), ['default_date_window_applied']);
      assert.deepEqual(meta.appliedFilters, { states: [8], projectName: 'meadow' });
      assert.equal((meta.appliedDefaults as Record<string, unknown>).dateRange, 'last_1_year');
    });

    it('names places and tokens, orders by key, count or metric, and says when limit cut', async () => {
      const asked = { filters: all('quarry'), groupBy: ['state', 'propertyType'], metrics: [{ op: 'sum', field: 'totalUnitCount' }] };
      const first = await ask({ ...asked, limit: 1 });
      assert.deepEqual(first.groups[0]?.labels, { state: 'Colorado', propertyType: 'Residential' });
      assert.deepEqual([first.groups.length, first.meta.truncated], [1, true]);
      const byUnits = async (direction: string) => {
        const { groups, meta } = await ask({ ...asked, limit: 3, order: { by: 'sum_totalUnitCount', direction } });
        assert.equal(meta.truncated, false);
        return groups.map(({ keys, metrics }) => [keys.state, metrics.sum_totalUnitCount]);
      };
      assert.deepEqual(await byUnits('asc'), [
        [48, 42],
        [8, 90],
        [56, null],
      ]);
      assert.deepEqual(await byUnits('desc'), [
        [8, 90],
        [48, 42],
        [56, null],
      ]);
      assert.deepEqual(counts(await ask({ ...asked, order: { by: 'key', direction: 'desc' } })), [
        [56, 'residential', 5],
        [48, 'residential', 9],
        [8, 'residential', 29],
      ]);
    });

    it('is bounded by the licence of the key', async () => {
      const texas = await api.key('state', { stateIds: [48], countyIds: [] });
      assert.deepEqual(pluck((await ask({ filters: all('quarry'), groupBy: ['state'] }, { key: texas })).groups, 'count'), [9]);
      assertRefused(
        await api.post('/analytics/aggregate', { filters: { states: ['CO'] } }, { key: texas }),
        'geographic_access_denied',
        'filters.states',
      );
    });
  });

  describe('statistics', () => {
    it('are exact, medians too, over several shards', async () => {
      const ops = ['count', 'sum', 'avg', 'median', 'min', 'max'].slice(1);
      const { groups, totals } = await ask({
        filters: all('steppe'),
        groupBy: ['city'],
        metrics: ops.map((op) => ({ op, field: 'acreage' })),
        order: { by: 'key' },
      });
      const median = (values: number[]) => {
        const sorted = values.toSorted((a, b) => a - b);
        return ((sorted[Math.floor((sorted.length - 1) / 2)] as number) + (sorted[Math.ceil((sorted.length - 1) / 2)] as number)) / 2;
      };
      const expected = (values: number[]) => {
        const sum = values.reduce((a, b) => a + b, 0);
        return { sum, avg: sum / values.length, median: median(values), min: Math.min(...values), max: Math.max(...values) };
      };
      const close = (found: Record<string, number | null> | undefined, values: number[]) => {
        for (const [op, value] of Object.entries(expected(values)))
          assert.ok(
            Math.abs((found?.[`${op}_acreage`] ?? Number.NaN) - value) <= 1e-9 * Math.abs(value),
            `${op}: ${found?.[`${op}_acreage`]}, not ${value}`,
          );
      };
      close(totals?.metrics, SIZES);
      assert.equal(groups.length, 2);
      for (const group of groups)
        close(
          group.metrics,
          SIZES.filter((_, i) => (i % 2 === 1) === (group.labels.city === 'Denver, CO')),
        );
    });

    it('need 5 records that state the value, and hide a second group where the total would give the first away', async () => {
      const { groups, totals } = await ask({
        filters: all('quarry'),
        groupBy: ['county'],
        metrics: [
          { op: 'sum', field: 'acreage' },
          { op: 'count', field: 'acreage' },
          { op: 'sum', field: 'totalUnitCount' },
        ],
        order: { by: 'key' },
      });
      assert.deepEqual(totals?.metrics, { sum_acreage: 329.5, count_acreage: 37, sum_totalUnitCount: 132 });
      const hidden = { sum_acreage: null, count_acreage: null, sum_totalUnitCount: null };
      // Texas has 3 acreages, all of Travis County, so that those of Wyoming, the next smallest, are hidden with them.
      assert.deepEqual(Object.fromEntries(groups.map(({ keys, metrics }) => [keys.county, metrics])), {
        8013: { sum_acreage: 22.5, count_acreage: 9, sum_totalUnitCount: 90 },
        8031: { sum_acreage: 2, count_acreage: 20, sum_totalUnitCount: null },
        56021: hidden,
      });
    });
  });

  describe('on plans that pay for records', () => {
    const boulder = { ...all('quarry'), counties: ['8013'] };
    const acres = {
      metrics: [
        { op: 'sum', field: 'acreage' },
        { op: 'min', field: 'acreage' },
      ],
    };
    const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const buy = async (key: string, projectIds: number[]) => {
      const body = bodyOf(await api.get('/projects/search', { projectIds: projectIds.join() }, { key }));
      assert.equal((body.data as unknown as unknown[]).length, projectIds.length);
    };

    it('projectIds match records that the pool holds, so that others among them change nothing', async () => {
      const key = await api.key('api_only');
      const named = (projectIds: number[]) => ask({ filters: { projectIds }, groupBy: ['county'], ...acres }, { key });
      assert.deepEqual((await named(ids(100, 108))).totals, null);
      await buy(key, ids(100, 107));
      const held = await named(ids(100, 107));
      assert.deepEqual([held.totals?.count, held.totals?.metrics.sum_acreage], [8, 20]);
      const { meta: _, ...padded } = await named(ids(100, 108));
      const { meta: __, ...alone } = held;
      assert.deepEqual(padded, alone);
    });

    it('a statistic rests on 5 records that the pool does not hold, or on none: purchases reveal no other record', async () => {
      const [key, other] = [await api.key('api_only'), await api.key('trial', { stateIds: [8], countyIds: [] })];
      const sum = async (of: string) => (await ask({ filters: boulder, ...acres }, { key: of })).totals?.metrics;
      const all9 = { sum_acreage: 22.5, min_acreage: 2.5 };
      assert.deepEqual(await sum(key), all9);
      await buy(key, ids(100, 103));
      assert.deepEqual(await sum(key), all9);
      await buy(key, ids(104, 107));
      assert.deepEqual(await sum(key), { sum_acreage: null, min_acreage: null });
      assert.deepEqual(await sum(other), all9);
      await buy(key, [108]);
      assert.deepEqual(await sum(key), all9);
    });

    it('nor by the difference of groups: where one of them rests on too few others, the next smallest is hidden with it', async () => {
      const key = await api.key('api_only');
      const counties = async () => {
        const { groups } = await ask({ filters: { ...all('quarry'), states: ['CO'] }, groupBy: ['county'], ...acres }, { key });
        return groups.map(({ keys, count, metrics }) => [keys.county, count, metrics.sum_acreage]);
      };
      assert.deepEqual(await counties(), [
        [8031, 20, 2],
        [8013, 9, 22.5],
      ]);
      await buy(key, ids(100, 107));
      assert.deepEqual(await counties(), [
        [8031, 20, null],
        [8013, 9, null],
      ]);
    });
  });

  it('answers several aggregates as one counted request, each as if it were asked by itself', async () => {
    const key = await api.key('trial', { stateIds: [8, 48, 56], countyIds: [] });
    const queries = [
      { filters: all('quarry'), groupBy: ['county'], limit: 1 },
      { filters: all('quarry'), groupBy: ['state'], metrics: [{ op: 'sum', field: 'acreage' }] },
      { filters: { ...all('quarry'), counties: ['Travis County'] } },
      { groupBy: ['status'] },
    ];
    const single = await Promise.all(queries.map((query) => ask(query, { key })));
    const left = async (body: object) => {
      const { status, headers, body: answer } = await api.post('/analytics/aggregate', body, { key });
      assert.equal(status, 200, JSON.stringify(answer));
      return { left: Number(headers.get('x-ratelimit-remaining')), answer };
    };
    const { left: before } = await left({});
    const { left: after, answer } = await left({ queries });
    assert.equal(before - after, 1);
    const expected = single.map(({ groups, totals, meta: { creditsUsed: _, requestId: _id, schemaVersion: _v, ...meta } }) => ({
      groups,
      totals,
      meta,
    }));
    assert.deepEqual(answer.data, { groups: [], totals: null, results: expected });
    const { suppressedGroups, truncated, creditsUsed } = answer.meta;
    assert.deepEqual({ suppressedGroups, truncated, creditsUsed }, { suppressedGroups: true, truncated: true, creditsUsed: 0 });
  });

  describe('refuses', () => {
    const problemsOf = ({ body }: TestAnswer) =>
      (body.error.details.problems as Record<string, unknown>[]).map(({ param, code, didYouMean }) => [param, code, didYouMean]);

    it('everything that is wrong with a body at once', async () => {
      const answer = await api.post('/analytics/aggregate', {
        dataset: 'permits',
        filters: { citis: 'Boulder', acreageMin: 'x' },
        groupBy: ['contry', 'status', 'city'],
        metrics: [{ op: 'sum' }, { op: 'median', field: 'status' }, { op: 'mode' }],
        order: { by: 'sum_acrege' },
        limit: 1001,
        intervall: 'month',
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(problemsOf(answer), [
        ['intervall', 'unknown_parameter', 'interval'],
        ['dataset', 'invalid_value', undefined],
        ['groupBy', 'invalid_value', undefined],
        ['groupBy.0', 'invalid_value', 'county'],
        ['metrics.1.field', 'invalid_value', undefined],
        ['metrics.2.op', 'invalid_value', undefined],
        ['limit', 'invalid_value', undefined],
        ['filters.citis', 'unknown_parameter', 'filters.cities'],
        ['filters.acreageMin', 'invalid_number', undefined],
        ['metrics.0.field', 'missing', undefined],
        ['order.by', 'invalid_value', undefined],
      ]);
      const problems = answer.body.error.details.problems as Record<string, unknown>[];
      const groupBy = problems.find(({ param }) => param === 'groupBy.0');
      assert.equal(groupBy?.reference, '/v1/analytics/datasets');
    });

    it('what contradicts itself, and limits out of range', async () => {
      const refused = async (path: string, body: object) => {
        const answer = await api.post(`/analytics/${path}`, body);
        assertRefused(answer, 'invalid_request');
        return problemsOf(answer).map(([param]) => param);
      };
      assert.deepEqual(await refused('aggregate', { groupBy: ['state'], interval: 'month' }), ['interval']);
      assert.deepEqual(await refused('aggregate', { groupBy: ['state', 'state'] }), ['groupBy']);
      assert.deepEqual(await refused('aggregate', { limit: 0 }), ['limit']);
      assert.deepEqual(await refused('aggregate', { metrics: [] }), ['metrics']);
      assert.deepEqual(await refused('aggregate', { order: { by: 'sum_acreage' } }), ['order.by']);
      assert.deepEqual(await refused('aggregate', { metrics: [[]], order: { by: 'x' } }), ['metrics.0', 'order.by']);
      assert.deepEqual(await refused('rankings', { metric: { op: 'avg' }, limit: 101 }), ['dimension', 'limit', 'metric.field']);
      assert.deepEqual(await refused('rankings', { dimension: 'county', metric: { op: 'count' }, interval: 'week' }), ['interval']);
    });

    it('every problem of each of several aggregates, at its place', async () => {
      const answer = await api.post('/analytics/aggregate', {
        queries: [
          {},
          { filters: { citis: 'Boulder' }, groupBy: ['state'], interval: 'week', metrics: [{ op: 'sum' }], order: { by: 'x' } },
          7,
        ],
        groupBy: ['state'],
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(problemsOf(answer), [
        ['queries.2', 'invalid_value', undefined],
        ['groupBy', 'contradiction', undefined],
        ['queries.1.filters.citis', 'unknown_parameter', 'queries.1.filters.cities'],
        ['queries.1.metrics.0.field', 'missing', undefined],
        ['queries.1.interval', 'contradiction', undefined],
        ['queries.1.order.by', 'invalid_value', undefined],
      ]);
      for (const queries of [[], Array.from({ length: 7 }, () => ({})), {}]) {
        const { status, body } = await api.post('/analytics/aggregate', { queries });
        assert.deepEqual([status, body.error.param], [400, 'queries']);
      }
      const wide = { filters: all('delta'), groupBy: ['city', 'assetClass'] };
      const { status, body } = await api.post('/analytics/aggregate', { queries: [{}, wide] });
      assert.deepEqual([status, body.error.param], [400, 'queries.1.groupBy']);
    });

    it('more groups than it counts, with their number', async () => {
      const { status, body } = await api.post('/analytics/aggregate', { filters: all('delta'), groupBy: ['city', 'assetClass'] });
      assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_request', 'groupBy']);
      const { groups, maxGroups } = body.error.details;
      assert.deepEqual({ groups, maxGroups }, { groups: CITIES.length * CLASSES.length, maxGroups: 10_000 });
      const { totals } = await ask({ filters: all('delta'), groupBy: ['assetClass'] });
      assert.equal(totals?.count, CITIES.length);
    });

    it('other methods', async () => {
      for (const path of ['/analytics/aggregate', '/analytics/rankings']) {
        const { status, headers, body } = await api.get(path);
        assert.deepEqual([status, headers.get('allow'), body.error.code], [405, 'POST', 'method_not_allowed']);
      }
    });
  });

  it('says what it can answer', async () => {
    const { status, body, headers } = await api.get('/analytics/datasets');
    const held = { 'If-None-Match': headers.get('etag') ?? '' };
    const again = await send(api.url, '/v1/analytics/datasets', { key: await api.key(), headers: held });
    assert.deepEqual([again.status, again.text, headers.get('cache-control')], [304, '', 'private, max-age=3600']);
    const [dataset, ...others] = body.data as unknown as Record<string, { id: string }[]>[];
    assert.deepEqual([status, others, dataset?.id], [200, [], 'projects']);
    assert.deepEqual(
      dataset?.dimensions?.map(({ id }) => id).sort(),
      'state county city propertyType propertySubtype assetClass status decisionBody decisionType requestType constructionType projectSize meetingDate lastUpdated staffRecommendation voteResult outcome existingZoning proposedZoning'
        .split(' ')
        .sort(),
    );
    const fields =
      'totalUnitCount acreage lotSizeSqft squareFootage parkingSpaces buildingStories buildingHeightFeet bedroomCount floorCount lotCount hearingCount daysInProcess voteAgainst';
    assert.deepEqual((dataset?.metrics as unknown as { fields: string[] }[] | undefined)?.[1]?.fields.sort(), fields.split(' ').sort());
    assert.deepEqual(dataset?.suppression, { minimumGroupSize: 5 });
    assert.deepEqual(dataset?.intervals, ['week', 'month', 'quarter', 'year']);
  });

  it('never holds an id, name, address, contact or document of a record', async () => {
    const dimensions =
      ((await api.get('/analytics/datasets')).body.data as unknown as { dimensions: { id: string }[] }[])[0]?.dimensions ?? [];
    for (const { id } of dimensions) {
      const { body } = await api.post('/analytics/aggregate', {
        filters: all('secretive'),
        groupBy: [id],
        metrics: [{ op: 'max', field: 'acreage' }],
      });
      assert.ok((body.data as unknown as Answer).totals, JSON.stringify(body));
      assert.doesNotMatch(JSON.stringify(body.data), /Secretive|77\d{5}|Hidden Lane|Jane Roe|example\.org/i);
    }
  });
});
