/** What `GET /coverage/answerable` says a selection can answer: as count and analytics have it, and no more. */
import assert from 'node:assert/strict';
import type { Answerable } from '../../../src/features/analytics/answerable.ts';
import { type Fixture, project, TODAY } from '../../support/fixtures.ts';
import { Random } from '../../support/random.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const BOULDER = { state: 'CO', county: 'Boulder County', city: 'Boulder' };
const random = new Random(58);
const YEARS = ['2021', '2021', '2023', '2026'];
const CODES = ['R-1', 'R-2', 'C-1', 'PUD', 'AG'];
const spread: Fixture[] = Array.from({ length: 120 }, (_, i) =>
  project(100 + i, {
    ...(i % 3 ? BOULDER : { state: 'TX', county: 'Travis County', city: 'Austin' }),
    projectName: 'Spread',
    meetingDate: `${random.pick(YEARS)}-0${random.integer(1, 9)}-12`,
    acreage: random.maybe(0.5, () => random.integer(1, 90)),
    parkingSpaces: i % 40 ? null : 20,
    decisionBody: random.maybe(0.8, () => random.pick(['planning_commission', 'city_council'])),
    decisionType: random.maybe(0.6, () => random.pick(['final_action', 'recommendation', 'final_action', 'final_action'])),
    proposedZoning: random.maybe(0.7, () => CODES[Math.floor(CODES.length * random.next() ** 3)] as string),
  }),
);
const few = [1, 2, 3].map((id) => project(id, { ...BOULDER, projectName: 'Few', acreage: 3, meetingDate: '2026-03-03' }));

describe('GET /coverage/answerable', () => {
  const api = provideService({ today: TODAY }, [...few, ...spread]);

  const ask = async (parameters: Record<string, unknown>, key?: string) => {
    const body = bodyOf(await api.get('/coverage/answerable', parameters, key ? { key } : {}));
    return { ...(body.data as unknown as Answerable), meta: body.meta };
  };
  const aggregate = async (filters: object, body: object, key?: string) =>
    (await api.post('/analytics/aggregate', { filters, limit: 1000, ...body }, key ? { key } : {})).body;
  const fieldOf = ({ fields }: Answerable, name: string) => fields.find((field) => field.name === name);

  it('counts what count counts, and of fields and years what analytics shows', async () => {
    for (const filters of [{ states: ['CO'] }, { counties: ['Travis County, TX'] }, { decisionTypes: ['recommendation'] }, {}]) {
      const all = { ...filters, dateRange: 'all' };
      const found = await ask(all);
      assert.equal(found.matchCount, (await api.get('/projects/count', all)).body.data.matchCount);
      for (const name of ['decisionBody', 'decisionType', 'proposedZoning']) {
        const { data, meta } = await aggregate(all, { groupBy: [name] });
        const silent = data.groups.find(({ keys }: { keys: Record<string, unknown> }) => keys[name] === null);
        const expected = silent ? found.matchCount - silent.count : meta.suppressedGroups ? null : found.matchCount;
        assert.equal(fieldOf(found, name)?.stated, expected, `${name} of ${JSON.stringify(filters)}`);
      }
      const { totals } = (await aggregate(all, { metrics: [{ op: 'count', field: 'acreage' }] })).data;
      assert.equal(fieldOf(found, 'acreage')?.stated, totals.metrics.count_acreage);
      assert.equal(fieldOf(found, 'acreage')?.share, Number((totals.metrics.count_acreage / found.matchCount).toFixed(4)));
      const { groups } = (await aggregate(all, { groupBy: ['meetingDate'], interval: 'year', order: { by: 'key' } })).data;
      assert.deepEqual(
        found.years,
        groups.map(({ keys, count }: { keys: { meetingDate: string }; count: number }) => ({
          year: Number(keys.meetingDate.slice(0, 4)),
          records: count,
        })),
      );
    }
  });

  it('names bodies with the first and latest hearing of the records that name them', async () => {
    const { bodies } = await ask({ counties: 'Travis County, TX', dateRange: 'all' });
    assert.equal(bodies.length, 2);
    for (const { bodyKey, from, to } of bodies) {
      const body = bodyKey.split('.').at(-1);
      const days = spread.filter((one) => one.state === 'TX' && one.decisionBody === body).map(({ meetingDate }) => String(meetingDate));
      assert.deepEqual([from, to], [days.sort()[0], days.sort().at(-1)]);
    }
  });

  it('tells apart what no record states, what too few state, and what is missing', async () => {
    const found = await ask({ projectName: 'Spread', dateRange: 'all' });
    assert.deepEqual(fieldOf(found, 'lotCount'), { name: 'lotCount', stated: 0, share: 0 });
    assert.deepEqual(fieldOf(found, 'parkingSpaces'), { name: 'parkingSpaces', stated: null, share: null });
    assert.match(found.missing[0] as string, /^No record states: .*lot count/);
    assert.doesNotMatch(found.missing[0] as string, /parking|acreage/);
    assert.match(found.missing[1] as string, /^No meeting is on record in 2022, 2024, 2025\.$/);
    assert.deepEqual((await ask({ projectName: 'nowhere' })).missing, ['No records match, so nothing is known.']);
  });

  it('tells of fewer than five records their number alone', async () => {
    const { matchCount, fields, bodies, years, missing } = await ask({ projectName: 'Few', dateRange: 'all' });
    assert.deepEqual([matchCount, bodies, years], [3, [], []]);
    assert.ok(fields.every(({ stated, share }) => stated === null && share === null));
    assert.deepEqual(missing, ['Fewer than 5 records match: what they state is not counted.']);
  });

  it('keeps to ids that a paying pool holds, and to five records that it does not hold or none', async () => {
    const key = await api.key('api_only');
    const stating = spread.filter(({ acreage }) => acreage !== null).map(({ id }) => id as number);
    const projectIds = stating.slice(0, 8).join();
    const acreage = async (filters: object) => fieldOf(await ask({ dateRange: 'all', ...filters }, key), 'acreage')?.stated;
    assert.equal((await ask({ projectIds }, key)).matchCount, 0);
    assert.equal(await acreage({ projectName: 'Spread' }), stating.length);
    await api.get('/projects/search', { projectIds: stating.slice(0, -3).join(), limit: 100, representation: 'compact' }, { key });
    assert.equal(await acreage({ projectName: 'Spread' }), null);
    assert.equal((await ask({ projectIds }, key)).matchCount, 8);
    assert.equal((await ask({ projectIds }, key)).meta.creditsUsed, 0);
  });

  it('takes the parameters of a count, and refuses what a count refuses', async () => {
    assert.equal((await ask({ states: 'CO', dateRange: 'all', limit: 5, sort: 'name' })).matchCount, 83);
    const { status, body } = await api.get('/coverage/answerable', { projectIds: '1', states: 'CO' });
    assert.deepEqual([status, body.error.param], [400, 'states']);
    const texas = await api.key('state', { stateIds: [48], countyIds: [] });
    assert.equal((await api.get('/coverage/answerable', { states: 'CO' }, { key: texas })).status, 403);
  });
});
