/** What contacts cost, said beforehand by a count and by refusals, and bounded. */

import assert from 'node:assert/strict';
import { engineer, project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const ALL = { dateRange: 'all' };
const CONTACTS = { include: 'contacts' };
const CO = { stateIds: [8], countyIds: [] };

describe('The price of contacts', () => {
  const world = provideWorld({ today: TODAY });
  before(async () => {
    // Newest first: 1 to 8.
    const records = Array.from({ length: 8 }, (_, i) => project(i + 1, { meetingDate: `2026-10-${String(20 - i).padStart(2, '0')}` }));
    await world.api.index.load([...records, ...[1, 2, 4, 5, 6, 7, 8].map(engineer)]);
    await world.work();
  });

  afterEach(() => world.api.checkLedger());
  const count = async (parameters: object, key: string): Promise<Json> => {
    const sent = Object.entries({ ...ALL, ...CONTACTS, ...parameters }).filter(([, value]) => value !== null);
    return bodyOf(await world.read('/projects/count', Object.fromEntries(sent), key)).data;
  };
  const followed = async (url: string, key: string): Promise<Json> => {
    const answer = await fetch(url.replace(/^.*(?=\/v1\/)/, world.api.url), { headers: { 'X-API-Key': key } });
    const body = (await answer.json()) as Json;
    assert.equal(answer.status, 200, `${url}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const state = (monthlyCredits: number) => world.api.key('state', CO, { monthlyCredits });

  it('is what an export of the set reserves for them, by its options, its order and what is unlocked', async () => {
    const key = await world.api.key('national');
    const agrees = async ({ contactOptions, ...filters }: Json, expected: [number, number]) => {
      const options = contactOptions ? { contactOptions } : {};
      const { contacts } = await count({ ...filters, ...options }, key);
      assert.deepEqual([contacts.lookUps, contacts.creditsRequired], expected);
      assert.equal(contacts.creditsRemaining, await world.balance(key));
      const built = await world.exports.completed(
        { filters: { ...ALL, ...filters }, ...CONTACTS, ...options, maxContactCredits: expected[1] },
        key,
      );
      assert.equal(built.contactCreditsReserved, expected[1]);
    };
    const looked = await world.enrichments.completed({ projectIds: [1] }, key);
    assert.equal(looked.creditsCharged, 1);
    const few = [{ acreageMin: 1_000_000 }, { contactOptions: { maxProjects: 3 } }] as const;
    assert.deepEqual((await count(few[0], key)).contacts, { lookUps: 0, creditsRequired: 0, creditsRemaining: 1_499 });
    assert.deepEqual((await count(few[1], key)).contacts, { lookUps: 3, creditsRequired: 3, creditsRemaining: 1_499 });
    assert.deepEqual((await count({ contactOptions: { companyOnly: true } }, key)).contacts.creditsRequired, 0);
    assert.deepEqual((await count({ dateRange: null, projectIds: [1, 2, 3] }, key)).contacts.lookUps, 2);
    assert.deepEqual((await count({ deliveryMode: 'new' }, key)).contacts.lookUps, 7);
    // Looked up so long ago that it is again, and paid for.
    await world.api.database.query("update contact_unlock set last_at = last_at - interval '91 days'");
    await agrees({ contactOptions: { maxProjects: 1 } }, [1, 0]);
    await agrees({ sort: 'meetingDate', order: 'asc', contactOptions: { maxProjects: 1 } }, [1, 1]);
  });

  it('is said free of charge, at a balance of 0 too, where contacts are asked for, and is 0 where they are read back', async () => {
    const key = await state(0);
    const { contacts, affordability, creditsRequired } = await count({}, key);
    assert.deepEqual(contacts, { lookUps: 8, creditsRequired: 8, creditsRemaining: 0 });
    assert.deepEqual([creditsRequired, affordability], [0, { affordable: false, maxAffordableRecords: 0 }]);
    const readBack = await count({ contactOptions: { cachedOnly: true } }, key);
    assert.deepEqual([readBack.contacts.lookUps, readBack.affordability.affordable], [0, true]);
    const without = await count({ include: null }, key);
    assert.deepEqual([without.contacts, without.affordability.maxAffordableRecords], [undefined, 8]);
    const alone = await world.read('/projects/count', { contactOptions: { maxProjects: 1 } }, key);
    assert.deepEqual([alone.status, alone.body.error.param], [400, 'contactOptions']);
    // A page's order does not matter to a count, unless it chooses who is looked up.
    const sorted = (parameters: object) => world.read('/projects/count', { ...ALL, sort: 'nonsense', ...parameters }, key);
    assert.deepEqual([(await sorted({})).status, (await sorted(CONTACTS)).status], [200, 400]);
  });

  it('is part of what both balances pay, the credits and the look-ups that are left', async () => {
    const few = await state(3);
    assert.deepEqual((await count({}, few)).affordability, { affordable: false, maxAffordableRecords: 3 });
    assert.deepEqual((await count({ contactOptions: { maxProjects: 3 } }, few)).affordability, {
      affordable: true,
      maxAffordableRecords: 8,
    });
    const trial = await world.api.key('trial', CO);
    const { contacts, affordability } = await count({}, trial);
    assert.deepEqual(contacts, { lookUps: 8, creditsRequired: 0, creditsRemaining: 50 });
    assert.deepEqual(affordability, { affordable: false, maxAffordableRecords: 5 });
    assert.equal((await count({ contactOptions: { maxProjects: 5 } }, trial)).affordability.affordable, true);
    const metered = await world.api.key('api_only', undefined, { monthlyCredits: 2 });
    assert.equal((await count({}, metered)).affordability.maxAffordableRecords, 2);
  });

  it('is what the countUrl of a refusal says, of exports and searches as CSV; lists, look-ups and AI searches have none', async () => {
    const key = await state(4);
    const refused = async (answer: { status: number; body: unknown }, affordable = 4) => {
      const { error } = answer.body as Json;
      assert.deepEqual([answer.status, error.code], [402, 'insufficient_credits'], JSON.stringify(error));
      const { quote } = error.details;
      if (quote.countUrl === null) return quote.creditsRequired;
      const priced = await followed(quote.countUrl, key);
      assert.deepEqual([quote.creditsRequired, quote.affordableRecordCount], [priced.contacts.creditsRequired, affordable], quote.countUrl);
      if (error.message.includes('export')) assert.equal(priced.affordability.maxAffordableRecords, affordable);
      return null;
    };
    await refused(await world.exports.submit({ filters: ALL, ...CONTACTS }, key));
    const six = { contactOptions: { maxProjects: 6 } };
    await refused(await world.exports.submit({ filters: { ...ALL, sort: 'acreage', order: 'asc' }, ...CONTACTS, ...six }, key), 6);
    await refused(await world.exports.submit({ projectIds: [1, 2, 3, 4, 5], ...CONTACTS }, key));
    await refused(await world.read('/projects/search', { ...ALL, ...CONTACTS, ...six, format: 'csv', deliveryMode: 'new' }, key), 6);
    const list = await world.api.post('/lists', { name: 'Six', projectIds: [1, 2, 3, 4, 5, 6] }, { key });
    assert.equal(await refused(await world.exports.submit({ listId: (list.body as Json).data.id, ...CONTACTS }, key)), 6);
    assert.equal(await refused(await world.enrichments.submit({ projectIds: [1, 2, 3, 4, 5] }, key)), 5);
    const job = { query: 'approved sheds', limit: 6, ...CONTACTS };
    assert.equal(await refused(await world.api.post('/projects/ai-search/jobs', job, { key })), 6);
    assert.equal(await world.balance(key), 4);
  });

  it('never exceeds maxContactCredits, nor that of records maxCredits', async () => {
    const key = await world.api.key('national');
    const body = { filters: ALL, ...CONTACTS };
    const pays = async (bounds: object, as: string) => {
      const { creditsCharged, contactCreditsCharged } = await world.exports.completed({ ...body, ...bounds }, as);
      return [creditsCharged, contactCreditsCharged];
    };
    const refuses = async (bounds: object, as: string, param: string) => {
      const before = await world.balance(as);
      const answer = await world.exports.submit({ ...body, ...bounds }, as);
      assert.deepEqual([answer.status, answer.body.error.param, await world.balance(as)], [400, param, before]);
    };
    await refuses({ maxCredits: 5, maxContactCredits: 7 }, key, 'maxContactCredits');
    assert.deepEqual(await pays({ maxCredits: 5, maxContactCredits: 8 }, key), [0, 7]);
    const metered = await world.api.key('api_only');
    await refuses({ maxCredits: 7, maxContactCredits: 8 }, metered, 'maxCredits');
    assert.deepEqual(await pays({ maxCredits: 8, maxContactCredits: 0 }, metered), [8, 0]);
  });
});
