/** A process that is killed anywhere between claim, search, charge and answer leaves nothing half-done. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AccountStore } from '../../src/store/postgres/accounts.ts';
import { audit } from '../../src/store/postgres/audit.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { project, TODAY } from '../support/fixtures.ts';
import { TestIndex } from '../support/index.ts';
import { type Metered, type MeteredRequest, type MeteredServices, metered, meteredServices, type Servers } from '../support/metered.ts';
import { MessageCount, stoppingProxy } from '../support/stoppingProxy.ts';

const CHILD = fileURLToPath(new URL('../support/metered.ts', import.meta.url));
const AT_ONCE = 4;
const CREDITS = 20;
const NOW = `${TODAY}T12:00:00.000Z`;
const RECORDS = [1, 2, 3];

const KINDS: Record<string, Omit<MeteredRequest, 'teamId' | 'monthlyCredits'> & { price: number }> = {
  'a page under a key': { projectIds: RECORDS, idempotencyKey: 'once', price: RECORDS.length },
  'a page without one': { projectIds: RECORDS, price: RECORDS.length },
  'a document under a key': { documentId: 500, idempotencyKey: 'once', price: 1 },
};

describe('A process killed in the middle of a metered request', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let index: TestIndex;
  let accounts: AccountStore;
  let servers: Servers;
  let later: MeteredServices;
  before(async () => {
    db = await testDatabase();
    index = new TestIndex(TODAY);
    await index.load([...RECORDS.map((id) => project(id)), { kind: 'document', id: 500, state: 'CO', title: 'Minutes', text: 'Minutes' }]);
    accounts = new AccountStore(db.database);
    servers = { databaseUrl: db.url, schema: db.schema, elasticsearchUrl: index.url, indexPrefix: index.prefix, now: NOW };
    later = meteredServices(servers);
  });
  after(async () => {
    await later.close();
    await index.drop();
    await db.drop();
  });

  async function requestOf(kind: string): Promise<MeteredRequest & { price: number }> {
    const { id } = await accounts.createTeam({ name: kind, plan: 'api_only' });
    return { ...(KINDS[kind] as (typeof KINDS)[string]), teamId: id, monthlyCredits: CREDITS };
  }

  async function readyChild(): Promise<ChildProcess> {
    const child = fork(CHILD, ['metered-child']);
    await once(child, 'message');
    return child;
  }

  /** Lets a process ask, with so many messages to and from the servers, and kills it when it needs one more or has its answer. */
  async function killAfter(messages: number, request: MeteredRequest): Promise<{ passed: number; answer: Metered | undefined }> {
    const count = new MessageCount(messages);
    const [postgres, elastic] = await Promise.all([stoppingProxy(db.url, count), stoppingProxy(index.url, count)]);
    const child = await readyChild();
    const answered = once(child, 'message').then(([message]) => message as Metered);
    child.send({ servers: { ...servers, databaseUrl: postgres.url, elasticsearchUrl: elastic.url }, request });
    const answer = await Promise.race([answered, count.stopped.then(() => undefined)]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    postgres.close();
    elastic.close();
    return { passed: count.passed, answer };
  }

  /** Credits charged to the pool so far. */
  async function charged(teamId: number): Promise<number> {
    const receipts = await later.ledger.receipts(teamId, 100, null);
    return receipts.filter(({ kind }) => kind === 'charge').reduce((sum, { amount }) => sum - amount, 0);
  }

  /** Kills after `messages` messages, then asks again as a client would. @returns what was charged at the moment of the kill */
  async function killAndRepeat(kind: string, messages: number): Promise<number> {
    const request = await requestOf(kind);
    const { price } = request;
    const killed = await killAfter(messages, request);
    assert.equal(killed.answer, undefined, `${messages} messages were enough for an answer`);
    const free = await later.ledger.balance({
      teamId: request.teamId,
      grant: { grantedFor: 'api_only month', credits: CREDITS },
    });
    await db.database.query(`update idempotency set lease_until = lease_until - interval '31 s' where team_id = $1`, [request.teamId]);
    const repeated = await metered(later, request);
    const about = `${kind}, killed after ${messages} messages`;
    assert.equal(repeated.delivered, price, about);
    assert.equal(await charged(request.teamId), price, about);
    assert.deepEqual(await metered(later, request), { delivered: price, creditsUsed: 0 }, about);
    assert.equal(CREDITS - free + repeated.creditsUsed, price, `${about}: the second answer bills what the first did not`);
    return CREDITS - free;
  }

  for (const kind of Object.keys(KINDS))
    it(`charges ${kind} once, wherever it dies`, async () => {
      const whole = await killAfter(Number.POSITIVE_INFINITY, await requestOf(kind));
      assert.ok(whole.answer && whole.answer.creditsUsed > 0 && whole.passed > 5, JSON.stringify(whole));
      const moments = Array.from({ length: whole.passed }, (_, k) => k);
      const before: number[] = [];
      while (moments.length)
        before.push(...(await Promise.all(moments.splice(0, AT_ONCE).map((messages) => killAndRepeat(kind, messages)))));
      assert.ok(before.includes(0) && before.some((credits) => credits > 0), `no kill before, or none after the commit: ${before}`);
      const locks = await db.database.query(
        `select 1 from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and l.pid <> pg_backend_pid()`,
        [db.schema],
      );
      assert.deepEqual(locks, []);
      assert.deepEqual((await audit(db.database)).differences, []);
    });
});
