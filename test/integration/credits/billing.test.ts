import assert from 'node:assert/strict';
import { projectLine as project } from '../../support/projectLine.ts';
import { assertRefused, provideService } from '../../support/service.ts';

const TODAY = '2026-11-20';

const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => project(from + i));

describe('Billing of delivered records', () => {
  const api = provideService({ today: TODAY }, [
    ...many(1, 70),
    { kind: 'document', id: 500, state: 'CO', title: 'Minutes', text: 'Minutes of the council' },
  ]);

  const oneCredit = { projectIds: 1 };

  it('charges a metered pool once for a record, and again only when it changes', async () => {
    const key = await api.key('api_only');
    const first = await api.get('/projects/search', oneCredit, { key });
    assert.deepEqual(first.body.data[0].delivery, { alreadyExported: false, updatedSinceExport: null, lastExportedAt: null, billed: true });
    assert.equal(first.body.meta.creditsUsed, 1);
    assert.equal(first.body.meta.creditsRemaining, 4_999);

    const again = await api.get('/projects/1', {}, { key });
    assert.equal(again.body.meta.creditsUsed, 0);
    assert.equal(again.body.data.delivery.alreadyExported, true);
    assert.equal(again.body.data.delivery.updatedSinceExport, false);
    assert.ok(again.body.data.delivery.lastExportedAt);

    await api.index.load([project(1, { acreage: 4 })], { mode: 'increment' });
    const changed = await api.get('/projects/search', oneCredit, { key });
    assert.equal(changed.body.meta.creditsUsed, 1);
    assert.equal(changed.body.data[0].delivery.updatedSinceExport, true);
    assert.deepEqual(
      [changed.body.meta.delivery.updatedSinceExport, changed.body.meta.delivery.billed, changed.body.meta.delivery.ledgerApplied],
      [1, 1, true],
    );
  });

  it('refuses a page that costs more than the balance, with a quote that then works', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 30 });
    const refused = await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated' }, { key });
    assert.equal(refused.status, 402);
    assert.equal(refused.body.error.code, 'insufficient_credits');
    const { quote } = refused.body.error.details;
    assert.deepEqual(
      [quote.matchCount, quote.creditRate, quote.creditsRequired, quote.creditsRemaining, quote.affordableRecordCount],
      [70, 1, 70, 30, 30],
    );
    assert.match(quote.countUrl, /\/v1\/projects\/count\?states=%5B8%5D$/);
    const afforded = await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated', limit: quote.affordableRecordCount }, { key });
    assert.deepEqual([afforded.status, afforded.body.meta.creditsUsed, afforded.body.meta.creditsRemaining], [200, 30, 0]);
    const free = await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated', limit: 30 }, { key });
    assert.deepEqual([free.status, free.body.meta.creditsUsed], [200, 0]);
    const exhausted = await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated', limit: 31 }, { key });
    assert.deepEqual([exhausted.status, exhausted.body.error.code, exhausted.body.error.details], [402, 'credits_exhausted', null]);
  });

  it('prices a whole match set as walking it then bills, and withholds what the pool holds on request', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 60 });
    await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated', limit: 20 }, { key });
    const held = (await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated', limit: 20 }, { key })).body.data[19].id;
    await api.index.load([project(held, { acreage: 9 })], { mode: 'increment' });
    const { body } = await api.get('/projects/count', { states: 'CO' }, { key });
    assert.deepEqual(body.data, {
      matchCount: 70,
      matchCountIsExact: true,
      matchCountBasis: 'exact',
      billableRecordCount: 51,
      creditRate: 1,
      creditsRequired: 51,
      creditsRemaining: 40,
      affordability: { affordable: false, maxAffordableRecords: 59 },
    });
    const fresh = await api.get('/projects/search', { states: 'CO', sort: 'lastUpdated', limit: 10, deliveryMode: 'new' }, { key });
    assert.deepEqual(
      [
        fresh.body.meta.delivery.mode,
        fresh.body.meta.delivery.excludedPreviouslyDelivered,
        fresh.body.meta.matchCount,
        fresh.body.meta.creditsUsed,
      ],
      ['new', 20, 50, 10],
    );
    assert.equal((await api.get('/projects/count', { states: 'CO' }, { key })).body.data.creditsRequired, 41);
  });

  it('cuts a trial page to what its credits pay for', async () => {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    const headers = { 'Idempotency-Key': 'trial-1' };
    const page = await api.get('/projects/search', { sort: 'lastUpdated' }, { key, headers });
    assert.equal(page.body.data.length, 50);
    assert.deepEqual(page.body.meta.trialTruncation, { policy: 'trial_truncate', requested: 70, delivered: 50, creditsRemaining: 0 });
    const again = await api.get('/projects/search', { sort: 'lastUpdated' }, { key, headers });
    assert.deepEqual([again.body.data.length, again.body.meta.trialTruncation], [50, page.body.meta.trialTruncation]);
    assert.equal(page.body.meta.hasMore, true);
    assertRefused(await api.get('/projects/search', { sort: 'lastUpdated' }, { key }), 'credits_exhausted');
  });

  it('charges a repeated request once under its Idempotency-Key, and refuses another request under it', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 100 });
    const headers = { 'Idempotency-Key': 'page-1' };
    const page = { states: 'CO', sort: 'lastUpdated', limit: 5 };
    const first = await api.get('/projects/search', page, { key, headers });
    await api.index.load([project(first.body.data[0].id, { acreage: 77 })], { mode: 'increment' });
    const replay = await api.get('/projects/search', page, { key, headers });
    const ids = (body: { data?: { id: number }[] }) => body.data?.map((record) => record.id);
    assert.deepEqual([first.body.meta.creditsUsed, replay.body.meta.creditsUsed, replay.body.meta.creditsRemaining], [5, 0, 95]);
    assert.deepEqual([ids(replay.body), replay.body.meta.delivery.changedSince], [ids(first.body)?.slice(1), ids(first.body)?.slice(0, 1)]);
    assertRefused(await api.get('/projects/search', { ...page, limit: 6 }, { key, headers }), 'idempotency_key_reuse');
    const malformed = await api.get('/projects/search', page, { key, headers: { 'Idempotency-Key': 'a key' } });
    assert.deepEqual([malformed.status, malformed.body.error.param], [400, 'Idempotency-Key']);
  });

  it('tells no other evidence on a repeated page than on the first', async () => {
    const key = await api.key('api_only');
    const page = { q: 'Project 7', dateRange: 'all' };
    const ask = () => api.get('/projects/search', page, { key, headers: { 'Idempotency-Key': 'phrase' } });
    const codesOf = (warnings: { code: string }[]) => warnings.map(({ code }) => code);
    const [first, again] = [await ask(), await ask()];
    assert.ok(first.body.data.length);
    assert.deepEqual(codesOf(again.body.meta.warnings), codesOf(first.body.meta.warnings));
    assert.equal(again.body.meta.creditsUsed, 0);
  });

  it('charges once when the same request runs twenty times at once under one key', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 100 });
    const headers = { 'Idempotency-Key': 'burst' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.get('/projects/search', { projectIds: [1, 2, 3] }, { key, headers })),
    );
    assert.equal(
      answers.reduce((sum, { status, body }) => sum + (status === 200 ? body.meta.creditsUsed : 0), 0),
      3,
    );
    for (const { status, headers: sent, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, body.error.code], [409, 'idempotency_in_flight']);
      assert.ok(Number(sent.get('Retry-After')) >= 1);
    }
  });

  it('does not repeat a single record as the one that it was merged into since', async () => {
    const key = await api.key('api_only');
    const ask = () => api.get('/projects/60', {}, { key, headers: { 'Idempotency-Key': 'single' } });
    const [first, again] = [await ask(), await ask()];
    assert.deepEqual([first.body.meta.creditsUsed, again.body.meta.creditsUsed, again.body.data.id], [1, 0, 60]);
    await api.index.load([project(59, { mergedFrom: [59, 60] })], { mode: 'increment' });
    assertRefused(await ask(), 'resource_not_found');
    assert.equal((await api.get('/projects/60', {}, { key })).body.meta.creditsUsed, 1);
  });

  const refusedPage = async (path: string, parameters: Record<string, unknown>, key: string) => {
    const { status, body } = await api.get(path, parameters, { key });
    assert.deepEqual([status, body.error?.code], [402, 'insufficient_credits']);
    return body.error.details;
  };

  /** The repeated request has to be paid. */
  const checkQuote = async (path: string, parameters: Record<string, unknown>, key: string): Promise<void> => {
    const { quote, limit, offset } = await refusedPage(path, parameters, key);
    assert.equal(limit, quote.affordableRecordCount);
    const { page: _, ...same } = parameters;
    const again = await api.get(path, { ...same, limit, ...(offset === undefined ? {} : { offset }) }, { key });
    assert.deepEqual([again.status, again.body.meta?.pageCount], [200, limit], JSON.stringify(again.body.error));
  };

  const poor = () => api.key('api_only', undefined, { monthlyCredits: 3 });

  it('names in a refusal of a search the request to repeat', async () => {
    await checkQuote('/projects/search', { dateRange: 'all', limit: 20, offset: 10 }, await poor());
    await checkQuote('/projects/search', { dateRange: 'all', limit: 20, page: 2 }, await poor());
    const ids = { projectIds: Array.from({ length: 30 }, (_, i) => i + 1), dateRange: 'all' };
    await checkQuote('/projects/search', ids, await poor());
    await checkQuote('/projects/search', { ...ids, states: 'CO', q: 'project' }, await poor());
  });

  it('names in a refusal no count of ids and other filters, which would say what these match', async () => {
    const projectIds = Array.from({ length: 30 }, (_, i) => i + 1);
    const key = await poor();
    const narrowed = { projectIds, dateRange: 'all', q: 'Project 1|Project 2|Project 3|Project 4|Project 5|Project 6' };
    for (const path of ['/projects/search', '/projects/sync']) {
      const { quote } = await refusedPage(path, narrowed, key);
      assert.deepEqual([quote.matchCount, quote.countUrl], [30, null], path);
    }
    const csv = await api.get('/projects/search', { ...narrowed, format: 'csv' }, { key });
    assert.equal(csv.body.error.details.quote.countUrl, null);
  });

  it('prices what a walk still has to bring', async () => {
    await checkQuote('/projects/sync', { dateRange: 'all', counties: 'Boulder County' }, await poor());
    const key = await api.key('api_only', undefined, { monthlyCredits: 23 });
    const first = await api.get('/projects/sync', { dateRange: 'all', limit: 20 }, { key });
    const { cursor } = first.body.meta.sync;
    const all = (await api.get('/projects/count', { dateRange: 'all' }, { key })).body.data.matchCount;
    const { quote } = await refusedPage('/projects/sync', { dateRange: 'all', cursor, limit: 10 }, key);
    assert.deepEqual([quote.matchCount, quote.matchCountIsExact], [all - 20, true]);
    await checkQuote('/projects/sync', { dateRange: 'all', cursor, limit: 10 }, key);
    const projectIds = Array.from({ length: 30 }, (_, i) => i + 1);
    await checkQuote('/projects/sync', { dateRange: 'all', states: 'CO', projectIds }, await poor());
  });

  it('charges nothing for HEAD', async () => {
    const key = await api.key('api_only');
    for (const path of ['/projects/1', '/projects/search', '/projects/sync', '/documents/500'])
      assert.equal((await fetch(`${api.url}/v1${path}`, { method: 'HEAD', headers: { 'X-API-Key': key } })).status, 405);
    assert.equal(await api.balance(key), 5_000);
  });

  it('bills exactly the balance under 200 parallel pulls of three keys of one pool over two instances', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 50 });
    const team = (await api.accounts.teams()).at(-1);
    assert.ok(team);
    const mate = await api.accounts.createUser({ teamId: team.id, name: 'Mate' });
    const keys = [key, (await api.keys.mint(mate.id)).secret, (await api.keys.mint(mate.id)).secret];
    const other = await api.another();
    const pulls = Array.from({ length: 200 }, (_, i) =>
      (i % 2 ? api : other).get('/projects/search', { projectIds: (i % 70) + 1 }, { key: keys[i % 3] as string }),
    );
    const answers = await Promise.all(pulls).finally(() => other.stop());
    const used = answers.reduce((sum, answer) => sum + (answer.status === 200 ? answer.body.meta.creditsUsed : 0), 0);
    assert.equal(used, 50);
    assert.ok(answers.every((answer) => answer.status === 200 || answer.body.error.code === 'credits_exhausted'));
    assert.ok(answers.every((answer) => answer.status !== 200 || answer.body.meta.creditsRemaining >= 0));
    const receipts = (await api.get('/account/ledger', {}, { key })).body.data as { kind: string; amount: number; balance: number }[];
    const charges = receipts.filter(({ kind }) => kind === 'charge');
    assert.deepEqual([charges.length, charges.at(0)?.balance, charges.every(({ amount }) => amount === -1)], [50, 0, true]);
    await api.checkLedger();
  });
});
