/**
 * Everything that a team can do, at once, on a database that is slow after every write: no two transactions wait for each other, which
 * Postgres would end by failing one of them. Of the processes some have one connection, so that nothing may ask for a second one meanwhile.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { countDeadlocks } from '../../scripts/lib/charges.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { engineer, project, TODAY } from '../support/fixtures.ts';
import { eventually } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { provide } from '../support/provide.ts';
import { Random } from '../support/random.ts';
import type { TestAnswer, TestProcess } from '../support/service.ts';
import { type TestTeam, testWorld } from '../support/world.ts';

const SEED = Number(process.env.LOCK_SEED ?? 20_261_122);
const ROUNDS = lengthOf('LOCK_ROUNDS');
const PROJECTS = 30;
const TEAMS_CLOSED = 8;
const SLOW = `
  create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.01 * random()); return null; end $$;
  do $$ declare t text; begin
    for t in select tablename from pg_tables where schemaname = current_schema() and tablename not like 'pgmigrations%' loop
      execute format('create trigger slow after insert or update or delete on %I for each statement execute function slow()', t);
    end loop;
  end $$`;

describe(`A team that does everything at once (LOCK_SEED=${SEED})`, function () {
  this.timeout(30_000 + ROUNDS * 20_000);
  const random = new Random(SEED);
  const ids = Array.from({ length: PROJECTS }, (_, i) => i + 1);
  const jobs: string[] = [];
  const world = provide(() => testWorld({ today: TODAY, env: { SERVER_PATIENCE: '10' } }));
  const urls: string[] = [];
  let narrow: TestProcess;
  let key: string;

  before(async () => {
    const documents = ids.map((id) => ({ kind: 'document', id: 1000 + id, state: 'CO', title: 'Minutes', text: `Minutes of ${id}` }));
    await world.api.index.load([...documents, ...ids.map((id) => project(id)), ...ids.map(engineer)]);
    key = await world.api.key('api_only', undefined, { monthlyCredits: 100_000 });
    narrow = await world.api.another({ DATABASE_CONNECTIONS: '1' });
    urls.push(world.api.url, narrow.url);
    await Promise.all([world.work(), world.work({ DATABASE_CONNECTIONS: '1' })]);
    await world.api.database.query(SLOW);
  });
  after(() => narrow.stop());

  async function send(method: string, path: string, body?: object): Promise<TestAnswer> {
    const headers = {
      ...{ Authorization: `Bearer ${key}`, 'Idempotency-Key': randomUUID() },
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    };
    const response = await fetch(`${random.pick(urls)}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
  }

  const some = () => [...new Set(Array.from({ length: 6 }, () => random.pick(ids)))];
  const job = async (path: string, body: object) => {
    const answer = await send('POST', path, body);
    const id = answer.body.data?.id ?? answer.body.data?.exportJobId;
    if (answer.status === 202) jobs.push(`${path}/${id}`);
    return answer;
  };
  const inTurn = async (path: string, body: object, change: object) => {
    const made = await send('POST', path, body);
    const { id } = made.body.data ?? {};
    if (!id) return made;
    const changed = await send('PATCH', `${path}/${id}`, change);
    return changed.status < 500 ? send('DELETE', `${path}/${id}`) : changed;
  };
  const alert = { name: 'All', filters: { projectIds: ids }, cadence: { frequency: 'daily' } };
  const DOINGS: Record<string, () => Promise<TestAnswer>> = {
    'look contacts up': () => job('/enrichments', { projectIds: some() }),
    export: () => job('/exports', { projectIds: some() }),
    'export with contacts': () => job('/exports', { projectIds: some(), include: 'contacts' }),
    'search by a question': () => job('/projects/ai-search/jobs', { query: 'projects that were approved' }),
    'cancel a search': async () =>
      send('DELETE', jobs.findLast((path) => path.includes('ai-search')) ?? '/projects/ai-search/jobs/ais_none'),
    page: () => send('GET', `/projects/search?projectIds=${some().join()}`),
    record: () => send('GET', `/projects/${random.pick(ids)}`),
    document: () => send('GET', `/documents/${1000 + random.pick(ids)}`),
    walk: () => send('GET', '/projects/sync?limit=10'),
    alert: () => inTurn('/alerts', alert, { status: 'paused' }),
    list: () =>
      inTurn('/lists', { name: `List ${random.integer(1, 1e9)}`, projectIds: some() }, { name: `Other ${random.integer(1, 1e9)}` }),
    'run of an alert': async () => {
      const made = await send('POST', '/alerts', alert);
      return made.status === 201 ? send('POST', `/alerts/${made.body.data.id}/run`) : made;
    },
  };

  it('is never answered 5xx, and its transactions never wait for each other', async () => {
    const before = await countDeadlocks(world.api.database);
    const failed: string[] = [];
    const answered = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const names = [...Object.keys(DOINGS), ...Object.keys(DOINGS)].sort(() => random.next() - 0.5);
      await Promise.all(
        names.map(async (name) => {
          await sleep(random.integer(0, 60));
          const { status, body } = await (DOINGS[name] as () => Promise<TestAnswer>)();
          if (status < 300) answered.add(name);
          if (status >= 500) failed.push(`${name}: ${status} ${JSON.stringify(body)}`);
        }),
      );
    }
    await eventually(
      'the end of all jobs',
      async () => {
        const open = await world.api.database.query('select from job where settled_at is null and kind <> $1', ['send_mail']);
        return open.length === 0 || undefined;
      },
      60_000,
    );
    assert.deepEqual(failed, []);
    assert.deepEqual(await world.api.database.query('select kind, id, attempt from job where attempt > 1'), [], 'tried again');
    for (const name of Object.keys(DOINGS)) assert.ok(answered.has(name), `${name} was refused every time`);
    await sleep(1_000); // Postgres reports what it counted once a second
    assert.equal((await countDeadlocks(world.api.database)) - before, 0);
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  });

  it('can be closed while its jobs end: none of them waits for what the closing has locked', async () => {
    const { database, accounts } = world.api;
    const before = await countDeadlocks(database);
    const teams: TestTeam[] = [];
    while (teams.length < TEAMS_CLOSED) teams.push(await world.team());
    await Promise.all(
      teams.map(async ({ owner, teamId }) => {
        const made = await Promise.all([1, 2, 3].map(() => world.send('POST', '/alerts', alert, owner)));
        const run = ({ body }: TestAnswer) => world.send('POST', `/alerts/${body.data.id}/run`, undefined, owner, randomUUID());
        const runs = Promise.all(made.map(run));
        await eventually('a run that is under way', async () => {
          const running = await database.query(`select from job where team_id = $1 and status = 'running'`, [teamId]);
          return running.length > 0 || undefined;
        });
        await sleep(random.integer(0, 100));
        await accounts.close(teamId);
        for (const { status, body } of await runs) assert.ok(status < 500, JSON.stringify(body));
      }),
    );
    await eventually('the end of all jobs', async () => {
      const open = await database.query('select from job where settled_at is null and kind <> $1', ['send_mail']);
      return open.length === 0 || undefined;
    });
    await sleep(1_000);
    assert.equal((await countDeadlocks(database)) - before, 0);
    assert.deepEqual((await auditLedger(database)).differences, []);
  });
});
