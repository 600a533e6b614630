/** What `GET /coverage` answers: how much there is, how fresh and how full, and no more than analytics shows. */

import assert from 'node:assert/strict';
import type { Covered } from '../../../src/features/analytics/coverage.ts';
import { type Fixture, project, TODAY } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { pluck } from '../../support/lists.ts';
import { Random } from '../../support/random.ts';
import { provideService } from '../../support/service.ts';

const DAY_MS = 86_400_000;
const BOULDER = { state: 'CO', county: 'Boulder County', city: 'Boulder' };
const PLACES = [
  BOULDER,
  { state: 'CO', county: 'Larimer County', city: 'Fort Collins' },
  { state: 'CO', county: 'Weld County', city: null },
  { state: 'TX', county: 'Travis County', city: 'Austin' },
  { state: 'TX', county: 'Dallas County', city: null },
];
const MONTHS = ['2025-11', '2026-01', '2026-02', '2026-10'];
const MEASURED = ['acreage', 'totalUnitCount', 'parkingSpaces'];

const random = new Random(11);
/** Few in some cells, so that much is hidden. */
const spread: Fixture[] = Array.from({ length: 160 }, (_, i) =>
  project(5_000 + i, {
    ...PLACES[Math.floor(5 * random.next() ** 2)],
    projectName: 'Spread',
    meetingDate: random.maybe(0.95, () => `${random.pick(MONTHS)}-1${random.integer(0, 9)}`),
    ...Object.fromEntries(MEASURED.map((name) => [name, random.maybe(name === 'parkingSpaces' ? 0.06 : 0.4, () => random.integer(1, 50))])),
  }),
);

const fresh: Fixture[] = [
  project(1, { ...BOULDER, acreage: 2, meetingDate: '2024-02-01' }),
  project(2, { ...BOULDER, acreage: 2, meetingDate: '2026-11-10' }),
  project(3, { ...BOULDER, acreage: 2, meetingDate: '2026-11-10' }),
  project(4, { ...BOULDER, acreage: 2, totalUnitCount: 4, meetingDate: '2026-01-01' }),
  project(5, { ...BOULDER, acreage: 2, meetingDate: '2026-01-01' }),
  project(6, { ...BOULDER, meetingDate: '2026-12-24' }),
  project(7, { ...BOULDER, meetingDate: null }),
].map((line) => ({ ...line, projectName: 'Fresh' }));

interface Group extends Covered {
  keys: Record<string, string | number | null>;
  labels: Record<string, string>;
}

