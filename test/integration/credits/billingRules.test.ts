/** Rules of billing that no other file looks at, over HTTP on a clock that moves. */

import assert from 'node:assert/strict';
import { project } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const NOVEMBER = '2026-11-20T19:00:00Z';
const MANY = 120;
const ALL = { states: 'CO', dateRange: 'all' };

interface Entry {
  kind: string;
  amount: number;
  balance: number;
  cause: { note: string | null };
}

describe('Billing rules', () => {
  const api = provideService({ today: '2026-11-20', now: () => new Date(time) });
  let time = NOVEMBER;
  /** Moves the clock of the process and that of the database. */
  const clock = (at: string) => {
    time = at;
    return api.databaseClock({ at });
  };
  before(async () => {
    const lines = Array.from({ length: MANY }, (_, i) => project(i + 1));
    const documents = [500, 501].map((id) => ({ kind: 'document', id, state: 'CO', title: 'Minutes', text: 'Minutes' }));
    await api.index.load([...lines, ...documents]);
  });
  beforeEach(() => clock(NOVEMBER));
  afterEach(async () => {
    await api.databaseClock({ at: '2027-05-01T00:00:00Z' }); // after every month that a test lives in
    await api.checkLedger();
  });

  const metered = (monthlyCredits: number) => api.key('api_only', undefined, { monthlyCredits });
  const pull = (key: string, projectIds: number[], more: object = {}) => api.get('/projects/search', { projectIds, ...more }, { key });
  const entriesOf = async (key: string): Promise<Entry[]> =>
    (await api.get('/account/ledger', {}, { key })).body.data as unknown as Entry[];
  const teamOf = async () => (await api.accounts.teams()).at(-1)?.id as number;
  const change = (id: number, more: object) => api.index.load([project(id, { ...more })], { mode: 'increment' });

  it('serve at a balance of 0 whatever bills nothing, and refuse only what would bill (rule 6)', async () => {
    const key = await metered(3);
    assert.equal((await pull(key, [1, 2])).body.meta.creditsUsed, 2);
    assert.equal((await api.get('/documents/500', {}, { key })).body.meta.creditsRemaining, 0);
    const free = [
      await pull(key, [1, 2]),
      await api.get('/projects/1', {}, { key }),
      await api.get('/documents/500', {}, { key }),
      await pull(key, [999_999]),
      await api.get('/projects/sync', { projectIds: [1, 2] }, { key }),
      await api.get('/projects/count', ALL, { key }),
    ];
    assert.deepEqual(
      free.map(({ status, body }) => [status, body.meta.creditsUsed]),
      free.map(() => [200, 0]),
    );
    const billing = [
      await pull(key, [3]),
      await pull(key, [1, 2, 3]),
      await api.get('/projects/3', {}, { key }),
      await api.get('/documents/501', {}, { key }),
      await api.get('/projects/sync', { projectIds: [1, 2, 3] }, { key }),
    ];
    assert.deepEqual(
      billing.map(({ status, body }) => [status, body.error.code, body.error.details]),
      billing.map(() => [402, 'credits_exhausted', null]),
    );
    assert.deepEqual(pluck(await entriesOf(key), 'amount'), [-1, -2, 3]);
  });

  it('bill a changed record again, but never a revision that was delivered before', async () => {
    const key = await metered(10);
    const billed = async () => (await pull(key, [50])).body.meta.creditsUsed;
    const used = [await billed()];
    await change(50, { acreage: 5 });
    used.push((await api.get('/projects/count', { projectIds: 50 }, { key })).body.data.creditsRequired, await billed());
    await change(50, { acreage: null });
    used.push((await api.get('/projects/count', { projectIds: 50 }, { key })).body.data.creditsRequired);
    const back = await pull(key, [50]);
    assert.deepEqual([...used, back.body.meta.creditsUsed], [1, 1, 1, 0, 0]);
    assert.deepEqual([back.body.data[0].delivery.updatedSinceExport, back.body.data[0].delivery.billed], [true, false]);
  });

  it('cost at most 100 credits a page', async () => {
    const key = await metered(1_000);
    const { body } = await api.get('/projects/search', { ...ALL, limit: 500 }, { key });
    assert.deepEqual([body.data.length, body.meta.creditsUsed, body.meta.hasMore], [100, 100, true]);
  });

  it('leave records and documents free on County, State, Multi-State and National', async () => {
    const licences = { county: { stateIds: [], countyIds: [8013] }, state: { stateIds: [8], countyIds: [] } };
    for (const [plan, licence, credits] of [
      ['county', licences.county, 100],
      ['state', licences.state, 300],
      ['multi_state', { stateIds: [8, 48], countyIds: [] }, 600],
      ['national', undefined, 1_500],
    ] as const) {
      const key = await api.key(plan, licence && { stateIds: [...licence.stateIds], countyIds: [...licence.countyIds] });
      const page = await api.get('/projects/search', ALL, { key });
      assert.deepEqual([page.body.meta.creditsUsed, page.body.meta.creditsRemaining, page.body.data.length], [0, credits, 100], plan);
      const { delivery } = (await pull(key, [page.body.data[0].id])).body.data[0];
      assert.deepEqual([delivery.alreadyExported, delivery.billed], [true, false], plan);
      if (plan !== 'county') assert.equal((await api.get('/documents/500', {}, { key })).body.meta.creditsUsed, 0, plan);
      const { body } = await api.get('/projects/count', ALL, { key });
      assert.deepEqual([body.data.creditRate, body.data.creditsRequired, body.data.affordability.affordable], [0, 0, true], plan);
    }
  });

  it('meter a trial as API Only, documents too, and never refill it (rule 1)', async () => {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    assert.equal((await api.get('/documents/500', {}, { key })).body.meta.creditsRemaining, 49);
    assert.equal((await pull(key, [1])).body.meta.creditsRemaining, 48);
    await clock('2027-02-01T00:00:00Z');
    const { body } = await api.get('/account/credits', {}, { key });
    assert.deepEqual([body.data.balance, body.meta.credits.resetsAt], [48, null]);
  });

  it('reset paid credits at the first moment of a month in UTC, without roll-over, also after months of sleep', async () => {
    const key = await metered(40);
    await clock('2026-11-30T23:59:59.999Z');
    assert.equal((await pull(key, [1, 2, 3])).body.meta.creditsRemaining, 37);
    await clock('2026-12-01T00:00:00Z');
    const { body } = await api.get('/account/credits', {}, { key });
    assert.deepEqual([body.data.balance, body.meta.credits.resetsAt], [40, '2027-01-01T00:00:00.000Z']);
    assert.equal((await pull(key, [1, 2, 3, 4])).body.meta.creditsUsed, 1, 'what was bought stays bought');
    await clock('2027-04-15T00:00:00Z');
    assert.equal(await api.balance(key), 40);
    assert.deepEqual(
      (await entriesOf(key)).map(({ kind, amount, cause }) => [kind, amount, cause.note]),
      [
        ['grant', 1, 'api_only 2027-04'],
        ['charge', -1, null],
        ['grant', 3, 'api_only 2026-12'],
        ['charge', -3, null],
        ['grant', 40, 'api_only 2026-11'],
      ],
    );
  });

  it('stay in the month that is open when the clock goes back over its beginning', async () => {
    const key = await metered(40);
    await clock('2026-12-01T00:00:00Z');
    await pull(key, [1]);
    await clock('2026-11-30T23:59:59Z');
    assert.equal((await pull(key, [2])).body.meta.creditsRemaining, 38);
    await clock('2026-12-01T00:00:01Z');
    assert.equal(await api.balance(key), 38);
  });

  it('grant the new plan’s credits when a plan changes, and nothing twice when it changes back', async () => {
    const key = await metered(40);
    const team = await teamOf();
    await pull(key, [1, 2, 3]);
    const become = async (plan: 'national' | 'api_only') => {
      await api.accounts.setPlan(team, plan);
      await clock(new Date(Date.parse(time) + 1_000).toISOString()); // past what the process keeps of the key
      return api.balance(key);
    };
    await api.accounts.setMonthlyCredits(team, null);
    assert.deepEqual([await become('national'), await become('api_only'), await become('national')], [1_500, 37, 1_500]);
    assert.equal((await pull(key, [1, 2, 3, 4])).body.meta.delivery.notPreviouslyExported, 1);
    await become('api_only');
    assert.equal((await pull(key, [1, 2, 3, 4])).body.meta.creditsUsed, 0, 'what a free plan delivered is held');
  });

  it('do not grant a trial again to a team that had one', async () => {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    const team = await teamOf();
    assert.equal((await api.get('/projects/search', ALL, { key })).body.meta.trialTruncation.delivered, 50);
    await api.accounts.setPlan(team, 'api_only');
    await clock('2026-11-20T19:00:02Z');
    assert.equal(await api.balance(key), 5_000);
    await api.accounts.setPlan(team, 'trial', { stateIds: [8], countyIds: [] });
    await clock('2026-11-20T19:00:04Z');
    assert.equal(await api.balance(key), 0);
  });

  it('write nothing for a refused request (rule 4)', async () => {
    const key = await metered(5);
    const headers = { 'Idempotency-Key': 'refused' };
    const before = await api.database.query('select * from ledger_entry order by id');
    const refused = [
      await api.get('/projects/search', { state: 'Atlantis' }, { key, headers }),
      await api.get('/projects/search', { limit: 0 }, { key, headers }),
      await api.get('/projects/search', { sort: 'price' }, { key, headers }),
      await api.get('/projects/search', { include: 'contacts' }, { key, headers }),
      await api.get('/projects/999999', {}, { key, headers }),
      await api.get('/documents/999999', {}, { key, headers }),
      await api.get('/projects/sync', { cursor: 'x' }, { key, headers }),
      await api.get('/projects/1', { representation: 'huge' }, { key, headers }),
    ];
    assert.ok(refused.every(({ status }) => status >= 400 && status < 500));
    assert.deepEqual(await api.database.query('select * from ledger_entry order by id'), before);
    const dear = await api.get('/projects/search', { projectIds: [1, 2, 3, 4, 5, 6] }, { key, headers });
    assert.deepEqual([dear.status, dear.body.error.code], [402, 'insufficient_credits']);
    assert.deepEqual(await api.database.query("select * from idempotency where key = 'refused'"), []);
    const good = await api.get('/projects/search', { projectIds: 1 }, { key, headers });
    assert.deepEqual([good.status, good.body.meta.creditsUsed], [200, 1]);
  });

  it('keep an Idempotency-Key for 30 days and no longer', async () => {
    const key = await metered(5);
    const once = (name: string) => api.get('/projects/1', {}, { key, headers: { 'Idempotency-Key': name } });
    const kept = async () => {
      const rows = await api.database.query<{ key: string }>("select key from idempotency where key like 'kept%' order by key");
      return rows.map((row) => row.key);
    };
    await once('kept-1');
    await once('kept-2');
    await clock('2026-12-20T18:59:59Z');
    await once('kept-3');
    assert.deepEqual(await kept(), ['kept-1', 'kept-2', 'kept-3']);
    await clock('2026-12-20T19:00:00Z');
    assert.equal((await once('kept-2')).status, 200, 'an outlived key may be used again');
    assert.deepEqual(await kept(), ['kept-2', 'kept-3']);
  });
});
