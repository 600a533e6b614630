/** Money when something is missing in the middle of a request: the ledger, the search, the client, the process that had claimed it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import { PLANS } from '../../src/core/domain/plans.ts';
import type { FetchedProject } from '../../src/core/domain/record/represent.ts';
import { revisionHash } from '../../src/core/domain/record/revisionHash.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import type { HeldView } from '../../src/core/ledger/heldNumbers.ts';
import { HoldingStore } from '../../src/core/ledger/holdings.ts';
import { IdempotencyStore } from '../../src/core/ledger/idempotencyStore.ts';
import { Ledger, type Payer } from '../../src/core/ledger/ledger.ts';
import { CLIENT_GONE } from '../../src/core/search/actor.ts';
import { deliverDocument, deliverPage } from '../../src/core/search/charge.ts';
import type { Watch } from '../../src/core/store/callWatch.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import { runSql } from '../support/database.ts';
import { project, TODAY } from '../support/fixtures.ts';
import { serverUrl } from '../support/servers.ts';
import { type TestService, testService, USUAL_WAITS } from '../support/service.ts';

const NOW = new Date(`${TODAY}T19:00:00Z`);
const COLORADO = { stateIds: [8], countyIds: [] };
/** Which of a page, a record and a document cannot be charged without the table. */
const NEEDED: Record<string, [page: boolean, record: boolean, document: boolean]> = {
  credit_pool: [true, true, true],
  ledger_entry: [true, true, true],
  delivery: [true, true, false],
  document_delivery: [false, false, true],
};

