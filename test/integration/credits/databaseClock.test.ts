/** Credits are granted by the clock of the database: wrong clocks of processes have no effect, and a grant ahead of its time is repaired. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { AccountStore, type Team } from '../../../src/core/identity/accounts.ts';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { Ledger, type Payer } from '../../../src/core/ledger/ledger.ts';
import { measureClockSkewMs } from '../../../src/core/store/postgres/clock.ts';
import { setClock, testDatabase } from '../../support/database.ts';
import { project } from '../../support/fixtures.ts';
import { bareEnvironment } from '../../support/programs.ts';
import { provide } from '../../support/provide.ts';
import { provideService, testService } from '../../support/service.ts';

const NOVEMBER = '2026-11-20T19:00:00Z';
const CREDITS = 40;
const PEPPER = 'p'.repeat(32);

interface Entry {
  at: string;
  kind: string;
  amount: number;
  cause: { note: string | null };
}

describe('A process whose clock is wrong', () => {
  let processTime = NOVEMBER;
  const api = provideService(
    { today: '2026-11-20', now: () => new Date(processTime) },
    Array.from({ length: 9 }, (_, i) => project(i + 1)),
  );
  beforeEach(async () => {
    processTime = NOVEMBER;
    await api.databaseClock({ at: NOVEMBER });
  });
  afterEach(async () => {
    await api.databaseClock({ at: '2027-03-01T00:00:00Z' }); // after every month that a test lives in
    await api.checkLedger();
  });

  const metered = () => api.key('api_only', undefined, { monthlyCredits: CREDITS });
  const pull = (key: string, projectIds: number[], headers = {}) =>
    api.get('/projects/search', { projectIds, dateRange: 'all' }, { key, headers });
  const credits = async (key: string) => {
    const { data, meta } = (await api.get('/account/credits', {}, { key })).body;
    return [data.balance, meta.credits.resetsAt, data.enrichment.resetsAt];
  };
  const entries = async (key: string) => {
    const { data } = (await api.get('/account/ledger', {}, { key })).body as unknown as { data: Entry[] };
    return data.map(({ at, kind, amount, cause }) => [at, kind, amount, cause.note]);
  };

  for (const [years, wrong] of Object.entries({ 'ten years ahead': '2036-11-20T19:00:00Z', 'ten years behind': '2016-11-20T19:00:00Z' }))
    it(`that is ${years} grants, charges and dates nothing by it`, async () => {
      const key = await metered();
      processTime = wrong;
      await pull(key, [1, 2], { 'Idempotency-Key': 'once' });
      await api.get('/projects/count', { projectIds: [1] }, { key });
      assert.deepEqual(await credits(key), [38, '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z']);
      const at = new Date(NOVEMBER).toISOString();
      assert.deepEqual(await entries(key), [
        [at, 'charge', -2, null],
        [at, 'grant', CREDITS, 'api_only 2026-11'],
      ]);
      const { delivery } = (await pull(key, [1])).body.data[0];
      assert.equal(delivery.lastExportedAt, at);
      processTime = NOVEMBER;
      assert.equal((await pull(key, [1, 2], { 'Idempotency-Key': 'once' })).body.meta.creditsUsed, 0, 'the key is kept');
      await api.databaseClock({ at: '2026-12-01T00:00:00Z' });
      assert.equal((await credits(key))[0], CREDITS, 'the next month comes');
    });

  for (const [what, wrong, told] of [
    [
      'ahead',
      '2026-11-20T19:00:05.100Z',
      /^Not ready: The clock of this process is 5\.1 s ahead of that of Postgres, which grants credits; .+\.$/,
    ],
    ['behind', '2026-11-20T18:59:54.900Z', /^Not ready: The clock of this process is 5\.1 s behind that of Postgres, .+\.$/],
  ] as const)
    it(`that is ${what} by more than five seconds is not ready, and says by how much, until it is set right`, async () => {
      processTime = wrong;
      const { status, body } = await api.get('/ready', {}, { key: '' });
      assert.deepEqual([status, body.error.code], [503, 'service_unavailable']);
      assert.match(body.error.message, told);
      assert.deepEqual(body.error.details.servers, { elasticsearch: 'up', postgres: 'up', redis: 'up' });
      await assert.rejects(api.service.ready(), /^Error: The clock of this process is 5\.1 s/);
      processTime = new Date(Date.parse(NOVEMBER) + Math.sign(Date.parse(wrong) - Date.parse(NOVEMBER)) * 4_900).toISOString();
      assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
      await api.service.ready();
    });

  it('is not taken for one when Postgres is slow to answer', async () => {
    const read = [-9_000, 9_000].map((ms) => new Date(Date.parse(NOVEMBER) + ms));
    assert.equal(await measureClockSkewMs(api.database, () => read.shift() as Date), 0);
  });

  it('shares a pool with one whose clock is right: both pay from the month that the database is in', async () => {
    const [row] = await api.database.query<{ schema: string }>('select current_schema() as schema');
    const env = { DATABASE_URL: api.env.DATABASE_URL, DATABASE_SCHEMA: row?.schema ?? '', INDEX_PREFIX: api.index.prefix };
    await api.databaseClock({ at: '2026-11-30T23:59:59Z' });
    await using other = await testService({ now: () => new Date('2026-12-01T00:00:03Z'), env });
    processTime = '2026-11-30T23:59:59Z';
    const key = await metered();
    const remaining: number[] = [];
    for (const [i, service] of [api, other, api, other].entries()) {
      const { meta } = (await service.get('/projects/search', { projectIds: [i + 1], dateRange: 'all' }, { key })).body;
      remaining.push(meta.creditsRemaining);
    }
    assert.deepEqual(remaining, [39, 38, 37, 36]);
    await api.databaseClock({ at: '2026-12-01T00:00:00Z' });
    for (const service of [other, api]) assert.equal((await service.get('/account/credits', {}, { key })).body.data.balance, CREDITS);
    assert.deepEqual(
      (await entries(key)).filter(([, kind]) => kind === 'grant').map(([, , , note]) => note),
      ['api_only 2026-12', 'api_only 2026-11'],
    );
  });

  it('opens a month at its first moment in UTC, however early or late the process thinks it is', async () => {
    const key = await metered();
    await api.databaseClock({ at: '2027-01-31T23:59:59.999Z' });
    processTime = '2027-02-01T00:00:04Z';
    assert.equal((await pull(key, [1, 2, 3])).body.meta.creditsRemaining, 37);
    assert.deepEqual(await credits(key), [37, '2027-02-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z']);
    await api.databaseClock({ at: '2027-02-01T00:00:00Z' });
    processTime = '2027-01-31T23:59:56Z';
    assert.deepEqual(await credits(key), [CREDITS, '2027-03-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z']);
  });
});

describe('A pool that was granted a month ahead of its time', () => {
  const db = provide(() => testDatabase());
  let ledger: Ledger;
  let accounts: AccountStore;
  before(async () => {
    ledger = new Ledger(db.database);
    accounts = new AccountStore(db.database, []);
  });
  const at = (time: string) => setClock(db.database, { at: time });
  const payer = ({ id }: Team): Payer => ({ teamId: id, grant: { grantedFor: 'api_only month', credits: CREDITS }, cause: {} });
  const record = (id: number) => ({ id, revision: 'r' });
  let delivered = 0;
  const spend = (team: Team, count: number) =>
    ledger.deliverPage(
      payer(team),
      Array.from({ length: count }, () => record(++delivered)),
      { rate: 1, truncate: false },
    );
  async function newTeam(): Promise<Team> {
    const team = await accounts.createTeam({ name: 'Team', plan: 'api_only' });
    await accounts.setMonthlyCredits(team.id, CREDITS);
    return team;
  }
  /** What such a process left: November's credits used in part, those of November 2036 granted and used in part. */
  async function damaged(before: number, since: number): Promise<Team> {
    const team = await newTeam();
    await at(NOVEMBER);
    await spend(team, before);
    await at('2036-11-20T19:00:00Z');
    await ledger.balance(payer(team));
    await at(NOVEMBER);
    assert.equal((await spend(team, since)).balance, CREDITS - since, 'the month ahead is paid from');
    return team;
  }
  const differencesOf = async ({ id }: Team) => (await auditLedger(db.database)).differences.filter(({ teamId }) => teamId === id);
  const admin = (...args: string[]) =>
    new Promise<{ code: number; stdout: string }>((resolve) => {
      const env = { ...bareEnvironment, DATABASE_URL: db.url, KEY_PEPPER: PEPPER, DATABASE_SCHEMA: db.schema };
      const script = path.resolve(import.meta.dirname, '../../../src/operate/admin/main.ts');
      execFile(process.execPath, [script, ...args], { env }, (error, stdout) => resolve({ code: Number(error?.code ?? 0), stdout }));
    });

  it('is reported by audit with exit code 1, and mended by the command that audit names', async () => {
    const team = await damaged(3, 5);
    const report = await admin('audit');
    assert.equal(report.code, 1);
    assert.match(report.stdout, /grant ahead +api_only 2026-11 +api_only 2036-11/);
    const [, command = ''] = /npm run admin -- (credits mend \d+)/.exec(report.stdout) ?? [];
    const mended = await admin(...command.split(' '), '--json');
    assert.deepEqual([mended.code, JSON.parse(mended.stdout)], [0, { teamId: team.id, mended: true, balance: CREDITS - 3 - 5 }]);
    const receipts = await ledger.listReceipts(team.id, 100, null);
    assert.deepEqual(
      receipts.map(({ kind, amount, balance, route, note }) => [kind, amount, balance, route, note]),
      [
        ['grant', 0, 32, 'admin credits mend', 'api_only 2026-11'],
        [
          'adjustment',
          -3,
          32,
          'admin credits mend',
          "api_only 2036-11 was granted ahead of the database's clock; the pool is back in api_only 2026-11",
        ],
        ['charge', -5, 35, null, null],
        ['grant', 3, 40, null, 'api_only 2036-11'],
        ['charge', -3, 37, null, null],
        ['grant', 40, 40, null, 'api_only 2026-11'],
      ],
    );
    assert.equal((await admin('audit')).code, 0);
    const again = await admin('credits', 'mend', String(team.id));
    assert.deepEqual([again.code, again.stdout], [0, 'Nothing to mend: no grant lies ahead.\n']);
  });

  it('is never left below zero', async () => {
    const team = await damaged(30, 25);
    assert.equal(await ledger.undoGrantAhead(payer(team)), 0);
    assert.deepEqual(await differencesOf(team), []);
    assert.equal((await spend(team, 1)).outcome, 'exhausted');
  });

  it('gets the months to come in full, the one that was taken back among them', async () => {
    const team = await newTeam();
    await at(NOVEMBER);
    await spend(team, 3);
    await at('2026-12-02T00:00:00Z');
    await spend(team, 8);
    await at(NOVEMBER);
    assert.equal(await ledger.undoGrantAhead(payer(team)), CREDITS - 3 - 8);
    await at('2026-12-01T00:00:00Z');
    assert.equal(await ledger.balance(payer(team)), CREDITS);
    await at('2027-01-01T00:00:00Z');
    assert.equal(await ledger.balance(payer(team)), CREDITS);
    assert.deepEqual(await differencesOf(team), []);
  });

  it('that was frozen for months gets the credits of this month, less what it was charged in it', async () => {
    const team = await damaged(3, 5);
    await at('2027-02-03T00:00:00Z');
    await spend(team, 7);
    assert.equal(await ledger.undoGrantAhead(payer(team)), CREDITS - 7);
    await at('2027-03-01T00:00:00Z');
    assert.equal(await ledger.balance(payer(team)), CREDITS);
    assert.deepEqual(await differencesOf(team), []);
  });

  it('is mended again when it was damaged again, and grants nothing twice over changes of the plan', async () => {
    const team = await damaged(3, 5);
    await ledger.undoGrantAhead(payer(team));
    await at('2036-12-01T00:00:00Z');
    await ledger.balance(payer(team));
    await at(NOVEMBER);
    await spend(team, 2);
    assert.equal(await ledger.undoGrantAhead(payer(team)), CREDITS - 3 - 5 - 2);
    await ledger.balance({ ...payer(team), grant: { grantedFor: 'national month', credits: 1_500 } });
    assert.equal(await ledger.balance(payer(team)), CREDITS - 3 - 5 - 2);
    assert.deepEqual(await differencesOf(team), []);
  });
});
