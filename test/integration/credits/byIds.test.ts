/**
 * An attacker who holds one record, and asks about another that was never paid for, by its id and filters. Two records differ in what they say:
 * whatever is answered before one of them is paid for is the same for both.
 */

import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { lengthOf } from '../../support/lengths.ts';
import { pluck } from '../../support/lists.ts';
import { bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const HELD = 700_001;
const UNPAID = [700_002, 700_003] as const;

/** What the attacker asks of the unpaid record: only the first of the two says so. The held record says the second and third of it, too. */
const SECRETS: readonly Record<string, unknown>[] = [
  { acreageMin: 15 },
  { status: ['denied', 'approved'] },
  { meetingDateFrom: '2026-09-01', acreageMax: 30, taxonomyMatchMode: 'primary_only', projectName: 'Quarry' },
];
/** Each of them is asked beside the held record, and the first one without it, too. */
const ASKED = [...SECRETS.map((filters) => ({ filters, beside: [HELD] })), { filters: SECRETS[0] ?? {}, beside: [] }];

/** Pools that can pay, that cannot, and that pay for what they can. */
const POOLS = {
  'with credits': ['api_only', undefined],
  'without credits': ['api_only', 1],
  'of a spent trial': ['trial', undefined],
} as const;
/** What takes the last credits of a trial. */
const OTHERS = Array.from({ length: 49 }, (_, i) => i + 1);
type Pool = keyof typeof POOLS;

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** Sends a request of the attacker. */
type Ask = (method: string, path: string, sent?: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>;
/** @param filters with `projectIds` */
type Attack = (ask: Ask, filters: Record<string, unknown>) => Promise<Answer[]>;

const pages =
  (path: string, controls: Record<string, unknown> = {}, headers: Record<string, string> = {}): Attack =>
  async (ask, filters) => [await ask('GET', path, { ...filters, ...controls }, headers)];
const NOTHING_SPENT = { 'X-Service-Max-Credits': '0' };

/** Accepted, polled and, where that can be done, cancelled. */
const job =
  (path: string, bodyOf: (filters: Record<string, unknown>) => Record<string, unknown>, headers: Record<string, string> = {}): Attack =>
  async (ask, filters) => {
    const made = await ask('POST', path, bodyOf(filters), headers);
    const { id } = made.body.data ?? {};
    if (!id) return [made];
    const polled = await ask('GET', `${path}/${id}`);
    return [made, polled, await ask('DELETE', `${path}/${id}`), await ask('GET', `${path}/${id}`)];
  };

const listed =
  (then: (ask: Ask, listId: string, filters: Record<string, unknown>) => Promise<Answer[]>): Attack =>
  async (ask, { projectIds, ...filters }) => {
    const made = await ask('POST', '/lists', { name: 'Some', projectIds });
    return [made, ...(await then(ask, made.body.data.id, filters))];
  };

const alerted =
  (more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Attack =>
  async (ask, filters) => {
    const made = await ask('POST', '/alerts', { name: 'Some', filters: { states: ['CO'], ...filters }, ...more });
    const alert = `/alerts/${made.body.data.id}`;
    const preview = await ask('GET', `${alert}/preview`);
    const run = await ask('POST', `${alert}/run`, {}, { 'Idempotency-Key': made.body.data.id, ...headers });
    return [made, preview, run, await ask('GET', `${alert}/deliveries`), await ask('DELETE', alert)];
  };

const byIds = (filters: Record<string, unknown>) => ({ filters });
const ATTACKS: Record<string, Attack> = {
  'a search': pages('/projects/search'),
  'a search that may cost nothing': pages('/projects/search', {}, NOTHING_SPENT),
  'the first of two pages of a search': pages('/projects/search', { limit: 1 }),
  'the second of two pages of a search': pages('/projects/search', { limit: 1, offset: 1 }),
  'the second page by size': pages('/projects/search', { limit: 1, page: 2, sort: 'acreage', order: 'desc' }),
  'a search for what is new': pages('/projects/search', { deliveryMode: 'new' }),
  'a search for what is new that may cost nothing': pages('/projects/search', { deliveryMode: 'new' }, NOTHING_SPENT),
  'a search by another name of the filter': async (ask, { projectIds, ...filters }) => [
    await ask('GET', '/projects/search', { ids: projectIds, ...filters }, NOTHING_SPENT),
  ],
  'a search as CSV': pages('/projects/search', { format: 'csv' }),
  'a search as CSV with a bound': pages('/projects/search', { format: 'csv', maxCredits: 1 }),
  'a search as CSV with contacts': pages('/projects/search', { format: 'csv', include: 'contacts', maxContactCredits: 1 }),
  'a walk': pages('/projects/sync'),
  'the first page of a walk': pages('/projects/sync', { limit: 1 }),
  'a walk that may cost nothing': pages('/projects/sync', {}, NOTHING_SPENT),
  'a page of features': pages('/ogc/collections/projects/items'),
  'the first of two pages of features': pages('/ogc/collections/projects/items', { limit: 1 }),
  'features that may cost nothing': pages('/ogc/collections/projects/items', {}, NOTHING_SPENT),
  'a map': pages('/projects/map'),
  hearings: pages('/hearings'),
  'a count': pages('/projects/count'),
  statistics: async (ask, filters) => [await ask('POST', '/analytics/aggregate', { filters, groupBy: ['status'] })],
  'an export': job('/exports', byIds),
  'an export of ids': job('/exports', ({ projectIds, ...filters }) => ({ projectIds, filters })),
  'an export with a bound': job('/exports', (filters) => ({ filters, maxCredits: 1 })),
  'an export that may cost nothing': job('/exports', byIds, NOTHING_SPENT),
  'an export of what is new': job('/exports', (filters) => ({ filters: { ...filters, deliveryMode: 'new' } })),
  'a snapshot': job('/snapshots', byIds),
  'a snapshot with a bound': job('/snapshots', (filters) => ({ filters, maxCredits: 1 })),
  'a snapshot that may cost nothing': job('/snapshots', byIds, NOTHING_SPENT),
  'an AI search': job('/projects/ai-search/jobs', (filters) => ({ query: 'quarry with conveyor', filters, limit: 1 })),
  'the second answer of an AI search': job('/projects/ai-search/jobs', (filters) => ({ query: 'quarry', filters, limit: 1, offset: 1 })),
  'a list': listed(async (ask, id) => [
    await ask('GET', `/lists/${id}/results`, { limit: 1, offset: 1, sort: 'acreage' }, NOTHING_SPENT),
    await ask('GET', `/lists/${id}`),
  ]),
  'an export of a list': listed(async (ask, listId, filters) => [await ask('POST', '/exports', { listId, filters })]),
  'an export of a list with a bound': listed(async (ask, listId, filters) => [
    await ask('POST', '/exports', { listId, filters, maxCredits: 1 }),
    await ask('POST', '/exports', { listId, filters }, NOTHING_SPENT),
  ]),
  'an export of a list of criteria that its filters loosen': async (ask, { projectIds }) => {
    const made = await ask('POST', '/lists', { name: 'Some', filters: { dateRange: 'last_3_months', requiresZoningChange: true } });
    const filters = { projectIds, dateRange: 'all', requiresZoningChange: false };
    return [made, await ask('POST', '/exports', { listId: made.body.data.id, filters })];
  },
  'an alert': alerted(),
  'an alert with a bound': alerted({ maxCredits: 1 }),
  'an alert of one record': alerted({ maxRecordsPerRun: 1 }),
  'an alert that may cost nothing': alerted({}, NOTHING_SPENT),
  'an alert with a requirement': alerted({ specificRequirement: 'a conveyor' }),
};

// Bodies are compared letter for letter; their length, from which on they are compressed, also follows from the numbers of owners.
const NOT_COMPARED =
  'date x-request-id etag content-length content-encoding ratelimit x-ratelimit retry-after server-timing traceparent'.split(' ');

/** An answer without what differs between any two requests. */
function comparable({ status, headers, body }: Answer): string {
  const kept = [...headers].filter(([name]) => !NOT_COMPARED.some((other) => name.startsWith(other)));
  return JSON.stringify([status, kept, body], null, 1)
    .replaceAll(/70000[23]/g, 'the unpaid record')
    .replaceAll(/\b[a-z]{3}_[0-9A-Za-z]{16,}/g, 'an id')
    .replaceAll(/"(requestId|cursor)": "[^"]+"/g, '"$1": ""')
    .replaceAll(/cursor=[^&"]+/g, 'cursor=')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/"(createdBy|userId)": \d+/g, '"$1": 0')
    .replaceAll(/owner-\d+@/g, 'owner@');
}

describe('what a record says is not told by asking about its id before it is paid for', () => {
  const world = provideWorld({ today: TODAY });

  before(async () => {
    const same = {
      latitude: 40.015,
      longitude: -105.27,
      projectName: 'Quarry',
      summary: 'A quarry with a conveyor.',
      nextMeetingDate: '2026-12-01',
    };
    await world.api.index.load([
      project(HELD, { ...same, acreage: 10, status: 'approved' }),
      project(UNPAID[0], { ...same, acreage: 20, status: 'denied', meetingDate: '2026-09-15', isRezone: true }),
      ...OTHERS.map((id) => project(id)),
      project(UNPAID[1], { ...same, acreage: 5, status: 'pending', projectName: 'Works', summary: 'A store.', meetingDate: '2026-08-01' }),
    ]);
  });

  const spent = new Set<string>();
  const ready = new Map<string, string>();

  /** The key of a pool that holds the one record and was delivered nothing else. */
  async function keyOf(pool: Pool, place: number): Promise<string> {
    const name = `${pool} ${place}`;
    const known = ready.get(name);
    if (known && !spent.has(known)) return known;
    const [plan, monthlyCredits] = POOLS[pool];
    const licence = plan === 'trial' ? { stateIds: [8], countyIds: [] } : undefined;
    const key = await world.api.key(plan, licence, monthlyCredits === undefined ? {} : { monthlyCredits });
    assert.equal((await world.api.get(`/projects/${HELD}`, {}, { key })).body.meta.creditsUsed, 1);
    if (pool === 'of a spent trial')
      assert.equal((await world.api.get('/projects/search', { projectIds: OTHERS, limit: 49 }, { key })).body.meta.creditsRemaining, 0);
    ready.set(name, key);
    return key;
  }

  const askAs =
    (key: string): Ask =>
    async (method, path, sent = {}, headers = {}) => {
      const query = new URLSearchParams(Object.entries(sent).map(([name, value]): [string, string] => [name, [value].flat().join()]));
      const isRead = method === 'GET';
      const response = await fetch(
        `${world.api.url}${path.startsWith('/ogc') ? '' : '/v1'}${isRead && query.size ? `${path}?${query}` : path}`,
        {
          method,
          headers: { Authorization: `Bearer ${key}`, ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}), ...headers },
          ...(method === 'POST' ? { body: JSON.stringify(sent) } : {}),
        },
      );
      return { status: response.status, headers: response.headers, body: await response.json() };
    };

  /** Attacks both records. @returns the answers, and what was spent on each */
  async function attack(pool: Pool, send: Attack, filters: Record<string, unknown>, beside: readonly number[]) {
    const attackOne = async (id: number, place: number) => {
      const key = await keyOf(pool, place);
      const before = await world.balance(key);
      const answers = await send(askAs(key), { projectIds: [...beside, id], ...filters });
      const cost = before - (await world.balance(key));
      if (cost) spent.add(key);
      return { answers: answers.map(comparable), cost };
    };
    return Promise.all([attackOne(UNPAID[0], 0), attackOne(UNPAID[1], 1)]);
  }

  for (const [at, [name, send]] of Object.entries(ATTACKS).entries())
    it(`${name} tells nothing of an unpaid record, whatever it says and whatever the pool can pay`, async () => {
      for (const [place, pool] of (Object.keys(POOLS) as Pool[]).entries())
        for (let i = 0; i < Math.min(ASKED.length, lengthOf('ATTACKS_OF_A_POOL')); i++) {
          const { filters, beside } = ASKED[(at + place + i) % ASKED.length] ?? assert.fail();
          const [one, other] = await attack(pool, send, filters, beside);
          const what = `a pool ${pool}, ${JSON.stringify(filters)}${beside.length ? ' and the held record' : ''}`;
          // What a page shows was paid for; a job that was accepted has reserved as much for either.
          if (one.cost !== other.cost) assert.equal(other.cost, 0, what);
          else assert.deepEqual(one.answers, other.answers, what);
        }
    });

  describe('with workers', () => {
    before(() => world.work());

    const ids = (id: number) => ({ filters: { projectIds: [HELD, id] } });
    const filtered = { filters: { projectIds: [HELD, UNPAID[1]], acreageMin: 8 } };

    it('a job whose records do not match is accepted, and says so only by what it charged', async () => {
      const key = await keyOf('with credits', 0);
      for (const jobs of [world.exports, world.snapshots]) {
        const accepted = (await jobs.submit(filtered, key)).body.data;
        assert.deepEqual([accepted.matchCount, accepted.progress, accepted.creditsReserved], [1, { processed: 0, total: 1 }, 1]);
        const made = await jobs.settled(accepted.id, key);
        assert.deepEqual([made.status, made.matchCount, made.creditsCharged, made.creditsRefunded], ['ready', 1, 0, 1]);
        const none = await jobs.completed({ filters: { projectIds: [UNPAID[1]], acreageMin: 8 } }, key);
        assert.deepEqual([none.status, none.matchCount, none.creditsCharged], ['ready', 0, 0]);
        const unknown = await jobs.submit({ filters: { projectIds: [999_999], acreageMin: 8 } }, key);
        assert.match(unknown.body.data.status, /^no_matching_/);
      }
      const all = await world.exports.completed({ filters: { ...ids(UNPAID[0]).filters, acreageMin: 8 } }, key);
      assert.deepEqual([all.matchCount, all.rowCount, all.creditsCharged], [2, 2, 1]);
      spent.add(key);
    });

    it('an AI search says how many records it found by those that it delivered', async () => {
      const question = { query: 'quarry with a conveyor', limit: 1 };
      for (const [place, id] of UNPAID.entries()) {
        const key = await keyOf('with credits', place);
        const { data } = (await world.aiSearch.submit({ ...question, ...ids(id) }, key)).body;
        const { results, progress, matchCount, matchCountIsExact, creditsCharged } = await world.aiSearch.settled(data.id, key);
        assert.deepEqual(
          { shown: results.map((one: Json) => one.id), progress, matchCount, matchCountIsExact, creditsCharged },
          {
            ...{ shown: [HELD], progress: { candidates: 1, screened: 1, reviewed: 1, confirmed: 1 } },
            ...{ matchCount: 1, matchCountIsExact: true, creditsCharged: 0 },
          },
        );
      }
    });
  });

  describe('as records and days change', () => {
    it('a map by ids and filters goes by the versions that were paid for', async () => {
      const key = await world.api.key('api_only');
      const [id = 0] = OTHERS;
      const isMatched = async (filters: object) =>
        (await world.api.get('/projects/map', { projectIds: id, ...filters }, { key })).body.data.matchCount === 1;
      await world.api.get(`/projects/${id}`, {}, { key });
      assert.ok(await isMatched({ propertyTypes: 'residential' }));
      await world.api.index.load([project(id, { acreage: 77, latitude: 40.015, longitude: -105.27 })], { mode: 'increment' });
      assert.deepEqual(
        [await isMatched({ acreageMin: 50 }), await isMatched({ acreageMin: 90 }), await isMatched({})],
        [false, false, true],
      );
      await world.api.get(`/projects/${id}`, {}, { key });
      assert.deepEqual([await isMatched({ acreageMin: 50 }), await isMatched({ acreageMin: 90 })], [true, false]);
    });

    it('a walk does not tell by what was removed which unpaid record it would have found', async () => {
      await world.api.index.load([project(7_101, { acreage: 80 }), project(7_102, { acreage: 2 }), project(7_103, { acreage: 80 })], {
        mode: 'increment',
      });
      const key = await world.api.key('api_only');
      await world.api.get('/projects/7101', {}, { key });
      const walk = async (more: object) => {
        const parameters = { projectIds: '7101,7102,7103', acreageMin: 50, dateRange: 'all', limit: 1, ...more };
        return bodyOf(await world.api.get('/projects/sync', parameters, { key })).meta.sync;
      };
      const { cursor } = await walk({});
      await world.api.index.load(
        [7_101, 7_102, 7_103].map((id) => ({ kind: 'project', id, deleted: true })),
        { mode: 'increment' },
      );
      const { removed } = await walk({ cursor });
      assert.deepEqual(pluck(removed, 'id'), [7_101]);
    });

    it('a walk on a new day does not tell which unpaid record left its date window', async () => {
      const keys = await Promise.all([keyOf('with credits', 0), keyOf('with credits', 1)]);
      const walk = (place: 0 | 1, more: object) => {
        const parameters = { projectIds: [HELD, UNPAID[place]].join(), dateRange: 'last_3_months', limit: 1, ...more };
        return world.api.get('/projects/sync', parameters, { key: keys[place] as string });
      };
      const firsts = await Promise.all(([0, 1] as const).map((place) => walk(place, {})));
      await world.moveTo('2026-12-16T19:00:00Z');
      const next = ([0, 1] as const).map((place) => walk(place, { cursor: firsts[place]?.body.meta.sync.cursor }));
      const [left, never] = (await Promise.all(next)).map(({ body: { data, meta } }) => {
        const { cursor, ...sync } = meta.sync;
        const { bound: _, ...position } = JSON.parse(Buffer.from(cursor.split('.')[0], 'base64url').toString());
        return { data, creditsUsed: meta.creditsUsed, sync, position };
      });
      assert.equal(left?.creditsUsed, 0);
      assert.deepEqual(left, never);
    });
  });
});