describe('Billing in outages', () => {
  let api: TestService;
  let schema: string;
  const search = new TestProxy(serverUrl('ELASTICSEARCH_URL'), 9200);
  before(async () => {
    await search.start();
    api = await testService({
      today: TODAY,
      env: { ELASTICSEARCH_URL: `http://127.0.0.1:${search.port}` },
    });
    await api.index.load([
      ...Array.from({ length: 30 }, (_, i) => project(i + 1)),
      { kind: 'document', id: 500, state: 'CO', title: 'Minutes', text: 'Minutes' },
    ]);
    const [row] = await api.database.query<{ schema: string }>('select current_schema() as schema');
    schema = row?.schema ?? '';
  });
  afterEach(async () => assert.deepEqual((await auditLedger(api.database)).differences, []));
  after(async () => {
    await api.stop();
    await search.stop();
  });

  const sql = (text: string) => runSql(api.env.DATABASE_URL, `set search_path to "${schema}"; ${text}`);
  const metered = (monthlyCredits = 100) => api.key('api_only', undefined, { monthlyCredits });
  const pull = (key: string, ids: number | number[], headers: Record<string, string> = {}) =>
    api.get('/projects/search', { projectIds: ids }, { key, headers });

  async function withoutTable(table: string, work: () => Promise<void>): Promise<void> {
    await sql(`alter table ${table} rename to away`);
    try {
      await work();
    } finally {
      await sql(`alter table away rename to ${table}`);
    }
  }

  for (const [table, needed] of Object.entries(NEEDED))
    it(`serve free plans without a ledger and refuse metered ones when ${table} cannot be read`, async () => {
      const [free, paid, trial] = [await api.key('state', COLORADO), await metered(), await api.key('trial', COLORADO)];
      const answers = (key: string) => [pull(key, [1, 2]), api.get('/projects/1', {}, { key }), api.get('/documents/500', {}, { key })];
      await withoutTable(table, async () => {
        const [page, record, document] = await Promise.all(answers(free));
        const errors = JSON.stringify([page, record, document].map((answer) => answer?.body.error));
        assert.deepEqual([page?.status, record?.status, document?.status], [200, 200, 200], errors);
        assert.equal(page?.body.meta.delivery.ledgerApplied, table === 'document_delivery', 'which only documents need');
        if (page?.body.meta.delivery.ledgerApplied === false) {
          assert.deepEqual([page.body.data.length, page.body.meta.creditsUsed, page.body.meta.creditsRemaining], [2, 0, null]);
          const { delivery } = page.body.data[0];
          assert.deepEqual(delivery, { alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: false });
        }
        for (const key of [paid, trial]) {
          for (const [i, { status, body, headers }] of (await Promise.all(answers(key))).entries())
            if (needed[i]) assert.deepEqual([status, body.error?.code, headers.get('Retry-After')], [503, 'service_unavailable', '2']);
            else assert.equal(status, 200);
        }
      });
      const pages = [await pull(free, [1, 2]), await pull(paid, [1, 2])];
      assert.deepEqual(
        pages.map(({ status, body }) => [status, body.meta.delivery.ledgerApplied]),
        [
          [200, true],
          [200, true],
        ],
      );
    });

  it('goes on with sync when it cannot be read who was delivered what went', async () => {
    const free = await api.key('state', COLORADO);
    const { cursor } = (await api.get('/projects/sync', { states: 'CO' }, { key: free })).body.meta.sync;
    await api.index.load([project(25, { state: 'TX', county: null, city: null })], { mode: 'increment' });
    for (const table of ['delivery', 'ledger_entry'])
      await withoutTable(table, async () => {
        const { status, body } = await api.get('/projects/sync', { states: 'CO', cursor }, { key: free });
        assert.deepEqual([status, body.meta?.sync.removed.map(({ id }: { id: number }) => id)], [200, [25]], JSON.stringify(body));
        const receipts = await api.get('/account/ledger', {}, { key: free });
        assert.equal(receipts.status, table === 'ledger_entry' ? 503 : 200);
      });
    await api.index.load([project(25)], { mode: 'increment' });
  });

  it('says ledgerApplied: false to free plans within seconds when deliveries are locked, and prices for them', async () => {
    const [free, paid] = [await api.key('state', COLORADO), await metered()];
    const locker = new pg.Client({ connectionString: api.env.DATABASE_URL });
    await locker.connect();
    const usual = await api.another(USUAL_WAITS);
    try {
      await locker.query(`begin; lock table "${schema}".delivery in access exclusive mode`);
      const started = performance.now();
      const [page, record, count, refused] = await Promise.all([
        usual.get('/projects/search', { projectIds: 1 }, { key: free }),
        usual.get('/projects/1', {}, { key: free }),
        usual.get('/projects/count', { projectIds: 1 }, { key: free }),
        usual.get('/projects/search', { projectIds: 1 }, { key: paid }),
      ]);
      assert.ok(performance.now() - started < 6_000);
      assert.deepEqual([page.status, page.body.meta.delivery.ledgerApplied], [200, false]);
      assert.deepEqual([record.status, record.body.meta.delivery.ledgerApplied], [200, false]);
      assert.deepEqual([count.status, count.body.data.creditsRequired], [200, 0]);
      assert.deepEqual([refused.status, refused.body.error.code], [503, 'service_unavailable']);
    } finally {
      await locker.end();
      await usual.stop();
    }
    assert.equal(await api.balance(paid), 100);
  });

  it('charge nothing when the search fails after the claim, and let the key be used again at once', async () => {
    const key = await metered();
    await api.balance(key);
    await search.stop();
    const refused = await pull(key, [1, 2], { 'Idempotency-Key': 'outage' });
    await search.start();
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'search_unavailable']);
    assert.equal(await api.balance(key), 100);
    const again = await pull(key, [1, 2], { 'Idempotency-Key': 'outage' });
    assert.deepEqual([again.status, again.body.meta.creditsUsed], [200, 2]);
  });

  it('charge nothing to a client that hangs up while its records are searched', async () => {
    const key = await metered();
    const client = new AbortController();
    search.freeze();
    const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'gone' };
    const asked = fetch(`${api.url}/v1/projects/search?projectIds=1`, { headers, signal: client.signal }).catch((error) => error.name);
    await new Promise((resolve) => setTimeout(resolve, 200));
    client.abort();
    assert.equal(await asked, 'AbortError');
    search.thaw();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(await api.balance(key), 100);
    assert.equal((await pull(key, 1, { 'Idempotency-Key': 'gone' })).body.meta.creditsUsed, 1);
  });

  /** An actor straight at the delivery, for moments that no request can be made to meet. */
  async function actorOf(key: string, more: { signal?: AbortSignal } = {}) {
    const resolved = await api.keys.resolve(key);
    assert.ok(resolved.kind === 'ok');
    const cause = { kind: 'request', requestId: 'direct', route: 'GET /projects/search' } as const;
    return { principal: { ...resolved.principal, plan: PLANS.api_only }, cause, ...more };
  }
  const record = (id: number) => ({ id, contentRevision: 'r' }) as FetchedProject;
  const quote = () => ({ matchCount: 1, matchCountIsExact: true, countUrl: '' });

  it('charge nothing to a client that is gone when its page comes to be charged', async () => {
    const key = await metered();
    const actor = await actorOf(key, { signal: AbortSignal.abort(CLIENT_GONE) });
    const billing = { ledger: new Ledger(api.database) };
    await assert.rejects(deliverPage(billing, actor, [record(1)], quote), { code: 'service_unavailable' });
    await assert.rejects(deliverDocument(billing, actor, 500), { code: 'service_unavailable' });
    assert.equal(await api.balance(key), 100);
  });

  it('charge once when a request is so slow that its claim was taken over', async () => {
    const key = await metered();
    const billing = { ledger: new Ledger(api.database) };
    const idempotency = new IdempotencyStore(api.database);
    const actor = await actorOf(key);
    const { teamId } = actor.principal;
    const claimOf = () => ({ route: actor.cause.route, key: 'slow', owner: randomUUID() });
    const [slow, quick] = [claimOf(), claimOf()];
    const later = (ms: number) => api.databaseClock({ at: new Date(NOW.getTime() + ms) });
    assert.equal((await idempotency.claim(teamId, slow, 'hash')).state, 'claimed');
    for (const [ms, retryAfter] of [
      [200, 1],
      [3_000, 6],
      [20_500, 10], // what the lease still runs
    ] as const) {
      await later(ms);
      assert.deepEqual(await idempotency.claim(teamId, quick, 'hash'), { state: 'in_flight', retryAfter });
    }
    await later(30_001);
    assert.equal((await idempotency.claim(teamId, quick, 'hash')).state, 'claimed');
    const late = deliverPage(billing, { ...actor, cause: { ...actor.cause, claim: slow } }, [record(1), record(2)], quote);
    await assert.rejects(late, { code: 'idempotency_in_flight' });
    await idempotency.release(teamId, slow);
    assert.equal(
      (await deliverPage(billing, { ...actor, cause: { ...actor.cause, claim: quick } }, [record(1), record(2)], quote)).creditsUsed,
      2,
    );
    assert.equal(await api.balance(key), 98);
    await idempotency.release(teamId, quick);
    const kept = await idempotency.claim(teamId, claimOf(), 'hash');
    assert.equal(kept.state, 'replay', 'a committed outcome is not released');
    await later(31 * 86_400_000);
    assert.equal((await idempotency.claim(teamId, claimOf(), 'hash')).state, 'claimed');
    await later(0);
  });

  it('never hand one claim to two requests while others give theirs up', async () => {
    const idempotency = new IdempotencyStore(api.database);
    const { teamId } = (await actorOf(await metered())).principal;
    let held = 0;
    let claims = 0;
    const compete = async () => {
      for (let i = 0; i < 25; i++) {
        const claim = { route: 'GET /projects/search', key: 'contested', owner: randomUUID() };
        if ((await idempotency.claim(teamId, claim, 'hash')).state !== 'claimed') continue;
        held += 1;
        claims += 1;
        assert.equal(held, 1);
        const own = await api.database.query('select 1 from idempotency where owner = $1', [claim.owner]);
        assert.equal(own.length, 1, 'a claim has its row');
        held -= 1;
        await idempotency.release(teamId, claim);
      }
    };
    await Promise.all(Array.from({ length: 8 }, compete));
    assert.ok(claims > 8, `${claims} claims`);
  });

  it('go on from a repeated page as from the first', async () => {
    for (const mode of ['all', 'new']) {
      const key = await metered();
      const walked: number[] = [];
      for (let more = true; more; ) {
        const page = { states: 'CO', dateRange: 'all', deliveryMode: mode, limit: 8, offset: mode === 'all' ? walked.length : 0 };
        const ask = () => api.get('/projects/search', page, { key, headers: { 'Idempotency-Key': `page-${walked.length}` } });
        const [first, again] = [await ask(), await ask()];
        const told = ({ body }: typeof first) => {
          const { hasMore, matchCount, matchCountIsExact, total, pageCount, delivery } = body.meta;
          return { hasMore, matchCount, matchCountIsExact, total, pageCount, excluded: delivery.excludedPreviouslyDelivered };
        };
        assert.deepEqual(told(again), told(first), mode);
        assert.equal(again.body.meta.creditsUsed, 0);
        walked.push(...again.body.data.map((served: { id: number }) => served.id));
        more = again.body.meta.hasMore;
      }
      assert.deepEqual([walked.length, new Set(walked).size, await api.balance(key)], [30, 30, 70], mode);
    }
  });

  it('keep a repeated page inside a licence that has changed since', async () => {
    const key = await api.key('state', COLORADO);
    const team = (await api.accounts.teams()).at(-1);
    const actor = await actorOf(key);
    const headers = { 'Idempotency-Key': 'moved' };
    assert.equal((await api.get('/projects/search', { projectIds: [1, 2] }, { key, headers })).body.data.length, 2);
    await api.accounts.setPlan(team?.id ?? 0, 'state', { stateIds: [48], countyIds: [] });
    const other = (await api.keys.mint(actor.principal.userId)).secret; // a key that no process remembers
    const moved = await api.get('/projects/search', { projectIds: [1, 2] }, { key: other, headers });
    assert.deepEqual([moved.status, moved.body.data], [200, []]);
  });

  it('price with everything that was delivered before, while other deliveries go on', async () => {
    const { principal } = await actorOf(await metered(1_000));
    const ledger = new Ledger(api.database);
    const holdings = new HoldingStore(api.database);
    const payer: Payer = { teamId: principal.teamId, grant: { grantedFor: 'api_only month', credits: 1_000 }, cause: {} };
    const work = Array.from({ length: 40 }, async (_, i) => {
      const items = [1, 2, 3].map((id) => ({ id: id + (i % 10), revision: `r${i}` }));
      await ledger.deliverPage(payer, items, { rate: 1, truncate: false });
      const held = await holdings.revisions(principal.teamId);
      for (const { id, revision } of items) assert.ok(held.has(revisionHash(id, revision)), `${id} ${revision} is missing`);
    });
    await Promise.all(work);
    const read = async (store: HoldingStore) => {
      const [records, held] = [await store.readRecords(principal.teamId), await store.revisions(principal.teamId)];
      const sent = ({ lists }: HeldView) => [...lists()].flatMap((list) => list.json.slice(1, -1).split(',')).toSorted();
      return { ids: sent(records), size: held.size, sent: sent(held) };
    };
    const known = await read(holdings);
    assert.deepEqual([known.ids.length, new Set(known.ids).size, known.size, new Set(known.sent).size], [12, 12, 120, 120]);
    assert.deepEqual(await read(new HoldingStore(api.database)), known);
  });

  it('are looked up once for all who ask while another look-up goes on', async () => {
    const { principal } = await actorOf(await metered(10));
    const asked: string[] = [];
    const watch: Watch = (call) => {
      asked.push(call);
      return () => undefined;
    };
    const database = new Database({ url: api.env.DATABASE_URL, schema, watch });
    const holdings = new HoldingStore(database);
    const first = holdings.revisions(principal.teamId);
    while (!asked.length) await setImmediate();
    await Promise.all([first, ...Array.from({ length: 20 }, () => holdings.revisions(principal.teamId))]);
    await database.close();
    assert.deepEqual(asked, ['held revisions', 'held revisions']);
  });
});