describe('GET /coverage', () => {
  const api = provideService({ today: TODAY }, [...fresh, ...spread]);

  const ask = async (parameters: Record<string, unknown>, key?: string) => {
    const { status, headers, body } = await api.get('/coverage', parameters, key ? { key } : {});
    assert.equal(status, 200, JSON.stringify(body));
    return { ...(body.data as unknown as { groups: Group[]; totals: Covered | null }), meta: body.meta, headers };
  };
  const refused = async (parameters: Record<string, unknown>, key?: string) => {
    const { status, body } = await api.get('/coverage', parameters, key ? { key } : {});
    return [status, body.error.code, body.error.param];
  };

  it('says of every state how much there is, how fresh it is and how full, over all meetings', async () => {
    const { groups, totals, meta } = await ask({ projectName: 'Fresh' });
    const [group, ...others] = groups;
    assert.deepEqual([group?.keys, group?.labels, others], [{ state: 8 }, { state: 'Colorado' }, []]);
    const { keys: _, labels: __, ...covered } = group as Group;
    assert.deepEqual(covered, totals);
    const { meanDaysToLoad, filledShare, filled, ...rest } = covered;
    assert.deepEqual(rest, { records: 7, newestMeeting: '2026-11-10', daysSinceNewestMeeting: 10 });
    // The clock of the load is this machine's own.
    const held = fresh.map(({ meetingDate }) => meetingDate as string | null).filter((day) => day !== null && day <= TODAY);
    const loaded = Date.parse((await api.get('/projects/1')).body.data.lastUpdated);
    const expected = loaded / DAY_MS - held.reduce((sum, day) => sum + Date.parse(day as string) / DAY_MS, 0) / held.length;
    assert.ok(Math.abs((meanDaysToLoad ?? 0) - expected) <= 0.1, `${meanDaysToLoad}, not ${expected}`);
    assert.deepEqual([filled?.acreage, filled?.totalUnitCount, filled?.lotCount], [5, null, null]);
    assert.ok(filledShare !== null && filledShare > 0 && filledShare < 0.2, String(filledShare));
    assert.deepEqual(
      [meta.creditsUsed, meta.asOf, meta.warnings, meta.appliedDefaults, meta.appliedFilters],
      [0, TODAY, [], { dateRange: 'all', groupBy: ['state'] }, { projectName: 'Fresh' }],
    );
  });

  it('shows the groups and counts that analytics shows, and hides what it hides', async () => {
    const metrics = MEASURED.map((field) => ({ op: 'count', field }));
    const DIMENSION: Record<string, string> = { state: 'state', county: 'county', month: 'meetingDate' };
    let hidden = 0;
    for (const groupBy of [['state'], ['county'], ['month'], ['state', 'month'], ['month', 'county']]) {
      const { groups, totals, meta } = await ask({ projectName: 'Spread', groupBy: groupBy.join() });
      const body = { filters: { projectName: 'Spread', dateRange: 'all' }, groupBy: groupBy.map((name) => DIMENSION[name]), metrics };
      const { data, meta: aggregated } = (await api.post('/analytics/aggregate', { ...body, order: { by: 'key' }, limit: 1000 })).body;
      const isOne = groupBy.length === 1;
      const numbers = ({ records, filled }: Covered) => [records, ...MEASURED.map((name) => filled?.[name])];
      const ofAnalytics = ({ count, metrics: found }: { count: number; metrics: Record<string, number | null> }) => [
        count,
        ...MEASURED.map((name) => (isOne ? found[`count_${name}`] : undefined)),
      ];
      assert.deepEqual(
        groups.map((group) => [...Object.values(group.keys), ...Object.values(group.labels), ...numbers(group)]),
        data.groups.map((group: { keys: object; labels: object; count: number; metrics: Record<string, number> }) => [
          ...Object.values(group.keys),
          ...Object.values(group.labels),
          ...ofAnalytics(group),
        ]),
        groupBy.join(),
      );
      assert.deepEqual(totals && numbers(totals), ofAnalytics(data.totals));
      assert.equal(meta.suppressedGroups, aggregated.suppressedGroups);
      assert.ok(groups.every(({ records }) => records >= 5));
      hidden += Number(meta.suppressedGroups) + groups.filter(({ filled }) => filled?.parkingSpaces === null).length;
    }
    assert.ok(hidden > 3, `${hidden} hidden: too few to prove anything`);
  });

  it('takes the filters of a search, and its dates in place of every meeting', async () => {
    const { totals, meta } = await ask({ projectName: 'Spread', states: 'CO', meetingDateFrom: '2026-01', meetingDateTo: '2026-02' });
    const counted = await api.get('/projects/count', {
      projectName: 'Spread',
      states: 'CO',
      meetingDateFrom: '2026-01',
      meetingDateTo: '2026-02',
    });
    assert.equal(totals?.records, counted.body.data.matchCount);
    assert.deepEqual(meta.appliedDefaults, { groupBy: ['state'] });
    assert.deepEqual(await ask({ projectName: 'nowhere' }).then(({ groups, totals: none }) => [groups, none]), [[], null]);
  });

  it('keeps to the licence', async () => {
    const texas = await api.key('state', { stateIds: [48], countyIds: [] });
    assert.deepEqual(pluck((await ask({}, texas)).groups, 'keys'), [{ state: 48 }]);
    assert.deepEqual(await refused({ states: 'CO' }, texas), [403, 'geographic_access_denied', 'states']);
  });

  it('rests on 5 records that a pool which pays for them does not hold, or on none', async () => {
    const key = await api.key('api_only');
    const freshness = async () => {
      const { totals } = await ask({ projectName: 'Fresh' }, key);
      return [
        totals?.records,
        totals?.newestMeeting,
        totals?.meanDaysToLoad === null,
        totals?.filledShare === null,
        totals?.filled?.acreage,
      ];
    };
    assert.deepEqual(await freshness(), [7, '2026-11-10', false, false, 5]);
    await api.get('/projects/search', { projectIds: '2,3', representation: 'compact' }, { key });
    assert.deepEqual(await freshness(), [7, null, true, false, null]);
    await api.get('/projects/search', { projectIds: '1,4,5', representation: 'compact' }, { key });
    assert.deepEqual(await freshness(), [7, '2026-11-10', false, true, 5]);
  });

  it('names an unusable groupBy, and too many groups', async () => {
    assert.deepEqual(await refused({ groupBy: 'city' }), [400, 'invalid_filter', 'groupBy']);
    assert.deepEqual(await refused({ groupBy: 'state,county,month' }), [400, 'invalid_filter', 'groupBy']);
    assert.deepEqual(await refused({ groupBy: 'state,county' }), [400, 'invalid_request', 'groupBy']);
    const { body } = await api.get('/coverage', { groupBy: 'contry' });
    assert.equal(body.error.details.problems[0].didYouMean, 'county');
    assert.deepEqual(await refused({ sort: 'acreage' }), [400, 'invalid_request', 'sort']);
  });

  it('may be kept for minutes by the key that asked, and is not sent again to who has it', async () => {
    const { headers } = await ask({ projectName: 'Fresh' });
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=300$/);
    const again = { key: await api.key('national'), headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    assert.equal((await send(api.url, '/v1/coverage?projectName=Fresh', again)).status, 304);
  });
});
