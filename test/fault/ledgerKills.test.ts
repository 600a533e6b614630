/**
 * A process that dies anywhere between claim, search, charge and answer leaves nothing half-done. At every message a client in this process
 * is cut off for good, which is all that the servers see of a death; at some of them, and with LEDGER_KILLS=all at every one, a process is killed.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AccountStore } from '../../src/core/identity/accounts.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { testDatabase } from '../support/database.ts';
import { project, TODAY } from '../support/fixtures.ts';
import { TestIndex } from '../support/index.ts';
import { eventually } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { type Metered, type MeteredRequest, type MeteredServices, metered, meteredServices, type Servers } from '../support/metered.ts';
import { provide } from '../support/provide.ts';
import { Random } from '../support/random.ts';
import { MessageCount, stoppingProxy } from '../support/stoppingProxy.ts';

const CHILD = fileURLToPath(new URL('../support/metered.ts', import.meta.url));
const AT_ONCE = 4;
const KILLS = lengthOf('LEDGER_KILLS');
const SEED = 20_261_122;
const CREDITS = 20;
const NOW = `${TODAY}T12:00:00.000Z`;
const RECORDS = [1, 2, 3];

const KINDS: Record<string, Omit<MeteredRequest, 'teamId' | 'monthlyCredits'> & { price: number }> = {
  'a page under a key': { projectIds: RECORDS, idempotencyKey: 'once', price: RECORDS.length },
  'a page without one': { projectIds: RECORDS, price: RECORDS.length },
  'a document under a key': { documentId: 500, idempotencyKey: 'once', price: 1 },
};

describe('A process killed in the middle of a metered request', function () {
  this.timeout(KILLS > 10 ? 600_000 : 120_000);
  const db = provide(() => testDatabase());
  let index: TestIndex;
  let accounts: AccountStore;
  let servers: Servers;
  let later: MeteredServices;
  const random = new Random(SEED);
  before(async () => {
    index = new TestIndex(TODAY);
    index.database = db;
    await index.load([...RECORDS.map((id) => project(id)), { kind: 'document', id: 500, state: 'CO', title: 'Minutes', text: 'Minutes' }]);
    accounts = new AccountStore(db.database, []);
    servers = { databaseUrl: db.url, schema: db.schema, elasticsearchUrl: index.url, indexPrefix: index.prefix, now: NOW };
    later = meteredServices(servers);
  });
  after(async () => {
    await later.close();
    await index.drop();
  });

  async function requestOf(kind: string): Promise<MeteredRequest & { price: number }> {
    const { id } = await accounts.createTeam({ name: kind, plan: 'api_only' });
    return { ...(KINDS[kind] as (typeof KINDS)[string]), teamId: id, monthlyCredits: CREDITS };
  }

  type Ask = (servers: Servers, request: MeteredRequest) => Promise<{ answer: Promise<Metered>; end: () => Promise<unknown> }>;

  /** From a process of its own, which ends by a kill. */
  const asProcess: Ask = async (seen, request) => {
    const child = fork(CHILD, ['metered-child']);
    await once(child, 'message');
    const answer = once(child, 'message').then(([message]) => message as Metered);
    child.send({ servers: seen, request });
    const end = () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      return gone;
    };
    return { answer, end };
  };

  /** From this process, through connections that are gone for good at its end. */
  const asClient: Ask = async (seen, request) => {
    const services = meteredServices(seen);
    const answer = metered(services, request);
    return { answer, end: () => answer.catch(() => undefined).then(() => services.close()) };
  };

  /** Lets it ask, with so many messages to and from the servers, and ends it when it needs one more or has its answer. */
  async function endAfter(messages: number, ask: Ask, request: MeteredRequest): Promise<{ passed: number; answer: Metered | undefined }> {
    const count = new MessageCount(messages);
    const [postgres, elastic] = await Promise.all([stoppingProxy(db.url, count), stoppingProxy(index.url, count)]);
    const asked = await ask({ ...servers, databaseUrl: postgres.url, elasticsearchUrl: elastic.url }, request);
    const answer = await Promise.race([asked.answer, count.stopped.then(() => undefined)]);
    if (ask === asProcess) await asked.end();
    postgres.close();
    elastic.close();
    if (ask === asClient) await asked.end();
    return { passed: count.passed, answer };
  }

  /** Credits charged to the pool so far. */
  async function charged(teamId: number): Promise<number> {
    const receipts = await later.ledger.listReceipts(teamId, 100, null);
    return receipts.filter(({ kind }) => kind === 'charge').reduce((sum, { amount }) => sum - amount, 0);
  }

  /** Ends it after `messages` messages, then asks again as a client would. @returns what was charged at the moment of the end */
  async function endAndRepeat(kind: string, ask: Ask, messages: number): Promise<number> {
    const request = await requestOf(kind);
    const { price } = request;
    const ended = await endAfter(messages, ask, request);
    const about = `${kind}, ended after ${messages} messages, by a ${ask === asProcess ? 'kill' : 'cut'}`;
    assert.equal(ended.answer, undefined, `${about}, which were enough for an answer`);
    const free = await later.ledger.balance({
      teamId: request.teamId,
      grant: { grantedFor: 'api_only month', credits: CREDITS },
    });
    await db.database.query(`update idempotency set lease_until = lease_until - interval '31 s' where team_id = $1`, [request.teamId]);
    const repeated = await metered(later, request);
    assert.equal(repeated.delivered, price, about);
    assert.equal(await charged(request.teamId), price, about);
    assert.deepEqual(await metered(later, request), { delivered: price, creditsUsed: 0 }, about);
    assert.equal(CREDITS - free + repeated.creditsUsed, price, `${about}: the second answer bills what the first did not`);
    return CREDITS - free;
  }

  /** Ends it at so many different moments of a whole request, or at all. */
  async function endAtMoments(kind: string, ask: Ask, count: number): Promise<number[]> {
    const whole = await endAfter(Number.POSITIVE_INFINITY, ask, await requestOf(kind));
    assert.ok(whole.answer && whole.answer.creditsUsed > 0 && whole.passed > 5, JSON.stringify(whole));
    const moments = random.some([...Array(whole.passed).keys()], count);
    const charges: number[] = [];
    while (moments.length)
      charges.push(...(await Promise.all(moments.splice(0, AT_ONCE).map((moment) => endAndRepeat(kind, ask, moment)))));
    return charges;
  }

  for (const kind of Object.keys(KINDS))
    it(`charges ${kind} once, wherever it dies`, async () => {
      const before = await endAtMoments(kind, asClient, Number.POSITIVE_INFINITY);
      await endAtMoments(kind, asProcess, KILLS);
      assert.ok(before.includes(0) && before.some((credits) => credits > 0), `no end before, or none after the commit: ${before}`);
      // The server of a connection that was cut holds its locks until it notices.
      await eventually('the locks of dead connections', async () => {
        const locks = await db.database.query(
          `select 1 from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and l.pid <> pg_backend_pid()`,
          [db.schema],
        );
        return locks.length ? undefined : true;
      });
      assert.deepEqual((await auditLedger(db.database)).differences, []);
    });
});
